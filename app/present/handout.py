"""A run for followers, in parts: the pictures first, then the walk where the lecturer stands, the curves, more walk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.replay.curves import Curves
from app.replay.parcel import Parcel
from app.replay.pictures import Pictures
from app.replay.replay import head_of, instants, refuse
from app.replay.save_button import Panels
from app.replay.walks import Stretch, Walks
from app.state import Session
from app.views.playback import INTERVAL

WALKED = 0.5
"""Seconds between two instants at which the walk can be read wherever the lecturer stands."""
MOST_READ = 60
"""Of these instants."""
NEAR = 1e-4
"""Seconds between two instants that are one."""
NOTE = (
    "You follow a lecture: time, step, layers and camera are the lecturer's until you do something yourself. The walk "
    "can be read every half second, and wherever the lecturer has paused. What you do changes nothing for anybody else."
)
FOLLOW = {"key": "f", "shown": "F", "words": "follow the lecturer again", "repeats": False}


@dataclass(frozen=True)
class Part:
    """Something that followers fetch.

    Attributes:
        packed: a parcel, by gzip.
        is_lasting: whether other parts stand on it.
    """

    packed: bytes
    is_lasting: bool = True


class Handout:
    """Makes the parts of a run.

    Args:
        session: nobody else's.
        panels: of the plots, by tab; by default what each tab opens with.

    Raises:
        StateError: for a run that is too short, too long, or not complete.
    """

    def __init__(self, session: Session, panels: Panels | None = None) -> None:
        refuse(session.run)
        self._session, self._panels = session, panels
        self._end = session.run.end
        self._asked = min(session.cursor.time, self._end)
        self._read: list[float] = []
        self._known: list[Stretch] = []
        self._first = self._pictures()
        self._rest = self._more()

    def ask(self, time: float) -> bool:
        """The lecturer stands there; whether that leaves something to do."""
        self._asked = min(time, self._end)
        return self._is_asked

    @property
    def _is_asked(self) -> bool:
        return all(abs(time - self._asked) > NEAR for time in self._read)

    def make(self) -> Iterator[Part | None]:
        """All that is to be done, in steps of some milliseconds to a second; what is asked for comes first."""
        yield from self._first
        while True:
            if self._is_asked:
                yield from self._walk([self._asked])
                continue
            step = next(self._rest, self)
            if isinstance(step, Handout):
                return
            yield step

    def _pictures(self) -> Iterator[Part | None]:
        pictures = Pictures(self._session, instants(self._end, INTERVAL))
        for _ in pictures.draw():
            yield None
        walks = Walks(self._session, self._coarse)
        walks.outline()
        parcel = Parcel()
        head = {**head_of(self._session), "note": NOTE, "carries": "How one follows"}
        head["keys"] = [*head["keys"], FOLLOW]
        curves = Curves(self._session).data(parcel)
        yield packed(parcel, {**head, "pictures": pictures.data(parcel), "walks": walks.data(parcel), "curves": curves})

    def _more(self) -> Iterator[Part | None]:
        curves = Curves(self._session, self._panels)
        for _ in curves.draw():
            yield None
        parcel = Parcel()
        yield packed(parcel, {"curves": curves.data(parcel)})
        yield from self._walk(self._coarse)

    def _walk(self, times: Sequence[float] | np.ndarray) -> Iterator[Part | None]:
        known = len(self._known)
        self._read += [float(time) for time in times]
        walks = Walks(self._session, np.asarray(times), self._known)
        for _ in walks.read():
            yield None
        parcel = Parcel()
        data = {"walks": {name: walks.data(parcel)[name] for name in ("start", "stretches")}}
        is_lasting = len(times) > 1 or len(self._known) > known
        yield packed(parcel, data, is_lasting)

    @property
    def _coarse(self) -> np.ndarray:
        return instants(self._end, max(WALKED, self._end / MOST_READ))


def packed(parcel: Parcel, data: dict[str, Any], is_lasting: bool = True) -> Part:
    return Part(parcel.compressed(data), is_lasting)
