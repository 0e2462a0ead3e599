"""The named errors. Each message says what is wrong, where, what was expected and what to do."""

from __future__ import annotations


class ModelError(ValueError):
    """An invalid robot, object or system: broken file, impossible inertia, unknown name."""


class StateError(ValueError):
    """A state, torque or argument that does not fit its system, or that is off the closure."""


class SingularConfigurationError(ValueError):
    """A posture in which the requested quantity does not exist; names the arm and the directions."""


class LineError(ModelError):
    """A typed line of the text that cannot be evaluated.

    Attributes:
        start, end: the range of typed characters concerned, from 0; the end is not included.

    Args:
        message: what is wrong, and what is expected.
        start: start of that range.
        end: end of that range.
    """

    def __init__(self, message: str, start: int = 0, end: int = 0) -> None:
        super().__init__(message)
        self.start, self.end = start, end

    def __reduce__(self) -> tuple[type[LineError], tuple[str, int, int]]:
        return type(self), (str(self), self.start, self.end)
