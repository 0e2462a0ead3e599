"""A session's id is the server's to give, and a page's token works only in the browser that was given the page."""

import re
from collections.abc import Callable, Coroutine
from functools import partial
from http.cookies import SimpleCookie
from typing import Any

import pytest
from bokeh.util.token import generate_jwt_token, get_session_id, get_token_payload
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.websocket import websocket_connect

from app.admission import BROWSER
from tests.app.service.conftest import Serve

TOKEN = r'"token":"([^"]+)"'


@pytest.fixture
def answers(serve: Serve, run_async: Callable[[Coroutine[Any, Any, Any]], Any]) -> Callable[..., list[Any]]:
    """For requests (rest of the address, headers): the session that each is shown, or the status of its refusal."""

    async def connected(address: str, token: str, headers: dict[str, str]) -> Any:
        """What a websocket is first told that brings a token along: None if it is closed."""
        request = HTTPRequest(f"{address.replace('http', 'ws', 1)}/app/ws", headers=headers)
        socket = await websocket_connect(request, subprotocols=["bokeh", token])
        return await socket.read_message()

    async def answer(address: str, rest: str, headers: dict[str, str], joins: Any) -> Any:
        if rest.startswith("/ws?"):
            return await connected(address, rest.removeprefix("/ws?"), headers)
        answer = await AsyncHTTPClient().fetch(f"{address}/app{rest}", headers=headers)
        page = answer.body.decode()
        if joins is None:
            return get_session_id(re.findall(TOKEN, page)[0])
        return await joins(page, answer.headers, partial(connected, address))

    async def ask(requests: tuple[tuple[str, dict[str, str]], ...], joins: Any = None) -> list[Any]:
        found: list[Any] = []
        async with serve() as address:
            for rest, headers in requests:
                try:
                    found.append(await answer(address, rest, headers, joins))
                except HTTPClientError as refusal:
                    found.append(refusal.code)
        return found

    return lambda *requests, **joins: run_async(ask(requests, **joins))


def test_a_session_of_the_visitors_choice_is_refused(answers: Callable[..., list[Any]]) -> None:
    for rest, headers in (
        ("?bokeh-session-id=ours", {}), ("?preset=panda&bokeh-session-id=", {}), ("", {"Bokeh-Session-Id": "ours"}),
        ("?bokeh-token={token}", {}), ("/autoload.js?bokeh-autoload-element=here&bokeh-session-id=ours", {}),
        ("/autoload.js?bokeh-autoload-element=here&bokeh-token={token}", {}),
    ):  # fmt: skip
        rest = rest.format(token=generate_jwt_token("ours"))  # type: ignore[arg-type]
        assert answers((rest, headers), (rest, headers)) == [403, 403]


def test_a_websocket_with_a_foreign_session_id_is_refused(answers: Callable[..., list[Any]]) -> None:
    """Else a visitor could choose an id together with another, or leave it behind for them."""
    rest = f"/ws?{generate_jwt_token('ours')}"  # type: ignore[arg-type]
    assert answers((rest, {}), (rest, {}), ("/ws?nonsense", {}), ("/ws?", {})) == [403] * 4


def test_only_the_browser_of_a_page_joins_its_session(answers: Callable[..., list[Any]]) -> None:
    """Its token, copied out of its text, is of no use elsewhere; nor does that text say how its browser is known."""

    async def joins(page: str, headers: Any, connected: Callable[..., Any]) -> list[Any]:
        token = re.findall(TOKEN, page)[0]
        (cookie,) = SimpleCookie(headers["Set-Cookie"]).values()
        assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/")
        assert cookie.value not in page + str(get_token_payload(token))
        found: list[bool | int] = []
        for value in (cookie.value, "", "x" * len(cookie.value), None):
            try:
                own = {} if value is None else {"Cookie": f"{BROWSER}-of-another-tab=1; {cookie.key}={value}"}
                found.append("ACK" in await connected(token, own))
            except HTTPClientError as refusal:
                found.append(refusal.code)
        return found

    assert answers(("", {}), joins=joins) == [[True, 403, 403, 403]]


def test_a_known_browser_keeps_its_cookie_and_shows_it_to_no_page(answers: Callable[..., list[Any]]) -> None:
    """Two tabs of one browser, and what a lost connection comes back with."""
    own = {"Cookie": f"{BROWSER}=of-this-browser; another=of-this-host"}

    async def joins(page: str, headers: Any, connected: Callable[..., Any]) -> bool:
        token = re.findall(TOKEN, page)[0]
        assert "Set-Cookie" not in headers
        assert "of-this" not in page + str(get_token_payload(token))
        return "ACK" in await connected(token, own)

    assert answers(("", own), ("?preset=panda", own), joins=joins) == [True, True]


def test_a_page_in_one_of_another_site_needs_no_cookie(answers: Callable[..., list[Any]]) -> None:
    """Browsers would not lend it one."""
    for rest, headers in [("", {"Armsweep-Embedded": "1"}), ("/autoload.js?bokeh-autoload-element=here", {})]:

        async def joins(page: str, headers: Any, connected: Callable[..., Any]) -> bool:
            assert "Set-Cookie" not in headers
            return "ACK" in await connected(re.findall(r"[\"']token[\"']:\s*[\"']([^\"']+)", page)[0], {})

        assert answers((rest, headers), joins=joins) == [True]


def test_every_visitor_has_a_session_of_their_own(answers: Callable[..., list[Any]]) -> None:
    first, second = answers(("?preset=panda", {}), ("?preset=panda", {}))
    assert len(first) == len(second) == 88  # half of it a signature
    assert first != second


def test_an_opened_address_gets_its_first_motion_and_no_session(answers: Callable[..., list[Any]]) -> None:
    async def first(page: str, headers: Any, _: Callable[..., Any]) -> list[object]:
        begin = re.search(r'"preset": "(\w+)"', page)
        return [begin and begin[1], "data-embedded" in page, "token" in page, "Set-Cookie" in headers, headers["Vary"]]

    embedded = {"Sec-Fetch-Dest": "iframe", "Sec-Fetch-Site": "cross-site"}
    asked = ("?preset=panda", {"Sec-Fetch-Dest": "document"}), ("", embedded)
    assert answers(*asked, joins=first) == [
        ["panda", False, False, False, "Sec-Fetch-Dest"], ["iiwa14", True, False, False, "Sec-Fetch-Dest"],
    ]  # fmt: skip
