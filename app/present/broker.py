"""Presentations that are followed from other processes and machines, by way of Redis.

The lecturer's process writes the newest state and the parts of the run; any other mirrors them for its own followers,
and hands their answers back.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from app.asking.asked import Refusal, Said, read
from app.present.presentation import BEAT, PRESENTATIONS, Presentation, State

VARIABLE = "ARMSWEEP_BROKER"
"""Where the broker is: ``redis://host:6379/0``."""
KEEP = 3600
"""Seconds for which a part stays with the broker."""
GONE = 3.0 * BEAT
"""Seconds of silence after which a lecturer is gone."""
AGAIN = 1.0
"""Seconds until the broker is tried again."""
MOST_TRIES = 5
"""To say that a presentation is over."""
MOST_MIRRORS = 100
"""Presentations of others that one process passes on."""
MOST_NAMES = 4000
"""Of followers of one presentation who may answer, in all processes; the oldest are forgotten."""

log = logging.getLogger(__name__)


def is_cancelled() -> bool:
    """Whether the present task was told to end, also where a library took that for an answer that is late."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def key_of(kind: str, code: str, name: str = "") -> str:
    return f"armsweep:{kind}:{code}{name and ':'}{name}"


class Relay:
    """Gives a presentation of this process to the broker: always the newest state, never a queue.

    Args:
        take: hears what followers of other processes answer.
    """

    def __init__(self, broker: Broker, code: str, take: Callable[[Said], Awaitable[None]]) -> None:
        self._redis, self._code, self._take = broker.redis, code, take
        self._since = time.time()
        self._state: State = {}
        self._parts: Mapping[str, bytes] = {}
        self._stirred = asyncio.Event()
        loop = asyncio.get_running_loop()
        self._task = loop.create_task(self._pass_on())
        self._listening = loop.create_task(self._listen())

    def tell(self, state: State, parts: Mapping[str, bytes]) -> None:
        """What there is now."""
        self._state, self._parts = state, parts
        self._stirred.set()

    def end(self, word: str) -> None:
        """Says so, and no more."""
        self._listening.cancel()
        self.tell({"end": word}, {})

    async def _listen(self) -> None:
        """For answers, as long as it takes."""
        while not is_cancelled():
            try:
                async with self._redis.pubsub() as channel:
                    await channel.subscribe(key_of("answers", self._code))
                    while not is_cancelled():
                        message = await channel.get_message(ignore_subscribe_messages=True, timeout=BEAT)
                        if message is not None:
                            with contextlib.suppress(Refusal):
                                await self._take(Said(*json.loads(message["data"])))
            except Exception as fault:
                log.warning("the broker does not answer: %s", fault)
                await asyncio.sleep(AGAIN)

    async def _pass_on(self) -> None:
        sent: set[str] = set()
        tries = 0
        while not is_cancelled():
            await self._stirred.wait()
            self._stirred.clear()
            state, parts = {**self._state, "since": self._since}, self._parts
            try:
                sent = await self._hand_over(parts, sent)
                await self._say(state)
                tries = 0
                if "end" in state:
                    return
            except Exception as fault:  # whatever the network does, the next state says all
                log.warning("the broker does not answer: %s", fault)
                tries += 1
                if "end" in state and tries >= MOST_TRIES:
                    return  # the broker forgets it by itself
                await asyncio.sleep(AGAIN)
                self._stirred.set()

    async def _hand_over(self, parts: Mapping[str, bytes], sent: set[str]) -> set[str]:
        """Those that the broker lacks: also what it had, if it began anew or has forgotten them."""
        keys = [key_of("part", self._code, name) for name in parts if name in sent]
        if keys and await self._redis.exists(*keys) < len(keys):
            sent = set()
        for name, part in parts.items():
            if name not in sent:
                await self._redis.set(key_of("part", self._code, name), part, ex=KEEP)
        return set(parts)

    async def _say(self, state: State) -> None:
        text = json.dumps(state)
        if "end" in state:
            await self._redis.delete(key_of("state", self._code))
        else:
            await self._redis.set(key_of("state", self._code), text, ex=round(GONE))
        await self._redis.publish(key_of("led", self._code), text)


class Mirror:
    """A presentation of another process, passed on to followers of this one."""

    def __init__(self, broker: Broker, code: str, state: State) -> None:
        self._broker, self._code = broker, code
        self._newest, self._at = state, time.monotonic()
        self.presentation = Presentation(code, self._now)
        self.presentation.take = self._hand_back
        PRESENTATIONS.mirrored.add(self.presentation)
        self._task = asyncio.get_running_loop().create_task(self._listen())

    def _now(self) -> State:
        state = {name: value for name, value in self._newest.items() if name != "since"}
        if state["playing"]:
            state["time"] += (time.monotonic() - self._at) * state["speed"]
        return state

    async def _hand_back(self, said: Said) -> None:
        """Gives an answer that is one to the lecturer's process.

        Raises:
            Refusal: for one that is none, or that nobody has taken.
        """
        asked = self._newest.get("question")
        if asked is None or said.number != asked["number"] or asked["phase"] != "open":
            raise Refusal(409, "This question is closed.")
        read(asked, said.answer)
        if not await self._broker.publish(key_of("answers", self._code), json.dumps(said)):
            raise Refusal(503, "The lecturer's page does not hear just now.")

    async def _listen(self) -> None:
        word = "away"
        try:
            async with self._broker.redis.pubsub() as channel:
                await channel.subscribe(key_of("led", self._code))
                idle = time.monotonic()
                while not is_cancelled():
                    message = await channel.get_message(ignore_subscribe_messages=True, timeout=BEAT)
                    now = time.monotonic()
                    if self.presentation.followers:
                        idle = now
                    if now - self._at > GONE or now - idle > GONE:
                        break
                    if message is None:
                        continue
                    state = json.loads(message["data"])
                    if state["since"] < self._newest["since"]:
                        continue  # a page that was replaced
                    if "end" in state:
                        word = state["end"]
                        break
                    self._newest, self._at = state, now
                    self.presentation.stir()
        except Exception as fault:
            log.warning("the broker does not answer: %s", fault)
        finally:
            self._broker.forget(self._code)
            PRESENTATIONS.mirrored.discard(self.presentation)
            self.presentation.end(word)


class Broker:
    """What this process gives to the others, and takes from them."""

    def __init__(self, address: str) -> None:
        from redis import asyncio as redis  # only where there is a broker
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff

        patience = {"socket_timeout": 2 * BEAT, "socket_connect_timeout": AGAIN, "retry": Retry(NoBackoff(), 0)}
        self.redis: Any = redis.from_url(address, **patience)
        self._mirrors: dict[str, Mirror] = {}
        self._lock = asyncio.Lock()

    def relay(self, code: str, take: Callable[[Said], Awaitable[None]]) -> Relay:
        """For a presentation that begins here, which takes answers."""
        return Relay(self, code, take)

    async def find(self, code: str) -> Presentation | None:
        """A presentation of another process."""
        async with self._lock:
            if code not in self._mirrors and len(self._mirrors) < MOST_MIRRORS:
                found = await self.get(key_of("state", code))
                if found is not None:
                    self._mirrors[code] = Mirror(self, code, json.loads(found))
        mirror = self._mirrors.get(code)
        return None if mirror is None else mirror.presentation

    async def part(self, code: str, name: str) -> bytes | None:
        """A part of another process's run."""
        return await self.get(key_of("part", code, name))

    async def know(self, code: str, who: str) -> None:
        """Somebody follows here, and may answer anywhere."""
        key = key_of("names", code)
        with contextlib.suppress(Exception):
            async with self.redis.pipeline() as steps:
                steps.zadd(key, {who: time.time()})
                steps.zremrangebyrank(key, 0, -MOST_NAMES - 1)
                steps.expire(key, KEEP)
                await steps.execute()

    async def knows(self, code: str, who: str) -> bool:
        """Whether somebody follows, in whichever process."""
        with contextlib.suppress(Exception):
            return await self.redis.zscore(key_of("names", code), who) is not None
        return False

    async def publish(self, key: str, text: str) -> int:
        """How many have heard it; none where the broker does not answer."""
        with contextlib.suppress(Exception):
            return int(await self.redis.publish(key, text))
        return 0

    async def get(self, key: str) -> bytes | None:
        """What the broker has; one that does not answer has nothing."""
        found: bytes | None = None
        with contextlib.suppress(Exception):
            found = await self.redis.get(key)
        return found

    def forget(self, code: str) -> None:
        self._mirrors.pop(code, None)


_found: dict[asyncio.AbstractEventLoop, Broker] = {}


def broker() -> Broker | None:
    """The one of this process, where one is named."""
    address = os.environ.get(VARIABLE)
    loop = asyncio.get_running_loop()
    if address and loop not in _found:
        _found[loop] = Broker(address)
    return _found.get(loop) if address else None
