"""A lesson: steps, each a moment of the page with a text and perhaps a question; read from a folder's files.

``lesson.toml`` and a Markdown file per step are read completely, or every fault in them is reported with its line.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from app.lessons.expressions import Expression, parse
from app.number_text import read_number
from app.unit_text import in_si, unit_of

Query = Mapping[str, str]  # parameters of an address of the page


class Fault(NamedTuple):
    """A fault in a file of a lesson, in words for its author; line 0 means the whole file."""

    file: str
    line: int
    words: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.words}" if self.line else f"{self.file}: {self.words}"


class LessonError(ValueError):
    """A lesson that cannot be taught, with all its faults."""

    def __init__(self, *faults: Fault) -> None:
        self.faults = faults
        super().__init__("\n".join(map(str, faults)))


class Prose(NamedTuple):
    """Markdown with mathematics between dollar signs and expressions between double braces, and its first line."""

    text: str = ""
    line: int = 1


class Option(NamedTuple):
    """An option that is right if its expression holds, a usual wrong number, or an item to be ordered by its value."""

    text: Prose
    value: Expression | None
    say: Prose


class Question(NamedTuple):
    """A question of one of six kinds: choice, number, link, curve, order or task."""

    kind: str
    value: Expression | None = None  # the answer, the quantity of a curve, or the condition for a link or a task
    options: tuple[Option, ...] = ()  # of a choice, items in the right order, or usual mistakes
    unit: str = "1"
    tolerance: float = 0.0  # in the unit, or a share of the answer or of the range of a curve
    relative: bool = False
    stated: float | None = None  # the number that the author expects
    until: float = 0.0  # s, the end of a curve; its axis goes from least to most
    least: float = 0.0
    most: float = 0.0

    def margin(self, true: float) -> float:
        return self.tolerance * (abs(true) if self.relative else 1.0)


class Step(NamedTuple):
    """One idea. The page shows ``show``, and ``then`` after an answer; ``lines`` has the line of each key.

    ``numbers`` are typed in the texts: each as "0.3 m", with what it must equal, or a name if it is assumed.
    """

    file: str
    title: str
    show: Query
    then: Query
    text: Prose
    ask: Prose
    question: Question | None
    hints: tuple[Prose, ...]
    reveal: Prose
    numbers: tuple[tuple[str, Expression | None, str], ...]
    lines: Mapping[str, int]

    @property
    def name(self) -> str:
        """Its name in a student's progress, independent of its position in the lesson."""
        return self.file.removesuffix(".md")


class Lesson(NamedTuple):
    """One lesson, by the name of its folder; ``aim`` says what a student will be able to do."""

    name: str
    title: str
    aim: str
    minutes: int
    rank: float
    steps: tuple[Step, ...]


WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
ONES = {word: value for value, word in enumerate(WORDS.split())}
SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000}


def read_typed(text: str) -> tuple[float, float, str] | None:
    """(value, half of its last digit, unit or noun after it) of the number at the start of a text, if there is one."""
    if found := re.match(r"[+\-−]?\d+(?:\.(\d+))?", text):
        return float(found[0].replace("−", "-")), 0.5 * 10.0 ** -len(found[1] or ""), text[found.end() :].strip()
    words = text.lower().removeprefix("a ").split()
    value, scale = 0, 1
    while words and (words[0] in ONES or words[0] in SCALES):
        word = words.pop(0)
        value, scale = value + ONES.get(word, 0), scale * SCALES.get(word, 1)
    return (float(max(value, 1) * scale), 0.5 * scale, " ".join(words)) if value or scale > 1 else None


def in_si_units(text: str) -> float:
    """The same number in SI units; a count has none."""
    value, _, unit = read_typed(text) or (0.0, 0.0, "")
    return value * (in_si(unit or "1") or (1.0,))[0]


HEAD, FENCE = "lesson.toml", "+++"
NAME, STEP_NAME = re.compile(r"[a-z0-9][a-z0-9_]{0,39}"), re.compile(r"[a-z0-9][a-z0-9_]{0,59}\.md")
SUPPOSED = re.compile(r"supposed(?: +as +([a-z][a-z0-9_]{0,29}))?")
BRACES = re.compile(r"\{\{([^{}]*?)(?:\|\s*([1-8])\s*)?\}\}")  # an expression, and optionally its number of digits
LONGEST_FILE, MOST_STEPS, MOST_HINTS, MOST_EXPRESSIONS, MOST_OPTIONS = 30_000, 30, 5, 100, 8
KINDS: Mapping[str, tuple[str, str]] = {
    "choice": ("options", ""),
    "number": ("answer unit tolerance", "stated mistakes"),
    "link": ("right", ""),
    "curve": ("of unit until least most", "tolerance"),
    "order": ("items", ""),
    "task": ("until", ""),
}
"""Kinds of question: the required and the optional keys of each."""
OPTIONS = {"options": ("text right", "say", 2), "items": ("text", "by", 2), "mistakes": ("value say", "", 0)}
"""Required and optional keys of an option, an item or a usual mistake; and their least number."""


def text(longest: int) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if not isinstance(value, str) or not 0 < len(value.strip()) <= longest:
            raise ValueError(f'write a text of at most {longest} characters, as "…".')
        return value.strip()

    return read


def number(least: float, most: float) -> Callable[[Any], float]:
    def read(value: Any) -> float:
        if type(value) not in (int, float) or not least <= value <= most:
            raise ValueError(f"write a number from {least:g} to {most:g}.")
        return float(value)

    return read


def expression(value: Any) -> Expression:
    return parse(str(value))


def time_or_condition(value: Any) -> float | Expression:
    """The end time of a curve, or the condition that ends a task."""
    return parse(value) if isinstance(value, str) else number(0.05, 10)(value)


def unit(value: Any) -> str:
    if not isinstance(value, str) or len(value) > 20 or unit_of(value) is None:
        raise ValueError('write a unit that is known, as "kg m^2", or "1" for none.')
    return value


def tolerance(value: Any) -> tuple[float, bool]:
    """(allowed error, whether it is a share of the answer)."""
    size = read_number(str(value).removesuffix("%").strip())
    if size is None or not 0.0 < size < 1e9:
        raise ValueError('write "5 %" for a share of the answer, or "0.5" for as much in its unit.')
    return (size / 100.0, True) if str(value).endswith("%") else (size, False)


def address(value: Any) -> Query:
    """A link to the page, or its part after the question mark."""
    try:
        found = dict(parse_qsl(str(value)[:4000].rpartition("?")[2], strict_parsing=True, max_num_fields=60))
    except ValueError:
        found = {}
    if "preset" not in found:
        raise ValueError("copy a link from the page's Share button, from the question mark on.")
    return found


def table(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("write it as a table, its name in brackets on a line of its own.")
    return value


def tables(value: Any) -> list[dict[str, Any]]:
    if not isinstance(value, list) or len(value) > MOST_OPTIONS:
        raise ValueError(f"write at most {MOST_OPTIONS} tables, each with its name in double brackets.")
    return [table(each) for each in value]


READERS: Mapping[str, Callable[[Any], Any]] = {
    "aim": text(300), "answer": expression, "ask": text(600), "by": expression, "items": tables, "kind": text(10),
    "least": number(-1e9, 1e9), "minutes": number(1, 120), "mistakes": tables, "most": number(-1e9, 1e9),
    "numbers": table, "of": expression, "options": tables, "question": table, "rank": number(0, 1000),
    "right": expression, "say": text(500), "show": address, "stated": number(-1e15, 1e15), "text": text(300),
    "then": address, "title": text(80), "tolerance": tolerance, "unit": unit, "until": time_or_condition,
    "value": expression,
}  # fmt: skip
"""The reader of each key's value; it raises ValueError in words."""


class Source:
    """A file of a lesson; its faults are collected with their lines, so that all are reported together."""

    def __init__(self, file: str, text: str, faults: list[Fault]) -> None:
        self.file, self.lines, self._faults = file, text.splitlines(), faults

    def note(self, line: int, words: str) -> None:
        self._faults.append(Fault(self.file, line, words))

    def places(self, pattern: str, start: int = 0) -> list[int]:
        """Lines that begin with a pattern, counted from 0."""
        return [at for at in range(start, len(self.lines)) if re.match(rf"\s*{pattern}", self.lines[at])]

    def line_of(self, key: str, start: int = 0) -> int:
        """The line of a key below a line; that line, if the key is missing."""
        return 1 + next(iter(self.places(rf"\[*(?:question\.)?[\"']?{re.escape(key)}(?!\w)", start)), start)

    def toml(self, start: int, end: int | None = None) -> dict[str, Any]:
        """The TOML table in some lines."""
        lines = self.lines[start:end]
        try:
            return tomllib.loads("\n".join(lines))
        except (ValueError, RecursionError) as error:
            found = re.search(r"at line (\d+)", str(error))
            line = start + (int(found[1]) if found else len(lines))
            self.note(line, f'{error}. Write TOML: key = "text" or key = 1.5 on a line of its own.')
            return {}

    def read(self, values: Mapping[str, Any], required: str, optional: str = "", start: int = 0) -> dict[str, Any]:
        """The values of a table below a line, by its keys; None for a missing or faulty one."""
        known = [*required.split(), *optional.split()]
        found = dict[str, Any].fromkeys(known)
        for key in dict.fromkeys((*required.split(), *values)):
            try:
                if key not in known:
                    raise ValueError(f"there is no such key here; known are {', '.join(known)}.")
                if key not in values:
                    raise ValueError("it is missing.")
                found[key] = READERS[key](values[key])
            except ValueError as error:
                self.note(self.line_of(key, start), f"{key[:40]}: {error}")
        return found


def read_lesson(name: str, files: Mapping[str, str]) -> Lesson:
    """The lesson with the given texts of its files; raises LessonError with every fault in them."""
    faults: list[Fault] = []
    names = sorted(set(files) - {HEAD})
    if not NAME.fullmatch(name):
        faults.append(Fault(HEAD, 1, f"rename the folder {name[:60]!r}: at most 40 small letters, digits and _."))
    if HEAD not in files or not 0 < len(names) <= MOST_STEPS:
        faults.append(Fault(HEAD, 1, f"a lesson has a {HEAD} and 1 to {MOST_STEPS} steps, 01_….md, beside it."))
    for file in names:
        is_long = len(files[file]) > LONGEST_FILE or len(BRACES.findall(files[file])) > MOST_EXPRESSIONS
        if is_long or not STEP_NAME.fullmatch(file):
            most = f"at most {LONGEST_FILE} characters and {MOST_EXPRESSIONS} expressions"
            faults.append(Fault(file[:60], 0, f"a step is named as 01_mass.md and has {most}; keep no other file."))
    if faults:
        raise LessonError(*faults)
    head = Source(HEAD, files[HEAD][:LONGEST_FILE], faults)
    found = head.read(head.toml(0), "title aim minutes", "rank")
    steps = [_step(Source(file, files[file], faults)) for file in names]
    if faults:
        raise LessonError(*faults)
    rank = 500.0 if found["rank"] is None else found["rank"]
    return Lesson(name, found["title"], found["aim"], int(found["minutes"]), rank, tuple(filter(None, steps)))


def _step(source: Source) -> Step | None:
    """A step; None if its table cannot be read."""
    fences = source.places(re.escape(FENCE) + r"\s*$")[:2]
    if len(fences) < 2 or any(line.strip() for line in source.lines[: fences[0]]):
        source.note(1, f"begin with {FENCE}, a table with title and show, and {FENCE} again.")
        return None
    start, end = fences[0] + 1, fences[1]
    if not (values := source.toml(start, end)):
        return None
    found = source.read(values, "title show", "then numbers question", start)
    asked, numbers = found["question"], found["numbers"] or {}
    parts = _parts(source, end + 1)
    hints, reveal = tuple(parts["Hint"]), parts["Reveal"]
    if len(reveal) != (asked is not None) or len(hints) > (0 if asked is None else MOST_HINTS):
        most = f"one part ## Reveal and at most {MOST_HINTS} of ## Hint"
        source.note(len(source.lines), f"a question has {most}; without a question there is none.")
    lines = {key: source.line_of(key, start) for key in (*values, *(asked or ()), *numbers)}
    ask = Prose(str((asked or {}).get("ask", "")), lines.get("ask", 1))
    question = None if asked is None else _question(source, asked, start)
    then, typed = found["then"] or found["show"], tuple(_typed_numbers(source, numbers, start))
    said = reveal[0] if reveal else Prose()
    return Step(
        source.file, found["title"], found["show"], then, parts[""][0], ask, question, hints, said, typed, lines
    )


def _question(source: Source, values: Mapping[str, Any], start: int) -> Question | None:
    kind, start = str(values.get("kind")), source.line_of("question", start) - 1
    if kind not in KINDS:
        source.note(source.line_of("kind", start), f"kind is one of {', '.join(KINDS)}.")
        return None
    required, optional = KINDS[kind]
    found = source.read(values, f"kind ask {required}", optional, start)
    options = [each for key in OPTIONS if key in found for each in _options(source, key, found[key] or [], start)]
    value = next((found[key] for key in ("answer", "right", "of", "until") if key in found), None)
    size, relative = found.get("tolerance") or (20.0, False)
    if kind == "curve":
        size, relative = size if relative else size / 100.0, True
    until, stated = found.get("until"), found.get("stated")
    if until is not None and isinstance(until, Expression) is not (kind == "task"):
        source.note(source.line_of("until", start), "until: a curve goes until a time, a task until a condition.")
    axis = (until, found.get("least"), found.get("most")) if kind == "curve" else ()
    return Question(kind, value, tuple(options), found.get("unit", "1"), size, relative, stated, *axis)


def _options(source: Source, key: str, several: Sequence[Mapping[str, Any]], start: int) -> Iterator[Option]:
    required, optional, least = OPTIONS[key]
    starts = source.places(rf"\[\[question\.{key}\]\]", start)
    if len(several) < least or len(starts) != len(several):
        source.note(source.line_of(key, start), f"write at least {least} tables [[question.{key}]].")
    for begin, values in zip(starts, several, strict=False):
        found = source.read(values, required, optional, begin)
        shown, said = (Prose(found.get(name) or "", source.line_of(name, begin)) for name in ("text", "say"))
        yield Option(shown, next((found[name] for name in ("right", "by", "value") if name in found), None), said)


def _typed_numbers(
    source: Source, values: Mapping[str, Any], start: int
) -> Iterator[tuple[str, Expression | None, str]]:
    """``[numbers]``: numbers that are typed in the texts, and the expressions that they must equal."""
    for key, value in values.items():
        supposed = SUPPOSED.fullmatch(str(value))
        try:
            if read_typed(key) is None:
                raise ValueError("it does not begin with a number.")
            yield key, None if supposed else parse(str(value)), (supposed and supposed[1]) or ""
        except ValueError as error:
            source.note(source.line_of(key, start), f"{key[:40]!r}: {error}")


def _parts(source: Source, start: int) -> dict[str, list[Prose]]:
    """The text (at ""), the hints and the reveal of a step, by their headings."""
    parts: dict[str, list[Prose]] = {"": [], "Hint": [], "Reveal": []}
    heads = source.places("## ", start)
    for begin, end in pairwise([start - 1, *heads, len(source.lines)]):
        heading = source.lines[begin].strip("# ") if begin >= start else ""
        prose = Prose("\n".join(source.lines[begin + 1 : end]), begin + 2)
        if heading not in parts or (heading and not prose.text.strip()):
            words = "parts of a step are ## Hint and ## Reveal, with a text below; use ### for headings of your own."
            source.note(begin + 1, words)
        parts.setdefault(heading, []).append(prose)
    return parts
