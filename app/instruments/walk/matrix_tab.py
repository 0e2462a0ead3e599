"""The matrices of the cursor's link and of the whole system, one at a time, as tables."""

from __future__ import annotations

import html
import time
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

import numpy as np
import panel as pn
import panel_material_ui as pmui
from numpy.typing import NDArray
from panel.viewable import Viewable, Viewer

import dynamics as dyn
from app.binding import Binding
from app.equations.equation_html import beside_attributes, matrix
from app.equations.formula import raised
from app.equations.rounding import shortest_radius, sizes_beside
from app.equations.sheet import Numbering, Sheet
from app.instruments.walk.links_sheet import TRUE_RUN
from app.instruments.walk.step_sheet import spoken
from app.job import Job, Jobs
from app.state import Session
from app.state.walk import Place, counted, number, stages
from app.views.components import CopyButton

Array = NDArray[np.float64]

# Title -> (stage, quantity); offered if the solution has it.
OF_LINK: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "P(k), articulated inertia": ("filter", "articulated_inertia"),
        "P⁺(k), joint free": ("filter", "articulated_inertia_updated"),
        "Λ(k), inverse operational-space inertia": ("smoother", "costate_covariance"),
        "S(k), dual articulated inertia": ("dual_filter", "dual_articulated_inertia"),
        "S⁺(k), joint locked": ("dual_filter", "dual_articulated_inertia_predicted"),
        "P(k)+S(k), operational-space inertia": ("dual_filter", "operational_space_inertia"),
    }
)


def _of_joints(compute: Callable[[dyn.System, dyn.State], Array], solution: dyn.Solution) -> Array:
    """The part of a matrix that belongs to the joints: rows and columns are the links."""
    n = solution.system.n_joints
    return compute(solution.system, solution.state)[:n, :n]


OF_ANY: Mapping[str, Callable[[dyn.Solution], Array]] = {
    "M, mass matrix": partial(_of_joints, dyn.mass_matrix),
    "M⁻¹, joints of its inverse": partial(_of_joints, dyn.mass_matrix_inverse),
}
OF_BOLTED: Mapping[str, Callable[[dyn.Solution], Array]] = {
    "1 + HφK, factor of M": lambda at: dyn.operator_factors(at.system, at.state).factor,
    "1 − HψK, factor of M⁻¹": lambda at: dyn.operator_factors(at.system, at.state).inverse_factor,
}
"""M = (1 + HφK) D (1 + HφK)'; a floating base has six degrees of freedom, for which these have no rows."""
WHILE_HELD: Mapping[str, Callable[[dyn.Solution], Array]] = {
    "M, mass matrix of the arms alone": partial(_of_joints, dyn.mass_matrix),
    "W_FREE = M⁻¹, the arms alone": partial(_of_joints, dyn.mass_matrix_inverse),
    "W = W_FREE − ΔW, holding the object": lambda at: dyn.influence(at.system, at.state).W,
    "ΔW, what the object takes away": lambda at: dyn.influence(at.system, at.state).delta_W,
}
"""R88 Section 10; the response of arms that hold an object differs from the inverse of their own mass matrix."""
OF_SYSTEM = MappingProxyType({**OF_ANY, **WHILE_HELD, **OF_BOLTED})


def of_link(system: dyn.System, stages: tuple[str, ...]) -> list[str]:
    """Titles of the 6x6 matrices of a system with these stages."""
    return [title for title, (stage, _) in OF_LINK.items() if stage in stages]


def of_system(system: dyn.System) -> list[str]:
    """Titles of the matrices of the whole system, in its state at the instant shown."""
    if system.is_floating:
        return [*OF_ANY]
    return [*(WHILE_HELD if system.is_held else OF_ANY), *OF_BOLTED]


READABLE = 8
"""Largest number of rows of a matrix with numbers; larger ones show shades, and the number under the pointer."""
PERIOD = 0.5
"""Shortest time in seconds between two computations of a matrix of the whole system."""


FORCES_OF = ("moment", "force"), ("angular acceleration", "linear acceleration")
"""The rows and columns of an inertia: output per input; a mobility swaps them."""


def raised_text(unit: str) -> list[str]:
    """The units of the four blocks of a matrix, as plain text."""
    return [one.strip().replace("^2", "²") for one in unit.replace(";", ",").split(",")]


def link_matrix_html(title: str, unit: str, frame: str, names: str) -> str:
    """A 6x6 matrix of one link: each angular or linear block has its own unit and its own shades."""
    down, along = FORCES_OF if unit.startswith("kg") else FORCES_OF[::-1]
    each = raised_text(unit)
    beside = f" data-heat='3'{beside_attributes(36, (2, 2), 6)}" + (
        f" data-down='{'|'.join(down)}' data-along='{'|'.join(along)}' data-each='{'|'.join(each)}'"
    )
    blocks = ", ".join(
        f"{row} per {column} {one}"
        for (row, column), one in zip([(row, column) for row in down for column in along], each, strict=True)
    )
    return (
        f"<p class='where'><b>{html.escape(title)}</b> {names}</p>{matrix(6, 6, Numbering(), beside)}"
        f"<p class='note'>Rows: {down[0]} x, y, z, then {down[1]} x, y, z. Columns: {along[0]} x, y, z, then "
        f"{along[1]} x, y, z. Units: {blocks}; {raised(frame)}. Shades compare within each 3×3 block.</p>"
    )


def link_matrix_numbers(value: Array, system: dyn.System) -> Array:
    """The numbers of the table: the matrix, and the sizes relative to which its parts may be rounding."""
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
        """Requests the matrix of ``key`` if that has changed."""
        if not self._job.busy and key != self._asked and time.monotonic() >= self._asked_at + PERIOD:
            self._asked, self._asked_at = key, time.monotonic()
            self._job.start(compute, partial(self._take, key))

    def _take(self, key: tuple[object, ...], value: Array) -> None:
        self.value, self.shown = value, key


class MatrixTab(Viewer):
    """A menu and a table; a matrix of the whole system is computed in a thread."""

    def __init__(self, session: Session, go: Callable[[str], None], **params: object) -> None:
        super().__init__(**params)
        self._session = session
        self.sheet = Sheet(go)
        first = next(iter(OF_LINK))
        self._choice = pmui.Select(
            label="Matrix",
            options=[first],
            value=first,
            size="small",
            sizing_mode="stretch_width",
            margin=(10, 12, 0, 12),
        )
        self._system_matrix = SystemMatrix(session.jobs)
        self._chosen = Binding(self._choice, lambda: self._title, self._choose)
        self._layout: tuple[object, ...] = ()
        self._about = ""
        self._value: NDArray[np.float64] | None = None
        self._copy = CopyButton(self._text, label="Copy for NumPy", what="The matrix is", margin=(0, 12, 8, 12))

    @property
    def _options(self) -> list[str]:
        """The matrices that this machine has."""
        system = self._session.system_here
        return [*of_link(system, stages(system)), *of_system(system)]

    @property
    def _title(self) -> str:
        """The displayed matrix: the chosen one, if this machine has it."""
        options = self._options
        return self._session.matrix if self._session.matrix in options else options[0]

    def _choose(self, title: str) -> None:
        options = self._options
        if title in options:
            self._session.matrix = "" if title == options[0] else title

    def draw(self, place: Place) -> None:
        system, title = self._session.system_here, self._title
        self._chosen.follow(options=self._options)
        if title in OF_LINK:
            self._draw_of_link(title, system, place)
        else:
            self._draw_of_system(title, system, place)

    def _note(self, place: Place) -> str:
        """Above the matrix: whether the numbers are the true run's, and the step for screen readers."""
        step = f"<span {spoken(self._session.system_here, place)}></span>"
        return (TRUE_RUN if self._session.textbook_breaks else "") + step

    def _draw_of_link(self, title: str, system: dyn.System, place: Place) -> None:
        stage, name = OF_LINK[title]
        quantity = dyn.registry[stage, name]
        array = self._session.solution().stages[stage][name][place.link]
        self._value = array
        self._about = f"{title} of {counted(system, place.link)} at {self._session.time:.3f} s, {quantity.unit}"
        note = self._note(place)
        layout = (title, system, place.link, self.sheet.css, note)
        text = None
        if layout != self._layout:
            self._layout = layout
            text = note + link_matrix_html(
                title, quantity.unit, quantity.frame, f"of {html.escape(counted(system, place.link))}"
            )
        self.sheet.show(text, link_matrix_numbers(array, system))

    def _draw_of_system(self, title: str, system: dyn.System, place: Place) -> None:
        session = self._session
        key = (title, session.run, session.time)
        solution_at, time = session.run.solution_at, session.time
        self._system_matrix.attend(key, lambda: OF_SYSTEM[title](solution_at(time)))
        shown = self._system_matrix.shown
        if not shown or shown[0] != title or shown[1] is not session.run or self._system_matrix.value is None:
            self._await(system, place)
            return
        self._value = self._system_matrix.value
        self._about = f"{title}, a row and a column for each joint, at {shown[2]:.3f} s, SI units"
        note = self._note(place)
        layout = (title, system, place, self.sheet.css, note)
        text = None
        if layout != self._layout:
            self._layout = layout
            text = note + system_matrix_html(title, system, place)
        self.sheet.show(text, self._system_matrix.value.ravel())

    def forget(self) -> None:
        """Clears the table."""
        self._layout, self._value = (), None
        self.sheet.show("", ())

    def _await(self, system: dyn.System, place: Place) -> None:
        """During a computation the last matrix stays, unless it is another machine's."""
        if not self._layout or self._layout[1] is not system:
            self._layout, self._value = ("", system), None
            self.sheet.show(f"{self._note(place)}<p>It is being computed.</p>", ())

    def _text(self) -> str:
        """The visible matrix with all digits, under a header line."""
        about = "".join(letter for letter in self._about if letter.isprintable())  # a name may contain anything
        return "" if self._value is None else f"# {about}\nnp.array({(self._value + 0.0).tolist()})"

    def __panel__(self) -> Viewable:
        return pn.Column(self._choice, self.sheet, self._copy, sizing_mode="stretch_width", margin=0)
