"""Play, pause, step, reset, speed, and the timeline with its scrubber."""

from __future__ import annotations

import panel as pn
import panel_material_ui as pmui
import param
from panel.viewable import Viewable, Viewer

from app.binding import Binding, nearest
from app.controls.grasp_button import GraspButton
from app.controls.pose_switch import PoseSwitch
from app.controls.timeline import Timeline
from app.motion.run import DOUBT, KEPT
from app.state import Session
from app.state.manipulation import Manipulation
from scenes import palette

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
"""Events of the document that the player answers at once, and tells the server of."""
SHORT = 16
"""Letters of a mark's words."""
AS_TYPE = ":host { width: 10.3rem !important; min-width: 0 !important; flex: none !important; }"
"""As wide as the type is large."""
LEVEL = {"alignItems": "center", "flexWrap": "wrap"}


BAR = """
/* The timeline goes below the buttons where it would be too short to scrub beside them. */
.moves, .rest { flex: 0 0 auto !important; width: auto !important; height: 3.75rem !important; }
.moves { order: 1; }
.rest { order: 2; }
.timeline { order: 3; flex: 1 1 26rem; height: 3rem !important; }
@media (max-width: 899px), (max-height: 560px), (max-height: 640px) and (max-width: 1100px) {
  /* beside play; what is seldom wanted folds away under a sheet */
  .timeline { order: 2; flex: 1 1 9rem; }
  .rest { order: 3; flex: 1 1 100% !important; height: auto !important; }
}
@media (max-height: 560px) and (min-width: 800px) { .rest { flex: 0 0 auto !important; } } /* too low for two rows */
@media (max-width: 599px), (max-height: 560px), (max-height: 640px) and (max-width: 1100px) {
  .rest { display: var(--rest, var(--tools, flex)) !important; }
}
"""


class Transport(Viewer):
    """The bar between the scene and the plots."""

    session = param.ClassSelector(class_=Session)

    def __init__(self, session: Session, manipulation: Manipulation, **params: object) -> None:
        self._play = pmui.Fab(icon="pause", color="primary", size="medium", margin=(4, 8))
        self._back = pmui.IconButton(icon="chevron_left", description="Step back (,)", margin=(8, 0))
        self._forward = pmui.IconButton(icon="chevron_right", description="Step forward (.)", margin=(8, 0))
        self._reset = pmui.IconButton(icon="replay", description="Reset (R)", margin=(8, 0))
        self._endless = pmui.Toggle(
            label="∞",
            description="Without an end: it goes on while you watch. Off: it repeats",
            size="small",
            variant="outlined",
            color="primary",
            margin=(12, 4),
            sx={"height": "2.125rem", "width": "2.75rem", "minWidth": "2.75rem", "fontSize": "1.3rem", "lineHeight": 1},
        )
        self._ends = Binding(self._endless, lambda: session.endless, self._choose_endless)
        self._timeline = Timeline(
            duration=session.run.duration, sizing_mode="stretch_width", height=48, margin=0, css_classes=["timeline"]
        )
        self._speed = pmui.Select(
            label="Speed",
            options=SPEEDS,
            value=1.0,
            size="small",
            margin=(8, 8),
            sizing_mode="stretch_width",
            stylesheets=[AS_TYPE],
        )
        self._pace = Binding(self._speed, lambda: nearest(SPEEDS.values(), session.speed), self._choose_speed)
        self._grasp = GraspButton(session)
        self._pose = PoseSwitch(manipulation)
        super().__init__(session=session, **params)
        for button, event in ((self._play, TOGGLE), (self._back, STEP_BACK), (self._forward, STEP_ON)):
            name, _, detail = event.partition(" ")
            button.js_on_click(code=f"document.dispatchEvent(new CustomEvent('{name}', {{ detail: {detail or 0} }}))")
        self._reset.on_click(lambda _: session.reset())
        # Heights of their own: the picture above must not move when a button comes or goes.
        moves = pmui.Row(self._back, self._play, self._forward, margin=0, css_classes=["moves"], sx=LEVEL)
        rest = pmui.Row(
            self._reset, self._endless, self._pose, self._grasp, self._speed, margin=0, css_classes=["rest"], sx=LEVEL
        )  # fmt: skip
        self._bar = pn.FlexBox(
            moves,
            rest,
            self._timeline,
            flex_wrap="wrap",
            align_items="center",
            sizing_mode="stretch_width",
            margin=0,
            stylesheets=[BAR],
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

    @param.depends("session.endless", watch=True, on_init=True)
    def _follow_endless(self) -> None:
        self._ends.follow()

    def _choose_endless(self, endless: bool) -> None:
        self.session.endless = endless

    def _choose_speed(self, speed: float) -> None:
        self.session.speed = speed

    @param.depends("session.speed", watch=True, on_init=True)
    def _follow_speed(self) -> None:
        self._pace.follow()

    def draw(self) -> None:
        """What the buttons offer, how long the timeline is, and what happened on it; the instant is the browser's."""
        self._grasp.draw()
        run = self.session.run
        duration = KEPT if run.endless else run.duration
        seen = [event for event in run.events if event[0] >= run.begin]
        wanted = {"duration": duration, "endless": run.endless, "marks": marks_of(seen)}
        broken = self.session.broken
        wanted["span"] = [] if broken is None else [broken.since, broken.until]
        changed = {name: value for name, value in wanted.items() if getattr(self._timeline, name) != value}
        if changed:
            self._timeline.param.update(**changed)

    def paint(self, theme: palette.Theme) -> None:
        """The timeline in the theme's colors."""
        self._timeline.colors = {
            "ink": palette.INK[theme],
            "accent": palette.PRIMARY[theme],
            "ghost": palette.ghost(0, theme),
        }

    def stop(self) -> None:
        """Nothing of this bar outlives the session."""

    def __panel__(self) -> Viewable:
        return self._bar


def brief(word: str) -> str:
    """What stands at a mark: whose limit it is, or the first words."""
    if word == DOUBT:
        return "doubtful"
    joint, met, _ = word.partition(" met its ")
    if met:
        return f"{joint} limit"
    word = word.partition(": ")[0]
    return word if len(word) <= SHORT else f"{word[:SHORT].rsplit(' ', 1)[0]} …"


def marks_of(events: list[tuple[float, str]]) -> list[dict[str, object]]:
    """A mark at each event (s, word), in order: the browser knows where there is room for its label."""
    return [{"value": at, "label": brief(word), "word": word} for at, word in sorted(events)]
