"""Whether the addresses of a lesson lead somewhere, asked before anybody follows them; no motion is computed.

A page that follows a link leaves out what it does not know, for a link may be of another day. Whoever writes a lesson
is to hear of it.
"""

from __future__ import annotations

import difflib
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import dynamics as dyn
from app.lessons.fault import Fault, LessonError
from app.lessons.lesson import Address, Query
from app.lessons.staged import MEND, found_of
from app.motion.presets import CHANGING
from app.state import Session
from app.state.arrangement import FORMS
from app.views.plots.panels import TABS

INSTRUMENTS = (
    *("Lessons", "Walk", "Contact", "Two filters", "Influence", "Estimation", "Methods", "Cost", "Papers"),
    *("Check", "Break it", "Write it", "Compare", "Study", "Show", "Change", "Model", "Edit", "Lecture"),
)
"""Names of the rail."""
PARTS = (
    *("preset", "file", "name", *CHANGING, "t", "stage", "link", "half", "layers", "block", "around", "speed", "play"),
    *("torqued", "walked", "endless", "breaks", "pins", "motion", *FORMS, "camera", "theme", "webgl"),
)
"""All that an address can say."""
SECONDS = 20.0
"""For all addresses of a lesson that a stranger sends: a link may ask for a machine that takes long to make."""
MOST_KEPT, MOST_TOLD = 600, 5
"""Addresses that are kept, and what is told of one that a page would leave out."""


Wrong = tuple[tuple[str, str], ...]
"""(what is wrong, remedy) of one address."""


class Leading:
    """Addresses that were asked about; what was found is kept, as a class opens the same lessons in many pages."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._kept: dict[tuple[tuple[str, str], ...], Wrong] = {}
        self._most, self._lock = most, threading.Lock()

    def dead_ends(self, addresses: Iterable[Address], session: Session, seconds: float = SECONDS) -> list[Fault]:
        """What is wrong with addresses; those that there is no time for are left to whoever follows them.

        Args:
            session: only asked what it can show.

        Cost: some hundredths of a second for each that is new, in a thread.
        """
        found, until = list[Fault](), time.monotonic() + seconds
        for address in addresses:
            key = tuple(sorted(address.query.items()))
            if key not in self._kept:
                if time.monotonic() > until:
                    break
                unknown = islice(_unknown(address.query, session), MOST_TOLD)
                wrong = (*unknown, *_refused(address.query, session))
                with self._lock:
                    while len(self._kept) >= self._most:
                        del self._kept[next(iter(self._kept))]
                    self._kept[key] = wrong
            found += [Fault(address.file, address.line, said, remedy) for said, remedy in self._kept.get(key, ())]
        return found


LEADING = Leading()
"""Of all pages: nothing of a session is in it."""


def _refused(query: Query, session: Session) -> Iterator[tuple[str, str]]:
    """What a page would not open at all."""
    try:
        found_of(query, session, "", "")
    except LessonError as error:
        yield from ((fault.said, fault.remedy) for fault in error.faults)


def _unknown(query: Query, session: Session) -> Iterator[tuple[str, str]]:
    """What a page would leave out."""
    stages = list(dict.fromkeys(stage for stage, _ in dyn.registry))
    words: list[tuple[str, str, Sequence[str]]] = [
        *(("part of an address", part, PARTS) for part in query),
        *(("instrument", query.get(key, ""), INSTRUMENTS) for key in ("tab", "beside")),
        *(("layer", layer, session.param["layers"].objects) for layer in query.get("layers", "").split(",")),
        *((f"{key} of a link", query.get(key, ""), list(session.param[key].objects)) for key in ("block", "around")),
        ("stage", query.get("stage", ""), stages),
        ("set of plots", query.get("plots", ""), list(TABS)),
    ]
    for what, word, known in words:
        if word and word not in known:
            near = difflib.get_close_matches(word, known, 1, 0.6)
            meant = f"Did you mean {near[0]}?" if near else MEND
            yield f"the page cannot show this: there is no {what} {word[:40]!r}.", meant
