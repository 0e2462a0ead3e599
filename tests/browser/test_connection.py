"""What a page says and does when its server is killed or full; the picture goes on, and it comes back."""

import asyncio
import re
import signal
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs

from bokeh.protocol import Protocol
from bokeh.util.token import generate_jwt_token, generate_session_id
from playwright.sync_api import Page, Route
from tornado.websocket import websocket_connect

from app.motion.presets import PRESETS
from app.service.routes import turn_away
from app.service.sessions import Refusal
from app.views.playback import INTERVAL
from tests.browser.conftest import KEY, PATIENCE, Server, visit
from tests.browser.moment import address, shown_time, wait_until
from tests.browser.picture import CANVAS, data
from tests.conftest import run_apart

LENGTH = PRESETS["planar_chain"].duration
WHOLE = LENGTH / INTERVAL
"""Instants of the run that the tests play."""
REFUSED = (
    "net::ERR", "status of 503", "WebSocket connection to", "[bokeh", "Failed to load", "Lost websocket",
    "close code",
)  # fmt: skip
"""What the console says of a connection that is cut on purpose."""
LEFT = """
window.asked = location.search // what each page is opened with
let moment = null // and where the one before it was left
document.addEventListener("armsweep:moment", ({ detail }) => { moment = detail.time })
document.addEventListener("armsweep:leave", () => { sessionStorage.left = moment.toFixed(3) })
"""


def test_a_killed_server_stops_no_picture_and_comes_back_to_it(new_page: Callable[..., Page], tmp_path: Path) -> None:
    server = Server(["app"], tmp_path / "first.txt")
    again: Server | None = None
    page = new_page(allowed=REFUSED)
    try:
        page.add_init_script(LEFT)
        visit(page, f"{server.url('app')}?preset=planar_chain&play=1")
        page.locator(CANVAS).wait_for()
        wait_until(page, lambda: float(data(page).get("instants", 0)) > WHOLE)
        wait_until(page, lambda: "t" in address(page))
        server.process.send_signal(signal.SIGKILL)
        lost = page.get_by_role("alert").get_by_text("connection to the server is lost")
        lost.wait_for()
        at = shown_time(page)
        server.stop()
        wait_until(page, lambda: (shown_time(page) - at) % LENGTH > 1.0)  # the picture goes on without a server
        again = Server(["app"], tmp_path / "second.txt", port=server.port)
        lost.wait_for(state="detached")
        page.locator("#opening").wait_for(state="detached")
        asked = parse_qs(str(page.evaluate("asked")).lstrip("?"))
        assert asked["preset"] == ["planar_chain"]
        assert asked["t"] == [page.evaluate("sessionStorage.left")]  # where the picture went meanwhile
        assert asked["play"] == ["1"]
        page.locator(CANVAS).wait_for()
        before = shown_time(page)
        wait_until(page, lambda: shown_time(page) != before)
    finally:
        page.context.close()
        server.stop()
        if again is not None:
            again.stop()


class Answer:
    """Stands where Tornado's handler does."""

    def __init__(self) -> None:
        self.status, self.headers, self.body = 200, dict[str, str](), ""

    def set_status(self, status: int) -> None:
        self.status = status

    def set_header(self, name: str, value: str) -> None:
        self.headers[name] = value

    def finish(self, body: str) -> None:
        self.body = body


def test_a_person_who_is_asked_to_wait_comes_in_when_there_is_room(new_page: Callable[..., Page]) -> None:
    full = Answer()
    turn_away(full, Refusal("sessions", "All places on this server are taken.", 1.0))  # type: ignore[arg-type]
    asked: list[str] = []
    has_room: list[bool] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        if route.request.url.endswith("/arms/health"):
            route.fulfill(status=200 if has_room else 503, body="{}")
        elif not has_room:
            route.fulfill(status=full.status, headers=full.headers, body=full.body)
        else:
            route.fulfill(body="<title>Come in</title>", content_type="text/html")

    page = new_page(allowed=REFUSED)
    page.route("**/*", answer)
    page.goto("http://127.0.0.1:9/arms/app?preset=panda&t=1.5")
    page.get_by_role("heading", name="Full just now").wait_for()
    page.get_by_text("All places on this server are taken.").wait_for()
    page.get_by_text("Last tried at").wait_for()
    has_room.append(True)
    page.wait_for_function("document.title === 'Come in'")
    assert page.url.endswith("/arms/app?preset=panda&t=1.5")
    assert asked.count("http://127.0.0.1:9/arms/health") >= 2


async def pulled(url: str) -> str:
    """The document of a session that its websocket opens, as JSON."""
    key = KEY.encode()  # which the one that has sent the page shares with this one
    token = generate_jwt_token(generate_session_id(key, signed=True), key, signed=True)
    socket = await websocket_connect(f"{url.replace('http', 'ws', 1)}/ws", subprotocols=["bokeh", token])

    async def told(word: str) -> str:
        while True:
            answer = await asyncio.wait_for(socket.read_message(), PATIENCE / 1e3)
            assert answer is not None
            if isinstance(answer, str) and word in answer:
                return answer

    await told('"ACK"')  # the server has made the session, and listens
    question = Protocol().create("PULL-DOC-REQ")
    for part in (question.header_json, question.metadata_json, question.content_json):
        await socket.write_message(part)
    document = await told('"roots"')
    socket.close()
    return document


def test_a_session_opened_by_its_websocket_asks_no_other_host(serve: Callable[[str], str]) -> None:
    """As where several processes serve, and another one has sent the page."""
    document = run_apart(pulled(serve("app")))
    sheets = re.findall(r'"([^"\s\\]+\.css[^"\s\\]*)"', document)
    assert sheets
    assert [url for url in sheets if "//" in url] == []
