"""A student's progress, kept by the browser and read back within limits; and the results to hand in."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

from app.lessons.lesson import Lesson, Step
from app.lessons.markdown import render
from app.messages import one_line
from app.views.print_page import printed_page

VERSION = 1
LONGEST, LONGEST_NAME, MOST = 60_000, 80, 9999
"""Characters that a browser keeps and of a student's name; largest count of tries."""
TITLE = "Results in Armsweep's lessons"
COLUMNS = "answer", "tries", "hints", "solution shown"


class StepProgress(NamedTuple):
    """The progress at one step, as the browser keeps it; ``right`` and ``shown`` (the solution) are 0 or 1."""

    tries: int = 0
    hints: int = 0
    right: int = 0
    shown: int = 0

    @property
    def is_over(self) -> bool:
        return bool(self.right or self.shown)

    @property
    def cells(self) -> tuple[object, ...]:
        answer = "right" if self.right else "wrong" if self.tries else "not tried"
        return answer, self.tries, self.hints, "yes" if self.shown else "no"


class Progress:
    """The progress in every lesson, including those not offered now."""

    def __init__(self) -> None:
        self._done: dict[str, dict[str, StepProgress]] = {}

    def of(self, lesson: Lesson, step: Step) -> StepProgress:
        return self._done.get(lesson.name, {}).get(step.name, StepProgress())

    def change(self, lesson: Lesson, step: Step, **changes: Any) -> None:
        self._done.setdefault(lesson.name, {})[step.name] = self.of(lesson, step)._replace(**changes)

    def count(self, lesson: Lesson) -> int:
        return sum(self.of(lesson, step).is_over for step in lesson.steps)

    def rows(self, lesson: Lesson) -> list[tuple[Step, StepProgress]]:
        return [(step, self.of(lesson, step)) for step in lesson.steps if step.question is not None]

    def text(self) -> str:
        return json.dumps({"version": VERSION, "lessons": self._done}, separators=(",", ":"))

    def take(self, text: object) -> None:
        """Merges what the browser has kept; ignores anything invalid."""
        try:
            kept = json.loads(text) if isinstance(text, str) and len(text) <= LONGEST else None
        except (ValueError, RecursionError):
            return
        lessons = kept.get("lessons") if isinstance(kept, dict) and kept.get("version") == VERSION else None
        for lesson, steps in lessons.items() if isinstance(lessons, dict) else ():
            for step, numbers in steps.items() if isinstance(steps, dict) else ():
                first = numbers[:4] if isinstance(numbers, list) else []
                most = MOST, MOST, 1, 1
                if len(first) == 4 and all(type(n) is int and 0 <= n <= m for n, m in zip(first, most, strict=True)):
                    self._done.setdefault(lesson, {}).setdefault(step, StepProgress(*first))


class Results:
    """The results of a student in some lessons, with a name, the time (UTC) and the program's version."""

    def __init__(self, lessons: Sequence[Lesson], progress: Progress, name: object) -> None:
        self._rows = [(lesson, progress.rows(lesson)) for lesson in lessons]
        self._begun = [lesson for lesson, rows in self._rows if any(done != StepProgress() for _, done in rows)]
        self.name = one_line(name[:1000])[:LONGEST_NAME] if isinstance(name, str) else ""
        self._saved, self._version = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S"), "not installed"
        with suppress(PackageNotFoundError):  # a checkout that is not installed
            self._version = version("armsweep")

    def __bool__(self) -> bool:
        return bool(self._begun)

    @property
    def file_name(self) -> str:
        what = [lesson.name for lesson in self._begun] if len(self._begun) <= 3 else [f"{len(self._begun)}_lessons"]
        student = re.sub(r"\W+", "_", self.name)[:40].strip("_")
        return "_".join(filter(None, ("armsweep", student, *what, self._saved.partition(" ")[0]))) + ".csv"

    def csv(self) -> str:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(("lesson", "step", "title", *COLUMNS, "name", "saved (UTC)", "version"))
        for lesson, rows in self._rows:
            for step, done in rows:
                row = (lesson.title, step.name, step.title, *done.cells, self.name, self._saved, self._version)
                writer.writerow(map(plain, row))
        return text.getvalue()

    def html(self) -> str:
        """A page to print: a table for each lesson begun, the titles of the others."""
        begun = self._begun
        body = render(
            "results", title=TITLE, name=self.name, columns=("step", *COLUMNS), lessons=self._rows, begun=begun,
            saved=self._saved, version=self._version,
        )  # fmt: skip
        return printed_page(TITLE, body, Path(__file__).with_name("results.css"))


def plain(cell: object) -> object:
    """A cell that no spreadsheet takes for a formula: lessons and names may be untrusted."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t") else cell
