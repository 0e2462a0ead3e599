"""Before the page has come its machine moves, and the page goes on from there; a newcomer meets the first minute."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.moment import shown_time, stand_at, wait_until
from tests.browser.page import HAS_FOCUS, violations
from tests.browser.picture import CANVAS, PICTURES, box_of

WAITING = re.compile("The rest of the page is on its way…|The page is being put together…|The page is late")
LOG = """
window.told = []
document.addEventListener("armsweep:moment", ({detail}) => told.push([typeof Bokeh !== "undefined", detail.time]))
document.addEventListener("armsweep:seek", ({detail}) => { window.handed = detail.time; window.before = told.length })
"""


@pytest.fixture
def fresh(new_page: Callable[..., Page]) -> Page:
    """A page that keeps every moment that it shows, and takes pictures as they come."""
    page = new_page(few_pictures=False, opening=True)
    page.add_init_script(LOG)
    return page


def is_whole(page: Page) -> None:
    page.locator("#opening").wait_for(state="detached")


def held_scripts(page: Page) -> Callable[[], None]:
    """Holds back the page's scripts, as a slow line does; returns the function that lets them come."""
    held: list[Route] = []
    slow = [True]
    page.route(re.compile(r"/bokeh[^/]*\.js"), lambda route: held.append(route) if slow else route.continue_())

    def let_come() -> None:
        wait_until(page, lambda: bool(held))
        slow.clear()
        for route in held:
            route.continue_()
        is_whole(page)

    return let_come


def visit_once_it_moves(page: Page, url: str) -> None:
    """Opens a page that comes once its first motion is drawn, however slow that is."""
    let_come = held_scripts(page)
    page.goto(url, wait_until="commit")
    wait_until(page, lambda: bool(told(page)))
    let_come()


def told(page: Page) -> list[tuple[bool, float]]:
    """Whether the page was there, and which instant was shown."""
    return [(bool(there), float(time)) for there, time in page.evaluate("window.told")]


def test_it_moves_before_the_page_is_there_and_space_stops_it(fresh: Page, serve: Callable[[str], str]) -> None:
    let_come = held_scripts(fresh)
    fresh.goto(f"{serve('app')}?preset=planar_chain&play=1&theme=dark", wait_until="commit")
    wait_until(fresh, lambda: len(told(fresh)) > 12)
    early = [time for there, time in told(fresh) if not there]
    assert len(early) > 12
    assert early == sorted(early)
    assert early[0] < 0.5 < 10 * early[-1]
    opening = fresh.locator("#opening")
    assert opening.get_attribute("data-theme") == "dark"
    expect(fresh.get_by_role("status").first).to_have_text(WAITING)
    fresh.keyboard.press(" ")
    wait_until(fresh, lambda: stands_still(fresh))
    stopped = told(fresh)[-1][1]
    fresh.keyboard.press("k")
    let_come()
    fresh.get_by_role("button", name="Play (space)").first.wait_for()
    wait_until(fresh, lambda: abs(shown_time(fresh) - stopped) < 0.02)
    kept = fresh.get_by_text(re.compile("^Kept as moment 1: ")).first.inner_text()
    assert abs(float(re.search(r"([0-9.]+) s", kept)[1]) - stopped) < 0.02  # type: ignore[index]


def stands_still(page: Page) -> bool:
    """Whether as many pictures as would show another instant show the same one."""
    before = told(page)[-1]
    page.evaluate(PICTURES, 10)
    return told(page)[-1] == before


@pytest.mark.full
def test_the_page_goes_on_from_there(fresh: Page, serve: Callable[[str], str]) -> None:
    root = serve("app").removesuffix("/app")
    for name in ("ghost", "..%2fapp", "puma560/x", "PUMA560"):
        assert fresh.request.get(f"{root}/opening/{name}").status == 404, name
    answer = fresh.request.get(f"{root}/opening/panda")
    assert answer.status == 200
    again = fresh.request.get(f"{root}/opening/panda", headers={"If-None-Match": answer.headers["etag"]})
    assert again.status == 304
    visit_once_it_moves(fresh, f"{serve('app')}?preset=puma560&play=1")
    handed = float(fresh.evaluate("window.handed"))
    assert handed > 0.05
    fresh.keyboard.press(" ")  # at once
    fresh.get_by_role("button", name="Play (space)").first.wait_for()
    after = [time for _, time in told(fresh)[int(fresh.evaluate("window.before")) :]]
    assert min(abs(time - handed) for time in after[:5]) < 0.05, after
    gone = [(time - handed + 0.5) % 10.0 for time in after[:10]]  # a run of ten seconds begins anew
    assert max(gone) < 5.5, after  # it goes on, or is stopped near there
    # A page that stands still does so from the first moment.
    visit_once_it_moves(fresh, f"{serve('app')}?preset=panda&t=2.500&play=0")
    assert {round(time, 6) for there, time in told(fresh) if not there} == {2.5}
    assert fresh.evaluate("window.handed") is None
    stand_at(fresh, 2.5)


KEPT = "() => [localStorage.getItem('armsweep-first'), sessionStorage.getItem('armsweep-first')]"


def card_of(page: Page) -> Locator:
    return page.get_by_role("region", name="The first minute")


def is_clear_of(card: Locator, other: Locator) -> bool:
    mine, its = box_of(card), box_of(other)
    return (
        mine["x"] + mine["width"] <= its["x"]
        or its["x"] + its["width"] <= mine["x"]
        or mine["y"] + mine["height"] <= its["y"]
        or its["y"] + its["height"] <= mine["y"]
    )


def test_a_newcomer_plays_the_first_minute_by_keys_and_meets_it_once(open_page: Callable[..., Page], axe: str) -> None:
    page = open_page(returning=False)
    card = card_of(page)
    card.get_by_role("heading", name="A Kalman filter moves this robot").wait_for()
    early = shown_time(page)
    wait_until(page, lambda: shown_time(page) != early)  # it opens moving all the same
    page.locator(CANVAS).press("Space")  # what is measured has to come to rest
    page.get_by_role("button", name="Play (space)").wait_for()
    assert not violations(page, axe, card.element_handle())
    page.evaluate("document.activeElement?.blur()")
    page.get_by_role("link", name="Skip to the first question").press("Enter")
    wait_until(page, lambda: bool(card.get_by_role("heading").evaluate(HAS_FOCUS)))
    card.get_by_role("button", name="joint 1").press("Enter")
    pad = card.get_by_role("slider", name="How far joint 1 will swing")
    pad.wait_for()
    wait_until(page, lambda: shown_time(page) == 0.0)
    wait_until(page, lambda: is_clear_of(card, page.get_by_role("button", name="Play (space)")))
    for key in ("End", "PageUp", "PageUp"):
        pad.press(key)
    expect(pad).to_have_attribute("aria-valuenow", "45")
    card.get_by_role("button", name="Let go").press("Enter")
    card.get_by_role("heading", name="Joint 2 swings furthest: 131°").wait_for()
    assert "Yours, joint 1, goes 12°." in card.inner_text()
    assert page.evaluate(KEPT) == ["met", "open"]
    page.reload()  # in the midst of it: it is there again
    is_whole(page)
    card.get_by_role("button", name="joint 2").wait_for()
    page.keyboard.press("Escape")
    card.wait_for(state="detached")
    wait_until(page, lambda: page.evaluate(KEPT) == ["met", None])
    page.keyboard.press("f")  # it is asked for
    card.get_by_role("heading").wait_for()
    page.keyboard.press("f")
    card.wait_for(state="detached")


@pytest.mark.full
def test_the_first_minute_never_comes_for_a_link_or_a_page_within_another(
    open_page: Callable[..., Page], serve: Callable[[str], str]
) -> None:
    page = open_page("preset=planar_chain&t=1&play=0", returning=False)
    stand_at(page, 1.0)
    assert not card_of(page).count()
    assert page.evaluate(KEPT) == [None, None]
    page.set_content(f"<iframe src='{serve('app')}' width=1200 height=700></iframe>")
    frame = page.frame_locator("iframe")
    frame.locator("#opening").wait_for(state="detached")
    frame.locator(CANVAS).wait_for()
    frame.get_by_role("button", name="Pause (space)").wait_for()
    assert not frame.get_by_role("region", name="The first minute").count()
