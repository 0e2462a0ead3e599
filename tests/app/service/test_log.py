"""The log tells what happens, and nothing of who looks or what was sent."""

import json
import logging
import sys
from collections.abc import Callable, Iterator

import pytest
from tornado.websocket import WebSocketClosedError

from app.service.limits import Limits
from app.service.log import ACCESS, OWNERS, QUOTING, set_up
from app.service.sessions import Sessions

SECRET = "192.0.2.77 robot of a student.urdf"


class Lines(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture
def lines() -> Iterator[Callable[[str], list[str]]]:
    """`lines(form)` sets the log up, and gives what it writes from then on."""
    handler = Lines()
    own = [(logging.getLogger(name), list(logging.getLogger(name).handlers)) for name in OWNERS]
    filtered = {name: list(logging.getLogger(name).filters) for name in (ACCESS, *QUOTING)}
    logging.getLogger("bokeh").propagate, before = False, logging.getLogger("bokeh").propagate
    logging.getLogger("panel").propagate, of_panel = False, logging.getLogger("panel").propagate
    of_app = logging.getLogger("app").level
    others = [
        (logging.getLogger(name), logging.getLogger(name).level) for name in ("", "tornado", ACCESS, "tornado.general")
    ]
    for logger, _ in others:  # as in a server: another test's library may have raised it
        logger.setLevel(logging.WARNING)
    for logger, _ in own:
        logger.handlers[:] = [handler]

    def make(form: str) -> list[str]:
        set_up({"ARMSWEEP_LOG": form})
        return handler.lines

    yield make
    for logger, handlers in own:
        logger.handlers[:] = handlers
    for logger, level in others:
        logger.setLevel(level)
    logging.getLogger("bokeh").propagate, logging.getLogger("panel").propagate = before, of_panel
    logging.getLogger("app").setLevel(of_app)
    for name, filters in filtered.items():
        logging.getLogger(name).filters[:] = filters


def test_sessions_and_refusals_are_lines_of_json(lines: Callable[[str], list[str]]) -> None:
    written = lines("json")
    sessions = Sessions(Limits(sessions=1))
    sessions.is_ready = True
    assert sessions.admit() is None
    sessions.opened("an id that nobody is to know")
    sessions.admit()
    sessions.closed("an id that nobody is to know")
    events = [json.loads(line) for line in written]
    assert [event["event"] for event in events] == ["opened", "refused", "closed"]
    assert events[0]["session"] == events[2]["session"] == 1
    assert events[1]["reason"] == "sessions"
    assert events[2]["seconds"] >= 0.0
    assert all({"level", "logger", "message", "timestamp"} <= event.keys() for event in events)
    assert "192.0.2" not in "".join(written)
    assert "nobody is to know" not in "".join(written)


def test_a_fault_is_logged_without_its_message(lines: Callable[[str], list[str]]) -> None:
    written = lines("json")
    try:
        try:
            int(SECRET)
        except ValueError as error:
            raise RuntimeError(SECRET) from error
    except RuntimeError:
        logging.getLogger("app.job").error("the run could not be computed", exc_info=True)
    told = json.loads(written[0])
    assert "test_log.py" in told["traceback"]
    assert told["traceback"].index("ValueError") < told["traceback"].index("RuntimeError")
    assert SECRET not in written[0]


def test_libraries_log_nothing_of_visitors(lines: Callable[[str], list[str]]) -> None:
    for form in ["text", "json"]:
        written = lines(form)
        written.clear()
        logging.getLogger(ACCESS).warning("%d %s %.2fms", 404, f"GET /app?x ({SECRET})", 3.0)
        try:
            json.loads(SECRET)
        except ValueError as error:
            logging.getLogger("bokeh.server.views.ws").error(
                "Unhandled exception receiving: %r: %r", error, SECRET, exc_info=sys.exc_info()
            )
        logging.getLogger("bokeh.server.views.ws").error("Refusing websocket connection from Origin '%s'", SECRET)
        logging.getLogger("bokeh.protocol").error(f"Bad header with no msgtype was: {SECRET!r}")
        logging.getLogger("panel.reactive").error(f"Callback failed for {SECRET}")
        logging.getLogger("tornado.general").warning("%d %s: ", 400, SECRET)
        try:
            raise WebSocketClosedError  # a tab was closed while it was answered
        except WebSocketClosedError:
            logging.getLogger("tornado.application").error("Exception in callback", exc_info=True)
        assert len(written) == 6
        assert "404" in written[0]
        assert "JSONDecodeError" in written[1]
        assert SECRET not in "".join(written)
