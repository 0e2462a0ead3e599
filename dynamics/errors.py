"""The named errors. Each message says what is wrong, where, what was expected and what to do."""

from __future__ import annotations


class ModelError(ValueError):
    """A robot, object or system that cannot be: broken file, impossible inertia, unknown name."""


class StateError(ValueError):
    """A state, torque or argument that does not fit its system, or that is off the closure."""


class SingularConfigurationError(ValueError):
    """A posture in which the wanted quantity does not exist; says which arm and which directions."""


class LineError(ModelError):
    """A line of the text that somebody has typed and that cannot be worked out.

    Attributes:
        start, end: the characters in what was typed that it is about, from 0; the last one not included.

    Args:
        message: what is wrong, and what is expected.
        start: of these characters.
        end: of these characters.
    """

    def __init__(self, message: str, start: int = 0, end: int = 0) -> None:
        super().__init__(message)
        self.start, self.end = start, end

    def __reduce__(self) -> tuple[type[LineError], tuple[str, int, int]]:
        return type(self), (str(self), self.start, self.end)
