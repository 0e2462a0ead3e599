"""A presentation: its short address, the state sent to its followers as it changes, the run's parts, and the poll."""

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

PERIOD = 0.05  # least seconds between two messages
BEAT = 5.0  # seconds after which followers get a message in any case: without one, the connection is lost
PATIENCE = 30.0  # seconds for which a follower may leave a message unread
MOST_PARTS = 24  # of a run; the oldest are removed, except those that others need
MOST = 20  # presentations of a process, and polls kept for lecturers' pages that are reloaded
MOST_FOLLOWERS, ROOM = 2000, 256  # of all presentations of a process, and open files reserved for other use
LETTERS, LENGTH = "abcdefghjkmnpqrstuvwxyz23456789", 10  # of a code; no two letters look alike
CODE, TOKEN = f"[{LETTERS}]{{{LENGTH}}}", re.compile(r"[\w-]{32}", re.ASCII)
HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nCache-Control: no-store\r\n"
    b"X-Accel-Buffering: no\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\nretry: 1000\n\n"
)
"""Server-sent events: the browser reconnects by itself, and proxies pass them like any response."""

State = dict[str, Any]


def new_token() -> str:
    return secrets.token_urlsafe(24)


def is_token(given: object) -> bool:
    """Whether it has the form of a token; a page that returns brings its own."""
    return isinstance(given, str) and TOKEN.fullmatch(given) is not None


def code_of(token: str) -> str:
    """The code that followers type: derived from the token, which cannot be found from the code.

    Its 49 bits reveal nothing about the token; each guess of a token takes 16 MB and some hundredths of a second.
    """
    digest = hashlib.scrypt(token.encode(), salt=b"armsweep presentation", n=2**14, r=8, p=1, dklen=16)
    number, letters = int.from_bytes(digest, "big"), ""
    for _ in range(LENGTH):
        number, letter = divmod(number, len(LETTERS))
        letters += LETTERS[letter]
    return letters


def event(data: object, name: str = "") -> bytes:
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {text}\n\n".encode()


def _close(stream: IOStream, done: asyncio.Future[Any]) -> None:
    done.exception()  # the connection has closed by itself
    stream.close()


@dataclass(eq=False)
class Follower:
    """A connection on which only the server sends."""

    stream: IOStream
    name: str = ""  # the random name of its browser, under which it may answer; empty if it sent none
    address: str = ""  # its network address
    sent_at: float = 0.0  # s, of the last message
    is_behind: bool = False  # whether there were others while that one was on its way


class Presentation:
    """Sends changes to its followers, and supplies the parts of the run.

    ``state`` returns the current state; its ``time`` advances by itself, and is sent when ``jump`` changes.
    """

    def __init__(self, code: str, state: Callable[[], State]) -> None:
        self.code = code
        self.followers: set[Follower] = set()
        self.relay: Relay | None = None
        self.poll: Poll | None = None
        self.ended = False
        self._now = state
        self._published: State = {}
        self._handout: State = {"run": 0, "machine": 0, "all": []}
        self._parts: dict[str, bytes] = {}
        self._passing: list[str] = []
        self._loop = asyncio.get_running_loop()
        self._sent_at = 0.0
        self._sending: asyncio.TimerHandle | None = None
        self._beating = self._loop.call_later(BEAT, self._beat)

    def begin(self, run: int, machine: int, part: bytes) -> None:
        """Sets the pictures of another run; the parts of the previous one are discarded."""
        self._parts, self._passing = {}, []
        self._handout = {"run": run, "machine": machine, "all": []}
        self.add(part)

    def add(self, part: bytes, is_lasting: bool = True) -> None:
        """Adds a part of the run. Parts that are not lasting are removed when there are too many."""
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
        return int(self._handout["run"])

    def part(self, name: str) -> bytes | None:
        return self._parts.get(name)

    @property
    def names(self) -> frozenset[str]:
        """The names of the followers' browsers: random, one for all tabs of a browser."""
        return frozenset(follower.name for follower in self.followers if follower.name)

    def join(self, follower: Follower) -> None:
        """Adds a follower and sends the current state at once. Anything that it sends closes its connection."""
        stream = follower.stream
        stream.set_nodelay(True)
        stream.set_close_callback(lambda: self.followers.discard(follower))
        asyncio.ensure_future(stream.read_bytes(1)).add_done_callback(partial(_close, stream))
        self.followers.add(follower)
        self._send(follower, HEAD + event(self.state))

    async def take(self, reply: Reply) -> None:
        """Takes a follower's answer; raises Refusal for an invalid one."""
        if self.poll is None:
            raise Refusal(409, "No question is open now.")
        self.poll.take(reply)

    def stir(self) -> None:
        """Something may have changed: it is sent at once, or as soon as the period allows."""
        if not self.ended and self._sending is None:
            wait = max(self._sent_at + PERIOD - self._loop.time(), 0.0)
            self._sending = self._loop.call_later(wait, self._tell_changes)

    def end(self, word: str) -> None:
        """Tells all followers that it is over, or that the lecturer is away, and discards everything."""
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
        question = None if self.poll is None else self.poll.state
        return {"parts": self._handout, "question": question, **self._now()}

    def _tell_changes(self) -> None:
        self._sending, self._sent_at = None, self._loop.time()
        self._publish()

    def _beat(self) -> None:
        self._beating = self._loop.call_later(BEAT, self._beat)
        for follower in tuple(self.followers):
            if follower.stream.writing() and time.monotonic() - follower.sent_at > PATIENCE:
                follower.stream.close()
        self._publish("time", "jump")

    def _publish(self, *always: str) -> None:
        state, before = self.state, self._published
        changed = {name for name in state if name not in before or state[name] != before[name]}
        if "jump" not in changed:
            changed.discard("time")  # it advances by itself
        if not changed.union(always):
            return
        self._published = state
        message = event({name: state[name] for name in changed.union(always)})
        for follower in tuple(self.followers):
            if follower.stream.writing():
                follower.is_behind = True
            elif not follower.is_behind:
                self._send(follower, message)
        if self.relay is not None:
            self.relay.send(state, dict(self._parts))

    def _send(self, follower: Follower, message: bytes) -> None:
        """Sends one message at a time; one who has missed others meanwhile then gets the whole state."""
        follower.is_behind, follower.sent_at = False, time.monotonic()
        if not follower.stream.closed():
            follower.stream.write(message).add_done_callback(lambda _: self._catch_up(follower))

    def _catch_up(self, follower: Follower) -> None:
        if follower in self.followers and follower.is_behind and not follower.stream.writing():
            self._send(follower, event(self.state))


class Presentations:
    """The presentations of one process; ``mirrored`` are those of other processes that are followed here."""

    def __init__(self) -> None:
        self._open: dict[str, Presentation] = {}
        self._polls: dict[str, Poll] = {}  # of lecturers' pages that are gone, the latest ones
        self.mirrored: set[Presentation] = set()
        self._most_followers = 0

    def open(self, code: str, state: Callable[[], State]) -> Presentation | None:
        """Begins a presentation; one with the same code is replaced and leaves its poll. None if there are too many."""
        if code in self._open:
            self.close(self._open[code], "away")
        if len(self._open) >= MOST:
            return None
        self._open[code] = found = Presentation(code, state)
        found.poll = self._polls.pop(code, None)
        return found

    def close(self, presentation: Presentation, word: str) -> None:
        """Ends a presentation: ``over``, or ``away`` if its lecturer's page may return."""
        code, poll = presentation.code, presentation.poll
        if self._open.get(code) is presentation:
            del self._open[code]
            if poll is not None and word == "away":
                self._polls[code] = poll
                if len(self._polls) > MOST:
                    del self._polls[next(iter(self._polls))]
        presentation.end(word)

    def find(self, code: str) -> Presentation | None:
        return self._open.get(code)

    def is_full(self, address: str) -> bool:
        """Whether an address has reached its limit: half of all followers, as a lecture hall may share one address."""
        self._most_followers = self._most_followers or most_followers()
        places = Counter(one.address for each in (*self._open.values(), *self.mirrored) for one in each.followers)
        return places.total() >= self._most_followers or places[address] >= max(self._most_followers // 2, 1)


def most_followers() -> int:
    """The largest number of followers allowed by the limit of open files, which it raises if the system permits."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FOLLOWERS + ROOM
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return MOST_FOLLOWERS if soft == resource.RLIM_INFINITY else max(min(MOST_FOLLOWERS, soft - ROOM), 1)


PRESENTATIONS = Presentations()  # of this process: followers use addresses of the server, not a session
