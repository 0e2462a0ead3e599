"""What the mechanics raises where it refuses: a page tells it and goes on."""

from __future__ import annotations

import dynamics as dyn

ERRORS = (dyn.ModelError, dyn.StateError, dyn.SingularConfigurationError)
