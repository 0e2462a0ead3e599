"""The app's page with a door for tests: a page that is open already is led to another moment as a link leads a new one.

Opening a page takes several seconds of a core, being led to a moment a few tenths. The door puts back what a page
begins with: every choice of its controls, the session's own, and what a link may say. The motion of a machine as it
was loaded is the one that an earlier test has waited for: it is computed and sampled once.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl

import panel as pn
import panel_material_ui as pmui
import param
from panel.io.document import unlocked
from panel.viewable import Viewable

from app.lecture import LecturePanel
from app.motion.presets import PRESETS
from app.motion.run import Run
from app.motion.setup import Setup, machine_of_preset
from app.page import FIRST, assembled
from app.screen.rail import Rail
from app.state.address import asked
from app.state.arrangement import FORMS
from app.state.history import History
from app.views.instrument import Instrument
from app.views.plots.board import PlotBoard
from app.views.plots.quantity_list import QuantityList

CHOSEN = {
    pmui.Tabs: "active",
    pmui.Dialog: "open",
    PlotBoard: "listing",
    QuantityList: "visible",
    **dict.fromkeys((pmui.RadioButtonGroup, pmui.Select, pmui.Toggle, pmui.FloatSlider), "value"),
}
FOLLOW = "Robot", "Arms", "Of them", "Object", "Drive", "Method", "Base x (m)", "Base y (m)", "Turned (°)"
"""Controls of instruments that follow the session: what they are given they ask of it, and each machine has other."""
SESSION = (
    *("layers", "block", "around", "speed", "projector", "kept", "breaks", "broken", "motion", "follows_walk"),
    *("plots_follow", "shadow", "torqued", "written"),
    *FORMS,
)


class Motions:
    """Runs of machines as they were loaded; a whole one is given again, any other begun anew."""

    def __init__(self) -> None:
        self._runs: dict[str, Run] = {}

    def of(self, setup: Setup) -> Run:
        """The run of a setup."""
        preset = setup.machine.preset.name
        if not preset or setup != setup.plain():
            return setup.run()
        if preset not in self._runs or not self._runs[preset].complete:
            self._runs[preset] = setup.run()
        return self._runs[preset]


def build() -> pmui.Page:
    """As ``app.page.build``, with the door."""
    whole = assembled({name: values[0].decode() for name, values in pn.state.session_args.items()})
    session, page = whole.session, whole.page
    whole.clock.prepare()
    rail = next(iter(page.select(Rail)))
    follows = [one for part in page.header for one in part.select()]  # the menus there follow the session
    beginning: list[tuple[Any, str, Any]] = []
    made: dict[str, Instrument] = {}
    motions = Motions()

    def meet(part: Viewable) -> None:
        """Keeps what its controls begin with."""
        found = [(one, name) for kind, name in CHOSEN.items() for one in part.select(kind)]
        beginning.extend((one, name, getattr(one, name)) for one, name in found if one not in follows)

    def attend() -> None:
        """Makes every instrument of this machine: what it begins with is known then, opened or not."""
        for name in rail.there:
            if name not in made:
                made[name] = whole.instruments.make(name)
                made[name].draw()
                controls = made[name].__panel__()
                follows.extend(one for one in controls.select() if getattr(one, "label", "") in FOLLOW)
                meet(controls)

    meet(page)
    attend()
    (lecture,) = (one.lecture for one in made.values() if isinstance(one, LecturePanel))
    pn.state.onload(whole.begin)
    pn.state.on_session_destroyed(lambda _: whole.clock.stop())

    def lead(event: param.parameterized.Event) -> None:
        """``number query``: shows what the query says; no query is the page as it opens; ``rest`` stops it."""
        number, _, text = event.new.partition(" ")
        with unlocked():  # figures are Bokeh's own models
            if text == "rest":
                session.playing = False
            else:
                show(text)
        door.placeholder = number

    def show(text: str) -> None:
        query = dict(parse_qsl(text, keep_blank_values=True))
        # Straight to its motion: menus that are given two motions in one message may repeat the first of them.
        plain = Setup(machine_of_preset(PRESETS.get(query.get("preset", FIRST), PRESETS[FIRST])))
        session.show(plain, {}, {"playing": text == ""}, motions.of(plain))
        session.param.update(**{name: session.param[name].default for name in SESSION}, message="")
        session.history = History()
        lecture.param.update(moments=(), at=0, word="")
        for control, name, value in beginning:
            setattr(control, name, value)
        if query.get("preset"):
            found = asked(query, session)
            session.show(found.setup, found.cursor, found.other, motions.of(found.setup))
            attend()
        page.dark_theme = False
        whole.announcer.forget()  # being led here is nobody's act
        if session.run.complete:
            whole.clock.tick(0.0, 0)
        else:
            whole.clock.prepare()

    door = pn.widgets.TextInput(name="door", visible=False)
    door.param.watch(lead, "value")
    page.main.append(door)
    return page


pn.extension()
build().servable()
