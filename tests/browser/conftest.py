"""A real browser, a real server, and pages that may neither complain nor call another host."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

ROOT = Path(__file__).resolve().parents[2]
SOFTWARE_GL = ["--disable-gpu", "--enable-unsafe-swiftshader"]
QUIET = [  # the address bar's suggestions are pages of their own, beside each that is opened
    "--no-sandbox", "--no-first-run", "--disable-quic", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup",
]  # fmt: skip
KEY = "a key that every process of one service shares"
OF_THE_DRIVER = "[.WebGL", "THREE.WebGLRenderer: WEBGL_lose_context extension not supported"
"""Warnings of software rendering: that it is slow, and what it has not got."""
CALM_DISPLAY = """(() => {
    const LEAST_MS = 200, next = window.requestAnimationFrame.bind(window)
    let [last, number, asked, waiting, due] = [-Infinity, 0, false, new Map(), new Map()]
    const picture = now => {
        last = now
        asked = false
        ;[due, waiting] = [waiting, new Map()]
        for (const [id, draw] of due) {
            due.delete(id)
            try { draw(now) } catch (error) { reportError(error) }
        }
    }
    window.requestAnimationFrame = draw => {
        waiting.set(number += 1, draw)
        const left = LEAST_MS - (performance.now() - last)
        if (!asked) left > 0 ? setTimeout(() => next(picture), left) : next(picture)
        asked = true
        return number
    }
    window.cancelAnimationFrame = id => { waiting.delete(id); due.delete(id) }
})()"""
"""A display that takes five pictures a second: each costs a processor that draws them tens of milliseconds."""
RETURNING = "try { localStorage.setItem('armsweep-first', 'met') } catch { /* no page of a site */ }"
"""A browser that was here before: no welcome card comes."""
SERVED = ("app",)
START_SECONDS = 300.0  # a cold compilation at server start included
PATIENCE = 120_000.0
"""Milliseconds, on a machine whose cores are busy."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A journey has time on a machine whose cores are busy."""
    for item in items:
        if item.path.parent == Path(__file__).parent:
            for mark in (pytest.mark.browser, pytest.mark.compiled_only, pytest.mark.timeout(900)):
                item.add_marker(mark)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="the Python package playwright is not installed")
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("chromium is not installed: apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=SOFTWARE_GL + QUIET)
        sync_api.expect.set_options(timeout=PATIENCE)
        yield browser
        browser.close()


@pytest.fixture
def new_page(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Callable[..., Page]]:
    """`new_page()` gives an empty page in a fresh context; see `calm` for its options.

    Console errors, errors of scripts and requests to other hosts fail the test when it ends.
    """
    made: list[tuple[Page, list[str], tuple[str, ...]]] = []
    failed = request.session.testsfailed

    def make(*, allowed: tuple[str, ...] = (), **options: Any) -> Page:
        page = calm(chromium, **options).new_page()
        made.append((page, watch(page), allowed))
        return page

    yield make
    if request.session.testsfailed > failed:
        for page, _, _ in made:
            describe(page)
    for page, _, _ in made:
        page.context.close()
    complaints = [line for _, lines, allowed in made for line in lines if not any(each in line for each in allowed)]
    assert not complaints, "\n".join(complaints)


@pytest.fixture
def open_page(new_page: Callable[..., Page], serve: Callable[[str], str]) -> Callable[..., Page]:
    """`open_page(query)` gives the app's page at this query in a fresh context, open and ready."""

    def make(query: str = "", **options: Any) -> Page:
        page = new_page(**options)
        visit(page, f"{serve('app')}?{query}")
        return page

    return make


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of the accessibility checker, which its Python package carries."""
    package = pytest.importorskip("axe_playwright_python", reason="the Python package axe-playwright-python is missing")
    return (Path(package.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def describe(page: Page) -> None:
    from playwright.sync_api import Error

    with suppress(Error):
        print(page.url, page.locator("body").aria_snapshot(timeout=5_000.0), sep="\n")


def calm(
    browser: Browser, *, few_pictures: bool = True, returning: bool = True, opening: bool = False, **options: Any
) -> BrowserContext:
    """A context of 1280 x 800, with options of Playwright's `new_context`.

    ``few_pictures``: five a second; ``returning``: no welcome card; ``opening``: a motion plays on the way.
    """
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **options})
    context.set_default_timeout(PATIENCE)
    if few_pictures:
        context.add_init_script(CALM_DISPLAY)
    if returning:
        context.add_init_script(RETURNING)
    if not opening:
        context.route("**/opening/*", lambda route: route.fulfill(status=204))
    return context


def watch(page: Page) -> list[str]:
    """A list that grows with everything the page must not do."""
    complaints: list[str] = []

    def check_host(url: str) -> None:
        parts = urlparse(url)
        if parts.scheme not in ("data", "blob", "about", "file") and parts.hostname not in ("127.0.0.1", "localhost"):
            complaints.append(f"request to another host: {url}")

    def check_message(kind: str, text: str) -> None:
        if kind == "error" or (kind == "warning" and not text.startswith(OF_THE_DRIVER)):
            complaints.append(f"console {kind}: {text}")

    page.on("console", lambda message: check_message(message.type, message.text))
    page.on("pageerror", lambda error: complaints.append(f"uncaught: {error.stack or error}"))
    page.on("request", lambda request: check_host(request.url))
    page.on("websocket", lambda socket: check_host(socket.url))
    return complaints


def visit(page: Page, url: str) -> None:
    """Opens the app, and waits until it is all there."""
    page.goto(url, timeout=PATIENCE)
    page.locator("#opening").wait_for(state="detached", timeout=PATIENCE)


def reload(page: Page) -> None:
    page.reload()
    page.locator("#opening").wait_for(state="detached", timeout=PATIENCE)


def pages(folder: Path) -> Path:
    """A folder that stands for the built documentation: a page may lead there."""
    built = folder / "documentation"
    (built / "reference").mkdir(parents=True, exist_ok=True)
    for name in ("index.html", "reference/quantities.html"):
        (built / name).write_text("<!doctype html><html lang='en'><title>A page</title><h1>A built page</h1></html>")
    return built


class Server:
    """`panel serve` of files or folders, in a process group of its own."""

    def __init__(self, targets: Sequence[str], log: Path, port: int = 0) -> None:
        if not port:
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                port = probe.getsockname()[1]
        self.port = port
        self.log = log
        command = [sys.executable, "-m", "panel", "serve", *targets, "--port", str(port), "--address", "127.0.0.1"]
        command += ["--allow-websocket-origin", f"127.0.0.1:{port}"]
        own = {
            **os.environ,
            "BOKEH_SECRET_KEY": KEY,
            "ARMSWEEP_FRAMES": "anyone",
            "ARMSWEEP_DOCUMENTATION": str(pages(log.parent)),
        }
        with log.open("w") as file:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=own, stdout=file, stderr=subprocess.STDOUT, start_new_session=True
            )
        try:
            self._wait(f"http://127.0.0.1:{port}/health")
        except BaseException:
            self.stop()
            raise

    def _wait(self, address: str) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise RuntimeError(f"the server stopped with {self.process.returncode}:\n{self.log.read_text()}")
            try:
                with urllib.request.urlopen(address, timeout=5):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.5)
        raise RuntimeError(f"the server was not ready after {START_SECONDS:g} s:\n{self.log.read_text()}")

    def url(self, name: str) -> str:
        return f"http://127.0.0.1:{self.port}/{name}"

    def stop(self) -> None:
        for sign in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, sign)
                self.process.wait(timeout=1)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                continue

    def tracebacks(self) -> list[str]:
        """Errors in the server's log; a page that closed while a frame was on its way is none."""
        blocks = re.split(r"(?=Traceback \(most recent call last\))", self.log.read_text())[1:]
        return [block for block in blocks if not re.search(r"(WebSocket|Stream)ClosedError", block)]


@pytest.fixture(scope="session")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], str]]:
    """`serve("app")` gives the URL of the app's page; one server for all tests of a process."""
    servers: list[Server] = []

    def start(name: str) -> str:
        if not servers:
            servers.append(Server(SERVED, tmp_path_factory.mktemp("server") / "log.txt"))
        return servers[0].url(name)

    yield start
    for server in servers:
        server.stop()
    errors = [block for server in servers for block in server.tracebacks()]
    assert not errors, "\n".join(errors)
