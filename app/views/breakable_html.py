"""The equation of a line in pieces that can be clicked, what can be done to the chosen one, and what is done."""

from __future__ import annotations

import functools
import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.equations.formula import formula
from app.equations.methods import METHODS
from app.equations.words import STAGE_TITLES
from app.sampling.quantities import mechanics_of
from app.state.breakage import Broken
from dynamics.reading import Breakable, FormulationStep, Piece, TextLine


@functools.cache
def look() -> str:
    """The style sheet; its colors are those of the walk's sheets."""
    return Path(__file__).with_name("breakable.css").read_text(encoding="utf-8")


@dataclass(frozen=True, eq=False)
class Leaf:
    """What a click can choose: a letter, and everything that can be done to it and to what it stands in."""

    piece: Piece
    breaks: tuple[str, ...]


def leaves_of(pieces: Sequence[Piece], around: tuple[str, ...] = ()) -> Iterator[Leaf]:
    """The letters of an equation, from its start; of each the breaks from the inside out."""
    for piece in pieces:
        keys = (*piece.breaks, *around)
        inner = [*piece.factors, *(term for total in piece.sums for term in total)]
        if inner:
            yield from leaves_of(inner, keys)
        else:
            yield Leaf(piece, keys)


class Writer:
    """Writes an equation; what is broken in it is struck out or framed, by a stroke and not by its color alone."""

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
    """The published equation of a line, its pieces to be clicked."""
    return (
        f"<div class='pieces' role='group' aria-label='{html.escape(title_of(line), quote=True)}'>"
        f"<span class='fixed'>{formula(line.left + '=')}</span>{Writer(line, chosen, active).total(pieces)}</div>"
    )


def acts_html(line: TextLine, pieces: Sequence[Piece], chosen: int, active: frozenset[str]) -> str:
    """What can be done to the chosen piece."""
    leaves = list(leaves_of(pieces))
    keys = leaves[min(chosen, len(leaves) - 1)].breaks if leaves else ()
    by_key = {each.key: each for each in line.breaks}
    if not keys:
        return "<p class='note'>Here is nothing that could be left out: what the line says is zero, one, or a copy.</p>"
    return f"<div class='acts'>{''.join(_act(by_key[key], key in active) for key in keys)}</div>"


def _act(each: Breakable, pressed: bool) -> str:
    return (
        f"<span class='act' data-go='break {html.escape(each.key)}' tabindex='0' role='button' "
        f"aria-pressed='{str(pressed).lower()}'>{html.escape(each.doing)} {formula(each.latex)}</span>"
    )


def said_html(one: Broken) -> str:
    """A break in one line: whose equation, and what is done to what in it."""
    done = f"{html.escape(one.breakable.doing.lower())} {formula(one.breakable.latex)}"
    return f"{formula(one.line.left)}, {html.escape(one.line.equation)}: {done}"


def active_html(broken: Sequence[Broken], others: int, silent: dict[str, str]) -> str:
    """What is broken, each with its way back.

    Args:
        others: how many breaks are in lines that this system does not run.
        silent: key -> why it changes nothing at this moment.
    """
    if not broken and not others:
        return ""
    count = len(broken) + others
    rows = ""
    for one in broken:
        each = one.breakable
        why = f"<span class='quiet'>{html.escape(silent[each.key])}</span>" if each.key in silent else ""
        rows += (
            f"<li><span>{said_html(one)}</span>"
            f"<span class='action' data-go='break {html.escape(each.key)}' tabindex='0' role='button' "
            f"aria-label='Mend: {html.escape(each.doing.lower())} in {html.escape(title_of(one.line))}'>"
            f"Mend</span>{why}</li>"
        )
    if others:
        rows += f"<li>{others} more in lines that this system does not run</li>"
    places = "one place" if count == 1 else f"{count} places"
    every = "<span class='action' data-go='mend' tabindex='0' role='button'>Mend all</span>" if count > 1 else ""
    return f"<h4>Broken in {places} {every}</h4><ul class='active'>{rows}</ul>"


def part_title(stage: str) -> str:
    """A stage of the method, or another formulation, as menus call it."""
    return METHODS[stage].title if stage in METHODS else STAGE_TITLES[stage]


def runs_in(step: FormulationStep, line: TextLine) -> bool:
    """Whether a step of a formulation runs a line."""
    place = ".".join(part for part in (step.text, step.sweep, step.block) if part)
    return line.key.rpartition(".")[0] == place


def titles_of(lines: Sequence[TextLine]) -> list[str]:
    """Lines in words; those that compute the same by the same equation are told apart by their half-steps."""
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
