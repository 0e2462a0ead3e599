"""What the server does once, before it lets anybody in, and what it asks of whoever comes."""

import gc
import logging
import os
import sys
from typing import Any

from bokeh.application.application import ServerContext
from threadpoolctl import threadpool_limits
from tornado.httputil import HTTPServerRequest
from tornado.process import task_id
from tornado.websocket import WebSocketClosedError

from app.admission import guard_sessions, refuse_chosen_session, signed_along
from app.compilation import compile_mechanics
from app.ending import end_with
from app.present import serve_followers

log = logging.getLogger(__name__)
guard_sessions()  # here: a server that is being made asks at once
serve_followers()


def on_server_loaded(server_context: ServerContext) -> None:
    """Compiles the mechanics and loads the page's modules, so that no session has to wait for them.

    Raises:
        SystemExit: where no page could open, in words; Bokeh would note any other error, and serve nothing.
    """
    if task_id() is not None:
        end_with(os.getppid())
    # Matrices are small here: a second thread only waits for its turn, and it waits by turning circles.
    threadpool_limits(limits=1, user_api="blas")
    # What a user waits for runs in the loop, beside threads that compute: it gets its turn after 1 ms, not after 5.
    sys.setswitchinterval(1e-3)
    try:
        compile_mechanics()
    except OSError as error:
        log.critical("The mechanics cannot be compiled: %s. Make room, or set NUMBA_CACHE_DIR to where some is.", error)
        raise SystemExit(1) from None
    # What is loaded by now stays for good: the garbage collector need not look at it again, a quarter of a second in
    # which every page would stand still.
    gc.collect()
    gc.freeze()
    logging.getLogger("asyncio").addFilter(tells_something)


def process_request(request: HTTPServerRequest) -> dict[str, Any]:
    """Bokeh asks for every page what a session is to know of the request, before there is one."""
    refuse_chosen_session(request)
    return signed_along(request)


def tells_something(record: logging.LogRecord) -> bool:
    """A tab that was closed while a frame was on its way to it is no news."""
    return not (record.exc_info and isinstance(record.exc_info[1], WebSocketClosedError))
