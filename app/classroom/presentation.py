"""A presentation: its short address, what its followers are told as it changes, the parts of the run, and the poll."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import resource
import secrets
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from tornado.iostream import IOStream

from app.classroom.question import Poll, Refusal, Reply

if TYPE_CHECKING:
    from app.classroom.broker import Relay

PERIOD = 0.05  # seconds between two messages, at least
BEAT = 5.0  # seconds after which followers hear something, whatever happens: one that does not has lost the connection
PATIENCE = 30.0  # seconds for which a follower may take nothing of what was sent to it
MOST_PARTS = 24  # of a run; the oldest go, but not what others stand on
MOST, KEEP = 20, 600.0
"""Presentations of a process, polls that wait for a lecturer's page that is loaded again, and seconds for which."""
MOST_FOLLOWERS, ROOM = 2000, 256  # of all presentations of a process, and open files that are left for everything else
LETTERS, LENGTH = "abcdefghjkmnpqrstuvwxyz23456789", 10  # of a code; no two letters look alike
CODE, TOKEN = f"[{LETTERS}]{{{LENGTH}}}", re.compile(r"[\w-]{32}", re.ASCII)
HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nCache-Control: no-store\r\n"
    b"X-Accel-Buffering: no\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\nretry: 1000\n\n"
)
"""Server-sent events: the browser connects again by itself, and proxies pass them as they pass any answer."""

State = dict[str, Any]


def new_token() -> str:
    """What only the lecturer's own page has."""
    return secrets.token_urlsafe(24)


def is_token(given: object) -> bool:
    """Whether it may have been one of ours; a page that comes back brings its own."""
    return isinstance(given, str) and TOKEN.fullmatch(given) is not None


def code_of(token: str) -> str:
    """What followers type: the token makes it, and nobody finds a token that makes a given one.

    It is 49 bits, which say nothing of the token; each guess at that takes 16 MB and some hundredths of a second.
    """
    digest = hashlib.scrypt(token.encode(), salt=b"armsweep presentation", n=2**14, r=8, p=1, dklen=16)
    number, letters = int.from_bytes(digest, "big"), ""
    for _ in range(LENGTH):
        number, letter = divmod(number, len(LETTERS))
        letters += LETTERS[letter]
    return letters


def event(data: object, name: str = "") -> bytes:
    """As a stream of events carries it."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {text}\n\n".encode()


def _close(stream: IOStream, done: asyncio.Future[Any]) -> None:
    done.exception()  # of a connection that has gone by itself
    stream.close()


@dataclass(eq=False)
class Follower:
    """A connection on which the server speaks, and nobody else."""

    stream: IOStream
    name: str = ""  # the random name of its browser, under which it may answer; empty for one that has told none
    address: str = ""  # where it is
    version: int = 0  # of the state that it was sent last, at ``sent_at``, s
    sent_at: float = 0.0


class Presentation:
    """Tells its followers what has changed, and hands out the parts of the run.

    Args:
        state: what there is to see now; its ``time`` goes on by itself, and is told when its ``jump`` is another.

    Attributes:
        followers: those who hear it.
        poll: what the class is asked.
        relay: to other processes, where there are any.
        ended: whether it is over.
    """

    def __init__(self, code: str, state: Callable[[], State]) -> None:
        self.code = code
        self.followers: set[Follower] = set()
        self.relay: Relay | None = None
        self.poll: Poll | None = None
        self.ended = False
        self._now = state
        self._told: State = {}
        self._version = 0
        self._changed: dict[str, int] = {}  # the version in which each part of the state was last another
        self._handout: State = {"run": 0, "machine": 0, "all": []}
        self._parts: dict[str, bytes] = {}
        self._passing: list[str] = []
        self._loop = asyncio.get_running_loop()
        self._sent_at = 0.0
        self._sending: asyncio.TimerHandle | None = None
        self._beating = self._loop.call_later(BEAT, self._beat)

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

    @property
    def run(self) -> int:
        """Number of the run whose parts there are; 0 for none."""
        return int(self._handout["run"])

    def part(self, name: str) -> bytes | None:
        """By the name that followers were told."""
        return self._parts.get(name)

    @property
    def names(self) -> frozenset[str]:
        """What their browsers call themselves: random, and one for all tabs of a browser."""
        return frozenset(follower.name for follower in self.followers if follower.name)

    def join(self, follower: Follower) -> None:
        """One more, who hears at once where the lecturer is. What it says ends its connection."""
        stream = follower.stream
        stream.set_nodelay(True)
        stream.set_close_callback(lambda: self.followers.discard(follower))
        asyncio.ensure_future(stream.read_bytes(1)).add_done_callback(partial(_close, stream))
        self.followers.add(follower)
        self._send(follower, HEAD + event(self.state))

    async def take(self, reply: Reply) -> None:
        """A follower's answer.

        Raises:
            Refusal: for one that does not count.
        """
        if self.poll is None:
            raise Refusal(409, "Nothing is asked now.")
        self.poll.take(reply)

    def stir(self) -> None:
        """Something may have changed: it is told at once, or as soon as it may be."""
        if not self.ended and self._sending is None:
            wait = max(self._sent_at + PERIOD - self._loop.time(), 0.0)
            self._sending = self._loop.call_later(wait, self._tell_changes)

    def end(self, word: str) -> None:
        """Tells everybody that it is over, or that the lecturer is away, and forgets all."""
        self.ended = True
        if self.relay is not None:
            self.relay.send({"end": word}, {})
        self._beating.cancel()
        if self._sending is not None:
            self._sending.cancel()
        for follower in tuple(self.followers):
            if not follower.stream.closed():
                follower.stream.write(event(word, "end")).add_done_callback(partial(_close, follower.stream))
        self.followers.clear()
        self._parts.clear()
        self.poll = None

    @property
    def state(self) -> State:
        """All that followers are told."""
        question = None if self.poll is None else self.poll.state
        return {"parts": self._handout, "question": question, **self._now()}

    def _tell_changes(self) -> None:
        self._sending, self._sent_at = None, self._loop.time()
        self._tell()

    def _beat(self) -> None:
        self._beating = self._loop.call_later(BEAT, self._beat)
        for follower in tuple(self.followers):
            if follower.stream.writing() and time.monotonic() - follower.sent_at > PATIENCE:
                follower.stream.close()
        self._tell("time", "jump")

    def _tell(self, *always: str) -> None:
        state, before = self.state, self._told
        changed = {name for name in state if name not in before or state[name] != before[name]}
        if "jump" not in changed:
            changed.discard("time")  # it goes on by itself
        if not changed.union(always):
            return
        self._told = state
        self._version += 1
        self._changed.update(dict.fromkeys(changed.union(always), self._version))
        messages: dict[int, bytes] = {}  # nearly all followers get the same
        for follower in tuple(self.followers):
            if not follower.stream.writing():
                version = follower.version
                messages[version] = messages.get(version) or self._since(version, state)
                self._send(follower, messages[version])
        if self.relay is not None:
            self.relay.send(state, dict(self._parts))

    def _since(self, version: int, state: State) -> bytes:
        return event({name: state[name] for name, changed in self._changed.items() if changed > version})

    def _send(self, follower: Follower, message: bytes) -> None:
        """At most one message is on its way; when it has been taken, what has changed meanwhile follows."""
        follower.version, follower.sent_at = self._version, time.monotonic()
        if not follower.stream.closed():
            follower.stream.write(message).add_done_callback(lambda _: self._catch_up(follower))

    def _catch_up(self, follower: Follower) -> None:
        if follower in self.followers and follower.version < self._version and not follower.stream.writing():
            self._send(follower, self._since(follower.version, self.state))


class Presentations:
    """Those of one process.

    Attributes:
        mirrored: those of other processes that are followed here.
    """

    def __init__(self) -> None:
        self._open: dict[str, Presentation] = {}
        self._polls: dict[str, tuple[Poll, float]] = {}  # of lecturers' pages that are gone, and since when
        self.mirrored: set[Presentation] = set()
        self._most_followers = 0

    def open(self, code: str, state: Callable[[], State]) -> Presentation | None:
        """Begins one; another with its code gives way, and leaves its poll. None where there are too many."""
        if code in self._open:
            self.close(self._open[code], "away")
        if len(self._open) >= MOST:
            return None
        self._open[code] = found = Presentation(code, state)
        poll, since = self._polls.pop(code, (None, 0.0))
        if time.monotonic() - since < KEEP:
            found.poll = poll
        return found

    def close(self, presentation: Presentation, word: str) -> None:
        """Ends one: ``over``, or ``away`` where its lecturer's page may come back."""
        code, poll = presentation.code, presentation.poll
        if self._open.get(code) is presentation:
            del self._open[code]
            if poll is not None and word == "away":
                self._polls[code] = poll, time.monotonic()
                if len(self._polls) > MOST:
                    del self._polls[next(iter(self._polls))]
        presentation.end(word)

    def find(self, code: str) -> Presentation | None:
        """By its code."""
        return self._open.get(code)

    def is_full(self, address: str) -> bool:
        """Whether an address may have no more followers: half of the places, as a lecture hall may share one."""
        self._most_followers = self._most_followers or most_followers()
        places = Counter(one.address for each in (*self._open.values(), *self.mirrored) for one in each.followers)
        return places.total() >= self._most_followers or places[address] >= max(self._most_followers // 2, 1)


def most_followers() -> int:
    """As many as there may be open files; the system's own limit is often far above the usual one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FOLLOWERS + ROOM
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return MOST_FOLLOWERS if soft == resource.RLIM_INFINITY else max(min(MOST_FOLLOWERS, soft - ROOM), 1)


PRESENTATIONS = Presentations()  # of this process: followers come by addresses of the server, not by a session
