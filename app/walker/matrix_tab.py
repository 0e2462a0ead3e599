"""The matrices of the cursor's link and of the whole system, one at a time."""

from __future__ import annotations

import html
from collections.abc import Callable

import numpy as np
import panel as pn
import panel_material_ui as pmui
from numpy.typing import NDArray
from panel.viewable import Viewable, Viewer

import dynamics as dyn
from app.binding import Binding
from app.equations.sheet import Sheet
from app.state import Session
from app.state.walk import Place, counted, stages
from app.views.components import CopyButton
from app.walker.links_sheet import TRUE_RUN
from app.walker.matrices import OF_LINK, OF_SYSTEM, of_link, of_system
from app.walker.matrix_sheet import SystemMatrix, link_matrix_html, link_matrix_numbers, system_matrix_html
from app.walker.step_sheet import spoken


class MatrixTab(Viewer):
    """A choice and a table; a matrix of the whole system is computed in a thread."""

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
        """What this machine has matrices of."""
        system = self._session.system_here
        return [*of_link(system, stages(system)), *of_system(system)]

    @property
    def _title(self) -> str:
        """The matrix that is shown: the chosen one, where this machine has it."""
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
        """Over the matrix: whose numbers they are, and the walked step for who hears the page."""
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
        """Nothing stands there."""
        self._layout, self._value = (), None
        self.sheet.show("", ())

    def _await(self, system: dyn.System, place: Place) -> None:
        """While it is computed the last one stays, unless that is another machine's."""
        if not self._layout or self._layout[1] is not system:
            self._layout, self._value = ("", system), None
            self.sheet.show(f"{self._note(place)}<p>It is being computed.</p>", ())

    def _text(self) -> str:
        """The matrix in sight, all digits of it, under a line that says what it is."""
        about = "".join(letter for letter in self._about if letter.isprintable())  # a name may hold anything
        return "" if self._value is None else f"# {about}\nnp.array({(self._value + 0.0).tolist()})"

    def __panel__(self) -> Viewable:
        return pn.Column(self._choice, self.sheet, self._copy, sizing_mode="stretch_width", margin=0)
