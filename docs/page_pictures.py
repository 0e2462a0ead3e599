"""Pictures of the running page for these pages, into docs/pictures: ``python -m docs.page_pictures [name ...]``.

Each is led to by an address, and by what a hand does there. They are kept with the text, so that it builds without a
browser; a test holds this list against what the pages show. Needs what ``docs.screenshots`` needs.
"""

from __future__ import annotations

import io
import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from PIL import Image
from playwright.sync_api import Browser, Locator, Page, sync_playwright

from docs.screenshots import CHROMIUM, NAME, PATIENCE, PICTURES, ROOT, SIZE, served

PHONE = {"width": 390, "height": 844}
WIDTH, QUALITY = 960, 45
"""Of WebP, as wide as the text: letters can be read, and a page takes some tens of kilobytes."""
SETTLED_MS = 3000
"""In which plots catch up and ripples of clicks fade."""
RETURNING = "localStorage.setItem('armsweep-first', 'met')"
STILL = "play=0&t="
REACHING = f"preset=puma560&{STILL}4.1"


def as_it_opens(page: Page) -> Page:
    """Nothing is done."""
    return page


@dataclass(frozen=True)
class Picture:
    """What a page shows, and where.

    Attributes:
        query: of the address.
        act: what a hand does there; gives the page that is taken.
        is_new: whether the browser was never here before.
    """

    query: str
    act: Callable[[Page], Page] = as_it_opens
    is_new: bool = False


def panel(page: Page, name: str) -> Locator:
    return page.get_by_role("tabpanel", name=name, exact=True)


def write_a_line(page: Page) -> Page:
    """Half of the innovations covariance, of which the page tells what is missing."""
    page.get_by_role("combobox", name="Right side of D[k]").fill("H @ P @ H.T")
    page.get_by_text(re.compile("missing|lacks|unit|not yet", re.IGNORECASE)).first.wait_for()
    return page


def run_a_study(page: Page) -> Page:
    start = panel(page, "Study").get_by_role("button", name="Start", exact=True)
    start.click()
    panel(page, "Study").get_by_role("button", name=re.compile("^Open state")).first.wait_for()
    return page


def answer_wrongly(page: Page) -> Page:
    """A prediction that does not come true, of which the page says what is wrong."""
    sheet = panel(page, "Lessons")
    sheet.locator("form [type=radio]").first.check()
    sheet.get_by_role("button", name="Check my answer").click()
    sheet.locator(".verdict:not(.waits)").wait_for()
    return page


def keep_moments(page: Page) -> Page:
    """Two of them, with words for the class."""
    rest(page)
    page.keyboard.press("k")
    page.get_by_text("Kept as moment 1").wait_for()
    page.keyboard.press("ArrowDown")
    page.wait_for_timeout(SETTLED_MS)
    page.keyboard.press("k")
    page.get_by_text("Kept as moment 2").wait_for()
    page.get_by_role("tab", name="Lecture", exact=True).click()
    page.get_by_label("Title of moment 1").fill("What the gain divides by")
    page.get_by_label("Note of moment 1").fill("Let them guess first.")
    page.get_by_label("Title of moment 2").fill("And back outward")
    rest(page)
    return page


def print_the_handout(page: Page) -> Page:
    """Its first sheet, as the dialog would print it."""
    keep_moments(page)
    page.get_by_role("button", name="Handout: print, or save as PDF").click()
    frame = page.locator("iframe.armsweep-printed")
    frame.wait_for(state="attached")
    paper = page.context.new_page()
    paper.set_viewport_size({"width": 794, "height": 1123})  # A4
    paper.set_content(frame.get_attribute("srcdoc") or "")
    return paper


def present(page: Page) -> Page:
    page.get_by_label("Present: others follow this page").first.click()
    page.get_by_role("dialog").locator("b", has_text="/follow/").wait_for()
    return page


def follow(page: Page) -> Page:
    """A phone of the class, which walks with the lecturer."""
    address = present(page).get_by_role("dialog").locator("b", has_text="/follow/").text_content()
    page.keyboard.press("Escape")
    phone = page.context.new_page()
    phone.set_viewport_size(PHONE)
    phone.goto(str(address))
    phone.wait_for_function("window.armsweepFollower?.replay", timeout=1e3 * PATIENCE)
    return phone


def project(page: Page) -> Page:
    rest(page)
    page.keyboard.press("p")
    return page


def rest(page: Page) -> None:
    """Takes the focus and the pointer away."""
    page.evaluate("""() => {
        let focused = document.activeElement
        while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
        focused?.blur()
    }""")
    page.mouse.move(640, 2)


TABLE = {
    "first_minute": Picture("", is_new=True),
    "walk": Picture(f"preset=puma560&{STILL}0&stage=filter&link=1&half=1&walked=1"),
    "check": Picture(f"{REACHING}&tab=Check"),
    "broken": Picture(f"{REACHING}&tab=Break it&breaks=inward_filter.prediction.P~phi-P_plus-phi~drop"),
    "contact": Picture(f"preset=two_arms_light_box&{STILL}0&tab=Contact&plots=Contact"),
    "appel": Picture(f"preset=puma560&{STILL}1&tab=Methods&formulation=appel:12"),
    "two_filters": Picture(f"preset=free_flyer&{STILL}5.2&tab=Two filters"),
    "write_it": Picture(f"{REACHING}&tab=Write it", write_a_line),
    "lesson": Picture("lesson=sweeps:1", answer_wrongly),
    "study": Picture("preset=planar_chain&play=0&t=0&tab=Study", run_a_study),
    "model": Picture("preset=panda&play=0&t=0&tab=Model"),
    "cost": Picture(f"{REACHING}&tab=Cost"),
    "moments": Picture(f"{REACHING}&stage=filter&link=1&half=1&walked=1", keep_moments),
    "handout": Picture(f"{REACHING}&stage=filter&link=1&half=1&walked=1", print_the_handout),
    "projector": Picture(f"{REACHING}&stage=filter&link=1&half=1&walked=1", project),
    "presenting": Picture(f"{REACHING}&stage=filter&link=1&half=1&walked=1", present),
    "following": Picture(f"{REACHING}&stage=filter&link=1&half=1&walked=1", follow),
}
"""By the names of their files."""


def take(browser: Browser, address: str, picture: Picture) -> bytes:
    """As PNG, in a profile of its own."""
    context = browser.new_context(viewport=SIZE)  # type: ignore[arg-type]
    context.set_default_timeout(1e3 * PATIENCE)
    if not picture.is_new:
        context.add_init_script(RETURNING)
    page = context.new_page()
    page.goto(f"{address}?{picture.query}" if picture.query else address)
    page.locator("#opening").wait_for(state="detached")
    page.locator("canvas[role=application]").wait_for()
    page.wait_for_timeout(SETTLED_MS)
    shown = picture.act(page)
    shown.wait_for_timeout(SETTLED_MS)
    taken = shown.screenshot()
    context.close()
    return taken


def packed(png: bytes) -> bytes:
    """The same as WebP."""
    made, whole = io.BytesIO(), Image.open(io.BytesIO(png)).convert("RGB")
    size = min(WIDTH, whole.width), round(whole.height * min(WIDTH / whole.width, 1.0))
    whole.resize(size, Image.Resampling.LANCZOS).save(made, "WEBP", quality=QUALITY, method=6)
    return made.getvalue()


def main(names: list[str]) -> None:
    path = shutil.which("chromium")
    if path is None:
        sys.exit("chromium is not installed; README.md names the Debian packages.")
    with served() as address, sync_playwright() as playwright:
        served_at = urlsplit(address).netloc
        called = [*CHROMIUM, f"--host-resolver-rules=MAP {NAME} {served_at}"]
        browser = playwright.chromium.launch(executable_path=path, args=called)
        for name in names or TABLE:
            file = PICTURES / f"{name}.webp"
            file.write_bytes(packed(take(browser, address.replace(served_at, NAME), TABLE[name])))
            print(f"{file.relative_to(ROOT)}: {file.stat().st_size / 1e3:.0f} kB", flush=True)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
