"""A lesson from its files: ``lesson.toml`` and one Markdown file a step, or every fault in them with its line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlsplit

from app.lessons.fault import Fault, LessonError
from app.lessons.language import with_comma
from app.lessons.lesson import (
    KINDS,
    NOTHING,
    Address,
    Lesson,
    Prose,
    Query,
    Question,
    Step,
    addresses_of,
)
from app.lessons.naming import known
from app.lessons.prose import expressions, not_taken
from app.lessons.questions import question_of
from app.lessons.table import Table
from app.lessons.values import ExpressionError

T = TypeVar("T")
HEAD = "lesson.toml"
FENCE = "+++"
NAME = re.compile(r"[a-z0-9][a-z0-9_]{0,39}")
STEP_NAME = re.compile(r"[a-z0-9][a-z0-9_]{0,59}\.md")
MOST_STEPS, MOST_HINTS, MOST_EXPRESSIONS = 30, 5, 100
LONGEST_FILE = 30_000
"""Characters of one."""
HEADINGS = ("Hint", "Reveal")
QUESTION_KEYS = ("ask", "answer", "options", "mistakes", "right", "of", "items", "until", "stated", "least", "most")
SHOWN = "Copy a link from the page's Share button, from the question mark on."


@dataclass(frozen=True)
class Read:
    """What could be read of a lesson's files.

    Attributes:
        head: the lesson without a step; None where its own file is at fault.
        steps: those that have no fault.
        faults: all that are found.
        addresses: of every step, also of one that has a fault elsewhere.
    """

    head: Lesson | None
    steps: tuple[Step, ...]
    faults: tuple[Fault, ...]
    addresses: tuple[Address, ...] = ()

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

    def whole(make: Callable[[], T]) -> T | None:
        try:
            return make()
        except LessonError as error:
            faults.extend(error.faults)
            return None

    head = whole(partial(_head, name, files[HEAD])) if HEAD in set(files) - long else None
    led: list[Address] = []
    steps = [whole(partial(step_of, file, files[file], led)) for file in names[:MOST_STEPS] if file not in long]
    return Read(head, tuple(step for step in steps if step is not None), tuple(faults), tuple(led))


def _head(name: str, text: str) -> Lesson:
    table = Table(HEAD, 1, text, _toml(HEAD, 1, text), [])
    title, aim = table.text("title", 80), table.text("aim", 300)
    minutes, rank = table.number("minutes", 1, 120), table.number("rank", 0, 1000, 500.0)
    table.close()
    _refuse(table.faults)
    return Lesson(name, title, aim, int(minutes), rank, ())


def _refuse(faults: Sequence[Fault]) -> None:
    """Raises them, in the order of the lines, if there are any."""
    if faults:
        raise LessonError(*sorted(faults, key=lambda fault: fault.line))


def step_of(file: str, text: str, led: list[Address] | None = None) -> Step:
    """One step.

    Args:
        led: grows with the addresses that it leads to, whatever else is wrong with it.

    Raises:
        LessonError: with all its faults; one that has no table, or none that can be read, is not read further.
    """
    lines = text.splitlines()
    fences = [at for at, line in enumerate(lines) if line.strip() == FENCE][:2]
    if len(fences) < 2 or any(line.strip() for line in lines[: fences[0]]):
        said = f"it does not begin with its table between two lines of {FENCE}."
        raise LessonError(Fault(file, 1, said, f"Write {FENCE}, title and show, {FENCE}, and then the text."))
    first, last = fences
    head = "\n".join(lines[first + 1 : last])
    faults: list[Fault] = []
    table = Table(file, first + 2, head, _toml(file, first + 2, head), faults)
    parts = _parts(file, lines, last + 1, faults)
    show = asked_of(table, "show", required=True)
    then = asked_of(table, "then", required=False) or show
    title = table.text("title", 80)
    question: Question | None = None
    ask = ""
    places = {key: table.line_of(key) for key in ("show", "then")}
    if led is not None:
        led += addresses_of(file, show, then, places)
    if (asked := table.table("question")) is not None:
        ask = asked.text("ask", 600)
        if kind := asked.one_of("kind", tuple(KINDS)):
            question = question_of(kind, asked)
            asked.close()
        places |= {key: asked.line_of(key) for key in ("kind", *QUESTION_KEYS) if asked.has(key)}
    table.close()
    text_, hints, reveal = parts["Text"][0], parts["Hint"], parts["Reveal"]
    asks = table.has("question")
    if not asks and (hints or reveal):
        said = "it has hints or a reveal, and no question."
        faults.append(Fault(file, (hints or reveal)[0].line, said, "Ask one: [question] in the table."))
    if asks and not reveal:
        faults.append(Fault(file, len(lines), "it has a question and no reveal.", "Write ## Reveal at its end."))
    if len(hints) > MOST_HINTS or len(reveal) > 1:
        faults.append(Fault(file, 1, "it has too many parts.", f"At most {MOST_HINTS} hints, and one reveal."))
    every = (text_, *hints, *reveal, Prose(ask, places.get("ask", 1)))
    count = sum(1 for prose in every for _ in expressions(prose.text))
    for prose in every if count <= MOST_EXPRESSIONS else ():
        faults += _prose_faults(file, prose)
    if count > MOST_EXPRESSIONS:
        said = f"it has {count} expressions between {{{{ }}}}."
        faults.append(Fault(file, 1, said, f"A step has at most {MOST_EXPRESSIONS}; make two of it."))
    _refuse(faults)
    return Step(file, title, show, then, text_, ask, question, tuple(hints), reveal[0] if reveal else Prose(), places)


def _prose_faults(file: str, prose: Prose) -> Iterator[Fault]:
    """What would stand there as it is written, a link, a picture or HTML; and what is not of the language."""
    if (at := not_taken(prose.text)) is not None:
        start = prose.text[at : at + 30].splitlines()[0]
        said = f"a link, a picture or HTML is not taken: {start!r}."
        yield Fault(file, prose.line + prose.text.count("\n", 0, at), said, "Write it in words.")
    for offset, source in expressions(prose.text):
        try:
            known(source)
        except ExpressionError as error:
            yield Fault(file, prose.line + offset, f"between {{{{ }}}}: {error}", "Mend the expression.")


def _parts(file: str, lines: list[str], start: int, faults: list[Fault]) -> dict[str, list[Prose]]:
    """The text, the hints and the reveal, by their headings; what stands below another is noted, and left out."""
    found: dict[str, list[Prose]] = {"Text": [], "Hint": [], "Reveal": []}
    heading, begin = "Text", start
    for at in range(start, len(lines) + 1):
        is_heading = at < len(lines) and lines[at].startswith("## ")
        if not is_heading and at < len(lines):
            continue
        found.setdefault(heading, []).append(Prose("\n".join(lines[begin:at]), begin + 1))
        if is_heading:
            heading, begin = lines[at][3:].strip(), at + 1
            if heading not in HEADINGS:
                remedy = "Parts of a step are ## Hint and ## Reveal; use ### for headings of your own."
                faults.append(Fault(file, at + 1, f"there is no part {heading[:40]!r}.", remedy))
    return found


def asked_of(table: Table, key: str, required: bool) -> Query:
    """What the page shows, as an address says it: a whole link, or what follows its question mark."""
    text = table.text(key, 4000) if required else table.text(key, 4000, "")
    if not text:
        return NOTHING
    try:
        query = urlsplit(text).query if "?" in text else text
        found = dict(parse_qsl(query, strict_parsing=True, max_num_fields=60))
    except ValueError:
        table.note(key, f"{key} is no address.", SHOWN)
        return NOTHING
    if "preset" not in found:
        table.note(key, f"{key} names no preset.", SHOWN)
    return found


def _toml(file: str, first: int, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a whole number of too many digits is no fault of TOML's
        told = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        line = first + (int(told.group(1)) - 1 if told else text.count("\n"))
        said = str(error).partition(" (at ")[0]
        at = text.split("\n")[min(line - first, text.count("\n"))]
        remedy = 'The table is TOML: key = "text" or key = 1.5 on a line of its own.'
        raise LessonError(Fault(file, line, with_comma(at.partition("=")[2].strip()) or f"{said}.", remedy)) from None
