"""Response times of the page: a new selection in every linked view, a slider, a step of the scrubber.

Selections and sliders are measured in headless Chromium with software WebGL, from the event to the resulting change
in the page; a scrub step at the server, from the new instant to everything that it sends. For changes beside an
instrument the server's CPU time, including its jobs, is reported as well. ``rounds`` is not used.
"""

from __future__ import annotations

import asyncio
import shutil
import statistics
import time
from collections.abc import Sequence

import panel as pn
import psutil
from bokeh.document import Document
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.contest import Result
from benchmarks.page import BROWSER_ARGUMENTS, served_app

SLOW = True
TIMES = 30
LIMITS = "click 100 ms in every view, slider 200 ms, scrub step 50 ms at the server, a typed line 150 ms"
PRESETS = ("puma560", "two_arms_and_box", "free_flyer")
READY = 60_000.0
# Presses a key and waits, frame by frame, until the page's text changes.
CHANGED = """
([press, read]) => new Promise((resolve, reject) => {
  const deep = (root, selector) => {
    const found = root.querySelector(selector)
    if (found) return found
    for (const node of root.querySelectorAll('*')) {
      const inner = node.shadowRoot && deep(node.shadowRoot, selector)
      if (inner) return inner
    }
    return null
  }
  const value = () => {
    const node = deep(document, read.selector)
    return node && (read.attribute ? node.getAttribute(read.attribute) : node.textContent)
  }
  const before = value()
  const started = performance.now()
  document.body.dispatchEvent(new KeyboardEvent('keydown', {key: press, shiftKey: true, bubbles: true, composed: true}))
  const look = () => {
    if (value() !== before) resolve(performance.now() - started)
    else if (performance.now() - started > 5000) reject(new Error(`${read.selector} did not change`))
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
})
"""
# Waits for the next key, and then, frame by frame, until the text of the named instrument changes.
ANSWERED = """
name => { window.answered = new Promise((resolve, reject) => {
  const roots = function* (root) {
    yield root
    for (const node of root.querySelectorAll('*')) if (node.shadowRoot) yield* roots(node.shadowRoot)
  }
  const find = selector => [...roots(document)].map(root => root.querySelector(selector)).find(it => it)
  const pane = find(`#${find(`[role=tab][data-name="${name}"]`).getAttribute('aria-controls')}`)
  const parts = [...roots(pane)].filter(root => root !== pane)
  const value = () => parts.map(root => root.textContent).join()
  addEventListener('keydown', () => {
    const before = value(), started = performance.now()
    const look = () => {
      if (value() !== before) resolve(performance.now() - started)
      else if (performance.now() - started > 5000) reject(new Error(`${name} did not change`))
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  }, {once: true, capture: true})
}) }
"""
# Types a text, and waits, frame by frame, until the instrument shows its verdict on exactly that text.
TYPED = """
(field, text) => new Promise((resolve, reject) => {
  const find = root => {
    for (const node of root.querySelectorAll('*')) {
      if (node.dataset?.tried !== undefined) return node
      const inner = node.shadowRoot && find(node.shadowRoot)
      if (inner) return inner
    }
    return null
  }
  const started = performance.now()
  field.value = text
  field.dispatchEvent(new Event('input', {bubbles: true}))
  const look = () => {
    if (find(document)?.dataset.tried === text) resolve(performance.now() - started)
    else if (performance.now() - started > 5000) reject(new Error('nothing is said of it'))
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
})
"""
WRITTEN = (
    ("puma560", "inward_filter.correction.D", ("H @ P @ H.T", "H @ P", "H @ P @ H.T + I_r", "H @ P_plus @ H.T + I_r")),
    ("two_arms_and_box", "contact_forces.x_new",
     ("x_FREE - gain @ (b_C - y) + rho", "x_FREE + gain @ y", "x_FREE + gain @ (b_C - y) + rho")),
    ("free_flyer", "dual_filter.prediction.S_plus",
     ("phi(k, i) @ (S[i] + M[i]) @ phi(k, i).T", "phi(k, i) @ S[i]", "phi(k, i) @ (S[i] + M[i] + R) @ phi(k, i).T")),
)  # fmt: skip
"""Typed texts: wrong, incomplete, right."""
BESIDE = (
    ("puma560", "Walk"), ("puma560", "Influence"), ("two_arms_and_box", "Walk"), ("two_arms_and_box", "Contact"),
    ("two_arms_and_box", "Influence"), ("free_flyer", "Two filters"), ("puma560", "Methods"), ("puma560", "Estimation"),
    ("puma560", "Check"), ("two_arms_and_box", "Check"),
)  # fmt: skip
"""The instrument that is open beside the moved slider."""
VIEWS = {
    "walker's map": {"selector": "g.node[aria-current=step]", "attribute": "aria-label"},
    "walker's numbers": {"selector": "[data-equation] .term"},
    "plots": {"selector": ".cell .title"},
    "3D view": {"selector": "canvas[role=application]", "attribute": "data-marked"},
}


def contest(rounds: int) -> Result:
    del rounds
    facts: dict[str, float] = {}
    facts |= scrubbing()
    with served_app() as (url, server), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=BROWSER_ARGUMENTS)
        for preset in PRESETS:
            facts |= selecting(browser, url, preset)
        facts |= sliding(browser, url)
        for preset, line, texts in WRITTEN:
            facts |= writing(browser, url, preset, line, texts)
        for preset, name in BESIDE:
            facts |= sliding_beside(browser, url, server, preset, name)
        browser.close()
    return Result("feedback of the page", "s", 1.0, (), LIMITS, 1, facts)


def spread(name: str, milliseconds: Sequence[float]) -> dict[str, float]:
    ordered = sorted(milliseconds)
    return {
        f"{name}, median ms": statistics.median(ordered),
        f"{name}, 95th percentile ms": ordered[min(int(0.95 * len(ordered)), len(ordered) - 1)],
    }


def opened(browser: Browser, url: str, preset: str) -> Page:
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.goto(f"{url}?preset={preset}&t=1&play=0")
    page.locator("canvas[data-marked]").wait_for(timeout=READY)
    page.locator("g.node[aria-current=step]").wait_for(timeout=READY)
    page.wait_for_timeout(12_000)  # the run and its plots are complete
    return page


def selecting(browser: Browser, url: str, preset: str) -> dict[str, float]:
    """From the key that moves the cursor to the next link until each linked view shows it."""
    page = opened(browser, url, preset)
    found: dict[str, list[float]] = {name: [] for name in VIEWS}
    for turn in range(TIMES):
        for name, view in VIEWS.items():
            # Back and forth, one link at a time.
            found[name].append(page.evaluate(CHANGED, ["ArrowRight" if turn % 2 == 0 else "ArrowLeft", view]))
            page.wait_for_timeout(120)
    page.context.close()
    return {
        key: value
        for name, times in found.items()
        for key, value in spread(f"{preset}: selection to {name}", times).items()
    }


def sliding(browser: Browser, url: str) -> dict[str, float]:
    """From a key on the mass slider until the 3D view draws the first frame of the new run."""
    page = opened(browser, url, "two_arms_and_box")
    page.get_by_role("tab", name="Change", exact=True).click()
    page.get_by_role("button", name="Bodies", exact=True).click()
    slider = page.get_by_role("slider", name="Mass (kg)")
    slider.wait_for(timeout=READY)
    page.wait_for_timeout(2_000)
    canvas = page.locator("canvas[role=application]")
    times = []
    for turn in range(TIMES):
        slider.focus()
        frame = canvas.get_attribute("data-frame")
        started = time.perf_counter()
        page.keyboard.press("ArrowRight" if turn % 4 < 2 else "ArrowLeft")
        while canvas.get_attribute("data-frame") == frame:
            if time.perf_counter() - started > 5.0:
                raise RuntimeError("the mass slider changes no frame")
        times.append(1e3 * (time.perf_counter() - started))
        page.wait_for_timeout(300)
    page.context.close()
    return spread("slider to the first frame of the new run", times)


def writing(browser: Browser, url: str, preset: str, line: str, texts: Sequence[str]) -> dict[str, float]:
    """From a text typed in *Write it* until the page shows the verdict on exactly that text, paused."""
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.goto(f"{url}?preset={preset}&t=1&play=0&tab=Write+it&write={line}")
    field = page.get_by_role("combobox", name="Right side of")
    field.wait_for(timeout=READY)
    page.wait_for_timeout(12_000)
    times = []
    for turn in range(TIMES):
        text = texts[turn % len(texts)] + " " * turn  # each text is different, so that nothing is cached
        times.append(float(field.evaluate(TYPED, text)))
        page.wait_for_timeout(700)
    page.context.close()
    return spread(f"{preset}: a line that is typed to its verdict", times)


def sliding_beside(browser: Browser, url: str, server: psutil.Process, preset: str, name: str) -> dict[str, float]:
    """From a key on the mass slider until another instrument, open beside it, shows new numbers, paused."""
    page = browser.new_context(viewport={"width": 1920, "height": 1080}).new_page()
    page.goto(f"{url}?preset={preset}&t=1&play=0&tab=Change&beside={name.replace(' ', '+')}")
    page.locator("canvas[data-marked]").wait_for(timeout=READY)
    page.get_by_role("button", name="Bodies", exact=True).click()
    slider = page.get_by_role("slider", name="Mass (kg)")
    page.wait_for_timeout(12_000)
    times, before = [], busy(server)
    for turn in range(TIMES):
        slider.focus()
        page.evaluate(ANSWERED, name)
        page.keyboard.press("ArrowRight" if turn % 4 < 2 else "ArrowLeft")
        times.append(float(page.evaluate("window.answered")))
        page.wait_for_timeout(700)
    cost = 1e3 * (busy(server) - before) / TIMES
    page.context.close()
    title = f"{preset}: slider to {name} beside it"
    return spread(title, times) | {f"{title}, server CPU ms a change": cost}


def busy(server: psutil.Process) -> float:
    """CPU seconds used by the server so far."""
    times = server.cpu_times()
    return float(times.user + times.system)


def scrubbing() -> dict[str, float]:
    """One step of the scrubber at the server: sets the cursor, and updates every view of the page."""
    found: dict[str, float] = {}
    for preset in PRESETS:
        times = [1e3 * seconds for seconds in asyncio.run(server_steps(preset))]
        found |= spread(f"{preset}: scrub step at the server", times)
    return found


async def server_steps(preset: str) -> list[float]:
    from app.page import assembled  # here, so that the contest is listed without the page

    pn.extension()
    page = assembled({"preset": preset, "play": "0"})
    page.page.server_doc(Document())
    session, clock = page.session, page.clock
    while session.opening.awaits_link:
        await asyncio.sleep(0.01)
        session.jobs.attend()
    while not session.run.complete:
        session.run.accept(session.run.compute())
    times = []
    for step in range(3 * TIMES):
        started = time.perf_counter()
        session.seek(0.1 + 0.05 * step)
        clock.tick(0.0, 0)
        times.append(time.perf_counter() - started)
        await asyncio.sleep(0.02)  # meanwhile the methods are compared, and the plots' samples are read
    clock.stop()
    return times[TIMES:]
