"""Play, pause, step, reset, speed, and the timeline with its scrubber."""

from __future__ import annotations

import panel as pn
import panel_material_ui as pmui
import param
from panel.viewable import Viewable, Viewer

from app.binding import Binding, nearest
from app.controls.grasp_button import GraspButton
from app.controls.pose_switch import PoseSwitch
from app.state import Session
from app.state.manipulation import Manipulation

SPEEDS = {
    "1/100 speed": 0.01,
    "1/30 speed": 1.0 / 30.0,
    "1/10 speed": 0.1,
    "1/4 speed": 0.25,
    "1/2 speed": 0.5,
    "Real time": 1.0,
    "2 × speed": 2.0,
}

SCRUB_STEP = 0.01
"""Seconds between two places of the scrubber."""
ROOM = 0.09
"""Share of the timeline that the words at a mark need."""
OFF_STEP = 1e-5
"""Seconds by which the clock's places of the scrubber lie beside the steps, on which the user's hand moves it."""


UNSEEN = {"position": "absolute", "width": "1px", "height": "1px", "overflow": "hidden", "clipPath": "inset(50%)"}
"""For readers of the screen alone."""


ROOMY = {"flex": "1 1 26rem"}
"""The timeline goes below the buttons where it would be too short to scrub beside them."""


class Transport(Viewer):
    """The bar between the scene and the plots."""

    session = param.ClassSelector(class_=Session)

    def __init__(self, session: Session, manipulation: Manipulation, **params: object) -> None:
        self._play = pmui.Fab(icon="pause", color="primary", size="medium", margin=(4, 8))
        self._back = pmui.IconButton(icon="skip_previous", description="Step back (,)", margin=(8, 0))
        self._forward = pmui.IconButton(icon="skip_next", description="Step forward (.)", margin=(8, 0))
        self._reset = pmui.IconButton(icon="replay", description="Reset (R)", margin=(8, 0))
        self._timeline = pmui.FloatSlider(
            label="Time",
            start=0.0,
            end=session.run.duration,
            step=SCRUB_STEP,
            value=0.0,
            marks=[],
            show_value=False,
            tooltips=False,
            sizing_mode="stretch_width",
            margin=(2, 20, 0, 20),
            sx={"& .MuiFormLabel-root, & > .MuiTypography-root": UNSEEN},
        )
        self._readout = pmui.Typography("", css_classes=["instant"], styles={"minWidth": "7rem"}, margin=(6, 4))
        self._speed = pmui.Select(label="Speed", options=SPEEDS, value=1.0, width=165, size="small", margin=(8, 8))
        self._scrubber = Binding(
            self._timeline, self._place, self._scrub, is_users=is_on_step, held=lambda: session.scrubbing
        )
        self._pace = Binding(self._speed, lambda: nearest(SPEEDS.values(), session.speed), self._choose_speed)
        self._grasp = GraspButton(session)
        self._pose = PoseSwitch(manipulation)
        super().__init__(session=session, **params)
        self._play.on_click(lambda _: self.toggle())
        self._back.on_click(lambda _: session.step(-1))
        self._forward.on_click(lambda _: session.step(1))
        self._reset.on_click(lambda _: session.reset())
        self._timeline.param.watch(self._let_go, "value_throttled")
        # Heights of their own: the picture above must not move when a button comes or goes.
        buttons = pmui.Row(
            self._back,
            self._play,
            self._forward,
            self._reset,
            self._pose,
            self._grasp,
            margin=0,
            height=60,
        )
        timeline = pmui.Row(self._timeline, self._readout, margin=0, height=48, styles=ROOMY)
        self._bar = pn.FlexBox(
            buttons,
            self._speed,
            timeline,
            flex_wrap="wrap",
            align_items="center",
            sizing_mode="stretch_width",
            margin=0,
        )

    def toggle(self) -> None:
        self.session.playing = not self.session.playing

    @param.depends("session.playing", watch=True, on_init=True)
    def _show_playing(self) -> None:
        playing = self.session.playing
        if not playing:
            self.draw()  # a button that says Play stands beside the instant at which it is paused
        self._play.param.update(
            icon="pause" if playing else "play_arrow", description="Pause (space)" if playing else "Play (space)"
        )

    def _place(self) -> float:
        """Where the clock puts the scrubber: beside a step, where no hand can."""
        duration = self.session.run.duration
        return beside_step(min(self.session.time, duration), duration)

    def _scrub(self, place: float) -> None:
        self.session.scrubbing = True
        self.session.seek(place)

    def _let_go(self, event: param.parameterized.Event) -> None:
        if event.new is None:
            return
        self._timeline.value_throttled = None  # or letting go at the same place again would not be heard
        self._scrubber.settle(event.new)
        self.session.scrubbing = False
        self.session.seek(event.new)

    def _choose_speed(self, speed: float) -> None:
        self.session.speed = speed

    @param.depends("session.speed", watch=True, on_init=True)
    def _follow_speed(self) -> None:
        self._pace.follow()

    def draw(self) -> None:
        """Moves the scrubber and the readout to the cursor, unless the user is holding the scrubber."""
        self._grasp.draw()
        session = self.session
        time, duration = session.time, session.run.duration
        text = f"<b>{time:.2f} s</b> of {duration:g} s"
        if self._readout.object != text:
            self._readout.object = text
        marks = marks_of(session.run.events, ROOM * duration)
        if self._timeline.marks != marks:
            self._timeline.marks = marks
        self._scrubber.follow(**({} if session.scrubbing else {"end": duration}))

    def stop(self) -> None:
        """Nothing of this bar outlives the session."""

    def __panel__(self) -> Viewable:
        return self._bar


def is_on_step(place: float) -> bool:
    """Whether a place of the scrubber (s) is one to which the user's hand can move it."""
    return abs(place - round(place / SCRUB_STEP) * SCRUB_STEP) < OFF_STEP / 2


def beside_step(time: float, duration: float) -> float:
    """Where the clock puts the scrubber (s): at ``time``, moved by what nobody sees if the user could mean it."""
    if not is_on_step(time):
        return time
    return time + OFF_STEP if time + OFF_STEP <= duration else time - OFF_STEP


def marks_of(events: list[tuple[float, str]], room: float) -> list[dict[str, object]]:
    """A mark at each event (s, word); words only where there is ``room`` seconds since the last ones."""
    marks: list[dict[str, object]] = []
    free_from = -room
    for at, word in sorted(events):
        label = ""
        if at >= free_from:
            label, free_from = word if len(word) < 10 else "limit", at + room
        marks.append({"value": at, "label": label})
    return marks
