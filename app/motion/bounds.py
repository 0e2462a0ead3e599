"""How far each number that decides a run may go, whoever says it: a link, a file, a field."""

from __future__ import annotations

DISPLACEMENT = 1e3
"""rad or m to either side."""
TORQUE = 1e6
"""N m or N to either side."""
FORCE = 1e6
"""N, of a push."""
MASS = 1e6
"""kg."""
LIGHTEST = 1e-6
"""kg, of a body whose mass and inertia go together."""
LENGTH = 1e3
"""m to either side, of a mass centre."""
INERTIA = 1e9
"""kg m^2 to either side."""
MOST_BODIES = 20
"""That are changed at a time: a link has room for so many."""
GRAVITY = 1e3
"""m/s^2 to either side, along each axis."""
DAMPING = 1e4
"""N m s/rad or N s/m."""
