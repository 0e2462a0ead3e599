"""Scripts and styles travel packed to whoever takes that, and are the same afterwards; messages of a page, too."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from tornado.httpclient import AsyncHTTPClient, HTTPRequest, HTTPResponse
from tornado.websocket import websocket_connect

from app.service.packed import packed, serve_packed
from tests.app.service.conftest import Serve

Run = Callable[[Coroutine[Any, Any, Any]], Any]
TEXT = "const word = 'packed'\n" * 1000


@pytest.fixture(autouse=True)
def served(tmp_path: Path) -> Path:
    """A folder that the server gives to anybody, beside a file that it must not give."""
    folder = tmp_path / "given"
    folder.mkdir()
    (folder / "own.js").write_text(TEXT)
    (folder / "own.bin").write_bytes(bytes(1000))
    (tmp_path / "secret.js").write_text("secret")
    (tmp_path / "given_not").mkdir()
    (tmp_path / "given_not" / "other.js").write_text("secret")
    (folder / "link.js").symlink_to(tmp_path / "secret.js")
    serve_packed("given", folder)
    serve_packed("given", folder)  # the hooks of an app run twice
    return folder


async def get(address: str, packs: bool = True, method: str = "GET", **headers: str) -> HTTPResponse:
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    given |= {"Accept-Encoding": "gzip, deflate"} if packs else {}
    request = HTTPRequest(address, method=method, headers=given, decompress_response=False)
    return await AsyncHTTPClient().fetch(request, raise_error=False)


PLACES = "static/extensions/given/own.js", "static/js/bokeh.min.js", "static/extensions/panel/panel.min.js"


@pytest.mark.parametrize("prefix", ["", "/arms"])
@pytest.mark.parametrize("place", PLACES)
def test_a_script_is_the_same_packed(serve: Serve, run_async: Run, prefix: str, place: str) -> None:
    async def live() -> None:
        async with serve(prefix) as address:
            plain, small = await get(f"{address}/{place}", packs=False), await get(f"{address}/{place}")
            assert (plain.code, small.code) == (200, 200)
            assert "Content-Encoding" not in plain.headers
            assert small.headers["Content-Encoding"] == "gzip"
            assert {plain.headers["Vary"], small.headers["Vary"]} == {"Accept-Encoding"}
            assert plain.headers["Content-Type"] == small.headers["Content-Type"]
            assert len(small.body) == int(small.headers["Content-Length"]) < len(plain.body) / 2
            assert gzip.decompress(small.body) == plain.body
            assert plain.headers["Etag"] != small.headers["Etag"]

    run_async(live())


def test_what_a_browser_has_is_not_sent_again(serve: Serve, run_async: Run) -> None:
    async def live() -> None:
        async with serve() as address:
            script = f"{address}/{PLACES[0]}"
            for packs in (True, False):
                first = await get(script, packs)
                again = await get(script, packs, If_None_Match=first.headers["Etag"])
                assert (again.code, again.body) == (304, b"")
            head = await get(script, method="HEAD")
            assert (head.code, head.body) == (200, b"")
            assert int(head.headers["Content-Length"]) == len((await get(script)).body)

    run_async(live())


def test_parts_and_other_files_are_sent_as_they_are(serve: Serve, run_async: Run) -> None:
    async def live() -> None:
        async with serve() as address:
            part = await get(f"{address}/{PLACES[0]}", Range="bytes=6-9")
            assert (part.code, part.body) == (206, TEXT[6:10].encode())
            whole = await get(f"{address}/static/extensions/given/own.bin")
            assert (whole.body, whole.headers.get("Content-Encoding")) == (bytes(1000), None)

    run_async(live())


@pytest.mark.parametrize(
    "name", ["../secret.js", "..%2fsecret.js", "../given_not/other.js", "none.js", "link.js", "/etc/passwd.js"]
)
@pytest.mark.parametrize("packs", [True, False])
def test_nothing_outside_the_folder_is_given(serve: Serve, run_async: Run, name: str, packs: bool) -> None:
    async def live() -> None:
        async with serve() as address:
            answer = await get(f"{address}/static/extensions/given/{name}", packs)
            assert answer.code in (403, 404)
            assert b"secret" not in answer.body

    run_async(live())


def test_a_file_that_was_written_anew_is_packed_anew(served: Path) -> None:
    script = served / "own.js"
    before = packed(str(script), script.stat().st_mtime_ns)
    script.write_text("other")
    assert gzip.decompress(packed(str(script), before and script.stat().st_mtime_ns + 1)) == b"other"


def test_messages_of_a_page_travel_packed(serve: Serve, run_async: Run) -> None:
    async def live() -> None:
        async with serve() as address:
            page = await get(f"{address}/app", packs=False)
            token = re.search(r'"token":"([^"]+)"', page.body.decode())
            assert token is not None
            cookie = page.headers["Set-Cookie"].partition(";")[0]
            for wanted in ({}, None):
                request = HTTPRequest(f"ws{address.removeprefix('http')}/app/ws", headers={"Cookie": cookie})
                socket = await websocket_connect(request, subprotocols=["bokeh", token[1]], compression_options=wanted)
                found = socket.headers.get("Sec-WebSocket-Extensions", "")
                assert ("permessage-deflate" in found) == (wanted is not None)
                assert '"ACK"' in str(await socket.read_message())
                socket.close()

    run_async(live())
