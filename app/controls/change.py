"""The tab that changes the motion: its drive, torques, start, bodies, world, and a push."""

from __future__ import annotations

import html
from dataclasses import replace
from functools import partial

import panel_material_ui as pmui
import param
from panel.viewable import Viewable, Viewer

from app.binding import Binding
from app.controls.bodies import Bodies
from app.controls.number_field import NumberField, NumberRow
from app.controls.push import Push
from app.controls.sliders import Posture, Sliders
from app.motion.actuation import DRIVES, NOTHING, drive_in_words, weakness
from app.motion.setup import Setup, bent_out_of_balance, starts_of
from app.motion.world import ADAPTIVE, DAMPING, FIXED, GRAVITY, OTHER_PULL, PULLS, STEPS, place_of
from app.state import Session
from app.state.manipulation import Manipulation
from app.views.components import Instrument, View, text_pane

MOST_DAMPED = 5.0  # End of the damping slider, in N m s/rad or N s/m
DAMPING_NAME = "Damping of every joint, on top of its own (N m s/rad, N s/m)"
METHODS = {title: name for name, (title, _) in FIXED.items()} | {title: name for name, title in ADAPTIVE.items()}
WORDS = "<p style='margin: 6px 0'>Gravity compensation uses this gravity and the masses as they are set.</p>"
SHORT = (
    "<p style='margin: 6px 0'>A step is at least 0.1 ms. A mark on the timeline shows from where on it is too long.</p>"
)
OWN_STEPS = "<p style='margin: 6px 0'>It chooses its own steps.</p>"


class World(View):
    """Menus and numbers that apply to the whole machine."""

    session: Session = param.ClassSelector(class_=Session)  # type: ignore[assignment]

    def __init__(self, session: Session, **params: object) -> None:
        look = {"size": "small", "sizing_mode": "stretch_width", "margin": (8, 10)}
        self.place = pmui.Select(label="Gravity", options=[*PULLS], value="Earth", **look)
        self.pull = [
            NumberField(
                session, f"g{axis} (m/s²)", partial(self._set_pull, k), least=-GRAVITY, most=GRAVITY, has_label=True
            )
            for k, axis in enumerate("xyz")
        ]
        step = MOST_DAMPED / 100
        self.damping = NumberRow(
            session, DAMPING_NAME, 0.0, MOST_DAMPED, step, session.set_damping, least=0.0, most=DAMPING
        )
        self.method = pmui.Select(label="Integrator", options=METHODS, value="rk4", **look)
        self.step = pmui.Select(
            label="Time step", options={f"{1e3 * step:g} ms": step for step in STEPS}, value=STEPS[3], **look
        )
        self._words = text_pane()
        self._places = Binding(self.place, lambda: place_of(self._gravity), self._go)
        self._methods = Binding(self.method, lambda: session.setup.numerics.method, self._set_method)
        self._steps = Binding(self.step, lambda: session.setup.numerics.step, self._set_step)
        pull = pmui.Row(*self.pull, sizing_mode="stretch_width", margin=(0, 4))
        parts = (self.place, pull, self.damping, self.method, self.step, self._words)
        self.view = pmui.Column(*parts, sizing_mode="stretch_width", margin=0)
        super().__init__(session=session, **params)

    @property
    def _gravity(self) -> tuple[float, ...]:
        return tuple(self.session.system.gravity.tolist())

    @param.depends("session.run", "session.message", watch=True, on_init=True)
    def _follow(self) -> None:
        """Shows the session's values, also after a choice that failed."""
        setup, place = self.session.setup, place_of(self._gravity)
        self._places.follow(options=[*PULLS, *([place] if place == OTHER_PULL else [])])
        for field, value in zip(self.pull, self._gravity, strict=True):
            field.show(value)
        self.damping.show(setup.damping)
        self._methods.follow()
        self._steps.follow()
        self.step.visible = not setup.numerics.is_adaptive
        self._words.object = WORDS + (SHORT if self.step.visible else OWN_STEPS)

    def _go(self, place: str) -> None:
        if place in PULLS:
            self.session.set_gravity(PULLS[place])

    def _set_pull(self, at: int, value: float) -> None:
        pull = self._gravity
        self.session.set_gravity((*pull[:at], value, *pull[at + 1 :]))

    def _set_method(self, name: str) -> None:
        if name in (*FIXED, *ADAPTIVE):
            self.session.change("", numerics=replace(self.session.setup.numerics, method=name))

    def _set_step(self, step: float) -> None:
        if step in STEPS:
            self.session.change("", numerics=replace(self.session.setup.numerics, step=step))


OWN_START = "As set in Posture"
RESTS = "It hangs or stands in balance: nothing moves it."


class Drive(View):
    """Two menus, and a description of the chosen drive."""

    session: Session = param.ClassSelector(class_=Session)  # type: ignore[assignment]

    def __init__(self, session: Session, **params: object) -> None:
        self._drive = pmui.Select(label="Drive", options={}, size="small", sizing_mode="stretch_width", margin=(8, 10))
        self._start = pmui.Select(label="Start", options=[], size="small", sizing_mode="stretch_width", margin=(8, 10))
        self._words = text_pane("", (2, 12))
        bend = pmui.Button(label="Bend it first", variant="outlined", size="small", margin=(4, 10))
        bend.on_click(lambda _: self._bend())
        word = text_pane(f"<span role='status'>{RESTS}</span>", (8, 2, 4, 12))
        self._rest = pmui.Row(word, bend, sizing_mode="stretch_width", margin=0, visible=False)
        self._setup: Setup | None = None
        self._drives = Binding(self._drive, lambda: session.setup.driven.name, session.set_drive)
        self._starts = Binding(self._start, self._start_shown, self._choose_start)
        super().__init__(session=session, **params)
        self.view = pmui.Column(
            self._drive, self._rest, self._start, self._words, sizing_mode="stretch_width", margin=0
        )

    @param.depends("session.run", "session.message", watch=True, on_init=True)
    def _follow(self) -> None:
        """Shows what drives the run; after a choice that failed, this differs from the choice."""
        session, setup = self.session, self.session.setup
        fitting = {DRIVES[name].title: name for name, why in setup.machine.refusals.items() if not why}
        self._drives.follow(options=fitting)
        starts = list(starts_of(setup.machine))
        shown = self._start_shown()
        self._starts.follow(options=starts if shown in starts else [*starts, shown])
        if setup is not self._setup:
            self._setup = setup
            self._words.object = in_words(session)
            self._rest.visible = self._bent is not None

    @property
    def _bent(self) -> tuple[float, ...] | None:
        """The posture from which a run without motor torques starts, if the present run rests."""
        session = self.session
        return bent_out_of_balance(session.run) if session.setup.driven.name == "free" else None

    def _bend(self) -> None:
        session = self.session
        if (posture := self._bent) is not None and session.change("", posture=posture):
            session.playing = True

    def _start_shown(self) -> str:
        setup = self.session.setup
        starts = starts_of(setup.machine)
        return next((words for words, posture in starts.items() if posture == setup.posture), OWN_START)

    def _choose_start(self, words: str) -> None:
        session = self.session
        starts = starts_of(session.setup.machine)
        if words in starts and session.change("", posture=starts[words]):
            session.playing = True


def in_words(session: Session) -> str:
    """What drives the run, which motors are too weak for it, and what else does not fit this machine, as HTML."""
    setup, actuation = session.setup, session.run.actuation
    note = "" if setup.drive or setup.bodies else setup.machine.preset.note  # it is about the machine as loaded
    lines = [drive_in_words(setup.driven, actuation.system, actuation.circle), note]
    if setup.driven.name != "free":
        lines.append(weakness(actuation.system, session.run.start))
    refused = [
        f"{DRIVES[name].title} ({why})" for name, why in setup.machine.refusals.items() if why and why != NOTHING
    ]
    if refused:
        lines.append(f"Not for this machine: {'; '.join(refused)}.")
    return "".join(f"<p style='margin: 4px 0'>{html.escape(line)}</p>" for line in lines if line)


GROUPS = ("Drive", "Torques", "Posture", "Masses", "World", "Push")


class Change(Instrument):
    """Shows one group of controls at a time; all groups follow the session.

    Args:
        beside: a view above the controls, whichever group is open.
    """

    def __init__(
        self, session: Session, manipulation: Manipulation, beside: Instrument | None = None, **params: object
    ) -> None:
        self._beside = beside
        self._drive, self._sliders = Drive(session), Sliders(session)
        self._bodies, self._world = Bodies(session), World(session)
        self._posture, self._push = Posture(session), Push(session, manipulation)
        self._group = pmui.RadioButtonGroup(
            options=list(GROUPS), value=GROUPS[0], size="small", sizing_mode="stretch_width", margin=(8, 10), sx=EVEN
        )
        self.view = pmui.Column(sizing_mode="stretch_both", scroll="y", margin=0)
        super().__init__(**params)
        self._groups = Binding(self._group, lambda: self._wanted, self._choose)
        self._group.param.watch(self._open, "value")
        session.param.watch(lambda _: self._groups.follow(), "changing")
        self._session = session
        self._shown = ""
        self._groups.follow()
        self._show(self._wanted)

    @property
    def _wanted(self) -> str:
        group = self._session.changing.group
        return group if group in GROUPS else GROUPS[0]

    def _choose(self, group: str) -> None:
        self._session.choose("changing", group="" if group == GROUPS[0] else group)

    def _open(self, event: param.parameterized.Event) -> None:
        """Shows a line at once: a browser takes over a second to build a group's controls, which follow at ``draw``."""
        coming = text_pane(f"<p role='status'>Opening {event.new} …</p>", (8, 12))
        self.view.objects = [self._group, *self._above, coming]

    @property
    def _above(self) -> tuple[Viewable | Viewer, ...]:
        return () if self._beside is None else (self._beside,)

    def _show(self, group: str) -> None:
        self._shown = group
        sliders = self._sliders
        shown = {
            "Drive": [self._drive],
            "Torques": [sliders.arm, sliders.about, sliders.torques],
            "Posture": [sliders.arm, self._posture],
            "Masses": [self._bodies],
            "World": [self._world],
            "Push": [self._push],
        }
        self.view.objects = [self._group, *self._above, *shown[group]]

    @property
    def follows(self) -> bool:
        """Whether the visible group shows the cursor's instant."""
        return self._group.value != self._shown or self._group.value in ("Posture", "Push")

    def draw(self) -> None:
        """Draws what changes with the motion in the visible group, and how far the run is from the compared runs."""
        if self._group.value != self._shown:
            self._show(self._group.value)
        if self._beside is not None:
            self._beside.draw()
        if self._group.value == "Posture":
            self._posture.draw()
        elif self._group.value == "Push":
            self._push.draw()


EVEN = {
    "width": "100%",
    # Six words fit in the narrowest column, and on a phone.
    "& .MuiToggleButton-root": {
        "flex": "1 1 auto",
        "padding": "3px 2px",
        "textTransform": "none",
        "letterSpacing": 0,
        "fontSize": "clamp(0.8rem, 1.3vw, 0.92rem)",
    },
}
