"""*Methods*: another formulation at the cursor's moment, step by step, its input, and its result beside the run's."""

from __future__ import annotations

import html
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import panel_material_ui as pmui
from numpy.typing import NDArray

import dynamics as dyn
from app.binding import Binding
from app.controls.number_field import FIELD, NumberField
from app.equations.rounding import Loads
from app.equations.sheet import Figures, Sheet
from app.equations.words import METHODS
from app.instruments.methods.sheet import (
    ASKED,
    FOUND,
    MISSED,
    absent,
    accelerations_of,
    apart,
    arrival_html,
    bar_html,
    beside_html,
    broken_html,
    joints_table,
    map_html,
    step_html,
    walkable,
)
from app.messages import in_words
from app.motion.errors import ERRORS
from app.number_text import read_index, read_number
from app.state import Session
from app.state.arrangement import Line, MethodStep
from app.state.walk import joint_called
from app.views.components import Instrument, View, scrolled
from dynamics.reading import FormulationReading, formulation_lines, read_formulation
from scenes import palette

Array = NDArray[np.float64]
MOST = 1e4  # Largest acceleration that can be entered, rad/s^2 or m/s^2
OF_JOINTS, OF_OBJECT = ASKED


class AccelerationInput(View):
    """Fields of the accelerations; they show the current ones until one is typed.

    Args:
        changed: called when other accelerations are wanted.
    """

    def __init__(self, session: Session, changed: Callable[[], None]) -> None:
        super().__init__()
        self._session, self._changed = session, changed
        self._made: tuple[tuple[str, ...], str] = ((), "")
        self._fields: list[NumberField] = []
        self._present: Array = np.zeros(0)
        self._row = pmui.FlexBox(sizing_mode="stretch_width", margin=(16, 8, 0, 8), gap="0px")
        self._back = pmui.Button(label="As they are now", size="small", variant="outlined", margin=(0, 12, 4, 12))
        self._back.on_click(lambda _: self._forget())
        self.view = pmui.Column(self._row, self._back, sizing_mode="stretch_width", margin=0, visible=False)

    def of(self, solution: dyn.Solution, name: str) -> tuple[Array, Array | None]:
        """Accelerations of the joints, and of the object, for which a formulation is evaluated.

        Current ones that are only rounding errors are set to zero, as a formulation cannot recognize them.
        """
        loads = Loads.of(solution.system, solution.stages)
        joints = loads.without_rounding("theta_dd", np.asarray(solution.joint_acceleration))
        payload = solution.object_acceleration
        if payload is not None:
            payload = loads.without_rounding("alpha_C", payload[None])[0]
        asked = self._asked(solution.system, name)
        if asked is None or name not in ASKED:
            return joints, payload
        return (asked, payload) if name == OF_JOINTS else (joints, asked)

    def follow(self, solution: dyn.Solution, name: str) -> None:
        """Sets the fields of a formulation to the wanted or the current accelerations."""
        self.view.visible = name in ASKED
        if name not in ASKED:
            return
        system = solution.system
        if self._made != (system.joint_names, name):
            self._made = system.joint_names, name
            self._fields = [
                NumberField(
                    self._session, title, partial(self._ask, k), least=-MOST, most=MOST, written="{:z.4g}",
                    has_label=True, width=118, sizing_mode=None, margin=(8, 6), sx=FIELD,
                )
                for k, title in enumerate(_titles(system, name))
            ]  # fmt: skip
            self._row[:] = [field.widget for field in self._fields]
        joints, payload = self.of(solution, name)
        self._present = joints if name == OF_JOINTS or payload is None else payload
        for field, value in zip(self._fields, self._present.tolist(), strict=True):
            field.show(value)
        self._back.disabled = self._asked(system, name) is None

    @property
    def _said(self) -> dict[str, str]:
        """For each formulation with typed accelerations, these as a link gives them."""
        parts = (each.partition(":") for each in self._session.accelerations.split(";"))
        return {name: row for name, _, row in parts if name}

    def _say(self, said: dict[str, str]) -> None:
        self._session.accelerations = ";".join(f"{name}:{row}" for name, row in said.items())
        self._changed()

    def _asked(self, system: dyn.System, name: str) -> Array | None:
        """The accelerations typed for a formulation; None for the current ones, or if they are another machine's."""
        values = [read_number(each) for each in self._said.get(name, "").split(",")]
        if None in values or len(values) != len(_titles(system, name)):
            return None
        return np.clip(np.array(values, dtype=float), -MOST, MOST)

    def _ask(self, k: int, value: float) -> None:
        wanted = self._present.copy()
        wanted[k] = value
        self._say({**self._said, self._made[1]: ",".join(map(repr, wanted.tolist()))})

    def _forget(self) -> None:
        self._say({name: row for name, row in self._said.items() if name != self._made[1]})


def _titles(system: dyn.System, name: str) -> Sequence[str]:
    if name == OF_OBJECT:
        return [f"{part} {axis} ({unit})" for part, unit in (("turn", "rad/s²"), ("shift", "m/s²")) for axis in "xyz"]
    return [
        f"{joint_called(system, k)} ({'rad/s²' if joint.kind == 'revolute' else 'm/s²'})"
        for k, joint in enumerate(system.joint_models)
    ]


def check_html(reading: FormulationReading, solution: dyn.Solution, wrench: Array | None, figures: Figures) -> str:
    """Whether forward dynamics of the resulting torques returns the wanted accelerations."""
    try:
        again = dyn.forward_dynamics(reading.system, solution.state, reading.answer, external_forces=wrench)
    except ERRORS as error:
        return f"<p class='warning'>{html.escape(in_words(error))}</p>"
    is_of_joints = reading.name == OF_JOINTS
    wanted = np.asarray(reading.letter("theta_dd" if is_of_joints else "alpha_C")).ravel()
    found = np.asarray(again.joint_acceleration if is_of_joints else again.object_acceleration)
    gap = apart(found, wanted, accelerations_of(again))
    figures.put(gap)
    if gap > MISSED and not is_of_joints and not reading.breaks:
        said = (
            "Arms and contacts cannot give the object this acceleration: a direction is left free, or they cannot move "
            "so. Forward dynamics of these torques leads to another one"
        )
    else:
        whose = "the joints' accelerations" if is_of_joints else "the object's acceleration"
        said = f"Forward dynamics of its torques {'does not give' if gap > MISSED else 'gives'} {whose} back"
    return f"<p class='arrival'>{said}: relative difference <b class='apart' data-digits='2'>{figures.one()}</b></p>"


def torques_html(reading: FormulationReading, solution: dyn.Solution, figures: Figures) -> str:
    """The resulting torques, beside the motors' own."""
    columns = [("it takes", reading.answer), ("the motors give", solution.tau)]
    return f"<h3>Torques</h3>{joints_table(reading.system, FOUND['torque'], columns, figures)}"


NAME, BREAK_IT = "Methods", "Break it"
PERIOD = 0.3  # Least seconds between two evaluations while the motion plays
LOOK = Path(__file__).with_name("methods.css").read_text(encoding="utf-8")


class Methods(Instrument):
    """One formulation, its map, the current step, and its result."""

    def __init__(self, session: Session, **params: object) -> None:
        super().__init__(**params)
        self._session = session
        self._menu = pmui.Select(
            label="Method", options={}, size="small", sizing_mode="stretch_width", margin=(10, 12, 2, 12)
        )
        self._chosen = Binding(self._menu, lambda: self.name_here, self._choose)
        self._map, self._step, self._answer = (Sheet(self._go, LOOK) for _ in range(3))
        self.painted = self._map, self._step, self._answer
        self._wanted = AccelerationInput(session, self._redraw)
        self._here, self._links = 0, tuple[int, ...]()
        self._shown: tuple[object, ...] = ()
        self._looked_at = 0.0
        self.view = scrolled(self._menu, self._wanted, self._map, self._step, self._answer)

    def paint(self, theme: palette.Theme) -> None:
        super().paint(theme)
        self._shown = ()

    @property
    def name_here(self) -> str:
        """The shown formulation: the chosen one, if it applies to this machine."""
        there = walkable(self._session.system_here)
        name = self._session.methods.method
        return name if name in there else there[0]

    @property
    def at(self) -> int:
        """Index of the chosen step, from 0."""
        chosen = self._session.methods
        return chosen.step if chosen.method == self.name_here else 0

    def _choose(self, name: str) -> None:
        if name in METHODS:
            self._stand(name, 0)

    def _stand(self, name: str, at: int) -> None:
        self._session.methods = MethodStep(name, at)
        self._redraw()

    def _redraw(self) -> None:
        self._shown = ()
        self.draw()

    def _go(self, where: str) -> None:
        """Handles a click: ``back``, ``on``, ``at`` and a step, ``break`` and a line's key, or ``mend``."""
        kind, _, which = where.partition(" ")
        lines = formulation_lines(self._session.system_here, self.name_here)
        if kind == "break" and which in {each.key for each in lines}:
            self._session.param.update(line=Line(self.name_here, which), tab=BREAK_IT, beside=NAME)
            return
        if kind == "mend":
            self._session.break_texts(frozenset())
            return
        at = {"back": self._here - 1, "on": self._here + 1, "at": read_index(which)}.get(kind)
        if at is None or not 0 <= at < len(self._links):
            return
        link = self._links[at]
        if link >= 0:
            self._session.select_link(link)
        self._stand(self.name_here, at)

    def draw(self) -> None:
        session = self._session
        system, name = session.system_here, self.name_here
        there = walkable(system)
        self._chosen.follow(options={METHODS[each].title: each for each in METHODS if each in there})
        wanted = (*session.moment, name, self.at, session.breaks, session.accelerations)
        now = time.monotonic()
        if wanted == self._shown or (
            session.playing and now < self._looked_at + PERIOD and self._shown[3:] == wanted[3:]
        ):
            return
        self._shown, self._looked_at = wanted, now
        try:
            solution = session.solution()
            self._wanted.follow(solution, name)
            wrench, (joints, payload) = session.run.wrench_at(session.time), self._wanted.of(solution, name)
            reading = read_formulation(
                solution.system, solution.state, name, solution.tau, joints, wrench, payload, session.breaks
            )
        except ERRORS as error:
            said = f"<p class='warning'>{html.escape(in_words(error))}</p>"
            for sheet, text in ((self._map, said), (self._step, ""), (self._answer, "")):
                sheet.show(text, ())
            return
        self._show(reading, solution)

    def _show(self, reading: FormulationReading, solution: dyn.Solution) -> None:
        system, passing = reading.system, self._session.playing
        at = min(self.at, len(reading.steps) - 1)
        self._here, self._links = at, tuple(step.link for step in reading.steps)
        about, none = html.escape(METHODS[reading.name].about), html.escape(absent(system))
        figures, below, loads = Figures(), Figures(), Loads.of(system, solution.stages)
        if reading.name in ASKED:
            arrival = check_html(reading, solution, self._session.run.wrench_at(self._session.time), figures)
            text = torques_html(reading, solution, below)
        else:
            arrival = arrival_html(reading, solution, figures)
            text = beside_html(reading, solution, loads, below)
        self._map.show(
            f"<p>{about}</p>{broken_html(reading)}{arrival}{map_html(reading, at)}{bar_html(reading, at)}",
            figures.numbers,
            passing=passing,
        )
        figures = Figures(loads.length, loads.along(reading.steps[at].joint))
        self._step.show(step_html(reading, at, self.theme, figures), figures.numbers, passing=passing)
        self._answer.show(f"{text}<p class='note'>{none}</p>", below.numbers, passing=passing)
