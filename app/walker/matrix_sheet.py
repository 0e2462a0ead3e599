"""One matrix as a table whose cells are the darker, the larger they are."""

from __future__ import annotations

import html
import time
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.equations.equation_html import beside_attributes, matrix
from app.equations.formula import raised
from app.equations.rounding import shortest_radius, sizes_beside
from app.equations.sheet import Numbering
from app.job import Job, Jobs
from app.state.walk import Place, number

Array = NDArray[np.float64]
READABLE = 8
"""Rows up to which a matrix shows its numbers; a larger one shows shades, and the number of the cell pointed at."""
PERIOD = 0.5
"""Least seconds between two computations of a matrix of the whole system."""


FORCES_OF = ("moment", "force"), ("angular acceleration", "linear acceleration")
"""What an inertia makes of what; a mobility does the opposite."""


def raised_text(unit: str) -> list[str]:
    """The units of the four blocks of a matrix, as plain text."""
    return [one.strip().replace("^2", "²") for one in unit.replace(";", ",").split(",")]


def link_matrix_html(title: str, unit: str, frame: str, names: str) -> str:
    """A 6x6 matrix of one link: angular and linear blocks have units of their own, and shades of their own."""
    down, along = FORCES_OF if unit.startswith("kg") else FORCES_OF[::-1]
    each = raised_text(unit)
    beside = beside_attributes(36, (2, 2), 6) + (
        f" data-down='{'|'.join(down)}' data-along='{'|'.join(along)}' data-each='{'|'.join(each)}'"
    )
    blocks = ", ".join(
        f"{row} per {column} {one}"
        for (row, column), one in zip([(row, column) for row in down for column in along], each, strict=True)
    )
    return (
        f"<p class='where'><b>{html.escape(title)}</b> {names}</p>{matrix(6, 6, Numbering(), heat=3, look=beside)}"
        f"<p class='note'>Rows: {down[0]} x, y, z, then {down[1]} x, y, z. Columns: {along[0]} x, y, z, then "
        f"{along[1]} x, y, z. Units: {blocks}; {raised(frame)}. Shades compare within each 3×3 block.</p>"
    )


def link_matrix_numbers(value: Array, system: dyn.System) -> Array:
    """What goes there: the matrix, and what its parts are rounding beside."""
    return np.concatenate([value.ravel(), sizes_beside(value, shortest_radius(system)).ravel()])


def system_matrix_html(title: str, system: dyn.System, place: Place) -> str:
    """A matrix with a row and a column for every joint."""
    n = system.n_joints
    arms = [int(arm) for arm in system.arm_of_link[:n]]
    labels = [f"{arms[k] + 1}.{number(system, k)}" if system.n_arms > 1 else str(number(system, k)) for k in range(n)]
    names = [html.escape(name, quote=True) for name in system.link_names[:n]]
    head = "".join(f"<th{_mine(j == place.link)} title='{names[j]}'>{labels[j]}</th>" for j in range(n))
    body = ""
    for i in range(n):
        cells = "".join(
            f"<td{_mine(place.link in (i, j))} data-n='{n * i + j}' data-go='cell {i} {j}'></td>" for j in range(n)
        )
        body += (
            f"<tr><th{_mine(i == place.link)} data-go='link {i}' tabindex='0' role='button' "
            f"aria-label='row of link {labels[i]}, {names[i]}'>{labels[i]}</th>{cells}</tr>"
        )
    size = "" if n <= READABLE else " compact"
    return (
        f"<p class='where'><b>{html.escape(title)}</b></p>"
        f"<div class='wide'><table class='grid{size}' data-first='0' data-heat='{n}'>"
        f"<thead><tr><th></th>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table></div><p class='note'>A click on a cell goes to the link of its row; in the "
        "cursor's own row, to the link of its column.</p>"
    )


def _mine(mine: bool) -> str:
    return " class='mine'" if mine else ""


class SystemMatrix:
    """Computes a matrix of the whole system in a thread, at most twice a second."""

    def __init__(self, jobs: Jobs) -> None:
        self.value: Array | None = None
        self._job: Job[Array] = jobs.new("this matrix cannot be computed here")
        self._asked: tuple[object, ...] = ()
        self.shown: tuple[object, ...] = ()
        self._asked_at = 0.0

    def attend(self, key: tuple[object, ...], compute: Callable[[], Array]) -> None:
        """Asks for the matrix of ``key`` if that is another than the last."""
        if not self._job.busy and key != self._asked and time.monotonic() >= self._asked_at + PERIOD:
            self._asked, self._asked_at = key, time.monotonic()
            self._job.start(compute, partial(self._take, key))

    def _take(self, key: tuple[object, ...], value: Array) -> None:
        self.value, self.shown = value, key
