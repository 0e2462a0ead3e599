"""How long a browser may leave what it is sent unread: what is meant for it is kept for no longer."""

from __future__ import annotations

import contextlib
import socket
from typing import Any

from tornado.httputil import HTTPServerRequest

UNREAD = 60.0
"""Seconds after which a connection is given up over which nothing gets through: the machine sleeps, its network is
gone, or it means no good. A page that wakes finds its connection lost, and comes back by itself."""


def bound(request: HTTPServerRequest, seconds: float = UNREAD) -> bool:
    """Has the system close the connection of a request when what was sent over it stays unread for so long.

    False where the system knows no such bound; then its own counts: on Linux a quarter of an hour.
    """
    stream: Any = getattr(request.connection, "stream", None)
    option = getattr(socket, "TCP_USER_TIMEOUT", None)
    if option is None or getattr(stream, "socket", None) is None:
        return False
    with contextlib.suppress(OSError):  # a socket of the file system has none
        stream.socket.setsockopt(socket.IPPROTO_TCP, option, round(1e3 * seconds))
        return True
    return False
