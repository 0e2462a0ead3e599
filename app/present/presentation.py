"""What followers are told, and all presentations of this process by the codes under which they are followed."""

from __future__ import annotations

import asyncio
import hashlib
import json
import resource
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from itertools import chain
from typing import Any, Protocol

from app.asking.asked import Refusal, Said
from app.present.follower import Follower

PERIOD = 0.05
"""Seconds between two messages, at least."""
BEAT = 5.0
"""Seconds after which followers hear something, whatever happens: whoever does not has lost the connection."""
CATCH_UP = 0.2
"""Seconds until one who was slow is tried again."""
MOST_PARTS = 24
"""Of a run; the oldest go, but not what others stand on."""
MOST = 20
"""Presentations that one process serves."""
MOST_FOLLOWERS = 2000
"""Of all of them together."""
ROOM = 256
"""Open files that are left for everything else."""

State = dict[str, Any]


def event(data: object, name: str = "") -> bytes:
    """As a stream of events carries it."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return f"{f'event: {name}' + chr(10) if name else ''}data: {text}\n\n".encode()


async def nobody(_: Said) -> None:
    """Takes no answer."""
    raise Refusal(409, "Nothing is asked now.")


class Elsewhere(Protocol):
    """Whoever passes a presentation on to other processes."""

    def tell(self, state: State, parts: Mapping[str, bytes]) -> None: ...
    def end(self, word: str) -> None: ...


class Presentation:
    """Tells its followers what has changed, and hands out the parts of the run.

    Args:
        state: what there is to see now; its ``time`` goes on by itself, and is told when its ``jump`` is another.

    Attributes:
        relay: to other processes, where there are any.
        take: hears what followers answer.
        ended: whether it is over.
    """

    def __init__(self, code: str, state: Callable[[], State]) -> None:
        self.code = code
        self._now = state
        self._told: State = {}
        self._handout: State = {"run": 0, "machine": 0, "all": []}
        self._parts: dict[str, bytes] = {}
        self._passing: list[str] = []
        self._followers: set[Follower] = set()
        self._loop = asyncio.get_running_loop()
        self._last = 0.0
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self.relay: Elsewhere | None = None
        self.take: Callable[[Said], Awaitable[None]] = nobody
        self.ended = False
        self._later("beat", BEAT, self._beat)

    # ---- the run ----

    def begin(self, run: int, machine: int, part: bytes) -> None:
        """The pictures of another run; those of the one before are forgotten."""
        self._parts, self._passing = {}, []
        self._handout = {"run": run, "machine": machine, "all": []}
        self.add(part)

    def add(self, part: bytes, is_lasting: bool = True) -> None:
        """More of the run. What is not lasting may go when there is too much."""
        name = hashlib.sha256(part).hexdigest()[:16]
        if len(self._parts) >= MOST_PARTS and self._passing:
            del self._parts[self._passing.pop(0)]
        if not is_lasting and name not in self._parts:
            self._passing.append(name)
        self._parts[name] = part
        self._handout = {**self._handout, "all": list(self._parts)}
        self.stir()

    def part(self, name: str) -> bytes | None:
        """By the name that followers were told."""
        return self._parts.get(name)

    # ---- followers ----

    @property
    def followers(self) -> int:
        """How many there are."""
        return len(self._followers)

    @property
    def names(self) -> frozenset[str]:
        """What their browsers call themselves: random, and one for all tabs of a browser."""
        return frozenset(follower.who for follower in self._followers if follower.who)

    @property
    def addresses(self) -> list[str]:
        """Where they are, one by one."""
        return [follower.address for follower in self._followers]

    def join(self, follower: Follower) -> None:
        """One more, who hears at once where the lecturer is."""
        self._followers.add(follower)
        follower.send(self._whole())

    def leave(self, follower: Follower) -> None:
        """It is gone."""
        self._followers.discard(follower)

    def stir(self) -> None:
        """Something may have changed: it is told at once, or as soon as it may be."""
        if self.ended or "send" in self._timers:
            return
        self._later("send", max(self._last + PERIOD - self._loop.time(), 0.0), self._send)

    def end(self, word: str) -> None:
        """Tells everybody that it is over, or that the lecturer is away, and forgets all."""
        self.ended = True
        if self.relay is not None:
            self.relay.end(word)
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        for follower in tuple(self._followers):
            follower.finish(event(word, "end"))
        self._followers.clear()
        self._parts.clear()
        self.take = nobody

    @property
    def _state(self) -> State:
        return {"parts": self._handout, **self._now()}

    def _whole(self) -> bytes:
        return event(self._state)

    def _send(self) -> None:
        self._last = self._loop.time()
        state = self._state
        changed = {name: value for name, value in state.items() if value != self._told.get(name)}
        self._told = state
        if "jump" not in changed:
            changed.pop("time", None)
        if changed:
            self._tell(event(changed))
            self._pass_on(state)

    def _beat(self) -> None:
        self._later("beat", BEAT, self._beat)
        state = self._state
        self._tell(event({name: state[name] for name in ("time", "jump")}))
        self._pass_on(state)

    def _pass_on(self, state: State) -> None:
        if self.relay is not None:
            self.relay.tell(state, dict(self._parts))

    def _tell(self, message: bytes) -> None:
        for follower in tuple(self._followers):
            follower.send(message)
        self._catch_up()

    def _catch_up(self) -> None:
        """Those that have missed something get all of it, when they take it."""
        behind = [follower for follower in self._followers if follower.is_behind]
        if not behind:
            return
        whole = self._whole()
        for follower in behind:
            if not follower.is_waiting:
                follower.send(whole)
        if "late" not in self._timers:
            self._later("late", CATCH_UP, self._catch_up)

    def _later(self, name: str, seconds: float, act: Callable[[], None]) -> None:
        def go() -> None:
            self._timers.pop(name, None)
            act()

        self._timers[name] = self._loop.call_later(seconds, go)


class Presentations:
    """Those of one process.

    Attributes:
        mirrored: those of other processes that are followed here.
    """

    def __init__(self) -> None:
        self._all: dict[str, Presentation] = {}
        self.mirrored: set[Presentation] = set()
        self._most = 0

    def open(self, code: str, state: Callable[[], State]) -> Presentation | None:
        """Begins one; another with its code gives way. None where there are too many."""
        if code in self._all:
            self.close(self._all[code], "away")
        if len(self._all) >= MOST:
            return None
        self._all[code] = found = Presentation(code, state)
        return found

    def close(self, presentation: Presentation, word: str) -> None:
        """Ends one."""
        if self._all.get(presentation.code) is presentation:
            del self._all[presentation.code]
        presentation.end(word)

    def find(self, code: str) -> Presentation | None:
        """By its code."""
        return self._all.get(code)

    def is_full(self, address: str) -> bool:
        """Whether an address may have no more followers: half of the places, as a lecture hall may share one."""
        self._most = self._most or most_followers()
        places = Counter(chain.from_iterable(each.addresses for each in (*self._all.values(), *self.mirrored)))
        return places.total() >= self._most or places[address] >= max(self._most // 2, 1)


def most_followers() -> int:
    """As many as there may be open files; the system's own limit is often far above the usual one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FOLLOWERS + ROOM
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return MOST_FOLLOWERS if soft == resource.RLIM_INFINITY else max(min(MOST_FOLLOWERS, soft - ROOM), 1)


PRESENTATIONS = Presentations()
"""Of this process: followers come by addresses of the server, not by a session."""
