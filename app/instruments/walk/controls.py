"""Back, play, forward, the pace of the walk, and its keys."""

from __future__ import annotations

from functools import partial

import panel as pn
import panel_material_ui as pmui
import param
from panel.viewable import Viewable, Viewer

from app.binding import Binding
from app.controls.keyboard import Shortcut
from app.state import Session, walk
from app.state.walk import PACES, AutoWalk
from app.views.components import Button, Buttons

PLAYING = "Playing: pause to see this step"
UNWALKED = "Press → to go to this step"
"""Shown while the picture shows the motion instead of the step, and before the walk has started."""
LAST = "That was the last step: W starts over"


class WalkControls(Viewer):
    """The bar above the map; it follows the walk, however that was started."""

    auto_walk = param.ClassSelector(class_=AutoWalk)

    def __init__(self, session: Session, auto_walk: AutoWalk, **params: object) -> None:
        self._play = Button("", auto_walk.toggle, icon="directions_walk")
        self._moves = Buttons(
            [
                Button("One step back (←)", lambda: session.walk_half(-1), icon="chevron_left"),
                self._play,
                Button("One step on (→)", lambda: session.walk_half(1), icon="chevron_right"),
            ]
        )
        self._pace = pmui.RadioButtonGroup(
            options=list(PACES), value=auto_walk.pace, size="small", margin=(7, 8), sx=SMALL
        )
        self._word = pn.pane.HTML("", stylesheets=[WORD], sizing_mode="stretch_width", margin=(0, 4))
        super().__init__(auto_walk=auto_walk, **params)
        self._session = session
        session.param.watch(lambda *_: self._say(), ["playing", "walked", "follows_walk"])
        session.cursor.param.watch(lambda *_: self._say(), ["stage", "arm", "link", "half"])
        self._say()
        Binding.of_parameter(self._pace, auto_walk, "pace")

    @param.depends("auto_walk.active", watch=True, on_init=True)
    def _follow(self) -> None:
        active = self.auto_walk.active
        self._play.update(
            icon="pause" if active else "directions_walk", words="Stop the walk (W)" if active else "Walk by itself (W)"
        )

    def _say(self) -> None:
        """Says what the picture shows instead, or that the walk is at its end; the space for it is reserved."""
        session = self._session
        word = ""
        if session.walked and not session.playing and session.at_end_of_walk:
            word = LAST
        elif session.follows_walk:
            word = (PLAYING if session.walked else "") if session.playing else "" if session.walked else UNWALKED
        if self._word.object != word:
            self._word.object = word

    def __panel__(self) -> Viewable:
        return pn.Row(self._moves, self._pace, self._word, min_height=44, margin=0, sizing_mode="stretch_width")


WORD = """
:host { min-width: 0; container-type: inline-size; font-family: Roboto, "Helvetica Neue", Arial, sans-serif; }
div { display: flex; align-items: center; height: 2.75rem; overflow: hidden; font-size: 0.75rem; line-height: 1.15; }
@container (max-width: 4.9rem) { div { display: none; } }
"""
SMALL = {"& .MuiToggleButton-root": {"padding": "2px 10px", "textTransform": "none", "fontSize": "0.85rem"}}


def walk_shortcuts(session: Session, auto_walk: AutoWalk) -> tuple[Shortcut, ...]:
    """Right follows the order of the computation; down is the next stage."""
    by = session.walk_by
    return (
        Shortcut("arrowright", "→", "one step forward in the computation", lambda: session.walk_half(1), True),
        Shortcut("arrowleft", "←", "one step back", lambda: session.walk_half(-1), True),
        Shortcut("shift+arrowright", "Shift →", "on to the stage's next link", partial(by, walk.walk_link, 1), True),
        Shortcut("shift+arrowleft", "Shift ←", "back to the link before", partial(by, walk.walk_link, -1), True),
        Shortcut("arrowdown", "↓", "on to the next stage", partial(by, walk.walk_stage, 1), True),
        Shortcut("arrowup", "↑", "back to the stage before", partial(by, walk.walk_stage, -1), True),
        Shortcut("]", "]", "to the next arm", partial(by, walk.walk_arm, 1), True),
        Shortcut("[", "[", "to the arm before", partial(by, walk.walk_arm, -1), True),
        Shortcut("w", "W", "walk by itself, and stop", auto_walk.toggle),
    )
