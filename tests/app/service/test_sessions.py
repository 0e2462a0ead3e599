"""Visitors are admitted within limits, and send files within theirs."""

import asyncio
import json
import logging
import re
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from bokeh.embed.bundle import extension_dirs
from prometheus_client.parser import text_string_to_metric_families
from tornado.httpclient import AsyncHTTPClient, HTTPRequest, HTTPResponse
from tornado.websocket import WebSocketClientConnection, websocket_connect

from app.service import routes, websocket
from app.service.limits import Allowance, Limits, SettingError, read
from app.service.routes import DOCUMENTATION, FIRST, NAME, QUANTITIES, documentation_address, serve_documentation
from app.service.sessions import FULL, STARTING, Sessions, sessions
from tests.app.service.conftest import Serve


def ready(**limits: int) -> Sessions:
    made = Sessions(Limits(**limits))
    made.is_ready = True
    return made


def test_a_full_server_refuses_and_a_place_that_is_left_is_taken() -> None:
    sessions = ready(sessions=2)
    for session in ("a", "b"):
        assert sessions.admit() is None
        sessions.opened(session)
    assert sessions.admit() is FULL
    sessions.closed("a")
    sessions.closed("a")  # twice is once
    sessions.closed("never opened")
    assert (len(sessions), sessions.admit()) == (1, None)
    assert Sessions(Limits()).admit() is STARTING


def test_a_page_takes_so_many_files_a_minute() -> None:
    now = 0.0
    page = Allowance(2.0, lambda: now)
    assert [page.takes_upload() for _ in range(3)] == [True, True, False]
    now = 60.0
    assert page.takes_upload()


def test_limits_come_from_the_environment_and_nonsense_is_refused_by_name() -> None:
    assert read({}) == Limits()
    assert Limits().sessions >= 100  # a class comes in
    found = read({"ARMSWEEP_SESSIONS": "3", "ARMSWEEP_STUDYING": "0.25", "OTHER": "x"})
    assert found == Limits(sessions=3, studying=0.25)
    for name, value in (
        *(("SESSIONS", wrong) for wrong in ("many", "2.5", "0")),
        *(("STUDYING", "-1"), ("STUDYING", "nan"), ("STUDYING", "inf"), ("UPLOADS", "")),
    ):
        with pytest.raises(SettingError, match=rf"ARMSWEEP_{name} is '{value}'; it must be a"):
            read({f"ARMSWEEP_{name}": value})


@pytest.fixture(autouse=True)
def mounted() -> None:
    routes.add_routes(routes.ROUTES)
    routes.add_routes(routes.ROUTES)  # the hooks of an app run twice


async def get(address: str, **headers: str) -> HTTPResponse:
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    return await AsyncHTTPClient().fetch(HTTPRequest(address, headers=given), raise_error=False)


def figures(answer: HTTPResponse) -> dict[str, float]:
    return {
        sample.name + "".join(sample.labels.values()): sample.value
        for family in text_string_to_metric_families(answer.body.decode())
        for sample in family.samples
    }


async def test_health_makes_no_session_and_counters_count(serve: Serve) -> None:
    for prefix in ("", "/arms"):
        async with serve(prefix, sessions=1) as address:
            before = figures(await get(f"{address}/metrics"))
            ready = await get(f"{address}/health")
            assert (ready.code, json.loads(ready.body)) == (200, {"status": "ready", "sessions": 0})
            assert [(await get(f"{address}/app")).code for _ in range(2)] == [200, 503]
            full = await get(f"{address}/health")
            assert (full.code, json.loads(full.body)) == (503, {"status": "sessions", "sessions": 1})
            assert int(full.headers["Retry-After"]) > 0
            after = figures(await get(f"{address}/metrics"))
            for name in ("sessions_opened_total", "sessions_refused_totalsessions", "sessions_open"):
                assert after[f"armsweep_{name}"] - before.get(f"armsweep_{name}", 0.0) == 1, name
            sessions().is_ready = False
            assert json.loads((await get(f"{address}/health")).body)["status"] == "starting"


async def test_a_visitor_too_many_gets_a_page_that_tries_again(serve: Serve) -> None:
    async with serve(sessions=1) as address:
        first = await get(f"{address}/app?preset=panda")
        assert (first.code, first.headers["X-Content-Type-Options"]) == (200, "nosniff")
        assert first.headers["Referrer-Policy"] == "same-origin"
        assert first.headers["Content-Security-Policy"] == "frame-ancestors 'self'"
        page = await get(f"{address}/app?preset=%3Cscript%3E")
        assert page.code == 503
        assert int(page.headers["Retry-After"]) > 0
        assert "no-store" in page.headers["Cache-Control"]
        text = page.body.decode()
        assert "All places on this server are taken." in text
        assert "location.reload()" in text
        assert not re.findall(r"(?:src|href)=", text)  # one answer is all that it costs
        assert "{{" not in text
        assert "<script>" not in text.replace("<script>", "", 1)
        assert len(page.body) < 3000
        embedded = await get(f"{address}/app/autoload.js?bokeh-autoload-element=here")
        assert embedded.code == 503


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "pages"
    for page in (FIRST, QUANTITIES):
        (folder / page).parent.mkdir(parents=True, exist_ok=True)
        (folder / page).write_text(f"<h1>{page}</h1>")
    (tmp_path / "secret.html").write_text("secret")
    monkeypatch.setenv(DOCUMENTATION, str(folder))
    before = extension_dirs.pop(NAME, None)
    yield folder
    extension_dirs.pop(NAME, None)
    if before is not None:
        extension_dirs[NAME] = before


async def test_the_documentation_is_served_where_the_page_links_to_it(
    serve: Serve, built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve_documentation()
    for prefix in ("", "/arms"):
        async with serve(prefix) as address:
            for page in (FIRST, QUANTITIES):  # seen from .../app, as a browser does
                answer = await get(f"{address}/{documentation_address(page)}")
                assert (answer.code, answer.body.decode()) == (200, f"<h1>{page}</h1>")
            outside = await get(f"{address}/{documentation_address(FIRST)}/../../secret.html")
            assert outside.code in (403, 404)
    monkeypatch.setenv(DOCUMENTATION, str(built.parent))
    with pytest.raises(SettingError, match=rf"{DOCUMENTATION} is .*no {FIRST}"):
        serve_documentation()


INFO = ({"msgid": "1", "msgtype": "SERVER-INFO-REQ"}, {}, {})


@asynccontextmanager
async def page_of(address: str) -> AsyncIterator[WebSocketClientConnection]:
    """A page's websocket, acknowledged."""
    answer = await AsyncHTTPClient().fetch(f"{address}/app")
    token = re.findall(r'"token":"([^"]+)"', answer.body.decode())[0]
    cookie = "; ".join(one.partition(";")[0] for one in answer.headers.get_list("Set-Cookie"))
    request = HTTPRequest(f"{address.replace('http', 'ws', 1)}/app/ws", headers={"Cookie": cookie})
    socket = await websocket_connect(request, subprotocols=["bokeh", token])
    await heard(socket)
    yield socket
    socket.close()


async def heard(socket: WebSocketClientConnection) -> bool:
    """Takes an answer, and says whether there was one."""
    for _ in range(3):
        if await socket.read_message() is None:
            return False
    return True


def say(socket: WebSocketClientConnection, parts: Sequence[object] = INFO) -> None:
    for part in parts:
        socket.write_message(part if isinstance(part, str | bytes) else json.dumps(part), isinstance(part, bytes))


async def test_a_flood_is_slowed_down_and_others_are_served_between(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("BURST", 0.1), ("PERIOD", 1.0), ("LEAST", 1e-3)):
        monkeypatch.setattr(websocket, name, value)
    async with serve() as address, page_of(address) as flood, page_of(address) as other:
        begun = time.monotonic()
        for _ in range(60):
            say(flood)
        say(other)
        answers = asyncio.create_task(answered(flood, 60))
        assert await heard(other)
        assert not answers.done()
        await answers
        assert time.monotonic() - begun > 0.7, "180 frames count 180 ms, of which a tenth of a second is free"
        say(other)
        assert await heard(other)


async def answered(socket: WebSocketClientConnection, count: int) -> None:
    for _ in range(count):
        assert await heard(socket)


def test_a_mouse_on_a_fast_screen_is_never_delayed() -> None:
    now = 0.0
    seconds = websocket.TokenBucket(websocket.BURST, websocket.PERIOD, lambda: now)
    for _ in range(10_000):
        seconds.take(3 * websocket.LEAST + 0.75e-3)
        assert seconds.left > websocket.BURST / 2.0
        now += 1.0 / 144.0


PATCH = {"msgid": "1", "msgtype": "PATCH-DOC"}
MALFORMED: dict[str, Sequence[object]] = {
    "no JSON": ("{", "{}", "{}"),
    "a header that is a list": ([], {}, {}),
    "a header without a type": ({"msgid": "1"}, {}, {}),
    "an unknown type": ({"msgid": "1", "msgtype": "NOTHING"}, {}, {}),
    "a type that is none": ({"msgid": "1", "msgtype": ["PATCH-DOC"]}, {}, {}),
    "bytes for a header": (b"{}",),
    "a reply": ({"msgid": "1", "msgtype": "PULL-DOC-REPLY"}, {}, {}),
    "no id": ({"msgtype": "PULL-DOC-REQ"}, {}, {}),
    "no events": (PATCH, {}, {}),
    "events that are none": (PATCH, {}, {"events": [1]}),
    "an unknown model": (PATCH, {}, {"events": [
        {"kind": "ModelChanged", "model": {"id": "nobody"}, "attr": "x", "new": 1}]}),
    "an unknown kind": (PATCH, {}, {"events": [{"kind": "Nothing"}]}),
    "content that is a list": (PATCH, {}, []),
    "buffers that are no number": ({**PATCH, "num_buffers": "x"}, {}, {"events": []}),
    "a buffer without an id": ({**PATCH, "num_buffers": 1}, {}, {"events": []}, {}, b""),
    "a buffer that is no object": ({**PATCH, "num_buffers": 1}, {}, {"events": []}, 3, b""),
    "a document": ({"msgid": "1", "msgtype": "PUSH-DOC"}, {}, {"doc": {}}),
}  # fmt: skip


async def test_malformed_messages_leave_no_traceback(serve: Serve, caplog: pytest.LogCaptureFixture) -> None:
    """Each to a page of its own, which goes on or whose connection is closed; other pages go on."""
    async with serve() as address, page_of(address) as other:
        for case, parts in MALFORMED.items():
            caplog.clear()
            async with page_of(address) as page:
                say(page, parts)
                say(page)
                goes_on = await heard(page)
            told = [record for record in caplog.records if record.levelno >= logging.WARNING]
            assert 1 <= len(told) <= 2 * len([*parts, *INFO]) if case != "a reply" else not told, case
            assert not any(record.exc_info for record in told), case
            assert all(record.getMessage().startswith("what a browser asked for") for record in told), case
            assert goes_on or page.close_code, case
            say(other)
            assert await heard(other)
