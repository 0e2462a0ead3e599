"""Play, pause, step, reset, speed, and the timeline with its scrubber."""

from __future__ import annotations

from pathlib import Path

import panel as pn
import panel_material_ui as pmui
import param

from app.binding import Binding, nearest
from app.component import Component
from app.motion.run import DOUBT, KEPT
from app.state import Session
from app.state.manipulation import Manipulation
from app.views.components import Button, Buttons, View, with_elements
from dynamics.motion import LimitEvent
from scenes import palette


class Timeline(Component):
    """Follows and moves the clock of the browser's player; the server hears from the player alone."""

    duration = param.Number(default=10.0, doc="Length of the timeline, s.")
    marks = param.List(
        default=[], item_type=dict, doc="Where something happened, in order: `value` s, `label`, and the whole `word`."
    )
    span = param.List(default=[], doc="s, from and to where a ghost is seen that is seen for a while only; or nothing.")
    endless = param.Boolean(default=False, doc="Whether it goes along with the clock, a run having no end.")
    colors = param.Dict(default={}, doc="CSS colors: ink, accent, ghost.")

    _esm = with_elements(Path(__file__).with_name("timeline.js"))
    _stylesheets = ["timeline.css"]  # noqa: RUF012


SPEEDS = {
    "1/100 speed": 0.01,
    "1/30 speed": 1.0 / 30.0,
    "1/10 speed": 0.1,
    "1/4 speed": 0.25,
    "1/2 speed": 0.5,
    "Real time": 1.0,
    "2 × speed": 2.0,
}

TOGGLE, STEP_BACK, STEP_ON = "armsweep:toggle", "armsweep:step -1", "armsweep:step 1"
"""Events of the document that the player handles at once and reports to the server."""
SHORT = 16  # Largest number of letters in a mark's label
ENDLESS = "Without an end: it goes on while you watch. Off: it repeats"
POSE = "Pose: drag a body, or an arm's base, to set the start of the run. Off: dragging pushes"

BAR = """
:host { flex-wrap: wrap; align-items: center; }
/* The timeline goes below the buttons where it would be too short to scrub beside them. */
.moves, .rest { flex: 0 0 auto !important; width: auto !important; height: 3.5rem !important; }
.moves { order: 1; }
.rest { order: 2; }
.speed { order: 3; flex: none !important; width: 8.5rem !important; min-width: 0 !important; }
.timeline { order: 4; flex: 1 1 15rem; height: 3rem !important; }
@media (max-width: 899px), (max-height: 560px), (max-height: 640px) and (max-width: 1100px) {
  /* beside play; what is seldom wanted folds away under a sheet */
  .timeline { order: 2; flex: 1 1 9rem; }
  .rest, .speed { order: 3; }
  .rest { flex: 1 1 auto !important; }
}
@media (max-width: 599px), (max-height: 560px), (max-height: 640px) and (max-width: 1100px) {
  :host { flex-wrap: wrap-reverse; }
  .rest, .speed { display: var(--rest, var(--tools, flex)) !important; }
}
"""


class Transport(View):
    """The bar between the scene and the plots."""

    session = param.ClassSelector(class_=Session)
    manipulation = param.ClassSelector(class_=Manipulation)

    def __init__(self, session: Session, manipulation: Manipulation, **params: object) -> None:
        self._play = Button("", icon="pause", event=TOGGLE, look="round")

        def go_on() -> None:
            session.endless = not session.endless

        def pose() -> None:
            manipulation.mode = "push" if manipulation.mode == "pose" else "pose"

        self._endless = Button(ENDLESS, go_on, label="∞", look="outlined", pressed=False)

        def set_speed(speed: float) -> None:
            session.speed = speed

        self._pose = Button(POSE, pose, label="Pose", look="outlined", pressed=False)
        self._grasp = Button("", self._let_go_or_take, label="Grasp", look="outlined")
        self._timeline = Timeline(
            duration=session.run.duration, sizing_mode="stretch_width", height=48, margin=0, css_classes=["timeline"]
        )
        self._speed = pmui.Select(
            label="Speed", options=SPEEDS, value=1.0, size="small", margin=(8, 8), sizing_mode="stretch_width",
            css_classes=["speed"],
        )  # fmt: skip
        self._pace = Binding(self._speed, lambda: nearest(SPEEDS.values(), session.speed), set_speed)
        super().__init__(session=session, manipulation=manipulation, **params)
        back = Button("Step back (,)", icon="chevron_left", event=STEP_BACK)
        forward = Button("Step forward (.)", icon="chevron_right", event=STEP_ON)
        reset = Button("Reset (R)", session.reset, icon="replay")
        # Fixed heights: the picture above must not move when a button comes or goes.
        self._rows = (
            Buttons([back, self._play, forward], css_classes=["moves"]),
            Buttons([reset, self._endless, self._pose, self._grasp], css_classes=["rest"]),
        )
        self.view = pn.Row(
            *self._rows, self._speed, self._timeline, sizing_mode="stretch_width", margin=0, stylesheets=[BAR]
        )

    def toggle(self) -> None:
        self.session.playing = not self.session.playing

    @param.depends("session.playing", watch=True, on_init=True)
    def _show_playing(self) -> None:
        playing = self.session.playing
        if not playing:
            self.draw()  # beside a Play button the timeline must be up to date
        self._play.update(
            icon="pause" if playing else "play_arrow", words="Pause (space)" if playing else "Play (space)"
        )

    @param.depends("session.endless", watch=True, on_init=True)
    def _follow_endless(self) -> None:
        self._endless.update(pressed=self.session.endless)

    @param.depends("manipulation.mode", watch=True, on_init=True)
    def _follow_pose(self) -> None:
        self._pose.update(pressed=self.manipulation.mode == "pose")

    def _let_go_or_take(self) -> None:
        if self.session.is_held:
            self.session.release()
        else:
            self.session.grasp()

    @param.depends("session.speed", watch=True, on_init=True)
    def _follow_speed(self) -> None:
        self._pace.follow()

    def draw(self) -> None:
        """Shows the buttons' actions, the timeline's length and its events; the browser shows the instant."""
        session = self.session
        label = "Release" if session.is_held else "Grasp"
        self._grasp.update(label=label, words=label, hidden=session.system.task_object is None)
        run = session.run
        duration = KEPT if run.endless else run.duration
        seen = [event for event in run.events if event[0] >= run.begin]
        span = [] if session.broken is None else [session.broken.since, session.broken.until]
        marks = marks_of(seen, run.limits_met)
        self._timeline.param.update(duration=duration, endless=run.endless, marks=marks, span=span)

    def paint(self, theme: palette.Theme) -> None:
        for row in self._rows:
            row.primary = palette.PRIMARY[theme]
        self._timeline.colors = {
            "ink": palette.INK[theme],
            "accent": palette.PRIMARY[theme],
            "ghost": palette.ghost(0, theme),
        }


def brief(word: str) -> str:
    """The first words of what a mark stands for."""
    word = word.partition(": ")[0]
    return word if len(word) <= SHORT else f"{word[:SHORT].rsplit(' ', 1)[0]} …"


def marks_of(events: list[tuple[float, str]], limits_met: list[LimitEvent]) -> list[dict[str, object]]:
    """One mark per event (s, word), in order; the browser decides which labels fit."""
    labels = {DOUBT: "doubtful"} | {met.words: f"{met.joint} limit" for met in limits_met}
    return [{"value": at, "label": labels.get(word) or brief(word), "word": word} for at, word in sorted(events)]
