"""The tab in which the motion is changed: what drives it, torques, the start, bodies, their world, a push."""

from __future__ import annotations

import panel as pn
import panel_material_ui as pmui
import param
from panel.viewable import Viewable, Viewer

from app.binding import Binding
from app.controls.bodies import Bodies
from app.controls.drive import Drive
from app.controls.posture import Posture
from app.controls.push import Push
from app.controls.sliders import Sliders
from app.controls.world import World
from app.state import Session
from app.state.manipulation import Manipulation
from app.views.instrument import Instrument
from app.views.style import STYLE

GROUPS = ("Drive", "Torques", "Posture", "Masses", "World", "Push")


class Change(Instrument):
    """One group of controls at a time; all of them follow the session.

    Args:
        beside: stands above the controls, whichever they are.
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
        self._column = pmui.Column(sizing_mode="stretch_both", scroll="y", margin=0)
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
        """The group that is open."""
        return self._session.changing if self._session.changing in GROUPS else GROUPS[0]

    def _choose(self, group: str) -> None:
        self._session.changing = "" if group == GROUPS[0] else group

    def _open(self, event: param.parameterized.Event) -> None:
        """A line at once: a browser takes a second and more to make a group's controls, which come as it is drawn."""
        coming = pn.pane.HTML(f"<p role='status'>Opening {event.new} …</p>", stylesheets=[STYLE], margin=(8, 12))
        self._column.objects = [self._group, *self._above, coming]

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
        self._column.objects = [self._group, *self._above, *shown[group]]

    @property
    def follows(self) -> bool:
        """Whether the group in sight shows the cursor's instant."""
        return self._group.value != self._shown or self._group.value in ("Posture", "Push")

    def draw(self) -> None:
        """Of the group in sight, what a moving picture changes; and how far the run is from those beside it."""
        if self._group.value != self._shown:
            self._show(self._group.value)
        if self._beside is not None:
            self._beside.draw()
        if self._group.value == "Posture":
            self._posture.draw()
        elif self._group.value == "Push":
            self._push.draw()

    def __panel__(self) -> Viewable:
        return self._column


EVEN = {
    "width": "100%",
    # Six words stand in the narrowest column, and on a telephone.
    "& .MuiToggleButton-root": {
        "flex": "1 1 auto",
        "padding": "3px 2px",
        "textTransform": "none",
        "letterSpacing": 0,
        "fontSize": "clamp(0.8rem, 1.3vw, 0.92rem)",
    },
}
