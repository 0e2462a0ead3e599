"""The race of methods: two menus, the button that starts it, and its results."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

import numpy as np
import panel as pn
import panel_material_ui as pmui

import dynamics as dyn
from app.instruments.cost.timing import LENGTHS, Times, race
from app.job import Job, in_slices
from app.motion.errors import ERRORS
from app.number_text import number_text
from app.state import Session
from app.views.check_tables import method_name
from app.views.components import ProgressLine, View

START, STOP = "Race", "Stop"
EVERY = "every other"  # A choice in addition to the methods


class RaceControl(View):
    """Two menus and a button; another machine ends the race and discards its results."""

    def __init__(self, session: Session, **params: object) -> None:
        super().__init__(**params)
        self._session = session
        self.times: Times | None = None
        self._time, self._run = 0.0, session.run
        self._menus = [
            pmui.Select(label=label, options={}, size="small", sizing_mode="stretch_width")
            for label in ("One method", "The other")
        ]
        for menu in self._menus:
            menu.param.watch(self._write_link, "value")
        self._button = pmui.Button(label=START, icon="timer", variant="outlined", size="small", margin=(6, 24))
        self._button.on_click(lambda _: self.start_or_stop())
        self._progress = ProgressLine(24)
        self._job: Job[Any] = session.jobs.new("the race ended early", self._fail, ERRORS)
        self._machine: tuple[object, ...] = ()
        self._is_offering = False
        session.param.watch(self._offer, "run")
        self._offer()
        menus = pmui.Column(*self._menus, sizing_mode="stretch_width", margin=(4, 14, 0, 14))
        self.view = pn.Column(menus, self._button, self._progress, sizing_mode="stretch_width", margin=0)

    @property
    def moment(self) -> str:
        """The time in the run at which the race takes place, in words."""
        before = "" if self._run is self._session.run else " of a run before"
        return f"t = {self._time:.3f} s{before}"

    def _offer(self, *_: object) -> None:
        system = self._session.system
        machine = system.kind, system.is_held, tuple(system.link_names), tuple(system.joint_names)
        if machine == self._machine:
            return
        self._machine, self._is_offering = machine, True
        options = {method_name(key)[:1].upper() + method_name(key)[1:]: key for key in dyn.methods(system)}
        for k, menu in enumerate(self._menus):
            options = options | ({"Every other": EVERY} if k else {})
            kept = menu.value if menu.value in options.values() else list(options.values())[k]
            menu.param.update(options=options, value=kept)
        self._is_offering = False
        if self.times is not None or self._job.busy:
            self.times = None
            self._end("")

    def follow_link(self) -> None:
        """Chooses the methods named by a link, if this machine has them."""
        named = [self._session.cost.one, self._session.cost.other]
        if all(named) and named != [menu.value for menu in self._menus]:
            both = list(zip(named, self._menus, strict=True))
            if all(one in menu.options.values() for one, menu in both):
                for one, menu in both:
                    menu.value = one
            self._write_link()

    def _write_link(self, *_: object) -> None:
        """Stores the choices for a link; nothing for the defaults."""
        chosen = [str(menu.value) for menu in self._menus]
        if not self._is_offering:
            one, other = ("", "") if chosen == list(self._menus[0].options.values())[:2] else chosen
            self._session.choose("cost", one=one, other=other)

    def start_or_stop(self) -> None:
        """Stops the race, or starts one on the machine at the cursor and discards earlier times."""
        if self._job.busy:
            self._end("Stopped.")
            return
        session = self._session
        one, other = (str(menu.value) for menu in self._menus)
        solution = session.solution()
        known = dyn.methods(solution.system)
        self.times = None
        if not {one, other} <= {*known, EVERY}:
            self._progress.say("The machine at the cursor has other methods.")
        elif one == other:
            self._progress.say("Choose two different methods.")
        else:
            methods = (one, other) if other != EVERY else (one, *(method for method in known if method != one))
            self._time, self._run = session.time, session.run
            self._button.label = STOP
            self._say_share(0.0)
            in_slices(self._job, race(solution, methods), self._take, lambda: self._end("Done."))

    def _take(self, times: Times) -> None:
        self.times = times
        self._say_share(times.share)

    def _say_share(self, share: float) -> None:
        self._job.report(share)
        percent = f"{100 * share:.0f}"
        self._progress.say(f"{percent} %. <progress max='100' value='{percent}' aria-label='Race'></progress>")

    def _end(self, words: str) -> None:
        self._job.cancel()
        self._button.label = START
        self._progress.say(words)

    def _fail(self, words: str) -> None:
        self._end(f"{html.escape(words[:1].upper() + words[1:])}.")


def seconds_text(seconds: float) -> str:
    unit, size = ("s", 1.0) if seconds >= 1.0 else ("ms", 1e-3) if seconds >= 1e-3 else ("µs", 1e-6)
    return f"{number_text(seconds / size, digits=3)} {unit}"


def race_values(times: Times, colors: Sequence[str]) -> dict[str, object]:
    """Values for the templates of a race: bars in proportion to calls per second, and the growth of each time."""
    medians = {method: float(np.median(own)) for method, own in times.here.items()}
    quick, slow = min(medians, key=medians.__getitem__), max(medians, key=medians.__getitem__)
    rows = [
        (method_name(method), seconds_text(took), f"{100.0 * medians[quick] / took:.3g}", color)
        for (method, took), color in zip(medians.items(), colors, strict=True)
    ]
    spread = [
        (method_name(method), *map(seconds_text, np.percentile(own, (25, 75)))) for method, own in times.here.items()
    ]
    grown = []
    for method, own in times.chains.items():
        if len(own) > 1:
            (few, before), (many, after) = own[-2:]
            ratio = number_text(after / before, digits=2, padded=True)
            tired = many != LENGTHS[-1] and times.share == 1.0
            grown.append((method_name(method), seconds_text(after), many, ratio, few, tired))
    return {
        "quick": method_name(quick), "slow": method_name(slow), "many": len(medians) > 2, "rows": rows,
        "ratio": number_text(medians[slow] / medians[quick], digits=3), "spread": spread, "grown": grown,
        "calls": len(times.here[quick]), "floats": times.floats,
    }  # fmt: skip
