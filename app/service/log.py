"""The log: its events and format, without data about visitors or from them.

Bokeh, Tornado and the page use the standard library's ``logging``; ``python-json-logger`` converts it to JSON.
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
from app.service.limits import LOG, LOG_FORMS, choice

NO_NEWS = "Bokeh Server internal error", "Failed sending message as connection was closed"
"""Beginnings of Bokeh's messages that repeat an error, or report a tab that was closed while data was sent to it."""
ACCESS = "tornado.access"
QUOTING = (
    "bokeh.core.has_props", "bokeh.protocol", "bokeh.server.protocol_handler", "bokeh.server.views.session_handler",
    "bokeh.server.views.ws", "panel.reactive", "tornado.application", "tornado.general",
)  # fmt: skip
"""Loggers whose warnings quote what a browser sent."""
OURS = tuple(str(Path(__file__).resolve().parents[2] / package) for package in ("app", "scenes", "dynamics"))
OWNERS = None, "bokeh", "panel"  # loggers with handlers of their own, the root first
FIELDS = "%(levelname)s %(name)s %(message)s"
NAMES = {"levelname": "level", "name": "logger", "exc_info": "traceback"}


def set_up(environment: Mapping[str, str] = os.environ) -> None:
    """Configure logging from the environment: plain text, or a line of JSON for each event.

    Raises:
        SettingError: for another format.
    """
    form = choice(environment, LOG, LOG_FORMS)
    logging.getLogger(ACCESS).addFilter(without_visitor)
    for name in QUOTING:
        logging.getLogger(name).addFilter(without_contents)
    for handler in (handler for name in OWNERS for handler in logging.getLogger(name).handlers):
        handler.addFilter(count_fault)
        if form == "json":
            handler.setFormatter(JsonWithoutMessages(FIELDS, rename_fields=NAMES, timestamp=True))
    if form == "json":
        logging.getLogger("app").setLevel(logging.INFO)


def without_visitor(record: logging.LogRecord) -> bool:
    """Log only the status of a request: Tornado would log its address and the visitor's."""
    if isinstance(record.args, tuple) and record.args and isinstance(record.args[0], int):
        record.msg, record.args = "a request was answered by %d", record.args[:1]
    return True


def without_contents(record: logging.LogRecord) -> bool:
    """Log only the kind of an error and where it was raised: Bokeh would log what the browser sent.

    The traceback is kept if it contains a line of our code. Otherwise the browser sent invalid data, not our fault.
    """
    if record.levelno >= logging.WARNING:
        error = record.exc_info[1] if record.exc_info else None
        if is_late(error) or str(record.msg).startswith(NO_NEWS):
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
    """Whether a message came, or was answered, after its tab was closed; Bokeh then fails an assertion."""
    if isinstance(error, WebSocketClosedError):
        return True
    if not isinstance(error, AssertionError):
        return False
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return frame.name == "session" and frame.filename.endswith("connection.py")


def count_fault(record: logging.LogRecord) -> bool:
    """Count an error in our code."""
    if record.levelno >= logging.ERROR and record.exc_info:
        counters.faults.inc()
    return True


class JsonWithoutMessages(JsonFormatter):
    """Tracebacks show only lines and kinds of errors: an error message may quote a visitor's file."""

    def formatException(self, ei: Any) -> str:
        error, parts = ei[1], []
        while error is not None:
            parts.append("".join([*traceback.format_tb(error.__traceback__), type(error).__name__]))
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        return "\n\nafter which came\n\n".join(reversed(parts))
