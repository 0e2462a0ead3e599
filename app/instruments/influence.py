"""What each torque moves (joints, contact forces, the object), and the parts of accelerations. R88 Section 10."""

from __future__ import annotations

import html
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import panel as pn
import panel_material_ui as pmui
from bokeh.models import ColumnDataSource, FactorRange
from numpy.typing import NDArray

import dynamics as dyn
from app.binding import Binding
from app.equations.rounding import shortest_radius
from app.equations.sheet import Figures, Sheet
from app.instruments.influence_html import (
    HELD,
    SWEEPS,
    bands_of,
    cell_html,
    choices,
    joint_label,
    maps_html,
    parts_here,
    stacked,
    sum_html,
    sweeps_html,
    switch_html,
)
from app.instruments.small_plot import bar, diamond, legend_html, legend_pane, small_plot
from app.messages import in_words
from app.motion.errors import ERRORS
from app.number_text import read_index
from app.state import Session
from app.state.walk import called
from app.views.components import CopyButton, Instrument, figure_pane, scrolled, text_pane
from dynamics.solve import acceleration_parts
from scenes import palette

Array = NDArray[np.float64]
HATCHES = (" ", "/", ".", "x")  # Hatches of the parts, in order, so that they are distinguishable without color
COLORS = ("torque", "predicted_force", "velocity", "contact_force")
WIDTH = 0.38  # Half the width of a bar, as a share of a joint's space


class ResponseBars:
    """Stacked bars, positive up and negative down, and a mark at their total."""

    def __init__(self) -> None:
        self._plot = small_plot("responses", 190, x_range=FactorRange())
        self._plot.xgrid.visible = False
        self._sources = [ColumnDataSource({"joint": [], "from": [], "to": []}) for _ in COLORS]
        self._bars = [
            self._plot.vbar(
                "joint", 2.0 * WIDTH, "to", "from", source=source, line_width=1.0, hatch_pattern=hatch,
                hatch_scale=7.0, hatch_weight=1.0,
            )
            for source, hatch in zip(self._sources, HATCHES, strict=True)
        ]  # fmt: skip
        self._sum = ColumnDataSource({"joint": [], "sum": []})
        self._marks = self._plot.scatter("joint", "sum", source=self._sum, marker="diamond", size=9, line_width=1.5)
        self._legend = legend_pane((0, 12))
        self._letters: tuple[str, ...] = ()
        self._theme: palette.Theme = "light"
        self.view = pn.Column(sizing_mode="stretch_width", margin=0)

    def paint(self, theme: palette.Theme) -> None:
        self._theme = theme
        for drawn, name in zip(self._bars, COLORS, strict=True):
            color = palette.quantity(name, theme)
            drawn.glyph.update(
                fill_color=color, line_color=color, hatch_color=palette.BACKGROUND[theme], fill_alpha=0.85
            )
        self._marks.glyph.update(fill_color=palette.BACKGROUND[theme], line_color=palette.SELECTED[theme])
        self._write(self._letters)

    def _write(self, letters: tuple[str, ...]) -> None:
        self._letters, theme = letters, self._theme
        paper = palette.BACKGROUND[theme]
        drawn = [bar(palette.quantity(name, theme), hatch, paper) for name, hatch in zip(COLORS, HATCHES, strict=True)]
        entries = [*zip(drawn, letters, strict=False), (diamond(palette.SELECTED[theme], paper), "sum")]
        self._legend.object = legend_html(entries) if letters else ""

    def show(self, joints: list[str], parts: list[tuple[str, Array]], total: Array) -> None:
        """Shows other bars.

        Args:
            parts: letter and numbers of each, no more than there are colors.
        """
        if not self.view.objects:
            self.view[:] = [figure_pane(self._plot), self._legend]
        self._plot.x_range.factors = joints
        if (letters := tuple(letter for letter, _ in parts)) != self._letters:
            self._write(letters)
        up, down = np.zeros(len(joints)), np.zeros(len(joints))
        for source, k in zip(self._sources, range(len(self._sources)), strict=True):
            amount = parts[k][1] if k < len(parts) else np.zeros(0)
            base = np.where(amount >= 0.0, up[: len(amount)], down[: len(amount)])
            source.data = {"joint": joints[: len(amount)], "from": base, "to": base + amount}
            up[: len(amount)] += np.maximum(amount, 0.0)
            down[: len(amount)] += np.minimum(amount, 0.0)
        self._sum.data = {"joint": joints, "sum": total}


PERIOD = 0.2  # Shortest time in seconds between two updates while the motion plays
LAYER = "influence"
ABOUT = (
    "<h3>What a torque moves</h3><p>The effect of torques is linear: a column is one joint's torque by itself, a row "
    "what it moves. A click on a number explains it and shows arrows in the world.</p>"
)
SUMS = "<h3>What accelerations are made of, R87 (70)</h3>"
WRAPPED = {"& .MuiSelect-select.MuiSelect-select": {"whiteSpace": "normal"}}
"""A long name may wrap: files name links as they like."""
LOOK = Path(__file__).with_name("influence.css").read_text(encoding="utf-8")


class InfluenceMaps(Instrument):
    """Maps, the chosen number, its composition, and the sweeps that compute it."""

    def __init__(self, session: Session, open_walk: Callable[[], None] = lambda: None, **params: object) -> None:
        super().__init__(**params)
        self._session, self._open_walk = session, open_walk
        self._joint_menu, self._row_menu = (
            pmui.Select(label=label, options={}, size="small", sizing_mode="stretch_width", sx=WRAPPED)
            for label in ("Torque at", "What it moves")
        )
        self._joints = Binding(self._joint_menu, lambda: f"joint {session.torqued_here}", self._go)
        self._rows = Binding(self._row_menu, lambda: f"row {self._row}", self._go)
        self._arrows = pmui.Switch(
            label="Arrows in the world", value=LAYER in session.layers, size="small", margin=(0, 12)
        )
        self._switch = Binding(self._arrows, lambda: LAYER in session.layers, self._show_arrows)
        self._maps, self._below = (Sheet(self._go, LOOK) for _ in range(2))
        self._bars = ResponseBars()
        self.painted = self._maps, self._below, self._bars
        self._copy = CopyButton(self._text, label="Copy for NumPy", what="The map is", margin=(0, 12))
        self._shown: tuple[object, ...] = ()
        self._drawn_at = 0.0
        self._values: tuple[str, np.ndarray] | None = None
        menus = pmui.Column(self._joint_menu, self._row_menu, sizing_mode="stretch_width", margin=(8, 4, 0, 4))
        heading = text_pane(SUMS, (4, 12, 0, 12))
        self.view = scrolled(menus, self._arrows, self._maps, self._copy, heading, self._bars.view, self._below)

    @property
    def _row(self) -> int:
        """The selected row; by default the joint on which the torque acts."""
        session = self._session
        rows = sum(len(band.rows) for band in bands_of(session.system_here))
        chosen = session.influence.row
        return min(session.torqued_here if chosen is None else chosen, rows - 1)

    @property
    def _choice(self) -> str:
        there, at = choices(self._session.system_here), self._session.influence.map
        return there[at] if at < len(there) else HELD

    @property
    def _sweep(self) -> str:
        """The sweep shown over the maps; the third concerns contacts."""
        is_held, at = self._session.system_here.is_held, self._session.influence.sweep
        return SWEEPS[min(at, 2 if is_held else 1)]

    def _go(self, where: str) -> None:
        """Handles a click or choice: ``cell`` row joint, ``joint``, ``row``, ``map``, ``sweep``, or ``walk`` stage."""
        kind, _, what = where.partition(" ")
        session = self._session
        numbers = [found for word in what.split(" ") if (found := read_index(word)) is not None]
        if kind == "cell" and len(numbers) == 2:
            self._choose(numbers[0], numbers[1])
            self._show_arrows(True)
        elif kind == "joint" and numbers:
            self._choose(self._row, numbers[0])
        elif kind == "row" and numbers:
            self._choose(numbers[0], session.torqued_here)
        elif kind == "map" and what in choices(session.system_here):
            session.choose("influence", map=choices(session.system_here).index(what))
        elif kind == "sweep" and what in SWEEPS:
            session.choose("influence", sweep=SWEEPS.index(what))
        elif kind == "walk" and what in ("filter", "smoother", "contact"):
            session.walk_to(session.place_in(what))
            self._open_walk()
        self._drawn_at = 0.0
        self.redraw()

    def _choose(self, row: int, joint: int) -> None:
        """Selects a number of the maps; an index that this machine does not have changes nothing."""
        session, system = self._session, self._session.system_here
        rows = [each for band in bands_of(system) for each in band.rows]
        if row < len(rows) and joint < system.n_joints:
            session.choose("influence", row=row)
            session.torqued = joint
            if rows[row].joint >= 0:
                session.select_link(rows[row].joint)

    def _show_arrows(self, shown: bool) -> None:
        session = self._session
        if shown != (LAYER in session.layers):
            others = [name for name in session.layers if name != LAYER]
            session.layers = [*others, LAYER] if shown else others

    def _offer(self, system: dyn.System) -> None:
        joints = {called(system, j): f"joint {j}" for j in range(system.n_joints)}
        words = [each.words for band in bands_of(system) for each in band.rows]
        self._joints.follow(options=joints)
        self._rows.follow(options={one: f"row {k}" for k, one in enumerate(words)})
        self._switch.follow()

    def draw(self) -> None:
        session = self._session
        system = session.system_here
        self._offer(system)
        k = min(session.place_in("smoother").link, system.n_joints - 1)  # a floating base has no joint
        at = (self._row, session.torqued_here)
        wanted = (*session.moment, at, self._choice, self._sweep, k)
        if wanted == self._shown or (session.playing and time.monotonic() < self._drawn_at + PERIOD):
            return
        self._shown, self._drawn_at = wanted, time.monotonic()
        try:
            solution = session.solution()
            maps, parts = dyn.influence(system, solution.state), acceleration_parts(solution)
        except ERRORS as error:
            self._maps.show(f"{ABOUT}<p class='warning'>{html.escape(in_words(error))}</p>", ())
            self._below.show("", ())
            return
        values, figures = stacked(system, maps, self._choice), Figures()
        others = ["what floats"] * system.is_floating + ["contact forces", "the object"] * system.is_held
        self._values = ", then ".join([self._choice, *others]), values
        said = cell_html(system, maps, values, self._choice, at)
        table = maps_html(system, values, at, figures)
        self._maps.show(f"{ABOUT}{switch_html(system, self._choice)}{said}{table}", figures.numbers)
        chosen = self._row if self._row < system.n_joints else at[1]
        below = Figures(shortest_radius(system))
        text = sum_html(system, solution, parts, chosen) + sweeps_html(system, maps, self._sweep, k, below)
        self._below.show(text, below.numbers)
        each = [(letter, getattr(parts, name)) for name, _, letter in parts_here(system)]
        labels = [joint_label(system, j) for j in range(system.n_joints)]
        self._bars.show(labels, each, np.asarray(solution.joint_acceleration))

    def _text(self) -> str:
        """The visible map with all digits, under a header line."""
        if self._values is None:
            return ""
        words, values = self._values
        about = f"# {words}: a column a joint's torque, at {self._session.time:.3f} s, SI units"
        return f"{about}\nnp.array({(values + 0.0).tolist()})"
