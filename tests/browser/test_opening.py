"""Before the page has come its machine moves; the page goes on from there, and takes what its user does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.conftest import watch
from tests.browser.test_page import PATIENCE, shown_time, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
SLOW = {"offline": False, "latency": 200, "downloadThroughput": 250_000, "uploadThroughput": 250_000}
"""2 Mbit/s, 200 ms."""
FAST = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
WAITING = "The rest of the page is on its way…", "The page is being put together…"
LOG = """
window.told = []
document.addEventListener("armsweep:moment", ({detail}) => told.push([typeof Bokeh !== "undefined", detail.time]))
document.addEventListener("armsweep:seek", ({detail}) => { window.handed = detail.time; window.before = told.length })
"""
SHOWN = "() => !!document.getElementById('opening')"


@pytest.fixture
def fresh(chromium: Browser) -> Iterator[Page]:
    """A page of a browser that has been nowhere."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    complaints = watch(page)
    page.add_init_script(LOG)
    yield page
    context.close()
    assert not complaints, "\n".join(complaints)


def whole(page: Page) -> None:
    page.locator("#opening").wait_for(state="detached", timeout=60_000)


def told(page: Page) -> list[tuple[bool, float]]:
    return [(bool(there), float(time)) for there, time in page.evaluate("window.told")]


def test_on_a_slow_line_it_moves_before_the_page_is_there(fresh: Page, serve: Callable[[str], str]) -> None:
    fresh.context.new_cdp_session(fresh).send("Network.emulateNetworkConditions", SLOW)
    fresh.goto(f"{serve('app')}?preset=planar_chain&play=1", wait_until="commit", timeout=60_000)
    wait_until(fresh, lambda: len(told(fresh)) > 20)
    early = [time for there, time in told(fresh) if not there]
    assert len(early) > 10
    assert early == sorted(early)
    assert early[0] < 0.5 < 10 * early[-1]
    assert fresh.evaluate(SHOWN)
    assert fresh.get_by_role("status").first.inner_text() in WAITING
    assert 0.0 < float(fresh.locator("#opening progress").evaluate("bar => bar.value")) <= 1.0
    assert fresh.locator("canvas").count() == 0  # nobody can take it for the page's own


def test_the_page_goes_on_from_there_and_is_alive(fresh: Page, serve: Callable[[str], str]) -> None:
    fresh.goto(f"{serve('app')}?preset=puma560&play=1", timeout=60_000)
    whole(fresh)
    handed = float(fresh.evaluate("window.handed"))
    assert handed > 0.05
    fresh.keyboard.press(" ")  # at once
    fresh.get_by_role("button", name=re.compile("^Play")).first.wait_for(timeout=PATIENCE)
    after = [time for _, time in told(fresh)[int(fresh.evaluate("window.before")) :]]
    assert min(abs(time - handed) for time in after[:5]) < 0.05, after
    gone = [(time - handed + 0.5) % 10.0 for time in after[:10]]  # a run of ten seconds begins anew
    assert max(gone) < 5.5, after  # it goes on, or is stopped near there
    assert 0.0 <= shown_time(fresh) <= 10.0
    fresh.keyboard.press("p")
    wait_until(fresh, lambda: bool(fresh.evaluate("!document.getElementById('opening')")))


def test_a_page_that_stands_still_does_so_from_the_first_moment(fresh: Page, serve: Callable[[str], str]) -> None:
    fresh.goto(f"{serve('app')}?preset=panda&t=2.500&play=0", timeout=60_000)
    whole(fresh)
    assert {round(time, 6) for there, time in told(fresh) if not there} == {2.5}
    assert fresh.evaluate("window.handed") is None
    wait_until(fresh, lambda: shown_time(fresh) == 2.5)


@pytest.mark.parametrize("more", ["&mass=2", "&torques=0:3", "&breaks=none"])
def test_another_motion_is_waited_for(fresh: Page, serve: Callable[[str], str], more: str) -> None:
    asked: list[str] = []
    fresh.on("request", lambda request: asked.append(request.url))
    fresh.goto(f"{serve('app')}?preset=two_planar_arms&play=0{more}", timeout=60_000)
    whole(fresh)
    fresh.locator("canvas[role=application]").wait_for(timeout=60_000)
    assert not any("/opening/" in url for url in asked)
    assert all(there for there, _ in told(fresh))


def broken(page: Page, pattern: str, act: Callable[[Any], None]) -> None:
    page.route(re.compile(pattern), act)


def test_without_its_motion_the_page_comes_all_the_same(fresh: Page, serve: Callable[[str], str]) -> None:
    broken(fresh, "/opening/", lambda route: route.fulfill(status=200, body="nonsense"))
    fresh.goto(f"{serve('app')}?preset=planar_chain&play=1", timeout=60_000)
    whole(fresh)
    wait_until(fresh, lambda: shown_time(fresh) > 0.0)


def test_a_script_that_does_not_come_is_told(chromium: Browser, serve: Callable[[str], str]) -> None:
    page = chromium.new_context().new_page()
    broken(page, "bokeh-widgets", lambda route: route.abort())
    page.goto(f"{serve('app')}?preset=planar_chain&play=1", timeout=60_000)
    page.get_by_text("The page's scripts could not be loaded.").wait_for(timeout=PATIENCE)
    page.context.close()


@pytest.mark.parametrize("theme", ["default", "dark"])
def test_it_has_the_pages_theme(fresh: Page, serve: Callable[[str], str], theme: str) -> None:
    line = fresh.context.new_cdp_session(fresh)
    line.send("Network.emulateNetworkConditions", SLOW)
    fresh.goto(f"{serve('app')}?preset=planar_chain&play=1&theme={theme}", wait_until="commit", timeout=60_000)
    fresh.locator("#opening").wait_for(timeout=PATIENCE)
    assert fresh.locator("#opening").get_attribute("data-theme") == {"default": "light"}.get(theme, theme)
    line.send("Network.emulateNetworkConditions", FAST)
    whole(fresh)
    assert fresh.evaluate("document.querySelector('#opening')") is None


def test_nothing_outside_the_presets_is_made(fresh: Page, serve: Callable[[str], str]) -> None:
    for name in ("ghost", "..%2fapp", "puma560/x", "PUMA560"):
        answer = fresh.request.get(f"{serve('app').removesuffix('/app')}/opening/{name}")
        assert answer.status == 404, name
    answer = fresh.request.get(f"{serve('app').removesuffix('/app')}/opening/panda")
    assert answer.status == 200
    again = fresh.request.get(
        f"{serve('app').removesuffix('/app')}/opening/panda", headers={"If-None-Match": answer.headers["etag"]}
    )
    assert again.status == 304


def test_space_before_the_page_is_there_stops_where_one_sees_it_stop(fresh: Page, serve: Callable[[str], str]) -> None:
    fresh.context.new_cdp_session(fresh).send("Network.emulateNetworkConditions", SLOW)
    fresh.goto(f"{serve('app')}?preset=planar_chain&play=1", wait_until="commit", timeout=60_000)
    wait_until(fresh, lambda: len(told(fresh)) > 20)
    fresh.keyboard.press(" ")
    fresh.wait_for_timeout(300)
    stopped = told(fresh)[-1][1]
    fresh.wait_for_timeout(700)
    assert told(fresh)[-1][1] == stopped
    whole(fresh)
    fresh.get_by_role("button", name=re.compile("^Play")).first.wait_for(timeout=PATIENCE)
    wait_until(fresh, lambda: abs(shown_time(fresh) - stopped) < 0.02)
    heard = fresh.locator(".drawing > [aria-live=polite]").inner_text()
    assert heard in ("", f"Paused at {shown_time(fresh):.2f} s.")
