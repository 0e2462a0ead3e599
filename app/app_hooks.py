"""The hooks of ``panel serve``: what the server does before it admits visitors, and for each session."""

import asyncio
import logging
import os
import signal
import sys
import threading
import time
from functools import partial

from bokeh.application.application import ServerContext, SessionContext
from bokeh.embed.bundle import extension_dirs
from threadpoolctl import threadpool_limits
from tornado.process import task_id

from app.admission import guard_sessions, process_request  # noqa: F401  (a hook as it is)
from app.classroom.server import serve_followers
from app.component import BUNDLE, NAME, scripts
from app.equations import font
from app.opening import serve_openings
from app.service.limits import SettingError
from app.service.log import set_up
from app.service.routes import ROUTES, add_routes, serve_documentation
from app.service.sessions import MemoryOfPages, collect_everything, sessions

log = logging.getLogger(__name__)
memory = MemoryOfPages()
LOOKS = 0.5
"""Seconds between two checks that the parent process still runs."""


# What a server reads while it is created.
guard_sessions()
add_routes(ROUTES)
serve_followers()
serve_openings()
extension_dirs.update({"armsweep": BUNDLE.parent, NAME: scripts(), font.NAME: font.FOLDER})
set_up()
try:
    sessions()
    serve_documentation()
except SettingError as error:
    raise SystemExit(str(error)) from None


def on_server_loaded(server_context: ServerContext) -> None:
    """Compile the mechanics and load the page's modules in a thread; until then visitors see a recorded motion."""
    if task_id() is not None:
        end_with(os.getppid())
    # The matrices are small: additional BLAS threads would only busy-wait.
    threadpool_limits(limits=1, user_api="blas")
    # The event loop, which users wait for, preempts computing threads after 1 ms instead of 5.
    sys.setswitchinterval(1e-3)
    threading.Thread(target=start, args=(asyncio.get_running_loop(),), daemon=True).start()


def end_with(parent: int) -> None:
    """End this process, one of several servers, when its parent has ended; otherwise it would keep the port."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(LOOKS)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, daemon=True).start()


def start(loop: asyncio.AbstractEventLoop) -> None:
    """Run in a thread: compile, admit visitors, compile the rest; end the server if no page could open."""
    from app.startup import compile_first, compile_rest  # loads the mechanics, after the port is open

    try:
        compile_first(partial(setattr, sessions(), "compiled"))
    except OSError as error:
        log.critical("The mechanics cannot be compiled: %s. Free some disk, or point NUMBA_CACHE_DIR elsewhere.", error)
    except Exception:
        log.critical("The server cannot start.", exc_info=True)
    else:
        loop.call_soon_threadsafe(admit_visitors)
        compile_rest()
        return
    loop.call_soon_threadsafe(sys.exit, 1)


def admit_visitors() -> None:
    """Open pages from now on."""
    # Everything loaded by now is permanent: the garbage collector skips it, or every page would freeze for a quarter
    # of a second.
    collect_everything()
    sessions().is_ready = True


def on_session_created(session_context: SessionContext) -> None:
    """Count a page that has opened."""
    memory.page_opens()
    sessions().opened(session_context.id)


def on_session_destroyed(session_context: SessionContext) -> None:
    """Count a page that has been closed."""
    sessions().closed(session_context.id)
    memory.page_closed(len(sessions()))
