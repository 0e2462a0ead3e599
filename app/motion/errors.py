"""The errors by which the mechanics refuses: a page reports them and continues."""

from __future__ import annotations

import dynamics as dyn

ERRORS = (dyn.ModelError, dyn.StateError, dyn.SingularConfigurationError)
