"""What a person sees and does on the page, for the journeys."""

from __future__ import annotations

import io
import re
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlparse

import numpy as np
from PIL import Image
from playwright.sync_api import expect

import dynamics as dyn
from app.state import Session
from app.state.address import restore
from app.state.walk import called
from tests.browser.conftest import PATIENCE
from tests.browser.screens import DRAWN

if TYPE_CHECKING:
    from playwright.sync_api import FilePayload, JSHandle, Locator, Page

CANVAS = "canvas[role=application]"
FOCUSED = """() => {
    let here = document.activeElement
    while (here?.shadowRoot?.activeElement) here = here.shadowRoot.activeElement
    return here?.getAttribute('aria-label') || here?.textContent || ''
}"""
"""The name of what has the focus."""
HAS_FOCUS = "one => one.getRootNode().activeElement === one"
PICTURES = "count => new Promise(done => { const next = () => count-- ? requestAnimationFrame(next) : done(); next() })"
"""Waits until so many pictures were drawn."""

FIGURES = """[...Bokeh.documents[0].all_models]
  .filter(m => m.type === 'Figure' && m.center.some(one => one.name === 'cursor'))"""
"""Those of the panels: the instruments have figures of their own."""
SAMPLED = f"() => {{ const f = {FIGURES}[0]; return f?.renderers[0]?.data_source.data.time.at(-1) ?? 0 }}"
"""Until when the first panel has samples, s."""


def wait_until(page: Page, condition: Callable[[], bool], patience: float = PATIENCE) -> None:
    """Asks again and again until it holds; fails after so many milliseconds."""
    deadline, rest = time.monotonic() + patience / 1e3, 20.0
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        page.wait_for_timeout(rest)
        rest = min(1.5 * rest, 250.0)  # each question costs a few milliseconds


# The moment.


def shown_time(page: Page) -> float:
    """The instant that the page says it shows, s."""
    found: list[str] = []

    def is_written() -> bool:  # it may just be written anew
        found[:] = re.findall(r"([\d.]+) s of", page.locator(".instant p").first.text_content() or "")
        return bool(found)

    wait_until(page, is_written)
    return float(found[0])


def address(page: Page) -> dict[str, str]:
    """What the page's address says."""
    return {name: values[0] for name, values in parse_qs(urlparse(page.url).query).items()}


def stand_at(page: Page, time: float) -> Page:
    """Waits until a page that was opened with `play=0` shows this instant."""
    wait_until(page, lambda: shown_time(page) == time)
    return page


def pause(page: Page) -> None:
    """Pauses, and waits until the address says the instant that is shown."""
    page.keyboard.press(" ")
    page.get_by_role("button", name="Play (space)").wait_for()
    wait_until(page, lambda: is_told(page))


def is_told(page: Page) -> bool:
    """Whether the address has caught up with a page that is paused."""
    told = address(page)
    return told.get("play") == "0" and abs(float(told.get("t", "nan")) - shown_time(page)) < 0.0051


def shown_session(page: Page) -> Session:
    """A session of the test's own that is what the page's address says."""
    session = Session("puma560")
    restore(session, address(page))
    assert session.message == ""
    while session.run.end < session.cursor.time and not session.run.complete:
        session.run.accept(session.run.compute())
    return session


def settled(page: Page) -> Session:
    """The paused page's session, when the address has caught up with the page."""
    wait_until(page, lambda: is_told(page))
    return shown_session(page)


def solution_at(preset: str, time: float) -> dyn.Solution:
    """A moment of a preset as it is loaded, computed here."""
    session = Session(preset)
    while session.run.end < time - 1e-9:
        session.run.accept(session.run.compute())
    return session.run.solution_at(time)


# Where things stand on the page.


def open_tab(page: Page, name: str) -> Locator:
    """Opens an instrument of the rail, and gives its pane."""
    tab = page.get_by_role("tablist", name="Instruments").get_by_role("tab", name=name, exact=True)
    tab.click()
    expect(tab).to_have_attribute("aria-selected", "true")
    return page.get_by_role("tabpanel", name=name, exact=True).first


def open_plots(page: Page, name: str) -> None:
    """Opens a set of plots."""
    tab = page.get_by_role("tablist", name="Sets of plots").get_by_role("tab", name=name, exact=True)
    tab.click()
    expect(tab).to_have_attribute("aria-selected", "true")


def choose(page: Page, menu: str, words: str | re.Pattern[str]) -> None:
    """Chooses from a menu by mouse."""
    page.get_by_role("combobox", name=menu, exact=True).locator("visible=true").first.click()
    page.get_by_role("option", name=words, exact=True).click()


def upload(page: Page, name: str, content: bytes, kind: str = "text/xml") -> None:
    """Opens a file in *Model*."""
    pane = open_tab(page, "Model")
    file: FilePayload = {"name": name, "mimeType": kind, "buffer": content}
    pane.locator("input[type=file]").set_input_files(files=[file])


def group(page: Page, name: str) -> Locator:
    """Opens a group of *Change*, and gives the pane."""
    pane = open_tab(page, "Change")
    head = pane.get_by_role("button", name=name, exact=True)
    if head.get_attribute("aria-pressed") != "true":
        head.click()
    expect(head).to_have_attribute("aria-pressed", "true")
    return pane


def undo(page: Page) -> None:
    page.get_by_role("button", name=re.compile("^Undo")).first.click()


def tab_to(page: Page, name: str, presses: int = 80) -> None:
    """Tab, until that has the focus; a page where that takes longer is none for keys."""
    for _ in range(presses):
        page.keyboard.press("Tab")
        here = str(page.evaluate(FOCUSED))
        assert here.strip(), "Tab leads to something without a name"
        if re.match(name, here):
            return
    raise AssertionError(f"{presses} times Tab do not lead to {name}")


# The numbers.


def number(text: str) -> float:
    """A number as the page writes it; a negative factor stands in brackets."""
    return float(text.strip("()").replace("−", "-").replace("–", "nan"))


def numbers_in(cells: Locator) -> np.ndarray:
    return np.array([number(text) for text in cells.all_text_contents() if text])


def agrees(shown: np.ndarray, value: np.ndarray | float) -> bool:
    """Equal to the four digits shown; what is rounding beside its neighbors is shown as zero."""
    value = np.asarray(value, dtype=float).ravel()
    if shown.shape != value.shape:
        return False
    largest = np.abs(value).max(initial=0.0)
    return bool(np.all(np.abs(shown - value) <= 0.51e-3 * np.abs(value) + 1.1e-12 * largest))


CELLS = (
    "tables => tables.flatMap(table => [...table.rows].map(row => [...row.cells].map(cell => cell.innerText.trim())))"
)


def cells(tables: Locator) -> list[list[str]]:
    """All rows of some tables, heads too."""
    found: list[list[str]] = tables.evaluate_all(CELLS)
    return found


def until_same(page: Page, expected: Any, shown: Callable[[], Any]) -> None:
    """Waits until both are the same; else fails with what differs. What is expected may be a function."""
    seen: list[Any] = []

    def is_there() -> bool:
        seen[:] = expected() if callable(expected) else expected, shown()
        return bool(seen[0] == seen[1])

    with suppress(AssertionError):
        wait_until(page, is_there)
    assert seen[1] == seen[0], f"{seen[1]} is shown instead of {seen[0]}"


# The walk.


def section(page: Page, key: str) -> Locator:
    """An equation of the walk, such as ``filter kalman_gain``."""
    return page.locator(f"[data-equation='{key}']:visible")


def left_side(page: Page, key: str) -> np.ndarray:
    return numbers_in(section(page, key).locator(".term").first.locator("[data-n]"))


def says_of(page: Page, key: str, value: np.ndarray | float) -> None:
    """Waits until the left side of an equation is this."""
    section(page, key).wait_for()
    wait_until(page, lambda: agrees(left_side(page, key), value))


def here(page: Page) -> str:
    """What the map says of the cursor's node."""
    return page.locator("g[role=button][aria-current=step]").get_attribute("aria-label") or ""


def at(page: Page, words: str) -> None:
    """Waits until the cursor is at a node of the map."""
    page.locator(f"g[aria-current=step][aria-label*='{words}']").wait_for()


def spoken(page: Page) -> str:
    """What a screen reader says of the step."""
    sheets = ".tabs", "[aria-label='The step']"  # of the page, of a replay
    return page.locator(", ".join(f"{sheet} p.spoken[role=status]" for sheet in sheets)).first.text_content() or ""


# Break it.

ROWS = """rows => rows.map(row => [
    row.querySelector("th button, th span").innerText,
    ...[...row.querySelectorAll("td")].slice(0, 3).map(cell => cell.innerText),
])"""
"""All at once: the table may change between two looks."""
P_LINE = "inward_filter.prediction.P"
CARRIED = f"{P_LINE}~phi-P_plus-phi"
"""The term of the filter's prediction that carries P⁺ inward."""


def identities(page: Page) -> dict[str, tuple[str, str, str]]:
    """Title -> (holds or fails, link, size), as the page shows them."""
    rows: list[list[str]] = page.locator("tbody tr:not(.stage):has(td.mark):visible").evaluate_all(ROWS)
    return {title: tuple(cells) for title, *cells in rows}  # type: ignore[misc]


def failing(page: Page) -> dict[str, tuple[str, str, str]]:
    return {title: row for title, row in identities(page).items() if row[0] == "✗ fails"}


def failures_of(solution: dyn.Solution, *breaks: str) -> dict[str, tuple[str, str, str]]:
    """What fails of the text with these breaks, computed here."""
    reading = dyn.read_textbook(solution.system, solution.state, solution.tau, breaks=breaks)
    rows = {}
    for check in (*dyn.identities(reading.solution), *dyn.text_identities(reading)):
        if not check.holds:
            where = called(solution.system, check.first_link) if check.first_link >= 0 else "whole"
            rows[check.identity.title] = ("✗ fails", where, f"{check.worst:.0e}")
    return rows


def point_at(page: Page, left: str, n: int) -> None:
    """Clicks a part of the equation, once it is the one of this left side."""
    page.locator(".pieces > .fixed").filter(has_text=left).first.wait_for()
    piece = page.locator(f".pieces [data-go='piece {n}']")
    piece.click()
    expect(piece).to_have_attribute("aria-pressed", "true")


def break_part(page: Page, words: str) -> None:
    """Clicks what can be done to the chosen part, by its words."""
    page.locator(".act").filter(has_text=words).first.click()


def tell(page: Page) -> None:
    """Past the question."""
    page.get_by_role("button", name="Show me without a guess").click()


def choose_line(page: Page, stage: str, line: str) -> None:
    choose(page, "Stage", re.compile(f"^{stage}"))
    expect(page.get_by_role("combobox", name="Stage")).to_have_text(stage)
    page.get_by_role("combobox", name="Line").click()
    page.get_by_role("option", name=line).click()


# The picture.

HALF_VIEW = np.tan(np.radians(19.0))
"""Of the camera's field of view, as in camera.js."""


def data(page: Page) -> dict[str, str]:
    """What the 3D view says of itself."""
    found: dict[str, str] = page.locator(CANVAS).evaluate("canvas => ({...canvas.dataset})")
    return found


def pixels(png: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB")).astype(int)


def picture(page: Page) -> np.ndarray:
    """The 3D view's pixels, (height, width, 3)."""
    return pixels(page.locator(CANVAS).screenshot())


def colors(image: np.ndarray) -> int:
    return len(np.unique(image.reshape(-1, 3) // 8, axis=0))


def difference(one: np.ndarray, other: np.ndarray) -> float:
    """Share of the pixels that differ visibly."""
    return float(np.mean(np.abs(one - other).max(axis=2) > 24))


def box_of(part: Locator) -> dict[str, float]:
    """Where it is on the page, in pixels."""
    found = part.bounding_box()
    assert found is not None
    return dict(found)


def camera(page: Page) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Position, and unit vectors forward, right and up."""
    wait_until(page, lambda: bool(data(page).get("camera")))
    numbers = np.array([float(x) for x in data(page)["camera"].split()])
    forward = numbers[3:] - numbers[:3]
    forward /= np.linalg.norm(forward)
    right = np.cross(forward, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    return numbers[:3], forward, right, np.cross(right, forward)


def on_screen(page: Page, point: np.ndarray) -> tuple[float, float]:
    """Pixels of a place (m, world)."""
    box = box_of(page.locator(CANVAS))
    position, forward, right, up = camera(page)
    away = point - position
    scale = box["height"] / 2.0 / HALF_VIEW / (away @ forward)
    x = box["x"] + box["width"] / 2.0 + scale * (away @ right)
    return float(x), float(box["y"] + box["height"] / 2.0 - scale * (away @ up))


def drag(page: Page, start: tuple[float, float], shift: tuple[float, float], steps: int = 5) -> None:
    """By mouse; what is taken hold of is let go."""
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + shift[0], start[1] + shift[1], steps=steps)
    page.mouse.up()


# The accessibility checker.

SERIOUS = ("serious", "critical")
LENIENT = ("region", "hidden-content", "focus-order-semantics")
"""Rules that cost most of those whose findings axe never calls serious: they are not asked."""
CHECKED = f"""async ([part, rules, serious, tries]) => {{
    {DRAWN}
    const look = () => {{
        const words = []
        drawn(document, node => words.push(node.localName, node.getAttribute('class'), node.getAttribute('style')))
        return words.join()
    }}
    const moving = () =>
        document.getAnimations().some(one => one instanceof CSSTransition && one.playState === 'running')
    const rest = async () => {{
        for (let before = '', now; ; before = now) {{
            now = moving() ? '' : look()
            if (now && now === before) return
            await new Promise(done => setTimeout(done, 200))
        }}
    }}
    let found = []
    for (let attempt = 0; attempt < tries; ++attempt) {{
        await rest()
        const options = {{resultTypes: ['violations'], preload: false, ...rules}}
        const {{violations}} = await axe.run(part || document, options)
        found = violations.filter(one => serious.includes(one.impact)).flatMap(one =>
            one.nodes.map(node => `${{one.impact}} ${{one.id}}: ${{node.html.slice(0, 200)}} ${{node.failureSummary}}`))
        if (!found.length) break
    }}
    return found
}}"""
"""What is wrong when the page has come to rest: colors of a theme arrive one widget after the other, and by degrees."""


def violations(page: Page, axe: str, part: JSHandle | None, only: tuple[str, ...] = ()) -> list[str]:
    """What is serious in this part of the page, in all of it if it is None; by these rules, by all if there are none.

    Nothing is preloaded: that is for one experimental rule, which is off, and for sounds and films.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe)
    rules = {"runOnly": only} if only else {"rules": {name: {"enabled": False} for name in LENIENT}}
    found: list[str] = page.evaluate(CHECKED, [part, rules, SERIOUS, 6])
    return found
