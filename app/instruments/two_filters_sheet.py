"""A link between its two filters: what it feels from the tip, from the base and together, and what follows."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.equations.equation_html import equation_html, value_html
from app.equations.formula import formula
from app.equations.rounding import sizes_by_unit
from app.equations.sheet import Figures
from app.state import walk
from app.state.walk import CORRECTION, PREDICTION
from app.walker.step_sheet import color_of, names_of
from dynamics.methods import OtherBase
from dynamics.reading import LineReading, Reading
from scenes import palette

Array = NDArray[np.float64]
STAGE = "dual_filter"
FELT: tuple[tuple[str, str, str, str, str], ...] = (
    ("P", "filter", "articulated_inertia", "from the tip", "the link and all that is outboard of it"),
    ("S", STAGE, "dual_articulated_inertia", "from the base", "all that is inboard, through its joint"),
    ("P+S", STAGE, "operational_space_inertia", "together", "all that resists when it is pushed"),
)
"""Letter, stage and name of an array, whence it comes, and what it is of."""
TURN, SHIFT = slice(0, 3), slice(3, 6)
BLOCKS: tuple[tuple[slice, Literal["mass", "moment of inertia"], str], ...] = (
    (SHIFT, "mass", "kg"),
    (TURN, "moment of inertia", "kg m²"),
)
CHAIN = (
    "How heavy each link feels, in kg, when it is pushed and does not turn: the mean of all directions. A click goes "
    "to the link."
)


def felt(solution: dyn.Solution) -> tuple[Array, Array, Array]:
    """P(k), S(k) and P(k)+S(k) of every link, (links, 6, 6) each."""
    return tuple(solution.stages[stage][name] for _, stage, name, *_ in FELT)  # type: ignore[return-value]


def felt_from(other: OtherBase) -> tuple[Array, Array, Array]:
    """The same as another counting has them."""
    return other.articulated_inertia, other.dual_articulated_inertia, other.operational_space_inertia


def mean_masses(inertias: Sequence[Array]) -> Array:
    """(links, 3) kg: the mean mass that P, S and P+S of each link are when it is pushed and does not turn."""
    return np.stack([np.trace(each[:, SHIFT, SHIFT], axis1=1, axis2=2) / 3.0 for each in inertias], axis=1)


def sizes(solution: dyn.Solution, link: int) -> Array:
    """(2, 3, 3): of masses and of moments of inertia, of P, S and P+S, the eigenvalues of one link, least first."""
    return np.array([[np.linalg.eigvalsh(each[link, block, block]) for each in felt(solution)] for block, *_ in BLOCKS])


def chain_html(solution: dyn.Solution, link: int, figures: Figures, other: OtherBase | None = None) -> str:
    """Every link a row, from the base to the tips; a click goes there, or counts from there.

    Args:
        other: as it is counted from another base; None for the machine's own.
    """
    system = solution.system
    base = system.link_names[-1] if other is None else other.solution.system.link_names[-1]
    figures.put(mean_masses(felt(solution) if other is None else felt_from(other))[::-1])
    rows = ""
    for k in reversed(range(system.n_links)):
        name = html.escape(system.link_names[k])
        here = " class='here' aria-current='true'" if k == link else ""
        cells = "".join(f"<td class='number'>{figures.one()}</td>" for _ in FELT)
        count = (
            "<b>base</b>"
            if system.link_names[k] == base
            else f"<span class='action' data-go='base {k}' tabindex='0' role='button' title='Count from here' "
            f"aria-label='count from {name}'>from here</span>"
        )
        rows += (
            f"<tr{here} data-go='row {k}'><td class='name'><span data-go='link {k}' "
            f"tabindex='0' role='button' aria-label='{name}'>{name.replace('_', '_<wbr>')}</span></td>"
            f"{cells}<td>{count}</td></tr>"
        )
    head = "".join(
        f"<th title='{html.escape(f'{whence}: {what}, kg', quote=True)}'>{formula(letter)}</th>"
        for letter, _, _, whence, what in FELT
    )
    counted = "" if other is None else f" <b>Counted from {html.escape(base)}.</b>"
    return (
        f"<p class='where'>{CHAIN}{counted}</p><table class='links'><thead><tr><th>link</th>"
        f"{head}<th>count</th></tr></thead><tbody>{rows}</tbody></table>"
    )


def link_html(reading: Reading, solution: dyn.Solution, link: int, theme: palette.Theme, figures: Figures) -> str:
    """The chosen link: P, S and their sum, how heavy it feels by each, and the acceleration that follows.

    Args:
        reading: of the whole text at this moment.
        solution: of the motion at this moment, whose sizes are stated.
    """
    system = reading.system
    called = html.escape(walk.called(system, link))
    words = "".join(
        f"<dt>{formula(f'{letter}(k)' if letter != 'P+S' else 'P(k)+S(k)')}</dt><dd><b>{whence}</b>: {what}.</dd>"
        for letter, _, _, whence, what in FELT
    )
    lines = combined(reading, link)
    first, *rest = [equation_html(line, color_of(line, theme), names_of(line), figures) for line in lines]
    return (
        f"<h3 data-spoken='{called}, between its two filters'>Link {called}</h3>"
        f"<dl class='letters'>{words}</dl>{first}{_sizes_html(solution, link, figures)}"
        "<p><b>No smoother is needed:</b> what comes from either side leaves this link one acceleration.</p>"
        f"{''.join(rest)}"
        "<p><span class='action' data-go='walk' tabindex='0' role='button'>Walk this step</span></p>"
    )


def combined(reading: Reading, link: int) -> Sequence[LineReading]:
    """The lines of the text in which both filters meet at a link: (4.11), (3.12), and (3.13) where it has a joint."""
    half = CORRECTION if link < reading.system.n_joints else PREDICTION
    return [line for line in reading.lines(STAGE, link, half) if line.key.startswith("both_filters.")]


def _sizes_html(solution: dyn.Solution, link: int, figures: Figures) -> str:
    found = ""
    for (_, title, unit), values in zip(BLOCKS, sizes(solution, link), strict=True):
        rows = ""
        for (letter, *_), row in zip(FELT, values, strict=True):
            figures.put(row)
            first = figures.count
            cells = "".join(f"<td class='number' {figures.cell()}></td>" for _ in row)
            rows += f"<tr data-first='{first}'><th>{formula(letter)}</th>{cells}</tr>"
        found += (
            f"<figure><figcaption>{title} felt, {unit}</figcaption>"
            f"<table class='eigenvalues'><tbody>{rows}</tbody></table></figure>"
        )
    return (
        f"<h4>How heavy it feels</h4><div class='figures'>{found}</div>"
        "<p class='note'>Eigenvalues: in the lightest direction, across, in the heaviest.</p>"
    )


def side_by_side_html(
    key: str, title: str, gap: str, color: str, columns: Sequence[tuple[str, Array]], figures: Figures
) -> str:
    """A quantity told several times: values in a row, each under whose it is; rounding is what is so beside all.

    Args:
        key: what it is found by.
        title, gap: HTML; what it is, and how far the values are apart.
        columns: what stands over each, and the matrices, all of one shape.
    """
    parts = np.max([sizes_by_unit(value) for _, value in columns], axis=0)
    values = "".join(
        f"<div class='term'><div class='symbol'>{whose}</div><div class='value'>{value_html(value, figures, parts)}"
        "</div></div>"
        for whose, value in columns
    )
    return (
        f"<section class='equation' data-told='{key}' style='--own: {color}'>"
        f"<header><span>{title}</span><span class='source'>{gap}</span></header>"
        f"<div class='numbers'>{values}</div></section>"
    )
