"""One page: the scene, timeline and plots of one session, and the clock that drives them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

import panel as pn
import panel_material_ui as pmui
import param
from bokeh.application.application import SessionContext
from bokeh.events import ConnectionLost
from panel.io.document import unlocked
from panel.io.resources import LOCAL_DIST

from app.binding import Receipts
from app.classroom.browser import LecturerBrowser
from app.classroom.lecture import NAME as LECTURE
from app.classroom.lecture import Lecture
from app.classroom.lecture_panel import LectureControl, LecturePanel
from app.classroom.present import Presenter
from app.clock import Clock, ClockView
from app.controls.change import Change
from app.controls.chooser import Chooser
from app.controls.kept_runs import DistanceLine, KeptRuns
from app.controls.keyboard import Connection, Keyboard, Shortcut, ShortcutSheet, view_shortcuts
from app.controls.machine_builder import AssemblyControls
from app.controls.run_comparison import RunComparer
from app.controls.share import Share, Undo
from app.controls.transport import STEP_BACK, STEP_ON, TOGGLE, Transport
from app.equations.meanings import bibliography_html, documentation_html
from app.files.kept_files import KeptFiles
from app.files.session_file import SessionFile
from app.files.upload import Upload
from app.instruments.compare.compare import NAME as COMPARE
from app.instruments.compare.compare import Compare
from app.instruments.contact import NAME as CONTACT
from app.instruments.contact import ContactStage
from app.instruments.cost.cost import NAME as COST
from app.instruments.cost.cost import Cost
from app.instruments.edit import Edit
from app.instruments.estimation import NAME as ESTIMATION
from app.instruments.estimation import Estimation
from app.instruments.influence import InfluenceMaps
from app.instruments.methods.methods import NAME as METHODS
from app.instruments.methods.methods import Methods
from app.instruments.papers.papers import NAME as PAPERS
from app.instruments.papers.papers import Papers
from app.instruments.study.study import NAME as STUDY
from app.instruments.study.study import StudyInstrument
from app.instruments.two_filters import TwoFilters
from app.instruments.walk import Walker, walk_shortcuts
from app.instruments.write_it.write_it import NAME as WRITE
from app.instruments.write_it.write_it import WriteIt
from app.lessons.lessons import NAME as LESSONS
from app.lessons.lessons import Lessons
from app.lessons.library import linked
from app.motion.presets import FIRST
from app.opening import PAGE
from app.opening.welcome import Welcome
from app.replay import SaveReplay
from app.screen.headline import Headline
from app.screen.instruments import EVENT as RAIL
from app.screen.instruments import Instruments, Offer
from app.screen.layout import EVENT as PROJECT
from app.screen.layout import HEADER, Frame, LazyColumn, MoreButton, Projector, Screen, SheetSwitch
from app.service import counters
from app.service.sessions import sessions
from app.state import Session
from app.state.address import opened
from app.state.breakage import Breakage
from app.state.manipulation import Manipulation
from app.state.session import EDIT
from app.state.walk import AutoWalk
from app.views.announcer import Announcer
from app.views.badge import Badge
from app.views.break_it import BreakIt
from app.views.check import AgreementTab
from app.views.components import Buttons
from app.views.notice import Status
from app.views.plots import Plots
from app.views.scene_view import SceneView
from app.views.show import Show
from scenes import palette

WALK, CHECK, MODEL = "Walk", "Check", "Model"
UNDERSTAND, QUESTION, SET_UP = "Understand", "Question", "Set up"
"""The purposes of instruments."""


def together(*looks: dict[str, Any]) -> dict[str, Any]:
    """Merges theme fragments by component; if several style one component, their parts are combined."""
    found: dict[str, dict[str, Any]] = {}
    for component, look in chain.from_iterable(each.items() for each in looks):
        found.setdefault(component, {}).update(look["styleOverrides"])
    return {component: {"styleOverrides": parts} for component, parts in found.items()}


NO_MOTION = "@media (prefers-reduced-motion: reduce)"
AT_ONCE = {NO_MOTION: {"transition": "none !important"}}  # some transitions are inline styles
STILL = {
    "MuiCollapse": {"styleOverrides": {"root": AT_ONCE}},
    "MuiPopover": {"styleOverrides": {"paper": AT_ONCE}},
    "MuiSlider": {"styleOverrides": {"thumb": AT_ONCE, "track": AT_ONCE}},
    "MuiLinearProgress": {"styleOverrides": {"bar": AT_ONCE, "bar1": AT_ONCE}},
    "MuiInputLabel": {"styleOverrides": {"root": AT_ONCE}},
    "MuiSwitch": {"styleOverrides": {"switchBase": AT_ONCE, "thumb": AT_ONCE, "track": AT_ONCE}},
}
"""Suppresses transitions for users who prefer reduced motion."""
RINGED = {
    "MuiButtonBase": {
        "styleOverrides": {
            "root": {
                "&.Mui-focusVisible": {"outline": "2px solid", "outlineOffset": "-3px"},
                "& .MuiTouchRipple-ripplePulsate": {"display": "none"},
                NO_MOTION: {"& .MuiTouchRipple-root": {"display": "none"}},
            }
        }
    }
}
"""Marks a button focused by Tab with a ring in its text color, instead of a barely visible pulsating shade."""
ENLARGED = {"styleOverrides": {"root": {"zoom": "var(--scale, 1)"}}}
GROWING = {
    "MuiSwitch": ENLARGED,
    "MuiChip": {"styleOverrides": {"root": {"height": "2rem", "borderRadius": "1rem"}}},
    "MuiFormControlLabel": {"styleOverrides": {"label": {"fontSize": "0.875rem"}}},
    "MuiSelect": {"styleOverrides": {"select": {"&&": {"paddingBlock": "0.375rem"}}}},
    "MuiInputLabel": {"styleOverrides": {"shrink": {"transform": "translate(14px, -0.5625rem) scale(0.75)"}}},
}
"""Scales sizes that a theme gives in pixels with the type (screen.js)."""
TIPS = {
    "MuiTooltip": {
        "styleOverrides": {
            "popper": {"&&": {"pointerEvents": "none", "translate": "0 calc(50% + 1.4rem)"}},
            "tooltip": {"&&": {"width": "max-content", "maxWidth": "min(18rem, 80vw)", "fontSize": "0.75rem"}},
            "arrow": {"display": "none"},
        }
    }
}
"""Places tooltips below the row, as wide as they need, without blocking clicks on the next button."""
THEME = {
    theme: {"palette": {"primary": {"main": color}}, "components": together(STILL, RINGED, GROWING, TIPS)}
    for theme, color in palette.PRIMARY.items()
}


@dataclass(frozen=True, eq=False)
class PageParts:
    """A page, its contents, and the clock that drives it."""

    session: Session
    clock: Clock
    page: pmui.Page
    scene: SceneView
    instruments: Instruments
    kept: KeptFiles
    announcer: Announcer
    welcome: Welcome

    def begin(self) -> None:
        """Starts the motion and accepts input once the browser has loaded the page."""
        self.clock.start()
        self.scene.begin()
        self.kept.begin()
        self.welcome.begin()


def build() -> pmui.Page:
    """The page of a new session; it starts to move when the browser has loaded it."""
    if pn.state.curdoc is not None:
        # With several processes, a session may be opened by its websocket alone; only this line then says that
        # the style sheets are on this server too.
        pn.state.curdoc.template_variables.setdefault("dist_url", LOCAL_DIST)
    said = {name: values[0].decode(errors="replace") for name, values in pn.state.session_args.items()}
    query = linked(said, LESSONS)
    whole = assembled(query)
    document = pn.state.curdoc
    context = None if document is None else document.session_context
    if context is not None and (own := sessions().allowance(context.id)) is not None:
        whole.session.jobs.allowance = own
        document.on_event(ConnectionLost, lambda _: counters.connections_lost.inc())
    whole.clock.prepare()
    pn.state.onload(whole.begin)

    def end(_: SessionContext) -> None:
        whole.clock.stop()

    pn.state.on_session_destroyed(end)
    return whole.page


def assembled(query: Mapping[str, str]) -> PageParts:
    """All views and controls of the page for an address, and the clock that draws them."""
    session, receipts = opened(query, FIRST), Receipts()
    manipulation = Manipulation(session)
    plots = Plots(session)
    scene = SceneView(session, manipulation, lambda: tabs.follows or plots.follows)
    transport, share, undo = Transport(session, manipulation), Share(session), Undo(session)
    lecture, lecturer = Lecture(session), LecturerBrowser()
    replay = SaveReplay(session, lambda: plots.panels)
    present = Presenter(session, lambda: plots.panels, lecture, lecturer)
    saved = SessionFile(session)
    auto_walk, badge, kept, breakage = AutoWalk(session), Badge(session), KeptFiles(session), Breakage(session)
    comparing = RunComparer(session)
    leading = LectureControl(session, lecture, lecturer, lambda name: tabs.pane(name))
    tabs = Instruments(
        session,
        [
            Offer(UNDERSTAND, LESSONS, "school", "Predict first, then see: lessons beside the running page",
                  lambda: Lessons(session, present.asking)),
            Offer(UNDERSTAND, WALK, "directions_walk", "One step of the computation after another",
                  lambda: Walker(session, auto_walk), projects=False),
            Offer(UNDERSTAND, CONTACT, "handshake", "Contact force: predicted, measured, corrected by the gain",
                  lambda: ContactStage(session, lambda: tabs.open(WALK)),
                  lambda system: system.task_object is not None),
            Offer(UNDERSTAND, "Two filters", "compare_arrows", "A link's inertia from the tip, the base, and together",
                  lambda: TwoFilters(session, lambda: tabs.open(WALK)), lambda system: system.kind == "free_flyer"),
            Offer(UNDERSTAND, "Influence", "grid_on", "What a torque at each joint moves",
                  lambda: InfluenceMaps(session, lambda: tabs.open(WALK))),
            Offer(UNDERSTAND, ESTIMATION, "casino", "The arm as an estimation problem: draw it, filter it, compare",
                  lambda: Estimation(session)),
            Offer(UNDERSTAND, METHODS, "account_tree", "Other formulations of the same moment, step by step",
                  lambda: Methods(session)),
            Offer(UNDERSTAND, COST, "timer", "Operations and time of each method, against the number of links",
                  lambda: Cost(session)),
            Offer(UNDERSTAND, PAPERS, "menu_book", "The papers' tables and figures: printed, and recomputed",
                  lambda: Papers(session)),
            Offer(QUESTION, CHECK, "rule", "Independent methods compared, and laws that must hold",
                  lambda: AgreementTab(session, badge)),
            Offer(QUESTION, "Break it", "bolt", "Break a line of the method, and see what fails",
                  lambda: BreakIt(session, breakage)),
            Offer(QUESTION, WRITE, "edit_note", "Write a line of the method yourself, and see what it does",
                  lambda: WriteIt(session, breakage)),
            Offer(QUESTION, COMPARE, "difference", "Your code's numbers beside ours, and where the two differ first",
                  lambda: Compare(session, lambda: tabs.open(WALK))),
            Offer(QUESTION, STUDY, "scatter_plot", "One number over many states, each a click away",
                  lambda: StudyInstrument(session)),
            Offer(SET_UP, "Show", "visibility", "What is drawn; runs that are kept",
                  lambda: Show(session, scene.stated, KeptRuns(session, comparing))),
            Offer(SET_UP, "Change", "tune", "Torques, pushes, bodies, gravity, posture",
                  lambda: Change(session, manipulation, DistanceLine(session, comparing))),
            Offer(SET_UP, MODEL, "precision_manufacturing", "Robots, how many, what they hold; your own",
                  lambda: Upload(session, kept, AssemblyControls(session))),
            Offer(SET_UP, EDIT, "edit", "The robot's numbers: masses, joints, lengths, D–H; links added or removed",
                  lambda: Edit(session)),
            Offer(SET_UP, LECTURE, "slideshow", "Moments to come back to, with notes: shown, saved, printed",
                  lambda: LecturePanel(lecture, leading), projects=False),
        ],
        WALK,
    )  # fmt: skip
    switch = SheetSwitch(sizing_mode="stretch_width", margin=0)

    def lead(name: str) -> None:
        tabs.open(name)
        switch.open("Instruments")

    welcome = Welcome(session, query, lead, WALK, LESSONS, PAPERS)

    def check() -> None:
        lead(CHECK)
        scene.speak(badge.in_words)

    badge.on_click(check)
    sheet = ShortcutSheet()
    few = [*undo.buttons, share.button, saved.button, replay.button]
    projector = Projector(session, few=[*few, sheet.button])
    shortcuts = shortcuts_of(session, transport, undo, projector, sheet, auto_walk, lecture, welcome)
    sheet.fill(shortcuts, documentation_html(), bibliography_html())
    keyboard, headline = Keyboard(shortcuts), Headline(session, sheet.toggle)
    dialogs = present.dialog, present.asking.dialog, saved.dialog, sheet.dialog
    for dialog in dialogs:
        dialog.param.watch(
            lambda event: None if event.new else keyboard.param.update(closed=keyboard.closed + 1), "open"
        )
    chooser = Chooser(session, lambda: tabs.open(MODEL))
    screen = Screen(session, lambda theme: page.param.update(dark_theme=theme == "dark"), welcome.arrive)
    parts = {
        "world": scene,
        "transport": transport,
        "sheet-switch": switch,
        "tabs": tabs,
        "plots": plots,
        "headline": headline,
    }
    words = [each.word for each in (leading, undo, share, saved, replay)]
    messages = LazyColumn(
        (Status(session).alert, "closed"),
        (present.card, "visible"),
        (leading.caption, "visible"),
        *((word, "closed") for word in words),
    )
    frame = Frame(session, parts, [messages], [welcome])
    tabs.param.watch(lambda event: frame.param.update(instrument=bool(event.new)), "projected")
    body = pn.Column(
        LazyColumn(*((dialog, "open") for dialog in dialogs)),
        frame,
        sizing_mode="stretch_both",
        margin=0,
        stylesheets=[":host { min-height: 0 !important; }"],  # the frame divides the available height
    )
    tools = Buttons(
        [*few, present.button, sheet.button, projector.button], css_classes=["tools"], styles={"color": "#FFFFFF"}
    )
    followers = busy_followers()
    page = pmui.Page(
        title="Armsweep",
        template=PAGE,
        header=[
            *chooser.parts,
            pn.HSpacer(css_classes=["gap"]),
            badge,
            MoreButton(css_classes=["more"]),
            tools,
            *(screen, keyboard, kept, lecturer, share.browser, Connection(), receipts, saved.browser, replay.browser),
        ],
        main=[body],
        busy_indicator=None,
        theme_config=THEME,
        sx=HEADER,
    )

    for follower in busy_followers()[len(followers) :]:
        # The page watches the server's busy flag, which would keep it in memory after its session has ended.
        pn.state.param.unwatch(follower)

    def paint() -> None:
        theme: palette.Theme = "dark" if page.dark_theme else "light"
        with unlocked():  # figures are Bokeh models, and the switch may come without the document's lock
            for view in (scene, transport, plots, tabs, headline, present.asking, welcome):
                view.paint(theme)
        screen.theme = theme

    page.param.watch(lambda _: paint(), "dark_theme")
    paint()
    announcer = Announcer(session, scene.speak)
    every_third: list[ClockView] = [
        *(transport, badge, undo, share, saved, replay, present, auto_walk, breakage, tabs, headline),
        leading,
        welcome,
        announcer,
    ]
    at_end = [scene.stop, plots.stop, replay.stop, present.stop, auto_walk.stop]
    clock = Clock(
        session, [scene], every_third, manipulation, plots.sampler, scene.is_settled, lambda: auto_walk.active, [plots],
        at_end,
    )  # fmt: skip
    scene.on_news(clock.stir)
    return PageParts(session, clock, page, scene, tabs, kept, announcer, welcome)


def shortcuts_of(
    session: Session,
    transport: Transport,
    undo: Undo,
    projector: Projector,
    sheet: ShortcutSheet,
    auto_walk: AutoWalk,
    lecture: Lecture,
    welcome: Welcome,
) -> tuple[Shortcut, ...]:
    """All keys of the page, in the order of the sheet."""
    return (
        Shortcut(" ", "Space", "play and pause", transport.toggle, event=TOGGLE),
        Shortcut(",", ",", "a hundredth of a second back", lambda: session.step(-1), True, STEP_BACK),
        Shortcut(".", ".", "a hundredth of a second forward", lambda: session.step(1), True, STEP_ON),
        Shortcut("r", "R", "reset to how it was loaded", session.reset),
        Shortcut("ctrl+z", "Ctrl Z", "undo the last change", session.undo),
        Shortcut("ctrl+y", "Ctrl Y", "redo it", session.redo),
        Shortcut("a", "A", "keep this run beside the next; Show lists and removes them", undo.keep),
        Shortcut("k", "K", "keep this moment for a lecture; Page Down and Page Up step through them", lecture.keep),
        *walk_shortcuts(session, auto_walk),
        *view_shortcuts(),
        Shortcut(
            "p",
            "P",
            "projector mode: the world on the whole screen, with what is open",
            projector.toggle,
            event=PROJECT,
        ),
        Shortcut("i", "I", "the instruments: arrows or first letters move along them, Enter opens", None, event=RAIL),
        Shortcut("f", "F", "the first minute: what this is, and a challenge on the arm", welcome.call),
        Shortcut("?", "?", "this sheet", sheet.toggle),
    )


def busy_followers() -> list[param.parameterized.Watcher]:
    """The watchers of the server's busy flag."""
    return list(pn.state.param.watchers.get("busy", {}).get("value", []))
