"""The log tells what happens, and nothing of who looks or what he has sent."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable, Coroutine, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from bokeh.server.connection import ServerConnection

from app.service.gate import Gate
from app.service.lag import Lag
from app.service.limits import Limits
from app.service.log_form import ACCESS, OWNERS, QUOTING, WithoutWords, set_up

Run = Callable[[Coroutine[Any, Any, Any]], Any]
SECRET = "192.0.2.77 robot of a student.urdf"


class Lines(logging.Handler):
    """Keeps what a handler of the server's would write."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture
def lines() -> Iterator[Callable[[str], list[str]]]:
    """`lines(form)` sets the log up, and gives what it writes from then on."""
    root, handler = logging.getLogger(), Lines()
    own = [(logging.getLogger(name), list(logging.getLogger(name).handlers)) for name in OWNERS]
    filtered = {name: list(logging.getLogger(name).filters) for name in (ACCESS, *QUOTING)}
    logging.getLogger("bokeh").propagate, before = False, logging.getLogger("bokeh").propagate
    logging.getLogger("panel").propagate, of_panel = False, logging.getLogger("panel").propagate
    level, of_app = root.level, logging.getLogger("app").level
    for logger, _ in own:
        logger.handlers[:] = [handler]

    def make(form: str) -> list[str]:
        set_up({"ARMSWEEP_LOG": form})
        return handler.lines

    yield make
    for logger, handlers in own:
        logger.handlers[:] = handlers
    root.setLevel(level)
    logging.getLogger("bokeh").propagate, logging.getLogger("panel").propagate = before, of_panel
    logging.getLogger("app").setLevel(of_app)
    for name, filters in filtered.items():
        logging.getLogger(name).filters[:] = filters


def test_sessions_and_refusals_are_lines_of_json(lines: Callable[[str], list[str]], run_async: Run) -> None:
    written = lines("json")

    async def live() -> None:
        gate = Gate(Limits(sessions=1), Lag())
        assert await gate.enter(SECRET) is None
        gate.opened("an id that nobody is to know", SECRET)
        await gate.enter(SECRET)
        gate.closed("an id that nobody is to know")

    run_async(live())
    events = [json.loads(line) for line in written]
    assert [event["event"] for event in events] == ["opened", "refused", "closed"]
    assert events[0]["session"] == events[2]["session"] == 1
    assert events[1]["reason"] == "sessions"
    assert events[2]["seconds"] >= 0.0
    assert all({"level", "logger", "message", "timestamp"} <= event.keys() for event in events)
    assert "192.0.2" not in "".join(written)
    assert "nobody is to know" not in "".join(written)


def test_a_fault_is_told_by_its_lines_not_by_its_words(lines: Callable[[str], list[str]]) -> None:
    written = lines("json")
    try:
        try:
            int(SECRET)
        except ValueError as error:
            raise RuntimeError(SECRET) from error
    except RuntimeError:
        logging.getLogger("app.job").error("the run could not be computed", exc_info=True)
    told = json.loads(written[0])
    assert "test_log_form.py" in told["traceback"]
    assert told["traceback"].index("ValueError") < told["traceback"].index("RuntimeError")
    assert SECRET not in written[0]


@pytest.mark.parametrize("form", ["text", "json"])
def test_what_libraries_would_say_of_visitors_is_left_out(lines: Callable[[str], list[str]], form: str) -> None:
    written = lines(form)
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
    assert len(written) == 6
    assert "404" in written[0]
    assert "JSONDecodeError" in written[1]
    assert SECRET not in "".join(written)


def test_a_tab_that_was_closed_is_no_news(lines: Callable[[str], list[str]]) -> None:
    """Bokeh takes what still comes of it for an error of its own, and tells so twice."""
    written = lines("text")
    log = logging.getLogger("bokeh.server.protocol_handler")
    closed = ServerConnection(None, SimpleNamespace(), None, SimpleNamespace(subscribe=print, unsubscribe=print))
    closed.detach_session()
    try:
        closed.session
    except AssertionError as error:
        log.error("error handling message\n message: %r", error, exc_info=True)
    logging.getLogger("bokeh.server.views.ws").error("Bokeh Server internal error: %s, closing connection", "x")
    logging.getLogger("bokeh.server.views.ws").warning("Failed sending message as connection was closed")
    assert written == []
    try:
        raise AssertionError
    except AssertionError:
        log.error("error handling message", exc_info=True)
    assert len(written) == 1


def test_at_a_terminal_it_is_plain_text_and_says_little(lines: Callable[[str], list[str]]) -> None:
    written = lines("text")
    logging.getLogger().setLevel(logging.WARNING)
    logging.getLogger("app.service.gate").info("session opened")
    logging.getLogger("app").warning("plain words")
    assert written == ["plain words"]


def test_no_context_is_no_cause() -> None:
    try:
        try:
            raise KeyError(SECRET)
        except KeyError:
            raise ValueError("ours") from None
    except ValueError:
        told = WithoutWords("%(message)s").formatException(sys.exc_info())
    assert "KeyError" not in told
    assert told.endswith("ValueError")
