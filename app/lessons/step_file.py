"""A step from its Markdown file: its table, its text, its hints, its reveal; or all its faults."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from urllib.parse import parse_qsl, urlsplit

from app.lessons.fault import Fault, LessonError
from app.lessons.lesson import (
    KINDS,
    NOTHING,
    Address,
    Choice,
    Curve,
    Number,
    Order,
    Prose,
    Query,
    Question,
    Step,
    addresses_of,
)
from app.lessons.naming import written
from app.lessons.numbers import declared_in, undeclared
from app.lessons.prose import BRACES, expressions, not_taken, split, unpaired
from app.lessons.questions import question_of
from app.lessons.supposed import supposed_names
from app.lessons.table import CLOSE, UNPAIRED, Table, toml
from app.lessons.values import ExpressionError

FENCE = "+++"
MOST_HINTS, MOST_EXPRESSIONS = 5, 100
HEADINGS = ("Hint", "Reveal")
LIKE_A_PART = re.compile(r"\s*#+\s*(?:hint|reveal)s?\s*$", re.IGNORECASE)
QUESTION_KEYS = (
    *("ask", "answer", "unit", "options", "mistakes", "right", "of", "items", "until", "stated", "least", "most"),
)
SHOWN = "Copy a link from the page's Share button, from the question mark on."


def step_of(file: str, text: str) -> Step:
    """One step.

    Raises:
        LessonError: with all its faults.
    """
    step, faults = read_step(file, text)
    if faults or step is None:
        raise LessonError(*faults)
    return step


def read_step(file: str, text: str, led: list[Address] | None = None) -> tuple[Step | None, list[Fault]]:
    """One step, and all its faults in the order of the lines; where there are any, what can yet be computed of it.

    Args:
        led: grows with the addresses that it leads to, whatever else is wrong with it.
    """
    lines = text.splitlines()
    fences = [at for at, line in enumerate(lines) if line.strip() == FENCE][:2]
    if len(fences) < 2 or any(line.strip() for line in lines[: fences[0]]):
        said = f"it does not begin with its table between two lines of {FENCE}."
        return None, [Fault(file, 1, said, f"Write {FENCE}, title and show, {FENCE}, and then the text.")]
    first, last = fences
    head = "\n".join(lines[first + 1 : last])
    faults: list[Fault] = []
    parts = _parts(file, lines, last + 1, faults)
    try:
        table = Table(file, first + 2, head, toml(file, first + 2, head), faults)
    except LessonError as error:
        faults += error.faults
        for prose in (prose for several in parts.values() for prose in several):
            faults += _prose_faults(file, prose)
        return None, sorted(faults, key=lambda fault: fault.line)
    step = _step(table, parts, len(lines), [] if led is None else led)
    faults += undeclared(step)
    return _computable(step) if faults else step, sorted(faults, key=lambda fault: fault.line)


def _step(table: Table, parts: Mapping[str, list[Prose]], end: int, led: list[Address]) -> Step:
    """The step of a table and the parts below it; what is wrong is noted."""
    file, faults = table.file, table.faults
    show = asked_of(table, "show", required=True)
    then = asked_of(table, "then", required=False) or show
    title = table.plain("title", 80)
    question: Question | None = None
    ask = ""
    places = {key: table.line_of(key) for key in ("title", "show", "then")}
    led += addresses_of(file, show, then, places)
    declared = table.table("numbers")
    table.names = supposed_names(declared)
    if declared is not None:
        declared.names = table.names
    others = len(faults)
    if (asked := table.table("question")) is not None:
        ask = asked.text("ask", 600)
        if kind := asked.one_of("kind", tuple(KINDS)) or asked.meant("kind", tuple(KINDS)):
            question = question_of(kind, asked)
            asked.close()
        places |= {key: asked.line_of(key) for key in ("kind", *QUESTION_KEYS) if asked.has(key)}
    is_sound = len(faults) == others
    table.close()
    text, hints, reveal = parts["Text"][0], parts["Hint"], parts["Reveal"]
    asks = table.has("question")
    if not asks and (hints or reveal):
        said = "it has hints or a reveal, and no question."
        faults.append(Fault(file, (hints or reveal)[0].line, said, "Ask one: [question] in the table."))
    for empty in (each for each in (*hints, *reveal) if not each.text.strip()):
        faults.append(Fault(file, empty.line - 1, "there is nothing below this heading.", "Write it, or take it out."))
    if asks and not reveal:
        faults.append(Fault(file, end, "it has a question and no reveal.", "Write ## Reveal at its end."))
    if len(hints) > MOST_HINTS or len(reveal) > 1:
        faults.append(Fault(file, 1, "it has too many parts.", f"At most {MOST_HINTS} hints, and one reveal."))
    every = (text, *hints, *reveal, Prose(ask, places.get("ask", 1)))
    count = sum(1 for prose in every for _ in expressions(prose.text))
    for prose in every if count <= MOST_EXPRESSIONS else ():
        faults += _prose_faults(file, prose, table.names)
    if count > MOST_EXPRESSIONS:
        said = f"it has {count} expressions between {{{{ }}}}."
        faults.append(Fault(file, 1, said, f"A step has at most {MOST_EXPRESSIONS}; make two of it."))
    numbers = declared_in(declared) if declared is not None else ()
    said_after = reveal[0] if reveal else Prose()
    return Step(file, title, show, then, text, ask, question, tuple(hints), said_after, numbers, places, is_sound)


def _computable(step: Step) -> Step | None:
    """What of a faulty step can be computed: its texts without what cannot be read; None where it shows nothing."""
    if "preset" not in step.show or "preset" not in step.then:
        return None

    def readable(prose: Prose) -> Prose:
        return replace(
            prose, text=BRACES.sub(lambda found: found.group() if _is_known(found, step.supposed) else "", prose.text)
        )

    match step.question:
        case Choice(options=options):
            several = tuple(replace(each, text=readable(each.text), say=readable(each.say)) for each in options)
            question: Question | None = Choice(several)
        case Order(items=items):
            question = Order(tuple(replace(each, text=readable(each.text)) for each in items))
        case Number(mistakes=mistakes):
            named = tuple(replace(each, say=readable(each.say)) for each in mistakes)
            question = replace(step.question, mistakes=named)
        case Curve(until=until):
            question = None if math.isnan(until) else step.question
        case _:
            question = step.question
    hints = tuple(readable(each) for each in step.hints)
    ask = readable(Prose(step.ask)).text
    return replace(
        step, text=readable(step.text), ask=ask, question=question, hints=hints, reveal=readable(step.reveal)
    )


def _is_known(braces: re.Match[str], supposed: Collection[str]) -> bool:
    try:
        written(split(braces.group(1))[0], supposed)
    except ExpressionError:
        return False
    return True


def _prose_faults(file: str, prose: Prose, supposed: Collection[str] = ()) -> Iterator[Fault]:
    """What would stand there as it is written, a link, a picture or HTML; and what is not of the language.

    Args:
        supposed: names of what the step supposes.
    """
    if (at := not_taken(prose.text)) is not None:
        start = prose.text[at : at + 30].splitlines()[0]
        said = f"a link, a picture or HTML is not taken: {start!r}."
        yield Fault(file, prose.line + prose.text.count("\n", 0, at), said, "Write it in words.")
    if (at := unpaired(prose.text)) is not None:
        said = f"{UNPAIRED}: {prose.text[at : at + 20].splitlines()[0]!r}."
        yield Fault(file, prose.line + prose.text.count("\n", 0, at), said, CLOSE)
    for offset, source in expressions(prose.text):
        try:
            written(source, supposed)
        except ExpressionError as error:
            yield Fault(file, prose.line + offset, f"between {{{{ }}}}: {error}", "Mend the expression.")


def _parts(file: str, lines: list[str], start: int, faults: list[Fault]) -> dict[str, list[Prose]]:
    """The text, the hints and the reveal, by their headings; what stands below another is noted, and left out."""
    found: dict[str, list[Prose]] = {"Text": [], "Hint": [], "Reveal": []}
    heading, begin = "Text", start
    for at in range(start, len(lines) + 1):
        is_heading = at < len(lines) and lines[at].startswith("## ")
        if at < len(lines) and not is_heading and LIKE_A_PART.match(lines[at]):
            remedy = f"A part begins with two of them and a space: ## {lines[at].strip('# ').capitalize()}."
            faults.append(Fault(file, at + 1, f"{lines[at].strip()!r} is no part of the step.", remedy))
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
