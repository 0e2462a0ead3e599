"""What drives the machine, and where it starts."""

from __future__ import annotations

import html

import panel as pn
import panel_material_ui as pmui
import param
from panel.viewable import Viewable, Viewer

from app.binding import Binding
from app.motion.drives import DRIVES, NOTHING, told, weakness
from app.motion.setup import Setup
from app.motion.start_postures import bent_out_of_balance, starts_of
from app.state import Session
from app.views.style import STYLE

OWN_START = "As set in Posture"
RESTS = "It hangs or stands in balance: nothing moves it."


class Drive(Viewer):
    """Two menus, and what the chosen drive does in words."""

    session = param.ClassSelector(class_=Session)

    def __init__(self, session: Session, **params: object) -> None:
        self._drive = pmui.Select(label="Drive", options={}, size="small", sizing_mode="stretch_width", margin=(8, 10))
        self._start = pmui.Select(label="Start", options=[], size="small", sizing_mode="stretch_width", margin=(8, 10))
        self._words = pn.pane.HTML("", stylesheets=[STYLE], sizing_mode="stretch_width", margin=(2, 12))
        bend = pmui.Button(label="Bend it first", variant="outlined", size="small", margin=(4, 10))
        bend.on_click(lambda _: self._bend())
        word = pn.pane.HTML(
            f"<span role='status'>{RESTS}</span>",
            stylesheets=[STYLE],
            sizing_mode="stretch_width",
            margin=(8, 2, 4, 12),
        )
        self._rest = pmui.Row(word, bend, sizing_mode="stretch_width", margin=0, visible=False)
        self._setup: Setup | None = None
        self._drives = Binding(self._drive, lambda: session.setup.driven.name, session.set_drive)
        self._starts = Binding(self._start, self._start_shown, self._choose_start)
        super().__init__(session=session, **params)

    @param.depends("session.run", "session.message", watch=True, on_init=True)
    def _follow(self) -> None:
        """Shows what drives the run; after a choice that failed, that is not what was chosen."""
        session = self.session
        assert session is not None
        setup = session.setup
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
        """Where a run begins to move that rests now, for no motor acts."""
        session = self.session
        assert session is not None
        return bent_out_of_balance(session.run) if session.setup.driven.name == "free" else None

    def _bend(self) -> None:
        session = self.session
        assert session is not None
        if (posture := self._bent) is not None and session.change("", posture=posture):
            session.playing = True

    def _start_shown(self) -> str:
        setup = self.session.setup
        starts = starts_of(setup.machine)
        return next((words for words, posture in starts.items() if posture == setup.posture), OWN_START)

    def _choose_start(self, words: str) -> None:
        session = self.session
        assert session is not None
        starts = starts_of(session.setup.machine)
        if words in starts and session.change("", posture=starts[words]):
            session.playing = True

    def __panel__(self) -> Viewable:
        return pmui.Column(self._drive, self._rest, self._start, self._words, sizing_mode="stretch_width", margin=0)


def in_words(session: Session) -> str:
    """What drives the run, what is too weak for it, and what else does not fit this machine, as HTML."""
    setup, actuation = session.setup, session.run.actuation
    lines = [told(setup.driven, actuation.system, actuation.circle), setup.machine.preset.note]
    if setup.driven.name != "free":
        lines.append(weakness(actuation.system, session.run.start))
    refused = [
        f"{DRIVES[name].title} ({why})" for name, why in setup.machine.refusals.items() if why and why != NOTHING
    ]
    if refused:
        lines.append(f"Not for this machine: {'; '.join(refused)}.")
    return "".join(f"<p style='margin: 4px 0'>{html.escape(line)}</p>" for line in lines if line)
