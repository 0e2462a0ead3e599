"""Which methods race, the button that starts them, how far they are, and to which moment that belongs."""

from __future__ import annotations

import html
from functools import partial

import panel as pn
import panel_material_ui as pmui
from panel.viewable import Viewable, Viewer

import dynamics as dyn
from app.job import Job
from app.measures.timing import Race
from app.motion.errors import ERRORS
from app.motion.run import Run
from app.state import Session
from app.views.method_names import method_name
from app.views.progress_line import ProgressLine

START, STOP = "Race", "Stop"
EVERY = "every other"
"""A choice beside the methods."""


class RaceControl(Viewer):
    """Two menus and a button; another machine ends what runs and forgets it."""

    def __init__(self, session: Session, **params: object) -> None:
        super().__init__(**params)
        self._session = session
        self.race: Race | None = None
        self._run: Run | None = None
        self._menus = [
            pmui.Select(label=label, options={}, size="small", sizing_mode="stretch_width")
            for label in ("One method", "The other")
        ]
        for menu in self._menus:
            menu.param.watch(self._say_chosen, "value")
        self._button = pmui.Button(label=START, icon="timer", variant="outlined", size="small", margin=(6, 24))
        self._button.on_click(lambda _: self.start_or_stop())
        self._told = ProgressLine(24)
        self._job: Job[dict[str, list[float]]] = session.jobs.new("the race ended early", self._fail, ERRORS)
        self._machine: dyn.System | None = None
        self._follows = False
        session.param.watch(self._follow, "run")
        self._follow()

    @property
    def busy(self) -> bool:
        """Whether a race is on."""
        return self._job.busy

    @property
    def moment(self) -> str:
        """When the race is of, in words."""
        if self.race is None:
            return ""
        before = "" if self._run is self._session.run else " of a run before"
        return f"t = {self.race.time:.3f} s{before}"

    def _follow(self, *_: object) -> None:
        """Another machine has other methods, and other times."""
        system = self._session.system
        known = self._machine
        if known is not None and _likeness(known) == _likeness(system):
            return
        self._machine = system
        self._follows = True
        options = {method_name(key)[:1].upper() + method_name(key)[1:]: key for key in dyn.methods(system)}
        for k, menu in enumerate(self._menus):
            options = options | ({"Every other": EVERY} if k else {})
            kept = menu.value if menu.value in options.values() else list(options.values())[k]
            menu.param.update(options=options, value=kept)
        self._follows = False
        if self.race is not None:
            self.race = self._run = None
            self._job.cancel()
            self._button.label = START
            self._told.say("")

    def follow(self) -> None:
        """The methods that a link names, where this machine has them."""
        said = self._session.raced.split(",")
        if len(said) == len(self._menus) and said != [menu.value for menu in self._menus]:
            if all(one in menu.options.values() for one, menu in zip(said, self._menus, strict=True)):
                for one, menu in zip(said, self._menus, strict=True):
                    menu.value = one
            self._say_chosen()

    def _say_chosen(self, *_: object) -> None:
        """What stands in the menus, for a link; nothing for what they begin with."""
        first = list(self._menus[0].options.values())[:2]
        chosen = [str(menu.value) for menu in self._menus]
        if not self._follows:
            self._session.raced = "" if chosen == first else ",".join(chosen)

    def start_or_stop(self) -> None:
        """What the button does."""
        if self.busy:
            self._job.cancel()
            self._button.label = START
            self._told.say("Stopped.")
        else:
            self.start()

    def start(self) -> None:
        """Races on the machine as it stands at the cursor; what was measured before is forgotten."""
        session = self._session
        chosen = tuple(str(menu.value) for menu in self._menus)
        solution = session.solution()
        known = dyn.methods(solution.system)
        if not set(chosen) <= {*known, EVERY}:
            self._told.say("The machine at the cursor has other methods.")
            return
        if chosen[0] == chosen[1]:
            self.race = None
            self._told.say("Choose two different methods.")
            return
        if chosen[1] == EVERY:
            chosen = (chosen[0], *(method for method in known if method != chosen[0]))
        self.race, self._run = Race(solution, session.time, chosen), session.run
        self._button.label = STOP
        self._tell()
        self._job.start(self.race.look, partial(self._accept, self.race))

    def _accept(self, race: Race, took: dict[str, list[float]]) -> None:
        race.accept(took)
        self._job.report(race.share)
        if race.done:
            self._button.label = START
            self._told.say("Done.")
        else:
            self._job.start(race.look, partial(self._accept, race))
            self._tell()

    def _fail(self, words: str) -> None:
        self._button.label = START
        self._told.say(f"{html.escape(words[:1].upper() + words[1:])}.")

    def _tell(self) -> None:
        assert self.race is not None
        percent = f"{100 * self.race.share:.0f}"
        self._told.say(f"{percent} %. <progress max='100' value='{percent}' aria-label='Race'></progress>")

    def __panel__(self) -> Viewable:
        return pn.Column(
            pmui.Column(*self._menus, sizing_mode="stretch_width", margin=(4, 14, 0, 14)),
            self._button,
            self._told,
            sizing_mode="stretch_width",
            margin=0,
        )


def _likeness(system: dyn.System) -> tuple[object, ...]:
    """What is the same of machines that race alike."""
    return system.kind, system.is_held, tuple(system.link_names), tuple(system.joint_names)
