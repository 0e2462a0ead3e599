"""The form of a question: a ready one, or what varies and how far, of states or motions, what is watched, how many."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import panel as pn
import panel_material_ui as pmui
from panel.viewable import Viewable, Viewer

from app.binding import Binding
from app.controls.number_field import NumberField
from app.motion.numerics import STEPS, TIME_STEP
from app.state import Session
from app.studies.asked import COUNTS, KINDS, LISTED, Asked, Kind, counts_of, kinds_of, read
from app.studies.motion import LEAST, MILLI, MOST, Motion, on_raster
from app.studies.ready import ready_of
from app.studies.watched import END, Watch, is_of_motion, watches_of

OWN = "A question of your own"
EVEN = {"& .MuiToggleButton-root": {"padding": "3px 6px", "textTransform": "none", "letterSpacing": 0}}
STEP_WORDS = {f"{MILLI * step:g} ms": step for step in STEPS}
MOVING = Kind("Whole motions, each of so many s", Motion().duration, LEAST, MOST)


class QuestionForm(Viewer):
    """What it says is in the session's ``study``, empty for the first ready question."""

    def __init__(self, session: Session, **params: object) -> None:
        super().__init__(**params)
        self._session = session
        self._kinds, self._ready = kinds_of(session.system), ready_of(session.system)
        self.watches: Mapping[str, Watch] = {}
        self.asked = self._first
        look = {"size": "small", "sizing_mode": "stretch_width"}
        self._menu = pmui.Select(label="Question", options=[OWN], margin=(10, 12, 2, 12), **look)
        self._watched = pmui.Select(label="Watched", options={}, margin=(10, 12, 2, 12), **look)
        self._step = pmui.Select(label="Time step", options=STEP_WORDS, value=TIME_STEP, margin=(10, 12, 2, 12), **look)
        self._count = pmui.RadioButtonGroup(
            options=_count_words(COUNTS), value=COUNTS[0], size="small", margin=(8, 12), sx=EVEN
        )
        self._switches = {kind: _switch(one) for kind, one in KINDS.items()}
        self._moves, self._duration = _switch(MOVING), self._field(MOVING, self._set_duration)
        self._fields = {kind: self._field(one, partial(self._set_far, kind)) for kind, one in KINDS.items()}
        self._rows = {
            kind: _row(self._switches[kind], None if KINDS[kind].is_whole else self._fields[kind]) for kind in KINDS
        }
        self._counts = Binding(self._count, lambda: self.asked.count, self._set_count)
        self._questions = Binding(self._menu, self._ready_here, self._choose)
        self._finds = Binding(self._watched, lambda: self.asked.find, self._watch)
        self._bindings: list[Binding[Any]] = [
            self._questions,
            self._finds,
            Binding(self._moves, lambda: self.asked.motion is not None, self._move),
            Binding(self._step, lambda: self._motion.numerics.step, self._set_step),
            *(
                Binding(switch, partial(self._varies, kind), partial(self._vary, kind))
                for kind, switch in self._switches.items()
            ),
        ]
        self.follow_machine()

    @property
    def _first(self) -> Asked:
        ready = self._ready[0] if self._ready else None
        if ready is None:
            return Asked({"tau": KINDS["tau"].far}, "agreement", COUNTS[0])
        return ready.asked

    @property
    def _motion(self) -> Motion:
        """How states go on, or would."""
        return self.asked.motion or Motion()

    @property
    def watch(self) -> Watch:
        """What is watched."""
        return self.watches[self.asked.find]

    def follow_machine(self) -> None:
        """Another machine can be asked other things."""
        system = self._session.system
        self._kinds, self._ready = kinds_of(system), ready_of(system)
        self.watches = watches_of(system, self._session.run.solution_at(self._session.run.begin))
        self.asked = self._said()
        self._questions.follow(options=[*(ready.words for ready in self._ready), OWN])
        self._show(self.asked)

    def follow(self) -> None:
        """Shows what the session says, as far as this machine can be asked it."""
        self._show(self._said())

    def _said(self) -> Asked:
        said = self._session.study
        asked = read(said, self.watches, self._kinds) if said else None
        return self._first if asked is None else asked

    def _show(self, asked: Asked) -> None:
        self.asked, moves = asked, asked.motion is not None
        for kind, far in asked.over.items():
            self._fields[kind].show(far)
        for kind, row in self._rows.items():
            row.visible = self._may_vary(kind)
        self._duration.show(self._motion.duration)
        self._duration.widget.visible = moves
        self._step.visible = moves and "dt" not in asked.over
        self._count.visible = asked.is_drawn
        self._counts.follow(options=_count_words(counts_of(asked.motion)))
        here = {watch.words: name for name, watch in self.watches.items() if is_of_motion(name) == moves}
        self._finds.follow(options=here)
        for binding in self._bindings:
            binding.follow()
        said = "" if asked == self._first else asked.text
        if self._session.study != said:
            self._session.study = said

    def _ready_here(self) -> str:
        here = replace(self.asked, count=0)
        return next((one.words for one in self._ready if replace(one.asked, count=0) == here), OWN)

    def _choose(self, words: str) -> None:
        self._show(next((one.asked for one in self._ready if one.words == words), self.asked))

    def _move(self, on: bool) -> None:
        """Whole motions instead of states, or states again; what is watched is the same, if that is watched of both."""
        if on == (self.asked.motion is not None):
            return
        over = {kind: far for kind, far in self.asked.over.items() if kind not in LISTED} or self._first.over
        name, motion = self.asked.find, Motion() if on else None
        find = f"{END}{name}" if on else name.removeprefix(END)
        find = find if find in self.watches and is_of_motion(find) == on else self._first.find
        self._show(Asked(over, find, counts_of(motion)[0], motion))

    def _set_duration(self, duration: float) -> None:
        self._go_on(replace(self._motion, duration=on_raster(duration)))

    def _set_step(self, step: float) -> None:
        if step in STEPS:
            self._go_on(self._motion.in_steps(step))

    def _go_on(self, motion: Motion) -> None:
        if self.asked.motion is not None:
            self._show(replace(self.asked, motion=motion))

    def _watch(self, name: str) -> None:
        is_known = isinstance(name, str) and name in self.watches
        if is_known and is_of_motion(name) == (self.asked.motion is not None):
            self._show(replace(self.asked, find=name))

    def _set_count(self, count: int) -> None:
        if count in counts_of(self.asked.motion):
            self._show(replace(self.asked, count=count))

    def _may_vary(self, kind: str) -> bool:
        return kind in self._kinds and (self.asked.motion is not None or kind not in LISTED)

    def _varies(self, kind: str) -> bool:
        return kind in self.asked.over

    def _vary(self, kind: str, on: bool) -> None:
        if not self._may_vary(kind):
            return
        over = {one: far for one, far in self.asked.over.items() if one != kind}
        if on:
            over[kind] = self.asked.over.get(kind, KINDS[kind].far)
        if over:
            self._show(replace(self.asked, over={one: over[one] for one in KINDS if one in over}))
        else:
            self._refuse("Something has to vary.")
            self._show(self.asked)

    def _set_far(self, kind: str, far: float) -> None:
        if self._may_vary(kind):
            self._show(replace(self.asked, over={**self.asked.over, kind: far}))

    def _field(self, kind: Kind, hear: Callable[[float], None]) -> NumberField:
        """For how far something varies."""
        return NumberField(
            kind.words,
            hear,
            self._refuse,
            least=kind.least,
            most=kind.most,
            value=kind.far,
            margin=(2, 14, 2, 4),
        )

    def _refuse(self, words: str) -> None:
        self._session.whispered = words

    def __panel__(self) -> Viewable:
        return pn.Column(
            self._menu,
            _row(self._moves, self._duration),
            self._step,
            *self._rows.values(),
            self._watched,
            self._count,
            sizing_mode="stretch_width",
            margin=0,
        )


def _switch(kind: Kind) -> pmui.Checkbox:
    return pmui.Checkbox(label=kind.words, value=False, size="small", sizing_mode="stretch_width", margin=(2, 0, 2, 12))


def _row(switch: pmui.Checkbox, field: NumberField | None) -> pmui.Row:
    return pmui.Row(switch, *([] if field is None else [field.widget]), sizing_mode="stretch_width", margin=0)


def _count_words(counts: tuple[int, ...]) -> dict[str, int]:
    return {f"{count:,}": count for count in counts}
