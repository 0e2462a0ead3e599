"""Presentations that are followed from other processes and machines, through Redis.

The lecturer's process writes the newest state and the parts of the run; other processes mirror them for their own
followers, and return the answers.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import time
from collections.abc import AsyncIterator, Mapping
from typing import Any

from app.classroom.presentation import BEAT, PRESENTATIONS, Presentation, State
from app.classroom.question import Refusal, Reply, read_answer

VARIABLE = "ARMSWEEP_BROKER"
"""Environment variable with the broker's address: ``redis://host:6379/0``."""
KEEP, GONE = 3600, 3.0 * BEAT
"""Seconds for which the broker keeps a part, and of silence after which a lecturer is gone."""
RETRY = 1.0  # seconds before an unresponsive broker is tried again
MOST_MIRRORS, MOST_NAMES = 100, 4000
"""Limits of the presentations that one process mirrors, and of the followers of one, in all processes."""

log = logging.getLogger(__name__)


def key_of(kind: str, code: str, name: str = "") -> str:
    return f"armsweep:{kind}:{code}{name and ':'}{name}"


class Broker:
    """The exchange of this process with the others. A Redis that does not respond counts as empty."""

    def __init__(self, address: str) -> None:
        from redis import asyncio as redis  # only if there is a broker
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff

        patience = {"socket_timeout": 2 * BEAT, "socket_connect_timeout": RETRY, "retry": Retry(NoBackoff(), 0)}
        self.redis: Any = redis.from_url(address, **patience)
        self.mirrors: dict[str, Mirror] = {}
        self._lock = asyncio.Lock()

    async def find(self, code: str) -> Presentation | None:
        async with self._lock:
            has_room = code not in self.mirrors and len(self.mirrors) < MOST_MIRRORS
            if has_room and (found := await self._ask("get", key_of("state", code))):
                self.mirrors[code] = Mirror(self, code, json.loads(found))
        return self.mirrors.get(code)

    async def part(self, code: str, name: str) -> bytes | None:
        found: bytes | None = await self._ask("get", key_of("part", code, name))
        return found

    async def remember(self, code: str, follower: str) -> None:
        """Registers a follower of this process, who may answer in any process."""
        key = key_of("names", code)
        with contextlib.suppress(Exception):
            async with self.redis.pipeline() as steps:
                steps.zadd(key, {follower: time.time()})
                steps.zremrangebyrank(key, 0, -MOST_NAMES - 1)  # the oldest are removed
                steps.expire(key, KEEP)
                await steps.execute()

    async def knows(self, code: str, follower: str) -> bool:
        return await self._ask("zscore", key_of("names", code), follower) is not None

    async def hand_back(self, code: str, reply: Reply) -> bool:
        """Sends an answer; returns whether the lecturer's process receives it."""
        return bool(await self._ask("publish", key_of("answers", code), json.dumps(reply)))

    async def heard(self, kind: str, code: str) -> AsyncIterator[Any]:
        """Yields messages, and None after a while without any; raises if the broker does not respond."""
        task = asyncio.current_task()
        async with self.redis.pubsub() as channel:
            await channel.subscribe(key_of(kind, code))
            while not (task and task.cancelling()):  # a library may have taken the cancellation for a timeout
                message = await channel.get_message(ignore_subscribe_messages=True, timeout=BEAT)
                yield None if message is None else json.loads(message["data"])

    async def _ask(self, command: str, *arguments: str) -> Any:
        with contextlib.suppress(Exception):
            return await getattr(self.redis, command)(*arguments)
        return None


class Relay:
    """Sends the newest state of a presentation of this process to the broker, and receives answers from there."""

    def __init__(self, broker: Broker, presentation: Presentation) -> None:
        self._broker, self._presentation = broker, presentation
        self._newest: tuple[State, Mapping[str, bytes]] = {}, {}
        self._since, self._stirred = time.time(), asyncio.Event()
        loop = asyncio.get_running_loop()
        self._listening, self._passing = loop.create_task(self._listen()), loop.create_task(self._pass_on())

    def send(self, state: State, parts: Mapping[str, bytes]) -> None:
        """Sends the current state; when a presentation is over, ``end`` and the reason."""
        self._newest = state, parts
        self._stirred.set()
        if "end" in state:
            self._listening.cancel()

    async def _listen(self) -> None:
        while True:
            try:
                async for reply in self._broker.heard("answers", self._presentation.code):
                    if reply is not None:
                        with contextlib.suppress(Refusal):
                            await self._presentation.take(Reply(*reply))
                return  # the presentation is over, or this process
            except Exception as fault:
                log.warning("the broker does not answer: %s", fault)
                await asyncio.sleep(RETRY)

    async def _pass_on(self) -> None:
        ended = False
        while not ended:
            await self._stirred.wait()
            self._stirred.clear()
            state, parts = self._newest
            ended = "end" in state
            try:
                await self._write({**state, "since": self._since}, parts)
            except Exception as fault:  # network errors are harmless: the next state is complete, and old data expires
                log.warning("the broker does not answer: %s", fault)
                await asyncio.sleep(RETRY)
                self._stirred.set()

    async def _write(self, state: State, parts: Mapping[str, bytes]) -> None:
        """Writes parts that the broker lacks, perhaps after a restart or expiry; then the state."""
        redis, code, text = self._broker.redis, self._presentation.code, json.dumps(state)
        keys = {key_of("part", code, name): part for name, part in parts.items()}
        if keys and await redis.exists(*keys) < len(keys):
            for key, part in keys.items():
                if not await redis.exists(key):
                    await redis.set(key, part, ex=KEEP)
        if "end" in state:
            await redis.delete(key_of("state", code))
        else:
            await redis.set(key_of("state", code), text, ex=round(GONE))
        await redis.publish(key_of("led", code), text)


class Mirror(Presentation):
    """A presentation of another process, mirrored for followers of this one."""

    def __init__(self, broker: Broker, code: str, state: State) -> None:
        super().__init__(code, self._state_now)
        self._broker, self._newest, self._heard_at = broker, state, time.monotonic()
        PRESENTATIONS.mirrored.add(self)
        self._task = asyncio.get_running_loop().create_task(self._listen())

    def _state_now(self) -> State:
        state = {name: value for name, value in self._newest.items() if name != "since"}
        if state["playing"]:
            state["time"] += (time.monotonic() - self._heard_at) * state["speed"]
        return state

    async def take(self, reply: Reply) -> None:
        """Sends a valid answer to the lecturer's process."""
        question = self._newest.get("question")
        if question is None or reply.question != question["number"] or question["phase"] != "open":
            raise Refusal(409, "This question is closed.")
        read_answer(question, reply.answer)
        if not await self._broker.hand_back(self.code, reply):
            raise Refusal(503, "The lecturer's page cannot be reached now.")

    async def _listen(self) -> None:
        word, followed_at = "away", time.monotonic()
        try:
            async for state in self._broker.heard("led", self.code):
                now = time.monotonic()
                followed_at = now if self.followers else followed_at
                if now - min(self._heard_at, followed_at) > GONE:
                    break
                if state is None or state["since"] < self._newest["since"]:  # from a page that was replaced
                    continue
                if "end" in state:
                    word = state["end"]
                    break
                self._newest, self._heard_at = state, now
                self.stir()
        except Exception as fault:
            log.warning("the broker does not answer: %s", fault)
        finally:
            self._broker.mirrors.pop(self.code, None)
            PRESENTATIONS.mirrored.discard(self)
            self.end(word)


_brokers: dict[asyncio.AbstractEventLoop, Broker] = {}


def broker() -> Broker | None:
    """The broker of this process, if one is configured."""
    address, loop = os.environ.get(VARIABLE), asyncio.get_running_loop()
    if address and loop not in _brokers:
        _brokers[loop] = Broker(address)
    return _brokers.get(loop) if address else None
