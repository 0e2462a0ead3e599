"""Every instrument of the page on every screen, measured in a browser: what is clipped, covered or out of reach.

``python -m tests.browser.screens --out pictures`` goes through all of it, keeps a picture of each, and fails with
a list of what is wrong; ``test_screens`` asks for a little of it.
"""

import argparse
import itertools
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page

from tests.browser.moment import wait_until

MEASURE = Path(__file__).with_name("measure.js").read_text(encoding="utf-8").partition("*/")[2].strip()
"""What cannot be seen or reached, in words."""
FINGER = 24
"""CSS pixels of what is touched on a screen that is less than `PHONE` wide or high."""
PHONE = 480
SIZES = ((390, 844), (820, 1180), (1024, 768), (1280, 720), (1440, 900), (2560, 1440), (3840, 2160))
ZOOMED = ((640, 400), (844, 390), (320, 480))
"""1280 x 800 at 200 %, a phone that lies, and 1280 x 1920 at 400 %."""
PRESETS = "puma560", "two_arms_and_box", "free_flyer", "two_arm_flyer"
TABS = (
    "Lessons", "Walk", "Contact", "Influence", "Estimation", "Methods", "Cost", "Papers", "Check", "Break it",
    "Write it", "Compare", "Study", "Show", "Change", "Model", "Edit", "Lecture",
)  # fmt: skip
FLYING = ("Two filters",)
"""Instruments that only a free flyer has; a set of plots may bear the same name."""
PLOTS = "Filter", "Contact", "Motion", "Two filters"
DRAWN = """function drawn(root, see) {
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT, node =>
        getComputedStyle(node).display === 'none' ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT)
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        see(node)
        if (node.shadowRoot) drawn(node.shadowRoot, see)
    }
}"""
"""Sees each element below a root and in its shadow roots, less what is hidden and all within it."""
AT_REST = f"""async () => {{
    {DRAWN}
    const look = () => {{
        let sum = 0
        drawn(document, node => {{
            const {{x, y, width, height}} = node.getBoundingClientRect()
            sum += x + 3 * y + 7 * width + 11 * height
        }})
        return sum
    }}
    for (let before = NaN, same = 0, tries = 0; same < 2 && tries < 40; ++tries) {{
        const now = look()
        same = now === before ? same + 1 : 0
        before = now
        await new Promise(done => setTimeout(done, 60))
    }}
}}"""
"""Waits until nothing moves any more."""


def faults(page: Page, width: int, height: int) -> list[str]:
    """What is wrong at a size, each in a line."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(AT_REST)
    found: list[str] = page.evaluate(MEASURE, FINGER if min(width, height) < PHONE else 0)
    return [f"{width} x {height}: {line}" for line in found]


def fill(page: Page, name: str) -> None:
    """Has an open instrument that begins with little in it show all that it can."""
    if name == "Estimation":
        page.get_by_role("button", name="Draw", exact=True).evaluate("button => button.click()")
        page.get_by_text(re.compile(r"^[\d,]+ draws, seed")).wait_for()
    if name == "Cost":
        page.locator("svg.graph").wait_for()
    if name == "Study":
        pane = page.get_by_role("tabpanel", name="Study", exact=True)
        pane.get_by_role("button", name="1,000", exact=True).evaluate("button => button.click()")
        pane.get_by_role("button", name="Start", exact=True).evaluate("button => button.click()")
        pane.get_by_text("1,000 states.", exact=True).wait_for(timeout=180_000)  # it yields to all others
    if name == "Papers":
        page.get_by_role("button", name="Rodriguez 1987", exact=True).evaluate("button => button.click()")
        page.get_by_role("button", name="Fig. 4 Number of links").evaluate("button => button.click()")
        page.get_by_text("2 numbers, 0 as printed").wait_for()
    if name == "Lecture":
        page.get_by_role("button", name="Keep this moment").evaluate("button => button.click()")
        page.get_by_role("button", name="Show moment 1").wait_for()


def opened_tabs(page: Page) -> Iterator[str]:
    """Opens each instrument, then each set of plots that this machine has, and says its name."""
    for sheet, among, name in (
        *(("Instruments", "Instruments", name) for name in (*TABS, *FLYING)),
        *(("Plots", "Sets of plots", name) for name in PLOTS),
    ):
        page.evaluate("name => document.dispatchEvent(new CustomEvent('armsweep:sheet', {detail: name}))", sheet)
        tab = page.get_by_role("tablist", name=among).get_by_role("tab", name=name, exact=True)
        if not tab.count() or tab.is_disabled():  # a sheet's own name comes at once
            continue
        tab.evaluate("tab => tab.click()")
        page.evaluate(AT_REST)
        wait_until(page, lambda: not page.get_by_text("Opening …").locator("visible=true").count())
        fill(page, name)
        yield f"{sheet}, {name}"


def main() -> int:
    from playwright.sync_api import sync_playwright

    from tests.browser.conftest import QUIET, SOFTWARE_GL, Server, visit, watch

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="folder for a picture of each")
    parser.add_argument("--preset", action="append", choices=PRESETS, help="only this one")
    out = (chosen := parser.parse_args()).out
    if out:
        out.mkdir(parents=True, exist_ok=True)
    wrong = []
    server = Server(["app"], Path(tempfile.mkdtemp()) / "log.txt")
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=SOFTWARE_GL + QUIET)
            for preset, theme in itertools.product(chosen.preset or PRESETS, ("light", "dark")):
                page = browser.new_page(viewport={"width": 1280, "height": 800})
                complaints = watch(page)
                visit(page, f"{server.url('app')}?preset={preset}&t=0.5&play=0&theme={theme}")
                for name in opened_tabs(page):  # one after the other: a product would open them all first
                    for size in (*SIZES, *ZOOMED):
                        wrong += [f"{preset}, {theme}, {name}, {line}" for line in faults(page, *size)]
                        if out:
                            page.screenshot(path=out / f"{preset}_{theme}_{re.sub(r'[ ,]+', '_', name)}_{size[0]}.png")
                wrong += [f"{preset}, {theme}, {line}" for line in complaints]
                page.close()
            browser.close()
    finally:
        server.stop()
    print(*wrong, f"{len(wrong)} faults", sep="\n")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
