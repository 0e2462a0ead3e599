"""What a page says and does when its server is late, silent, gone or full; the picture goes on, and it comes back."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from app.motion.presets import PRESETS
from app.service.addresses import have_wait
from app.service.gate import Refusal
from app.views.playback import INTERVAL
from tests.browser.conftest import calm, visit
from tests.browser.test_address import CANVAS
from tests.browser.test_page import PATIENCE, shown_time, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route, WebSocketRoute

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
WHOLE = PRESETS["planar_chain"].duration / INTERVAL
"""Instants of the run that the tests play."""
WORD = "[data-armsweep-connection]"


class Silence:
    """A websocket between page and server that can fall silent: what is said then arrives later."""

    def __init__(self) -> None:
        self._kept: list[Callable[[], None]] = []
        self.holds = False

    def __call__(self, browser: WebSocketRoute) -> None:
        server = browser.connect_to_server()
        browser.on_message(lambda message: self._pass(lambda: server.send(message)))
        server.on_message(lambda message: self._pass(lambda: browser.send(message)))

    def _pass(self, send: Callable[[], None]) -> None:
        if self.holds:
            self._kept.append(send)
        else:
            send()

    def end(self) -> None:
        self.holds = False
        kept, self._kept = self._kept, []
        for send in kept:
            send()


@pytest.fixture
def health() -> dict[str, Any]:
    """What the server answers when it is asked for its health."""
    return {"status": 200, "headers": {}}


def play(page: Page, address: str, silence: Silence, health: dict[str, Any]) -> None:
    page.route("**/health", lambda route: route.fulfill(body=json.dumps({}), **health) if health else route.abort())
    page.route_web_socket("**/ws*", silence)
    visit(page, f"{address}?preset=planar_chain&play=1")
    canvas = page.locator(CANVAS)
    canvas.wait_for(timeout=60_000.0)
    wait_until(page, lambda: int(canvas.get_attribute("data-instants") or 0) > WHOLE, 60_000.0)
    page.evaluate("window.here = true")


def test_a_server_that_is_silent_is_told_and_what_comes_late_heals_it(
    chromium: Browser, serve: Callable[[str], str], health: dict[str, Any]
) -> None:
    """First its machine is not reached at all, then it only is late; the page stays, and plays."""
    silence = Silence()
    context = calm(chromium)
    page = context.new_page()
    play(page, serve("app"), silence, health)
    answered = dict(health)
    health.clear()
    silence.holds = True
    page.evaluate("dispatchEvent(new Event('offline'))")
    word = page.locator(WORD)
    word.filter(has_text="is lost").wait_for(timeout=PATIENCE)
    assert word.get_attribute("role") == "alert"
    before = shown_time(page)
    wait_until(page, lambda: shown_time(page) != before)
    health.update(answered)
    word.filter(has_text="The server is late").wait_for(timeout=PATIENCE)
    silence.end()
    word.wait_for(state="detached", timeout=PATIENCE)
    assert page.evaluate("window.here") is True
    context.close()


def test_a_websocket_that_is_dead_is_left_and_a_full_server_is_waited_for(
    chromium: Browser, serve: Callable[[str], str], health: dict[str, Any]
) -> None:
    """Others are answered, it is not: then the page comes back, as soon as there is room, to where its picture is."""
    silence = Silence()
    context = calm(chromium)
    page = context.new_page()
    play(page, serve("app"), silence, health)
    silence.holds = True
    page.evaluate("dispatchEvent(new Event('offline'))")
    word = page.locator(WORD)
    word.filter(has_text="is lost").wait_for(timeout=60_000.0)
    health.update(status=503, headers={"Retry-After": "1"})
    word.filter(has_text="others are served first").wait_for(timeout=60_000.0)
    at = shown_time(page)
    wait_until(page, lambda: shown_time(page) != at)
    assert page.evaluate("window.here") is True
    silence.holds = False
    health.update(status=200, headers={})
    page.wait_for_function("window.here === undefined", timeout=60_000.0)
    page.locator(CANVAS).wait_for(timeout=60_000.0)
    wait_until(page, lambda: shown_time(page) > 0.0)
    assert "preset=planar_chain" in page.url
    context.close()


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


def test_who_is_asked_to_wait_comes_in_when_there_is_room(chromium: Browser) -> None:
    full = Answer()
    have_wait(full, Refusal("sessions", "All places of this server are taken.", 1.0))  # type: ignore[arg-type]
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        healths = sum("/health" in url for url in asked)
        if route.request.url.endswith("/arms/health"):
            route.fulfill(status=503 if healths < 2 else 200, body="{}")
        elif healths < 2:
            route.fulfill(status=full.status, headers=full.headers, body=full.body)
        else:
            route.fulfill(body="<title>Come in</title>", content_type="text/html")

    context = chromium.new_context()
    page = context.new_page()
    page.route("**/*", answer)
    page.goto("http://127.0.0.1:9/arms/app?preset=panda&t=1.5")
    page.get_by_role("heading", name="Full just now").wait_for()
    page.get_by_text("All places of this server are taken.").wait_for()
    page.get_by_text("Last tried at").wait_for()
    page.wait_for_function("document.title === 'Come in'")
    assert page.url.endswith("/arms/app?preset=panda&t=1.5")
    assert asked.count("http://127.0.0.1:9/arms/health") == 2
    context.close()
