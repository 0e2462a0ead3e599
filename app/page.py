"""One page: the scene, the timeline and the plots of one session, and the clock that drives them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import panel as pn
import panel_material_ui as pmui
import param
from bokeh.application.application import SessionContext
from panel.io.document import unlocked
from panel.io.resources import LOCAL_DIST

from app.clock import Clock, Drawn
from app.controls.change import Change
from app.controls.chooser import Chooser
from app.controls.keyboard import Keyboard, Shortcut, ShortcutSheet
from app.controls.projector import Projector
from app.controls.share import Share
from app.controls.transport import Transport
from app.controls.undo import Undo
from app.controls.upload import Upload
from app.state import Session
from app.state.address import opened
from app.state.auto_walk import AutoWalk
from app.state.manipulation import Manipulation
from app.views.agreement_tab import AgreementTab
from app.views.badge import Badge
from app.views.break_it import BreakIt
from app.views.plots import Plots
from app.views.scene_view import SceneView
from app.views.show import Show
from app.views.status import Status
from app.views.style import SLIM_TABS
from app.walker import Walker, walk_shortcuts
from scenes import palette

FIRST = "puma560"
WALK_TAB, CHANGE_TAB, CHECK_TAB, BREAK_TAB = 0, 2, 3, 4
RIGHT = ":host { width: clamp(340px, 34vw, 720px) !important; flex: none !important; }"
"""The column of tabs: wide enough for the walk's matrices, and no wider than a third of the page."""
THEME = {
    "light": {"palette": {"primary": {"main": "#1D5C93"}}},
    "dark": {"palette": {"primary": {"main": "#5BA3DE"}}},
}

FRAME = {
    "& .MuiAppBar-root": {"backgroundColor": "#17466F", "color": "#FFFFFF"},
    "& .MuiAppBar-root .MuiLinearProgress-root": {"display": "none"},  # it has no name for readers of the screen
    "@media (max-width: 1180px)": {"& .MuiAppBar-root .title": {"display": "none"}},
}


class InSight:
    """Draws something only while its tab is open."""

    def __init__(
        self, draw: Callable[[], None], is_open: Callable[[], bool], stop: Callable[[], None] = lambda: None
    ) -> None:
        self._draw = draw
        self._is_open = is_open
        self.stop = stop

    def draw(self) -> None:
        if self._is_open():
            self._draw()


@dataclass(frozen=True, eq=False)
class Assembled:
    """A page, what it shows, and what moves it."""

    session: Session
    clock: Clock
    page: pmui.Page


def build() -> pmui.Page:
    """The page of a new session; it starts to move when the browser has loaded it."""
    if pn.state.curdoc is not None:
        # Where several processes serve, a session may be opened by its websocket alone, and nobody but us says then
        # that the style sheets are on this server too.
        pn.state.curdoc.template_variables.setdefault("dist_url", LOCAL_DIST)
    query = {name: values[0].decode(errors="replace") for name, values in pn.state.session_args.items()}
    whole = assembled(query)
    whole.clock.prepare()
    pn.state.onload(whole.clock.start)

    def end(_: SessionContext) -> None:
        whole.clock.stop()

    pn.state.on_session_destroyed(end)
    return whole.page


def assembled(query: Mapping[str, str]) -> Assembled:
    """Every view and control of a page that shows what an address asks for, and the clock that draws them."""
    session = opened(query, FIRST)
    manipulation = Manipulation(session)
    scene, plots = SceneView(session, manipulation), Plots(session)
    show = Show(session, scene.stated)
    transport, change = Transport(session, manipulation), Change(session, manipulation)
    share, undo = Share(session), Undo(session)
    auto_walk = AutoWalk(session)
    walker = Walker(session, auto_walk)
    tabs = pmui.Tabs(sizing_mode="stretch_both", margin=0, sx=SLIM_TABS)
    badge = Badge(session)
    badge.on_click(lambda: setattr(tabs, "active", CHECK_TAB))
    agreement, break_it = AgreementTab(session, badge), BreakIt(session)
    tabs.extend(
        [
            ("Walk", walker),
            ("Show", show),
            ("Change", change),
            ("Check", agreement),
            ("Break it", break_it),
            ("Model", Upload(session)),
        ]
    )
    sheet = ShortcutSheet()
    projector = Projector(session, few=[undo.bar, share.bar, sheet.button])
    shortcuts = shortcuts_of(session, transport, projector, sheet, auto_walk)
    sheet.fill(shortcuts)
    keyboard = Keyboard(shortcuts)
    body = pn.Column(
        Status(session),
        share.word,
        sheet.dialog,
        pn.Row(
            pn.Column(scene, transport, plots, sizing_mode="stretch_both", margin=0),
            pn.Column(tabs, sizing_mode="stretch_height", width=430, margin=0, stylesheets=[RIGHT]),
            sizing_mode="stretch_both",
            margin=0,
        ),
        sizing_mode="stretch_both",
        margin=0,
    )
    followers = busy_followers()
    page = pmui.Page(
        title="Armsweep",
        header=[Chooser(session), pn.HSpacer(), undo, badge, share, sheet, projector, keyboard],
        main=[body],
        busy_indicator=None,
        theme_config=THEME,
        sx=FRAME,
    )

    for follower in busy_followers()[len(followers) :]:
        # The page follows the server's busy flag, which would hold it in memory when its session is over.
        pn.state.param.unwatch(follower)

    def paint() -> None:
        theme: palette.Theme = "dark" if page.dark_theme else "light"
        with unlocked():  # figures are Bokeh's own models, and the switch may come without the document's lock
            for view in (scene, plots, show, walker, agreement, break_it):
                view.paint(theme)

    page.param.watch(lambda _: paint(), "dark_theme")
    paint()
    walk = InSight(walker.draw, lambda: tabs.active == WALK_TAB)
    check = InSight(agreement.draw_tables, lambda: tabs.active == CHECK_TAB)
    broken = InSight(break_it.draw, lambda: tabs.active == BREAK_TAB, break_it.stop)
    changes = InSight(change.draw, lambda: tabs.active == CHANGE_TAB)
    sampling = InSight(plots.sampler.attend, lambda: True)
    thirds: list[Drawn] = [transport, plots, badge, show, share, agreement, check, broken, changes, auto_walk, walk]
    clock = Clock(session, every_frame=[scene, sampling], every_third=thirds, manipulation=manipulation)
    return Assembled(session, clock, page)


def shortcuts_of(
    session: Session, transport: Transport, projector: Projector, sheet: ShortcutSheet, auto_walk: AutoWalk
) -> tuple[Shortcut, ...]:
    """Every key of the page, in the order of the sheet."""
    return (
        Shortcut(" ", "Space", "play and pause", transport.toggle),
        Shortcut(",", ",", "a hundredth of a second back", lambda: session.step(-1), repeats=True),
        Shortcut(".", ".", "a hundredth of a second on", lambda: session.step(1), repeats=True),
        Shortcut("r", "R", "reset: as it was loaded", session.reset),
        Shortcut("ctrl+z", "Ctrl Z", "undo the last change", session.undo),
        Shortcut("ctrl+y", "Ctrl Y", "redo it", session.redo),
        Shortcut("a", "A", "keep this run as a ghost beside the next, or drop it", session.keep_or_drop),
        *walk_shortcuts(session, auto_walk),
        Shortcut("p", "P", "projector mode: large type, few controls", projector.toggle),
        Shortcut("?", "?", "this sheet", sheet.toggle),
    )


def busy_followers() -> list[param.parameterized.Watcher]:
    """Whoever follows the server's busy flag."""
    return list(pn.state.param.watchers.get("busy", {}).get("value", []))
