"""What is wrong with a lesson, told to who writes it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One thing that is not as it should be.

    Attributes:
        file: its name within the lesson.
        line: counted from 1; 0 where all of the file is meant.
        said: what is wrong.
        remedy: what was expected, and what to do.
    """

    file: str
    line: int
    said: str
    remedy: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.said} {self.remedy}"


class LessonError(ValueError):
    """A lesson that cannot be taught; its words are those of its faults, a line each."""

    def __init__(self, *faults: Fault) -> None:
        self.faults = faults
        super().__init__("\n".join(map(str, faults)))
