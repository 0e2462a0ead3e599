"""The form of a question: a preset, or what varies and how far, states or motions, what is watched, and how many."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import panel as pn
import panel_material_ui as pmui
from panel.viewable import Viewable, Viewer

from app.binding import Binding
from app.controls.number_field import NumberField
from app.instruments.study.question import (
    COUNTS,
    END,
    KINDS,
    LISTED,
    LONGEST,
    MILLI,
    SHORTEST,
    Kind,
    Query,
    Watch,
    is_of_motion,
    kinds_of,
    on_raster,
    read,
    ready_of,
    watches_of,
)
from app.motion.world import STEPS, TIME_STEP
from app.state import Session

OWN = "A question of your own"
EVEN = {"& .MuiToggleButton-root": {"padding": "3px 6px", "textTransform": "none", "letterSpacing": 0}}
MOVING = Kind("Whole motions, length of each in s", 1.0, SHORTEST, LONGEST)
WIDE: dict[str, Any] = {"size": "small", "sizing_mode": "stretch_width"}


class QuestionForm(Viewer):
    """Its content is in the session's ``study``, empty for the first preset question."""

    def __init__(self, session: Session, **params: object) -> None:
        super().__init__(**params)
        self._session = session
        self._kinds: tuple[str, ...] = ()
        self._ready: dict[str, Query] = {}
        self.watches: Mapping[str, Watch] = {}
        self.asked = self._first
        menu, watched = (
            pmui.Select(label=label, options=[], margin=(10, 12, 2, 12), **WIDE) for label in ("Question", "Watched")
        )
        steps = {f"{MILLI * step:g} ms": step for step in STEPS}
        step = pmui.Select(label="Time step", options=steps, value=TIME_STEP, margin=(10, 12, 2, 12), **WIDE)
        count = pmui.RadioButtonGroup(options={}, size="small", margin=(8, 12), sx=EVEN)
        switches, self._fields, self._rows = {}, dict[str, NumberField](), dict[str, pmui.Row]()
        for kind, one in {**KINDS, "": MOVING}.items():
            switches[kind] = switch = pmui.Checkbox(label=one.words, value=False, margin=(2, 0, 2, 12), **WIDE)
            self._fields[kind] = field = NumberField(
                session, one.words, partial(self._set_far, kind), least=one.least, most=one.most, value=one.far,
                margin=(2, 14, 2, 4),
            )  # fmt: skip
            fields = [] if kind == "method" else [field.widget]
            self._rows[kind] = pmui.Row(switch, *fields, sizing_mode="stretch_width", margin=0)
        self._questions = Binding(menu, self._ready_here, self._choose)
        self._finds = Binding(watched, lambda: self.asked.find, self._watch)
        self._counts = Binding(count, lambda: self.asked.count, self._set_count)
        self._steps = Binding(step, lambda: self.asked.step, self._set_step)
        moves = Binding(switches[""], lambda: bool(self.asked.duration), self._move)
        self._bindings: list[Binding[Any]] = [self._questions, self._finds, moves, self._steps]
        self._bindings += [
            Binding(switches[kind], partial(self._varies, kind), partial(self._vary, kind)) for kind in KINDS
        ]
        self._count, self._step = count, step
        whole = [menu, self._rows[""], step, *(self._rows[kind] for kind in KINDS), watched, count]
        self._view = pn.Column(*whole, sizing_mode="stretch_width", margin=0)
        self.follow_machine()

    @property
    def watch(self) -> Watch:
        return self.watches[self.asked.find]

    @property
    def _first(self) -> Query:
        return next(iter(self._ready.values()), Query({"tau": KINDS["tau"].far}, "agreement", COUNTS[0]))

    def follow_machine(self) -> None:
        session = self._session
        self._kinds, self._ready = kinds_of(session.system), ready_of(session.system)
        self.watches = watches_of(session.system, session.run.solution_at(session.run.begin))
        self.asked = self._first
        self._questions.follow(options=[*self._ready, OWN])
        self.follow()

    def follow(self) -> None:
        """Shows the session's question, as far as it applies to this machine."""
        said = self._session.study
        self._show((read(said, self.watches, self._kinds) if said else None) or self._first)

    def _show(self, asked: Query) -> None:
        self.asked, moves = asked, bool(asked.duration)
        for kind, far in asked.over.items():
            self._fields[kind].show(far)
        for kind in KINDS:
            self._rows[kind].visible = self._may_vary(kind)
        self._fields[""].show(asked.duration or MOVING.far)
        self._fields[""].widget.visible = moves
        self._step.visible = moves and "dt" not in asked.over
        self._count.visible = asked.is_drawn
        self._counts.follow(options={f"{count:,}": count for count in asked.counts})
        here = {watch.words: name for name, watch in self.watches.items() if is_of_motion(name) == moves}
        self._finds.follow(options=here)
        for binding in self._bindings:
            binding.follow()
        self._session.study = "" if asked == self._first else asked.text

    def _ready_here(self) -> str:
        here = replace(self.asked, count=0)
        return next((words for words, one in self._ready.items() if replace(one, count=0) == here), OWN)

    def _choose(self, words: str) -> None:
        self._show(self._ready.get(words, self.asked))

    def _move(self, on: bool) -> None:
        """Switches between states and whole motions; what is watched stays, if it exists for both."""
        asked = self.asked
        if on == bool(asked.duration):
            return
        over = {kind: far for kind, far in asked.over.items() if kind not in LISTED} or self._first.over
        find = f"{END}{asked.find}" if on else asked.find.removeprefix(END)
        find = find if find in self.watches and is_of_motion(find) == on else self._first.find
        moved = replace(asked, over=over, find=find, duration=MOVING.far if on else 0.0, step=TIME_STEP)
        self._show(replace(moved, count=moved.counts[0]))

    def _set_step(self, step: float) -> None:
        if step in STEPS:
            self._show(replace(self.asked, step=step))

    def _watch(self, name: object) -> None:
        if isinstance(name, str) and name in self.watches and is_of_motion(name) == bool(self.asked.duration):
            self._show(replace(self.asked, find=name))

    def _set_count(self, count: int) -> None:
        if count in self.asked.counts:
            self._show(replace(self.asked, count=count))

    def _may_vary(self, kind: str) -> bool:
        return kind in self._kinds and (bool(self.asked.duration) or kind not in LISTED)

    def _varies(self, kind: str) -> bool:
        return kind in self.asked.over

    def _vary(self, kind: str, on: bool) -> None:
        if not self._may_vary(kind):
            return
        over = {one: far for one, far in self.asked.over.items() if one != kind}
        if on:
            over[kind] = self.asked.over.get(kind, KINDS[kind].far)
        elif not over:
            self._session.whispered = "Something has to vary."
            over = dict(self.asked.over)
        self._show(replace(self.asked, over={one: over[one] for one in KINDS if one in over}))

    def _set_far(self, kind: str, far: float) -> None:
        if kind == "" and self.asked.duration:
            self._show(replace(self.asked, duration=on_raster(far)))
        elif kind and self._may_vary(kind):
            self._show(replace(self.asked, over={**self.asked.over, kind: far}))

    def __panel__(self) -> Viewable:
        return self._view
