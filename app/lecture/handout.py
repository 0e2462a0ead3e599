"""The handout: a page to be printed, with the picture, the equations, the note and the link of every moment."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlencode

import numpy as np

import dynamics as dyn
from app.equations.formula import formula, raised, unit_here
from app.equations.rounding import Loads, sizes_beside
from app.equations.words import STAGE_TITLES, words_of
from app.instruments.contact_tried import Tried
from app.kept.names import described
from app.lecture.contact_print import contact_html
from app.lecture.instrument_print import Part, parts_html, script_html
from app.lecture.lecture import Lecture
from app.lecture.moment import Moment
from app.lecture.written_print import writing_html
from app.motion.errors import ERRORS
from app.motion.presets import FILE
from app.number_text import number_text
from app.saved.read import Machines, found_of
from app.state import Session, walk
from app.state.address import LONGEST
from app.state.breakage import broken_in, lines_of
from app.state.opening import Found, RefusedError
from app.views.breakable_html import said_html
from app.views.printed import printed_page
from app.wording import in_words

WALK = ("", "Walk")
"""Instruments of which a moment shows its equations, whether somebody has walked there or not."""
BESIDE, WRITE = "Contact", "Write it"
"""Instruments whose numbers are computed for paper, as those of the walk are."""
UNSEEN = "What it showed is printed where the moment has stood still on this page since that was loaded."
"""Of an instrument whose numbers are the page's, not the file's."""
DIGITS = 4
OWN_FILE = "It shows a robot file, which no link holds: open the lecture's file on the page."
TOO_LONG = "More has happened in it than a link has room for: open the lecture's file on the page."

BROKEN = "The text is broken on purpose here:"


class Handout:
    """Made a piece at a time, in a thread that changes nothing that the page reads.

    Args:
        home: the page's own address.
        parts: of the instrument of each moment that has stood still on the page, by its number.
    """

    def __init__(
        self, lecture: Lecture, session: Session, home: str, parts: Mapping[int, Sequence[Part]] = MappingProxyType({})
    ) -> None:
        self._moments, self._runs, self._session, self._home = lecture.moments, lecture.runs, session, home
        self._machines, self._parts = Machines(lecture.texts), dict(parts)
        self._computed = {*WALK, BESIDE, WRITE, lecture.instrument}
        self._sections: list[str] = []

    def pieces(self) -> Iterator[None]:
        """The work: each a stretch of a run, or a moment."""
        for number, moment in enumerate(self._moments, 1):
            said: list[str] = []
            walks = False
            query, parts = moment.query, self._parts.get(moment.number, ())
            tab = query.get("tab", "")
            try:
                found, _ = self._runs.instead(found_of(moment.shown, self._session, self._machines))
                walks = query.get("walked") == "1" or tab in WALK
                if not walks or tab not in WALK:
                    said.append(where_html(found, tab))
                if walks or tab in (BESIDE, WRITE) or _breaks(found):
                    yield from _computed(found)
                said += [broken_html(found)] if _breaks(found) else []
                said += [forces_html(found)] if tab == BESIDE else []
                said += [written_html(found)] if tab == WRITE else []
                said += [parts_html(parts)] if parts else []
                said += [f"<p class='gone'>{UNSEEN}</p>"] if not parts and tab not in self._computed else []
                said += [equations_html(found)] if walks else []
            except (RefusedError, *ERRORS) as error:
                said.append(f"<p class='gone'>Its numbers cannot be shown: {html.escape(in_words(error))}</p>")
            self._sections.append(self._moment_html(number, moment, "".join(said), walks or bool(parts)))
            yield

    def html(self) -> str:
        """All of it, once every piece is made."""
        count = len(self._moments)
        body = (
            "<h1>Armsweep lecture</h1>"
            f"<p>{count} moment{'s' if count > 1 else ''} of the living page. Each link shows its moment again.</p>"
            f"{''.join(self._sections)}{script_html()}"
        )
        return printed_page("Armsweep lecture", body, Path(__file__).with_suffix(".css"))

    def _moment_html(self, number: int, moment: Moment, said: str, is_long: bool) -> str:
        """One that is not long goes to the next sheet rather than leave its link there alone."""
        title = html.escape(moment.title)
        picture = f"<img src='{moment.picture}' alt='The world at this moment'>" if moment.picture else ""
        words = html.escape(moment.note).replace("\n", "<br>")
        note = f"<p class='note'>{words}</p>" if words else ""
        head = f"<div class='together'><h2>{number}. {title}</h2>{picture}{note}</div>"
        kind = "" if is_long else " class='whole'"
        plot = f"<img src='{moment.figure}' alt='Its plot at this moment'>" if moment.figure else ""
        return f"<section{kind}>{head}{plot}{said}{self._link_html(moment)}</section>"

    def _link_html(self, moment: Moment) -> str:
        query = moment.query
        if query.get("preset") == FILE:
            return f"<p class='link'>{OWN_FILE}</p>"
        if sum(map(len, query.values())) > LONGEST:
            return f"<p class='link'>{TOO_LONG}</p>"
        address = html.escape(f"{self._home}?{urlencode(query)}", quote=True)
        return f"<p class='link'><a href='{address}'>Open this moment on the page</a></p>"


def _computed(found: Found) -> Iterator[None]:
    """Its run, as far as its moment."""
    run = found.run
    while run.end < found.cursor["time"] and not run.complete:
        run.accept(run.compute())
        yield


def _instant(found: Found) -> float:
    """Of its moment, s, as far as its run goes."""
    run = found.run
    return float(min(max(run.on_step(found.cursor["time"]), run.begin), run.end))


def solution_of(found: Found) -> dyn.Solution:
    """What the mechanics says at its moment."""
    return found.run.solution_at(_instant(found))


def forces_html(found: Found) -> str:
    """The contact stage, of the object that is tried."""
    wrench = found.run.wrench_at(_instant(found))
    return contact_html(solution_of(found), wrench, Tried.read(found.other.get("tried", "")))


def written_html(found: Found) -> str:
    """The line that somebody is to write, and what was typed."""
    other = found.other
    return writing_html(solution_of(found).system, other.get("write", ""), other.get("typed", ""))


def where_html(found: Found, tab: str) -> str:
    """The machine, the time, and what was open beside the world."""
    what = f"{described(found.setup)}, at {found.cursor['time']:.2f} s"
    return f"<h3>{html.escape(f'{tab}: {what}' if tab else what)}</h3>"


def _breaks(found: Found) -> frozenset[str]:
    """Keys of what is broken on purpose at its moment."""
    return found.other.get("breaks") or frozenset()


def broken_html(found: Found) -> str:
    """What is broken on purpose at its moment, place by place; nothing where its machine runs no such line."""
    broken = broken_in(lines_of(solution_of(found).system), _breaks(found))
    rows = "".join(f"<li>{said_html(one)}</li>" for one in broken)
    return f"<p class='gone'>{BROKEN}</p><ul>{rows}</ul>" if rows else ""


def equations_html(found: Found) -> str:
    """The half-step at which a moment stands, and its lines with their values: what it is for first.

    Raises:
        ModelError, StateError, SingularConfigurationError: where the mechanics has no answer.
    """
    run = found.run
    time = _instant(found)
    shown, wrench = run.solution_at(time), run.wrench_at(time)
    reading = dyn.read_textbook(shown.system, shown.state, shown.tau, wrench, _breaks(found))
    cursor = found.cursor
    place = walk.nearest(
        reading.system, walk.Place(cursor.get("stage", "filter"), cursor["arm"], cursor["link"], cursor["half"])
    )
    system = reading.system
    words = words_of(place.stage, place.half, place.link >= system.n_joints)
    lines = sorted(
        reading.lines(place.stage, place.link, place.half), key=lambda line: line.quantity_name != words.computes
    )
    where = f"{STAGE_TITLES[place.stage]}, {walk.called(system, place.link)}, at {time:.2f} s: {words.title}"
    loads = Loads.of(system, reading.solution.stages)
    slides = place.link < system.n_joints and system.joint_models[place.link].kind == "prismatic"
    return (
        f"<h3>{html.escape(where)}</h3><p><b>Mechanics.</b> {words.mechanics}</p>"
        f"<p><b>Estimation.</b> {words.estimation}</p>"
        f"<ul>{''.join(_line_html(line, slides, loads) for line in lines)}</ul>"
    )


def _line_html(line: dyn.LineReading, slides: bool, loads: Loads) -> str:
    name = html.escape(line.quantity.mechanics_name)
    return (
        f"<li><span class='formula'>{formula(line.latex)}</span> <span class='source'>{html.escape(line.equation)}; "
        f"{name}</span>{_value_html(line, slides, loads)}</li>"
    )


def _value_html(line: dyn.LineReading, slides: bool, loads: Loads) -> str:
    """A number or [angular; linear] with its unit; a matrix is too large for a line of print."""
    value = np.asarray(line.value, dtype=float).ravel()
    if value.size not in (1, 6) or not np.isfinite(value).all():
        return ""
    sizes = sizes_beside(line.value, loads.length, loads.parts(line)).ravel()
    beside = np.repeat(sizes, value.size // sizes.size)
    texts = [number_text(each, size, digits=DIGITS) for each, size in zip(value, beside, strict=True)]
    shown = texts[0] if value.size == 1 else f"[{', '.join(texts[:3])}; {', '.join(texts[3:])}]"
    unit = raised(unit_here(line.quantity.unit, slides))
    return f"<p class='value'>{formula(line.left)} = {shown} {unit}</p>"
