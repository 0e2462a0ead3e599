"""What the server does once, before it lets anybody in, and what it asks of whoever comes."""

import asyncio
import logging
import os
import sys
import threading
from functools import partial
from typing import Any

from bokeh.application.application import ServerContext, SessionContext
from bokeh.embed.bundle import extension_dirs
from threadpoolctl import threadpool_limits
from tornado.httputil import HTTPServerRequest
from tornado.process import task_id
from tornado.websocket import WebSocketClosedError

from app.admission import guard_sessions, refuse_chosen_session, signed_along
from app.classroom.server import serve_followers
from app.component import BUNDLE, NAME, scripts
from app.ending import end_with
from app.equations import font
from app.opening import serve_openings
from app.service import counters
from app.service.addresses import address_of, mount
from app.service.documentation import serve_documentation
from app.service.limits import FRAMES, METRICS, OF_FRAMES, OF_METRICS, SettingError, choice
from app.service.log_form import set_up
from app.service.sessions import sessions
from app.service.sweeping import Sweeper, sweep
from app.service.websocket import bound_messages

log = logging.getLogger(__name__)
sweeper = Sweeper()
background = set[asyncio.Task[None]]()
"""Tasks for as long as the server runs, which asyncio alone would forget."""


def get_ready() -> None:
    """What a server asks for while it is being made.

    Raises:
        SystemExit: for a setting that makes no sense, in words.
    """
    guard_sessions()
    mount()
    serve_followers()
    serve_openings()
    bound_messages()
    extension_dirs.update({"armsweep": BUNDLE.parent, NAME: scripts(), font.NAME: font.FOLDER})
    try:
        set_up()
        sessions()
        choice(os.environ, METRICS, OF_METRICS)
        choice(os.environ, FRAMES, OF_FRAMES)
        serve_documentation()
    except SettingError as error:
        raise SystemExit(str(error)) from None


get_ready()


def on_server_loaded(server_context: ServerContext) -> None:
    """Compiles the mechanics and loads the page's modules; whoever comes meanwhile sees a machine move."""
    if task_id() is not None:
        end_with(os.getppid())
    # Matrices are small here: a second thread only waits for its turn, and it waits by turning circles.
    threadpool_limits(limits=1, user_api="blas")
    # What a user waits for runs in the loop, beside threads that compute: it gets its turn after 1 ms, not after 5.
    sys.setswitchinterval(1e-3)
    threading.Thread(target=get_going, args=(asyncio.get_running_loop(),), daemon=True).start()


def get_going(loop: asyncio.AbstractEventLoop) -> None:
    """In a thread of its own: compiles, has the loop let visitors in, or end where no page could open, compiles on."""
    from app.compilation import compile_first, compile_rest  # load the mechanics, while the port is open already

    try:
        compile_first(partial(setattr, sessions(), "compiled"))
    except OSError as error:
        log.critical("The mechanics cannot be compiled: %s. Make room, or set NUMBA_CACHE_DIR to where some is.", error)
    except Exception:
        log.critical("The server cannot start.", exc_info=True)
    else:
        loop.call_soon_threadsafe(let_visitors_in)
        compile_rest()
        return
    loop.call_soon_threadsafe(sys.exit, 1)


def let_visitors_in() -> None:
    """From now on pages are opened."""
    # What is loaded by now stays for good: the garbage collector need not look at it again, a quarter of a second in
    # which every page would stand still.
    sweep()
    logging.getLogger("asyncio").addFilter(tells_something)
    background.add(asyncio.get_running_loop().create_task(counters.watch_lag()))
    sessions().is_ready = True


def on_session_created(session_context: SessionContext) -> None:
    """A page is being opened."""
    sweeper.page_opens()
    request = session_context.request
    sessions().opened(session_context.id, "" if request is None else address_of(request))


def on_session_destroyed(session_context: SessionContext) -> None:
    """A page is over."""
    sessions().closed(session_context.id)
    sweeper.page_is_over(len(sessions()))


def process_request(request: HTTPServerRequest) -> dict[str, Any]:
    """Bokeh asks for every page what a session is to know of the request, before there is one."""
    refuse_chosen_session(request)
    return signed_along(request)


def tells_something(record: logging.LogRecord) -> bool:
    """A tab that was closed while a frame was on its way to it is no news."""
    return not (record.exc_info and isinstance(record.exc_info[1], WebSocketClosedError))
