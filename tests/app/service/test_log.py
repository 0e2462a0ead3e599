"""The log tells what happens, and nothing of who looks or what was sent."""

import json
import logging
import sys
from collections.abc import Iterator

import pytest
from prometheus_client import REGISTRY
from tornado.websocket import WebSocketClosedError

from app.service.log import ACCESS, QUOTING, count_fault, set_up

SECRET = "192.0.2.77 robot of a student.urdf"
FILTERED = (ACCESS, "asyncio", *QUOTING)


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """What is logged once the log is set up."""
    loggers = [logging.getLogger(name) for name in (*FILTERED, "bokeh", "panel")]
    before = [(list(logger.filters), logger.propagate) for logger in loggers]
    for logger in loggers:
        logger.propagate = True
        caplog.set_level(logging.WARNING, logger.name)  # another test's library may have raised it
    set_up()
    yield caplog
    for logger, (filters, propagate) in zip(loggers, before, strict=True):
        logger.filters[:], logger.propagate = filters, propagate


def test_libraries_log_nothing_of_visitors(lines: pytest.LogCaptureFixture) -> None:
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
    for name in ("tornado.application", "asyncio"):
        try:
            raise WebSocketClosedError  # a tab was closed while it was answered
        except WebSocketClosedError:
            logging.getLogger(name).error("Exception in callback", exc_info=True)
    assert len(lines.records) == 6
    assert "404" in lines.messages[0]
    assert "JSONDecodeError" in lines.messages[1]
    assert SECRET not in lines.text


def test_an_error_of_ours_is_counted() -> None:
    before = REGISTRY.get_sample_value("armsweep_faults_total") or 0.0
    for info in (None, (ValueError, ValueError("x"), None)):
        assert count_fault(logging.LogRecord("app", logging.ERROR, "", 1, "a run failed", (), info))
    assert REGISTRY.get_sample_value("armsweep_faults_total") == before + 1.0
