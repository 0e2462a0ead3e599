"""The log, without data about visitors or from them: filters for the lines of Tornado, Bokeh and the page."""

from __future__ import annotations

import logging
import traceback
from pathlib import Path

from tornado.websocket import WebSocketClosedError

from app.service import counters

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


def set_up() -> None:
    """Add the filters to the loggers and handlers of this process."""
    logging.getLogger(ACCESS).addFilter(without_visitor)
    logging.getLogger("asyncio").addFilter(is_in_time)
    for name in QUOTING:
        logging.getLogger(name).addFilter(without_contents)
    for handler in (handler for name in OWNERS for handler in logging.getLogger(name).handlers):
        handler.addFilter(count_fault)


def without_visitor(record: logging.LogRecord) -> bool:
    """Log only the status of a request: Tornado would log its address and the visitor's."""
    if isinstance(record.args, tuple) and record.args and isinstance(record.args[0], int):
        record.msg, record.args = "a request was answered by %d", record.args[:1]
    return True


def without_contents(record: logging.LogRecord) -> bool:
    """Log only the kind of an error and where it was raised: Bokeh would log what the browser sent.

    The traceback is kept if it contains a line of our code. Otherwise the browser sent invalid data, not our fault.
    """
    if record.levelno < logging.WARNING:
        return True
    if not is_in_time(record) or str(record.msg).startswith(NO_NEWS):
        return False
    kind = "not as the protocol has it"
    error = record.exc_info[1] if record.exc_info else None
    if error is not None:
        frames = traceback.extract_tb(error.__traceback__)
        kind = f"{type(error).__name__}, in {frames[-1].name}"
        if not any(frame.filename.startswith(OURS) for frame in frames):
            record.exc_info = None
    record.msg, record.args = "what a browser asked for could not be done: %s", (kind,)
    return True


def is_in_time(record: logging.LogRecord) -> bool:
    """False for the error of a message that came, or was answered, after its tab was closed.

    Bokeh fails an assertion then.
    """
    error = record.exc_info[1] if record.exc_info else None
    if not isinstance(error, AssertionError):
        return not isinstance(error, WebSocketClosedError)
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return frame.name != "session" or not frame.filename.endswith("connection.py")


def count_fault(record: logging.LogRecord) -> bool:
    """Count an error in our code."""
    if record.levelno >= logging.ERROR and record.exc_info:
        counters.faults.inc()
    return True
