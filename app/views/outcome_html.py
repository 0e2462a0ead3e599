"""The text of *Break it*: the equation in clickable pieces, the question, the response to a guess, the outcome."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import dynamics as dyn
from app.equations.formula import formula
from app.equations.sheet import action_html
from app.equations.words import METHODS, STAGE_TITLES
from app.motion.quantities import mechanics_of
from app.motion.run import Run
from app.state import Session
from app.state.breakage import NONE, ActiveBreak, Breakage, Question
from app.state.outcome import (
    LAWS,
    ROUNDING,
    Arrival,
    Outcome,
    RunDistance,
    apart,
    farthest,
    first_of,
    laws_failing,
    two_digits,
)
from app.state.walk import called
from app.views.check_tables import link_of, where_of
from dynamics.check import Check
from dynamics.reading import FormulationStep, Piece, PossibleBreak, TextLine

LOOK = Path(__file__).with_name("breakable.css").read_text(encoding="utf-8")


@dataclass(frozen=True, eq=False)
class ClickableLetter:
    """A clickable letter, with every break of it and of the expressions that contain it."""

    piece: Piece
    breaks: tuple[str, ...]


def leaves_of(pieces: Sequence[Piece], around: tuple[str, ...] = ()) -> Iterator[ClickableLetter]:
    """The letters of an equation from left to right; the breaks of each from the inside out."""
    for piece in pieces:
        keys = (*piece.breaks, *around)
        inner = [*piece.factors, *(term for total in piece.sums for term in total)]
        if inner:
            yield from leaves_of(inner, keys)
        else:
            yield ClickableLetter(piece, keys)


class Writer:
    """Writes an equation; broken parts are struck out or framed, and not only colored."""

    def __init__(self, line: TextLine, chosen: int, active: frozenset[str]) -> None:
        self._kinds = {each.key: each.kind for each in line.breaks if each.key in active}
        self._chosen = chosen
        self._count = 0

    def total(self, pieces: Sequence[Piece]) -> str:
        return "".join(self._term(piece, at == 0) for at, piece in enumerate(pieces))

    def _kind_of(self, piece: Piece) -> str:
        return next((self._kinds[key] for key in piece.breaks if key in self._kinds), "")

    def _term(self, piece: Piece, first: bool) -> str:
        kind = self._kind_of(piece)
        sign = -piece.sign if kind == "negate" else piece.sign
        mark = "−" if sign < 0 else ("" if first and kind != "negate" else "+")
        plus = f"<span class='plus{' turned' if kind == 'negate' else ''}'>{mark}</span>" if mark else ""
        before = f"<span class='fixed'>{formula(piece.latex)}</span>" if piece.latex else ""
        body = before + "".join(self._factor(factor) for factor in piece.factors)
        return f"<span class='factors'>{plus}<span class='term{' cut' if kind == 'drop' else ''}'>{body}</span></span>"

    def _factor(self, piece: Piece) -> str:
        kind = self._kind_of(piece)
        look = {"omit": " cut", "untranspose": " turned", "multiply": " turned"}.get(kind, "")
        if not piece.sums:
            return self._leaf(piece, look)
        if len(piece.sums) > 1:
            rows = "".join(f"<span class='factors'>{self.total(total)}</span>" for total in piece.sums)
            return f"<span class='stacked{look}'>{rows}</span>"
        closing = formula("]" + piece.latex) if piece.latex else "]"
        return f"<span class='factors{look}'><span>[</span>{self.total(piece.sums[0])}<span>{closing}</span></span>"

    def _leaf(self, piece: Piece, look: str) -> str:
        at, self._count = self._count, self._count + 1
        chosen = " chosen" if at == self._chosen else ""
        return (
            f"<span class='leaf{chosen}{look}' data-go='piece {at}' tabindex='0' role='button' "
            f"aria-pressed='{str(bool(chosen)).lower()}' aria-label='part {at + 1} of the equation'>"
            f"{formula(piece.latex)}</span>"
        )


def equation_html(line: TextLine, pieces: Sequence[Piece], chosen: int, active: frozenset[str]) -> str:
    return (
        f"<div class='pieces' role='group' aria-label='{html.escape(title_of(line), quote=True)}'>"
        f"<span class='fixed'>{formula(line.left + '=')}</span>{Writer(line, chosen, active).total(pieces)}</div>"
    )


def acts_html(line: TextLine, pieces: Sequence[Piece], chosen: int, active: frozenset[str]) -> str:
    leaves = list(leaves_of(pieces))
    keys = leaves[min(chosen, len(leaves) - 1)].breaks if leaves else ()
    by_key = {each.key: each for each in line.breaks}
    if not keys:
        return "<p class='note'>There is nothing here to leave out: the line is zero, one, or a copy.</p>"
    return f"<div class='acts'>{''.join(_act(by_key[key], key in active) for key in keys)}</div>"


def _act(each: PossibleBreak, pressed: bool) -> str:
    return (
        f"<span class='act' data-go='break {html.escape(each.key)}' tabindex='0' role='button' "
        f"aria-pressed='{str(pressed).lower()}'>{html.escape(each.doing)} {formula(each.latex)}</span>"
    )


def said_html(one: ActiveBreak) -> str:
    """One break: the equation's left side, and what is done to which part."""
    done = f"{html.escape(one.breakable.doing.lower())} {formula(one.breakable.latex)}"
    return f"{formula(one.line.left)}, {html.escape(one.line.equation)}: {done}"


def active_html(broken: Sequence[ActiveBreak], others: int, silent: dict[str, str]) -> str:
    """All breaks, each with a button that mends it.

    Args:
        others: number of breaks in lines that this system does not run.
        silent: key -> why the break changes nothing at this instant.
    """
    if not broken and not others:
        return ""
    count = len(broken) + others
    rows = ""
    for one in broken:
        each = one.breakable
        why = f"<span class='quiet'>{html.escape(silent[each.key])}</span>" if each.key in silent else ""
        name = f"Mend: {each.doing.lower()} in {title_of(one.line)}"
        rows += f"<li><span>{said_html(one)}</span>{action_html(f'break {each.key}', 'Mend', name)}{why}</li>"
    if others:
        rows += f"<li>{others} more in lines that this system does not list</li>"
    places = "one place" if count == 1 else f"{count} places"
    every = action_html("mend", "Mend all") if count > 1 else ""
    return f"<h4>Broken in {places} {every}</h4><ul class='active'>{rows}</ul>"


def part_title(stage: str) -> str:
    """The name of a stage, or of another formulation, in menus."""
    return METHODS[stage].title if stage in METHODS else STAGE_TITLES[stage]


def runs_in(step: FormulationStep, line: TextLine) -> bool:
    """Whether a step of a formulation runs a line."""
    place = ".".join(part for part in (step.text, step.sweep, step.block) if part)
    return line.key.rpartition(".")[0] == place


def titles_of(lines: Sequence[TextLine]) -> list[str]:
    """Lines in words; lines that compute the same by the same equation are distinguished by their half-steps."""
    titles = [title_of(line) for line in lines]
    return [
        title if titles.count(title) == 1 else f"{title}, {' '.join(line.key.split('.')[-2:])}"
        for title, line in zip(titles, lines, strict=True)
    ]


def title_of(line: TextLine) -> str:
    """A line in words, for menus: what it computes, and its equation."""
    name = mechanics_of(line.quantity, holds=line.stage == "smoother_final")
    where = " at the base" if ".base." in line.key else ""
    return f"{name[:1].upper()}{name[1:]}{where}, {line.equation}"


def question_html(question: Question) -> str:
    """The choices, each selected by a click or Enter, and a way to skip the question."""
    choices = "".join(
        f"<li>{_button(each.key, f'{html.escape(each.title)} <span class=quiet>{formula(each.latex)}</span>')}</li>"
        for each in (check.identity for check in question.choices)
    )
    return (
        "<div class='guess' role='group' aria-label='A guess before the answer'>"
        "<h4 role='status'>First guess: which of these fails now?</h4>"
        f"<ul>{choices}<li>{_button(NONE, 'None of these, and nothing else')}</li></ul>"
        f"<p>{action_html('tell', 'Show me without a guess')}</p></div>"
    )


def _button(key: str, text: str) -> str:
    return f"<span class='act' data-go='guess {key}' tabindex='0' role='button'>{text}</span>"


def answer_html(question: Question, guess: str, system: dyn.System) -> str:
    """Whether the guess is right, in words; empty without a guess, or if it concerns another text."""
    if not guess or not question.offers(guess):
        return ""
    right = question.is_right(guess)
    mark = "<b class='good'>✓ Right.</b>" if right else "<b class='bad'>✗ Not so.</b>"
    if guess == NONE:
        words = "Nothing fails at this instant." if right else f"{_first(question, system)}"
    else:
        title = next(each.identity.title for each in question.choices if each.identity.key == guess)
        said = _fails(question.failing[guess], system) if right else f"“{html.escape(title)}” still holds."
        words = said if right or question.first is None else f"{said} {_first(question, system)}"
        words = words if right or question.first is not None else f"{said} Nothing fails at this instant."
    return f"<p class='answer' role='status'>{mark} {words}</p>"


def _first(question: Question, system: dyn.System) -> str:
    assert question.first is not None
    return f"First of all, {_fails(question.first, system)}"


def _fails(check: Check, system: dyn.System) -> str:
    where = f", at {html.escape(where_of(check, system))}" if link_of(check) >= 0 else ""
    return f"“{html.escape(check.identity.title)}” fails{where}."


FINDS: Mapping[str, str] = {"torque": "torque", "joint_acceleration": "acceleration"}
DONE: Mapping[str, str] = {
    "drop": "without the term",
    "negate": "with the opposite sign of the term",
    "omit": "without the factor",
    "untranspose": "with a transposition forgotten, in",
    "multiply": "by multiplication where it should divide by",
}
"""How the text computes with a break of each kind, completed by the part."""


def what_is_done(one: ActiveBreak) -> str:
    """The computation that a break changes, as a clause."""
    line, each = one.line, one.breakable
    name = mechanics_of(line.quantity, holds=line.stage == "smoother_final")
    return f"{html.escape(name)} {formula(line.left)} is computed {DONE[each.kind]} {formula(each.latex)}"


def said(chosen: Breakage, found: Outcome) -> str:
    """What the text computes wrongly and where it first shows, in one sentence, with further results."""
    system = found.reading.system
    beside = "".join(arrival_html(each, system) for each in found.arrivals)
    if beside and not found.reading.breaks:
        return f"{beside}<p>The filter and the smoother are intact: their identities hold, and arms move as before.</p>"
    return beside + _said_of_textbook(chosen, found)


def arrival_html(each: Arrival, system: dyn.System) -> str:
    """The error of another formulation, broken as it is, at the joint where it is largest."""
    name, what = html.escape(METHODS[each.name].title), FINDS[each.finds]
    if not each.by > ROUNDING:
        return f"<p role='status'><b>{name} gives the same result</b>: at this moment the break changes no {what}.</p>"
    where = html.escape(called(system, each.joint))
    size = "has no number" if np.isinf(each.by) else f"is off by {two_digits(100.0 * each.by)} % of the largest"
    return f"<p role='status'><b>{name} no longer agrees</b>: its {what} at the joint of {where} {size}.</p>"


def _said_of_textbook(chosen: Breakage, found: Outcome) -> str:
    system = found.reading.system
    if not found.reading.breaks:
        return "<p>Nothing is broken: every identity holds. Break something, and guess what will fail.</p>"
    failing = [check for check in found.checks if not check.holds]
    if not failing:
        if found.reading.breaks <= found.silent:
            return "<p role='status'><b>Nothing fails at this instant</b>: no number has changed.</p>"
        return (
            "<p role='status'><b>Nothing fails at this instant.</b> Numbers change, but too little to fail, or "
            "nothing that moves depends on them.</p>"
        )
    first = first_of(found.checks, system)
    assert first is not None
    stage = STAGE_TITLES[first.stage].lower()
    where = f"at <b>{html.escape(where_of(first, system))}</b>, in" if link_of(first) >= 0 else "in"
    shows = f"this first shows {where} the {stage}, where “{html.escape(first.identity.title)}” fails."
    laws = laws_html(laws_failing(found.checks), system)
    own = [one for one in chosen.broken if one.breakable.key in found.reading.breaks]
    heard = [one for one in own if one.breakable.key not in found.silent]
    if len(heard) == 1:
        begin, expect = f"The {what_is_done(heard[0])}", heard[0].breakable.prose.expect
    else:
        places = len(heard or own or found.reading.breaks)
        begin, expect = f"The text is broken in {places} place{'s' * (places > 1)}", ""
    return (
        f"<p role='status'>{laws} {begin}; {shows}</p><p>{len(failing)} of {len(found.checks)} identities fail.</p>"
        + (f"<p>{html.escape(expect)}</p>" if expect else "")
    )


def laws_html(failing: Sequence[Check], system: dyn.System) -> str:
    """The laws of mechanics that fail, in one sentence, with the place of the first."""
    if not failing:
        return (
            "<b>Every law of mechanics still holds at this moment</b>: only the recursion's own identities fail. "
            "Another moment may show more."
        )
    first, *others = failing
    where = f" at {html.escape(where_of(first, system))}" if link_of(first) >= 0 else ""
    too = [LAWS[check.identity.key] for check in others]
    also = f"; {', '.join([*too[:-2], ' and '.join(too[-2:])])} too" if too else ""
    name = LAWS[first.identity.key]
    return f"<b>{name[:1].upper()}{name[1:]} fails{where}{also}.</b>"


FLASH = 0.15  # Duration in s of a broken motion that is too short to be seen, however slowly it is played
GENTLER = "With the sign of that part changed instead, the arm may stay in sight longer."


def apart_html(
    shown: Run,
    start: float,
    now: float,
    gap: RunDistance | None,
    most: tuple[float, RunDistance] | None,
    is_awaited: bool = False,
    breaks: frozenset[str] = frozenset(),
    text: str = "the broken text",
) -> str:
    """How far the broken arm is from the true one, with units, and up to when this is known.

    Args:
        gap: at the instant ``now``, s; None if there is none.
        most: when (s) and how far it is farthest.
        is_awaited: whether both wait until the whole motion is computed.
        breaks: keys of the breaks.
        text: describes the text that moves it.
    """
    words = f"It is seen from {start:.2f} s to {shown.last:.2f} s. "
    then = "; both play when all is" if is_awaited else ""
    words += f"Computed to {shown.end:.2f} s{then}. " if not shown.complete else ""
    if shown.failure:
        words += f"It {html.escape(shown.failure)}. "
    if gap is not None and now >= start:
        words += f"<b>At {now:.2f} s {html.escape(gap.words)}.</b> "
    if most is not None and most[1].is_unseen:
        words += "It never leaves the true arm."
    elif most is not None:
        words += f"Farthest at {most[0]:.2f} s: {html.escape(most[1].words)}."
    if shown.complete and shown.failure and shown.end - start < FLASH:
        words += f" That is over in {1000.0 * (shown.end - start):.3g} ms, before you can see it leave. "
        words += GENTLER if any(key.endswith("~drop") for key in breaks) else "Another mistake may last longer."
    return f"<p>The ghost is the arm as {text} moves it; both get the same torques. {words.strip()}</p>"


class DistanceText:
    """The words on the ghost that ``Breakage`` shows; its largest distance is found once."""

    def __init__(self, session: Session, breakage: Breakage) -> None:
        self._session, self._breakage = session, breakage
        self._farthest: tuple[Run | None, tuple[float, RunDistance] | None] = (None, None)

    @property
    def words(self) -> str | None:
        """HTML; None while there is no ghost."""
        shown, session = self._breakage.shown, self._session
        if shown is None:
            return None
        start = session.motion or 0.0
        if self._farthest[0] is not shown and shown.complete:
            self._farthest = (shown, farthest(session.run, shown, start))
        most = self._farthest[1] if self._farthest[0] is shown else None
        gap = apart(session.run, shown, session.time) if session.time >= start else None
        text = "the text as you have written it" if session.written else "the broken text"
        breaks = frozenset[str]() if session.written else session.breaks
        return apart_html(shown, start, session.time, gap, most, self._breakage.is_awaited, breaks, text)
