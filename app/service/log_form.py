"""What the log says, and how: nothing of whoever looks at a page, and nothing that he has sent.

Bokeh and Tornado log by the standard library's ``logging``; so does the page, and ``python-json-logger`` makes JSON of
all of it alike.
"""

from __future__ import annotations

import logging
import os
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pythonjsonlogger.json import JsonFormatter
from tornado.websocket import WebSocketClosedError

from app.service import counters
from app.service.limits import LOG, OF_LOG, choice

TOLD_AGAIN = "Bokeh Server internal error"
"""So begins what Bokeh says after it has told of an error with its traceback."""
TOO_LATE = "Failed sending message as connection was closed"
"""So begins what Bokeh says of each picture that was on its way to a tab which is closed: no news."""
ACCESS = "tornado.access"
QUOTING = (
    "bokeh.core.has_props", "bokeh.protocol", "bokeh.server.protocol_handler", "bokeh.server.views.session_handler",
    "bokeh.server.views.ws", "panel.reactive", "tornado.application", "tornado.general",
)  # fmt: skip
"""Loggers whose warnings quote what came over the net."""
OURS = tuple(str(Path(__file__).resolve().parents[2] / room) for room in ("app", "scenes", "dynamics"))
"""Where our own code is."""


def without_visitors(record: logging.LogRecord) -> bool:
    """Of a request, its status alone: Tornado would tell its address, and who asked."""
    if isinstance(record.args, tuple) and record.args and isinstance(record.args[0], int):
        record.msg, record.args = "a request was answered by %d", record.args[:1]
    return True


def without_contents(record: logging.LogRecord) -> bool:
    """Of what was not understood, the kind of error and where it was noticed: Bokeh would tell what it says.

    The traceback stays where a line of ours is in it. Where none is, what came was no message, which is no fault.
    """
    if record.levelno >= logging.WARNING:
        error = record.exc_info[1] if record.exc_info else None
        if is_late(error) or str(record.msg).startswith((TOLD_AGAIN, TOO_LATE)):
            return False
        kind = "not as the protocol has it"
        if error is not None:
            frames = traceback.extract_tb(error.__traceback__)
            kind = f"{type(error).__name__}, in {frames[-1].name}"
            if not any(frame.filename.startswith(OURS) for frame in frames):
                record.exc_info = None
        record.msg, record.args = "what a browser asked for could not be done: %s", (kind,)
    return True


def is_late(error: BaseException | None) -> bool:
    """Whether a message came or was answered when its tab was closed already, which is no news; Bokeh asserts that."""
    if isinstance(error, WebSocketClosedError):
        return True
    if not isinstance(error, AssertionError):
        return False
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return frame.name == "session" and frame.filename.endswith("connection.py")


def counted(record: logging.LogRecord) -> bool:
    """Counts what is logged as an error of ours."""
    if record.levelno >= logging.ERROR and record.exc_info:
        counters.faults.inc()
    return True


class WithoutWords(JsonFormatter):
    """A traceback is told by its lines and the kinds of its errors: their words may quote a file that somebody sent."""

    def formatException(self, ei: Any) -> str:
        error, told = ei[1], []
        while error is not None:
            told.append("".join([*traceback.format_tb(error.__traceback__), type(error).__name__]))
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        return "\n\nafter which came\n\n".join(reversed(told))


def set_up(environment: Mapping[str, str] = os.environ) -> None:
    """As the environment asks: plain text as ever, or a line of JSON an event.

    Raises:
        SettingError: for a form that is not known.
    """
    form = choice(environment, LOG, OF_LOG)
    logging.getLogger(ACCESS).addFilter(without_visitors)
    for name in QUOTING:
        logging.getLogger(name).addFilter(without_contents)
    handlers = [handler for name in OWNERS for handler in logging.getLogger(name).handlers]
    for handler in handlers:
        handler.addFilter(counted)
        if form == "json":
            handler.setFormatter(WithoutWords(FIELDS, rename_fields=NAMES, timestamp=True))
    if form == "json":
        logging.getLogger("app").setLevel(logging.INFO)


OWNERS = None, "bokeh", "panel"
"""Loggers with handlers of their own, the root first."""
FIELDS = "%(levelname)s %(name)s %(message)s"
NAMES = {"levelname": "level", "name": "logger", "exc_info": "traceback"}
