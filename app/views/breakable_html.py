"""The equation of a line in clickable pieces, the possible breaks of the chosen one, and the breaks made."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.equations.formula import formula
from app.equations.sheet import action_html
from app.equations.words import METHODS, STAGE_TITLES
from app.sampling.quantities import mechanics_of
from app.state.breakage import ActiveBreak
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
