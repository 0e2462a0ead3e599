"""A session's id is the server's to give: whoever brings one along is refused, and gets a page of his own without."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from bokeh.server.server import Server
from bokeh.settings import settings
from bokeh.util.token import generate_jwt_token, get_session_id
from panel.io.application import build_single_handler_application
from tornado.httpclient import AsyncHTTPClient, HTTPClientError
from tornado.ioloop import IOLoop
from tornado.websocket import websocket_connect

HOOKS = "from app.admission import sign_sessions\nfrom app.app_hooks import process_request\nsign_sessions()\n"
"""The rest of the app's hooks compile the mechanics, which a page without any needs not."""
PAGE = "import panel as pn\npn.pane.Str('A page').servable()\n"


@pytest.fixture
def answers(tmp_path: Path, run_async: Callable[[Coroutine[Any, Any, Any]], Any]) -> Callable[..., list[Any]]:
    """For requests (rest of the address, headers): the session that each is shown, or the status of its refusal."""
    (tmp_path / "app_hooks.py").write_text(HOOKS)
    (tmp_path / "main.py").write_text(PAGE)

    async def connected(port: int, token: str) -> Any:
        """What a websocket is first told that brings a token along: None if it is closed."""
        socket = await websocket_connect(f"ws://127.0.0.1:{port}/app/ws", subprotocols=["bokeh", token])
        return await socket.read_message()

    async def ask(requests: tuple[tuple[str, dict[str, str]], ...]) -> list[Any]:
        application = build_single_handler_application(tmp_path)
        signed = {
            "sign_sessions": settings.sign_sessions(),
            "secret_key": settings.secret_key_bytes(),
        }  # as panel serve
        server = Server({"/app": application}, io_loop=IOLoop.current(), port=0, address="127.0.0.1", **signed)
        server.start()
        found: list[Any] = []
        try:
            for rest, headers in requests:
                if rest.startswith("/ws?"):
                    found.append(await connected(server.port, rest.removeprefix("/ws?")))
                    continue
                address = f"http://127.0.0.1:{server.port}/app{rest}"
                try:
                    page = (await AsyncHTTPClient().fetch(address, headers=headers)).body.decode()
                    found.append(get_session_id(re.findall(r'"token":"([^"]+)"', page)[0]))
                except HTTPClientError as refusal:
                    found.append(refusal.code)
        finally:
            server.stop()
            for setting in ("secret_key", "sign_sessions"):
                type(settings).__dict__[setting].unset_value()
            vars(settings).pop("_secret_key_bytes", None)
        return found

    return lambda *requests: run_async(ask(requests))


@pytest.mark.parametrize(
    ("rest", "headers"),
    [
        ("?bokeh-session-id=ours", {}),
        ("?preset=panda&bokeh-session-id=", {}),
        ("", {"Bokeh-Session-Id": "ours"}),
        ("?bokeh-token={token}", {}),
        ("/autoload.js?bokeh-autoload-element=here&bokeh-session-id=ours", {}),
        ("/autoload.js?bokeh-autoload-element=here&bokeh-token={token}", {}),
    ],
)
def test_nobody_chooses_a_session(answers: Callable[..., list[Any]], rest: str, headers: dict[str, str]) -> None:
    rest = rest.format(token=generate_jwt_token("ours"))  # type: ignore[arg-type]
    assert answers((rest, headers), (rest, headers)) == [403, 403]


def test_no_websocket_brings_an_id_along_that_the_server_has_not_given(answers: Callable[..., list[Any]]) -> None:
    """Whoever knew how ids are written could agree with somebody on one, or leave it behind for him."""
    rest = f"/ws?{generate_jwt_token('ours')}"  # type: ignore[arg-type]
    assert answers((rest, {}), (rest, {})) == [None, None]


def test_everybody_else_has_a_page_of_his_own(answers: Callable[..., list[Any]]) -> None:
    first, second = answers(("?preset=panda", {}), ("?preset=panda", {}))
    assert len(first) == len(second) == 88  # half of it a signature
    assert first != second
