"""The form of a question: a ready one, or what varies and how far, what is watched, and how many states."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import panel as pn
import panel_material_ui as pmui
from panel.viewable import Viewable, Viewer

from app.binding import Binding
from app.controls.number_field import NumberField
from app.state import Session
from app.studies.asked import COUNTS, KINDS, Asked, Watch, kinds_of, read, ready_of, watches_of

OWN = "A question of your own"
EVEN = {"& .MuiToggleButton-root": {"padding": "3px 6px", "textTransform": "none", "letterSpacing": 0}}
COUNT_WORDS = {f"{count:,}": count for count in COUNTS}


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
        self._count = pmui.RadioButtonGroup(options=COUNT_WORDS, value=COUNTS[0], size="small", margin=(8, 12), sx=EVEN)
        self._switches = {
            kind: pmui.Checkbox(
                label=one.words, value=False, size="small", sizing_mode="stretch_width", margin=(2, 0, 2, 12)
            )
            for kind, one in KINDS.items()
        }
        self._fields = {
            kind: NumberField(
                one.words,
                partial(self._set_far, kind),
                self._refuse,
                least=one.least,
                most=one.most,
                value=one.far,
                margin=(2, 14, 2, 4),
            )
            for kind, one in KINDS.items()
        }
        self._rows = {
            kind: pmui.Row(self._switches[kind], self._fields[kind].widget, sizing_mode="stretch_width", margin=0)
            for kind in KINDS
        }
        self._questions = Binding(self._menu, self._ready_here, self._choose)
        self._finds = Binding(self._watched, lambda: self.asked.find, self._watch)
        self._bindings: list[Binding[Any]] = [
            self._questions,
            self._finds,
            Binding(self._count, lambda: self.asked.count, self._set_count),
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
        return Asked(ready.over, ready.find, ready.count)

    @property
    def watch(self) -> Watch:
        """What is watched."""
        return self.watches[self.asked.find]

    def follow_machine(self) -> None:
        """Another machine can be asked other things."""
        system = self._session.system
        self._kinds, self._ready = kinds_of(system), ready_of(system)
        self.watches = watches_of(system, self._session.run.solution_at(self._session.run.begin))
        for kind, row in self._rows.items():
            row.visible = kind in self._kinds
        self.asked = self._said()
        self._questions.follow(options=[*(ready.words for ready in self._ready), OWN])
        self._finds.follow(options={watch.words: name for name, watch in self.watches.items()})
        self._show(self.asked)

    def follow(self) -> None:
        """Shows what the session says, as far as this machine can be asked it."""
        self._show(self._said())

    def _said(self) -> Asked:
        said = self._session.study
        asked = read(said, self.watches, self._kinds) if said else None
        return self._first if asked is None else asked

    def _show(self, asked: Asked) -> None:
        self.asked = asked
        for kind, far in asked.over.items():
            self._fields[kind].show(far)
        for binding in self._bindings:
            binding.follow()
        said = "" if asked == self._first else asked.text
        if self._session.study != said:
            self._session.study = said

    def _ready_here(self) -> str:
        asked = self.asked
        return next((one.words for one in self._ready if (one.over, one.find) == (dict(asked.over), asked.find)), OWN)

    def _choose(self, words: str) -> None:
        ready = next((one for one in self._ready if one.words == words), None)
        if ready is not None:
            self._show(Asked(ready.over, ready.find, ready.count))
        else:
            self._show(self.asked)

    def _watch(self, name: str) -> None:
        if isinstance(name, str) and name in self.watches:
            self._show(Asked(self.asked.over, name, self.asked.count))

    def _set_count(self, count: int) -> None:
        if count in COUNTS:
            self._show(Asked(self.asked.over, self.asked.find, count))

    def _varies(self, kind: str) -> bool:
        return kind in self.asked.over

    def _vary(self, kind: str, on: bool) -> None:
        over = {one: far for one, far in self.asked.over.items() if one != kind}
        if on:
            over[kind] = self.asked.over.get(kind, KINDS[kind].far)
        if over:
            self._show(Asked({one: over[one] for one in KINDS if one in over}, self.asked.find, self.asked.count))
        else:
            self._refuse("Something has to vary.")
            self._show(self.asked)

    def _set_far(self, kind: str, far: float) -> None:
        self._show(Asked({**self.asked.over, kind: far}, self.asked.find, self.asked.count))

    def _refuse(self, words: str) -> None:
        self._session.whispered = words

    def __panel__(self) -> Viewable:
        return pn.Column(
            self._menu,
            *self._rows.values(),
            self._watched,
            self._count,
            sizing_mode="stretch_width",
            margin=0,
        )
