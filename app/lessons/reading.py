"""A lesson from its files: ``lesson.toml`` and one Markdown file a step, or every fault in them with its line."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from app.lessons.fault import Fault, LessonError
from app.lessons.lesson import Address, Lesson, Step
from app.lessons.step_file import read_step
from app.lessons.table import Table, toml
from app.lessons.typed import typed_in

HEAD = "lesson.toml"
NAME = re.compile(r"[a-z0-9][a-z0-9_]{0,39}")
STEP_NAME = re.compile(r"[a-z0-9][a-z0-9_]{0,59}\.md")
MOST_STEPS = 30
LONGEST_FILE = 30_000
"""Characters of one."""


@dataclass(frozen=True)
class Read:
    """What could be read of a lesson's files.

    Attributes:
        head: the lesson without a step; None where its own file is at fault.
        steps: those that have no fault.
        faults: all that are found.
        addresses: of every step, also of one that has a fault elsewhere.
        rest: what can be computed of the steps that have faults.
    """

    head: Lesson | None
    steps: tuple[Step, ...]
    faults: tuple[Fault, ...]
    addresses: tuple[Address, ...] = ()
    rest: tuple[Step, ...] = ()

    def lesson(self) -> Lesson:
        """The whole.

        Raises:
            LessonError: with every fault that is found.
        """
        if self.faults or self.head is None:
            raise LessonError(*self.faults)
        return replace(self.head, steps=self.steps)


def lesson_of(name: str, files: Mapping[str, str]) -> Lesson:
    """The lesson of a folder.

    Args:
        name: of the folder.
        files: text by file name.

    Raises:
        LessonError: with every fault that is found.
    """
    return read(name, files).lesson()


def read(name: str, files: Mapping[str, str], lost: Collection[str] = ()) -> Read:
    """Everything of a folder, whatever is wrong with a part of it.

    Args:
        lost: names of files that are there and are no text; of them it is told already.
    """
    faults: list[Fault] = []
    if not NAME.fullmatch(name):
        said = f"a lesson's folder is called {name[:60]!r}."
        faults.append(Fault(HEAD, 1, said, "Use small letters, digits and _, at most 40."))
    if HEAD not in files and HEAD not in lost:
        remedy = "Write one with title, aim and minutes; docs/lessons.md has one to copy."
        faults.append(Fault(HEAD, 1, f"the folder {name} has no {HEAD}.", remedy))
    names = sorted(file for file in files if file.endswith(".md"))
    for file in sorted(set(files) - set(names) - {HEAD}):
        faults.append(Fault(file, 1, "it is neither lesson.toml nor a step.", "Take it out, or call it something.md."))
    for file in names:
        if not STEP_NAME.fullmatch(file):
            faults.append(
                Fault(file, 1, "a step's file is not called so.", "Use small letters, digits and _: 01_mass.md.")
            )
    if not names and not lost:
        faults.append(Fault(HEAD, 1, "there is no step.", "Write 01_….md beside it."))
    if len(names) > MOST_STEPS:
        faults.append(Fault(HEAD, 1, f"there are {len(names)} steps.", f"A lesson has at most {MOST_STEPS}."))
    long = {file for file, text in files.items() if len(text) > LONGEST_FILE}
    for file in sorted(long):
        faults.append(Fault(file, 1, f"it has more than {LONGEST_FILE} characters.", "Make two steps of it."))
    head: Lesson | None = None
    if HEAD in set(files) - long:
        try:
            head = _head(name, files[HEAD])
        except LessonError as error:
            faults += error.faults
    led: list[Address] = []
    steps, rest = list[Step](), list[Step]()
    for file in names[:MOST_STEPS]:
        if file not in long:
            step, wrong = read_step(file, files[file], led)
            faults += wrong
            if step is not None:
                (rest if wrong else steps).append(step)
    return Read(head, tuple(steps), tuple(faults), tuple(led), tuple(rest))


def _head(name: str, text: str) -> Lesson:
    table = Table(HEAD, 1, text, toml(HEAD, 1, text), [])
    title, aim = table.plain("title", 80), table.plain("aim", 300)
    minutes, rank = table.number("minutes", 1, 120), table.number("rank", 0, 1000, 500.0)
    table.close()
    for key, words in (("title", title), ("aim", aim)):
        for typed in typed_in(words):
            said = f"{key}: {str(typed)!r} is a number of no moment that could be checked."
            table.note(key, said, "Leave it to a step.")
    if table.faults:
        raise LessonError(*sorted(table.faults, key=lambda fault: fault.line))
    return Lesson(name, title, aim, int(minutes), rank, ())
