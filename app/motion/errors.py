"""The errors by which the mechanics refuses impossible values: a page reports their words and continues.

Whatever makes a machine, a setup or a run may raise them, and what reads a text from outside a ``RefusedError`` as
well; their messages name the value and say what to do.
"""

import dynamics as dyn

ERRORS = (dyn.ModelError, dyn.StateError, dyn.SingularConfigurationError)
