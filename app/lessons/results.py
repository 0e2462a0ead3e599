"""What a student hands in: the result sheet, as a table for spreadsheets and as a page to be printed."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from app.lessons.lesson import Lesson, Step
from app.lessons.progress import Done, Progress
from app.lessons.prose import escaped
from app.views.printed import printed_page
from app.wording import one_line

LONGEST_NAME, LONGEST_GIVEN = 80, 1000
TITLE = "Results in Armsweep's lessons"
COLUMNS = "answer", "tries", "hints", "solution shown"
MOST_NAMED, LONGEST_PART = 3, 40
"""Lessons that a file is named after, and characters of a student's name in it."""


@dataclass(frozen=True)
class Stamp:
    """When results were saved (UTC), and by which version of the program."""

    saved: str
    version: str

    @classmethod
    def now(cls) -> Stamp:
        try:
            ours = version("armsweep")
        except PackageNotFoundError:  # a checkout that nobody has installed
            ours = "not installed"
        return cls(datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S"), ours)


def name_of(given: object) -> str:
    """What a student calls herself, in one line; possibly nothing."""
    if not isinstance(given, str) or len(given) > LONGEST_GIVEN:
        return ""
    return one_line(given)[:LONGEST_NAME]


def file_name(lessons: Iterable[Lesson], progress: Progress, name: str, stamp: Stamp) -> str:
    """Whose results of what and when, by which a folder of them is told apart."""
    begun = [lesson.name for lesson in lessons if is_begun(lesson, progress)]
    what = begun if len(begun) <= MOST_NAMED else [f"{len(begun)}_lessons"]
    who = re.sub(r"\W+", "_", name)[:LONGEST_PART].strip("_")
    return "_".join(filter(None, ("armsweep", who, *what, stamp.saved.partition(" ")[0]))) + ".csv"


def results_csv(lessons: Iterable[Lesson], progress: Progress, name: str, stamp: Stamp) -> str:
    """One row a step that asks."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("lesson", "step", "title", *COLUMNS, "name", "saved (UTC)", "version"))
    for lesson in lessons:
        for step in asking(lesson):
            done = _cells(progress.of(lesson, step))
            cells = (lesson.title, step.name, step.title, *done, name, stamp.saved, stamp.version)
            writer.writerow([plain(cell) for cell in cells])
    return text.getvalue()


def results_html(lessons: Iterable[Lesson], progress: Progress, name: str, stamp: Stamp) -> str:
    """Of each lesson that was begun a table; the others by their titles."""
    known = list(lessons)
    begun = [lesson for lesson in known if is_begun(lesson, progress)]
    left = "; ".join(escaped(lesson.title) for lesson in known if lesson not in begun)
    body = (
        f"<h1>{TITLE}</h1><p class='name'>Name: {escaped(name) or '<span></span>'}</p>"
        + "".join(_lesson_html(lesson, progress) for lesson in begun)
        + (f"<p class='left'>Not begun: {left}.</p>" if left else "")
        + f"<p class='left'>{stamp.saved} UTC, Armsweep {escaped(stamp.version)}</p>"
    )
    return printed_page(TITLE, body, Path(__file__).with_suffix(".css"))


def _lesson_html(lesson: Lesson, progress: Progress) -> str:
    steps = asking(lesson)
    found = [progress.of(lesson, step) for step in steps]
    right = sum(done.right for done in found)
    head = "".join(f"<th scope='col'>{column}</th>" for column in ("step", *COLUMNS))
    rows = "".join(
        f"<tr><th scope='row'>{escaped(step.title)}</th>{''.join(f'<td>{cell}</td>' for cell in _cells(done))}</tr>"
        for step, done in zip(steps, found, strict=True)
    )
    return (
        f"<section><h2>{escaped(lesson.title)}</h2><p>{right} of {len(steps)} answered right.</p>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></section>"
    )


def _cells(done: Done) -> tuple[str, int, int, str]:
    answer = "right" if done.right else "wrong" if done.tries else "not tried"
    return (answer, done.tries, done.hints, "yes" if done.shown else "no")


def is_begun(lesson: Lesson, progress: Progress) -> bool:
    """Whether anything has been done in a lesson."""
    return any(progress.of(lesson, step) != Done() for step in lesson.steps)


def asking(lesson: Lesson) -> list[Step]:
    """The steps with a question."""
    return [step for step in lesson.steps if step.question is not None]


def plain(cell: object) -> object:
    """A cell that no spreadsheet takes for a formula: a lesson, and a name, may be a stranger's."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t") else cell
