"""A server of a small page with the app's own door: its hooks, but for those that compile the mechanics."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from bokeh.server.auth_provider import AuthModule
from bokeh.server.server import Server
from bokeh.settings import settings
from panel.io.application import build_single_handler_application
from tornado.ioloop import IOLoop

from app.service.sessions import sessions

HOOKS = """
from app.admission import guard_sessions
from app.app_hooks import on_session_created, on_session_destroyed, process_request
guard_sessions()
def on_server_loaded(server_context):
    from app.service.sessions import sessions
    sessions().is_ready = True
"""
PAGE = "import panel as pn\npn.pane.Str('A page').servable()\n"
Serve = Callable[..., AbstractAsyncContextManager[str]]


@pytest.fixture
def own_sessions(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    """`own_sessions(sessions=2)` gives this process a new admission with these limits."""

    def make(**limits: float) -> Any:
        for name, value in limits.items():
            monkeypatch.setenv(f"ARMSWEEP_{name.upper()}", str(value))
        sessions.cache_clear()
        return sessions()

    yield make
    sessions.cache_clear()


@pytest.fixture
def serve(tmp_path: Path, own_sessions: Callable[..., Any]) -> Serve:
    """`async with serve(prefix, **limits) as address:` serves the page at ``address/app``."""
    (tmp_path / "app_hooks.py").write_text(HOOKS)
    (tmp_path / "main.py").write_text(PAGE)

    @asynccontextmanager
    async def serving(prefix: str = "", use_xheaders: bool = False, **limits: float) -> AsyncIterator[str]:
        own_sessions(**limits)
        application = build_single_handler_application(tmp_path)
        server = Server(
            {"/app": application}, io_loop=IOLoop.current(), port=0, address="127.0.0.1", prefix=prefix,
            use_xheaders=use_xheaders, sign_sessions=settings.sign_sessions(), secret_key=settings.secret_key_bytes(),
            auth_provider=AuthModule(settings.auth_module()),
        )  # fmt: skip
        server.start()
        try:
            yield f"http://127.0.0.1:{server.port}{prefix}"
        finally:
            server.stop()
            for setting in ("secret_key", "sign_sessions", "auth_module"):
                type(settings).__dict__[setting].unset_value()
            vars(settings).pop("_secret_key_bytes", None)

    return serving
