"""A connection between browsers and a server that can be cut, or fall silent, for a while."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Coroutine
from typing import Any


class Line:
    """Passes bytes between its own port and a server's until a disturbance; runs in a thread of its own.

    Attributes:
        port: on which it listens.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._open = asyncio.Event()
        self._is_cut = False
        self._writers: set[asyncio.StreamWriter] = set()
        self._target = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self._run(self._listen())

    def lead_to(self, port: int) -> None:
        """Sets the port of the server."""
        self._target = port

    def cut(self) -> None:
        """Breaks every connection, and refuses new ones."""
        self._run(self._break())

    def hush(self) -> None:
        """Passes nothing on, without closing connections, as when a network fails or a laptop's lid is closed."""
        self._loop.call_soon_threadsafe(self._open.clear)

    def mend(self) -> None:
        """Passes everything on again."""
        self._is_cut = False
        self._loop.call_soon_threadsafe(self._open.set)

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(10.0)

    async def _listen(self) -> None:
        self._open.set()
        await asyncio.start_server(self._join, sock=self._socket)

    async def _break(self) -> None:
        self._is_cut = True
        for writer in tuple(self._writers):
            writer.transport.abort()

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_cut:
            writer.transport.abort()
            return
        await self._open.wait()
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.transport.abort()
            return
        await asyncio.gather(self._pass(reader, back), self._pass(there, writer))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        with contextlib.suppress(OSError):
            while data := await reader.read(1 << 16):
                await self._open.wait()
                writer.write(data)
                await writer.drain()
        self._writers.discard(writer)
        writer.close()
