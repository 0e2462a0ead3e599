"""The text on the page: for every line of every preset's walk, code, equation and value are what was computed."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import dynamics as dyn
from app.equations.rounding import JOINED, Loads, sizes_of_bracket, sizes_of_parts
from app.equations.words import words_of
from app.motion.presets import PRESETS
from app.state import Session, walk
from app.state.walk import Place
from dynamics.reading import LineReading
from tests.browser.test_page import PATIENCE, wait_until
from tests.browser.test_walker import number

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
AT = 0.2
SHOWN = """
root => {
  const texts = element => [...element.querySelectorAll("[data-n]")].map(cell => cell.textContent)
  return {
    rows: [...root.querySelectorAll("ol.text > li")].map(row => ({
      number: row.value,
      code: row.querySelector("code").textContent,
      equation: row.querySelector(".source").textContent,
      values: [...row.querySelectorAll(".own")].map(texts),
    })),
    sections: [...root.querySelectorAll("section.equation")].map(section => ({
      line: section.id,
      equation: section.querySelector("header .source").textContent,
      terms: [...section.querySelectorAll(".numbers > .term")].map(texts),
    })),
  }
}
"""


def moment(preset: str) -> Session:
    """The moment that the page shows, computed here."""
    session = Session(preset)
    while session.run.end < AT:
        session.run.accept(session.run.compute())
    session.playing = False
    session.seek(AT)
    return session


def a_place_of_each_kind(system: dyn.System) -> list[Place]:
    """Every half-step of every stage: at a link within the first arm, at the last arm's tip, and at a free base."""
    found: dict[tuple[object, ...], Place] = {}
    for place in walk.whole_walk(system):
        floats, kept = place.link >= system.n_joints, (place.stage, place.half)
        at_tip = place.link in {tip.link for tip in system.tips}
        if (*kept, floats) not in found or (at_tip and not floats and place.arm == system.n_arms - 1):
            found[(*kept, floats)] = place
        if not at_tip and place.arm == 0:
            found.setdefault((*kept, floats, "inside"), place)
    return list(found.values())


def equal_as_shown(shown: list[str], value: np.ndarray, beside: float = 0.0) -> bool:
    """Equal to the four digits shown; what is rounding beside what it was made of is shown as zero."""
    numbers, value = np.array([number(text) for text in shown]), value.ravel()
    if numbers.shape != value.shape:
        return False
    largest = max(np.abs(value).max(initial=0.0), beside)
    return bool(np.all(np.abs(numbers - value) <= 0.51e-3 * np.abs(value) + 1.1e-12 * largest))


def beside(line: LineReading, factor: dyn.FactorValue, loads: Loads, is_alone: bool) -> float:
    """Beside what a factor is rounding: the sum in which it is a term, its own bracket, and the loads at its joint."""
    sizes = [float(np.max(sizes_of_parts(line)))] if is_alone else []
    if factor.inner:
        sizes.append(float(np.max(sizes_of_bracket(factor))))
    if factor.letter in JOINED:
        sizes.append(float(np.max(loads.at(factor.letter, line.link))))
    return max(sizes, default=0.0)


def faults(shown: dict[str, Any], lines: tuple[LineReading, ...], solution: dyn.Solution, computes: str) -> list[str]:
    """What on the page is not what was computed."""
    wrong = []
    loads = Loads.of(solution.system, solution.stages)
    by_line: dict[str, list[LineReading]] = {}
    for line in lines:
        by_line.setdefault(line.key, []).append(line)
    if len(shown["rows"]) != len(by_line) or len(shown["sections"]) != len(lines):
        return ["lines are missing"]
    for row, calls in zip(shown["rows"], by_line.values(), strict=True):
        line = calls[0]
        text = (files("dynamics.textbook") / line.file).read_text(encoding="utf-8").splitlines()
        source = text[row["number"] - 1] if row["number"] <= len(text) else ""  # still the lines of the place before
        if source.partition("  # ")[0].strip() != row["code"] or row["equation"] != line.equation:
            wrong.append(f"{line.key}: {row['code']}")
        for value, call in zip(row["values"], calls, strict=True):
            if not equal_as_shown(value, call.value, float(loads.parts(call).max())):
                wrong.append(f"{line.key} has {value} beside it")
    # What the half-step is for comes first.
    for section, line in zip(
        shown["sections"], sorted(lines, key=lambda line: line.quantity_name != computes), strict=True
    ):
        left, *right = section["terms"]
        factors = [
            (factor.value, beside(line, factor, loads, len(line.terms) > 1 == len(term.factors) and not factor.inverse))
            for term in line.terms
            for factor in term.factors
        ]
        if section["line"] != line.key or section["equation"] != line.equation:
            wrong.append(f"{line.key} is not {section['line']}")
        if not equal_as_shown(left, line.value, float(loads.parts(line).max())):
            wrong.append(f"left side of {line.key} is {left}")
        if factors and not all(equal_as_shown(text, *factor) for text, factor in zip(right, factors, strict=True)):
            wrong.append(f"right side of {line.key} is {right}")
        array = solution.stages[line.stage].get(line.quantity_name)
        if array is not None and line.link >= 0 and line.stage != "contact":
            size = float(np.abs(array).max())
            if np.abs(line.value.ravel() - array[line.link].ravel()).max() > 1e-8 * size:
                wrong.append(f"{line.key} is not what the fast form computed")
    return wrong


CLICK = "node => node.dispatchEvent(new MouseEvent('click', {bubbles: true, composed: true}))"
"""Of a program: a mouse that moves costs more than all that it is to show here."""


def go_to(page: Page, system: dyn.System, place: Place) -> None:
    """By the map to the place's node, and by the button to its second half."""
    nodes = page.locator("g.node")
    arm = f"arm {place.arm + 1}, " if system.n_arms > 1 else ""
    words = f"{arm}link {walk.number(system, place.link)}, {system.link_names[place.link]}"
    stage = {
        "filter": "inward filter", "smoother": "outward smoother", "filter_correction": "inward correction",
        "smoother_final": "final smoother", "dual_filter": "dual filter",
        "contact": f"contact stage, {'corrector' if place.half else 'predictor'}",
    }[place.stage]  # fmt: skip
    nodes.and_(page.locator(f"[aria-label='{stage}, {words}']")).first.evaluate(CLICK)
    if place.half and place.stage != "contact" and place.link < system.n_joints:
        page.locator("g[aria-current=step]").wait_for(timeout=PATIENCE)
        page.get_by_role("button", name="One step on (→)").evaluate(CLICK)


@pytest.mark.parametrize("preset", PRESETS)
def test_line_equation_and_value_are_what_was_computed(lead: Callable[[str], Page], preset: str) -> None:
    session = moment(preset)
    solution, reading, system = session.solution(), session.reading(), session.system_here
    page = lead(f"preset={preset}&t={AT:.3f}&play=0")
    sheet = page.get_by_role("tabpanel", name="Walk").locator(".sheet").first
    for place in a_place_of_each_kind(system):
        go_to(page, system, place)
        lines = reading.lines(place.stage, place.link, place.half)
        own = words_of(place.stage, place.half, place.link >= reading.system.n_joints).computes
        wait_until(page, lambda: faults(sheet.evaluate(SHOWN), lines, solution, own) == [])  # noqa: B023
    said = sheet.locator("[data-digits] [data-n]").inner_text()
    apart = dyn.stage_difference(reading.solution, solution).relative
    assert 0.4 * apart <= number(said) <= 2.0 * apart or apart == number(said)


LOWERED = """
() => {
  const fonts = [...document.fonts].filter(font => font.family.includes("Armsweep Math"))
  const found = []
  const seek = root => {
    for (const each of root.querySelectorAll("*")) {
      if (each.shadowRoot) seek(each.shadowRoot)
      if (each.localName !== "msub" || !each.checkVisibility() || !each.getBoundingClientRect().width) continue
      const [own, index] = [...each.children].map(part => part.getBoundingClientRect())
      found.push(index.bottom - own.bottom)
    }
  }
  seek(document)
  return fonts.some(font => font.status === "loaded") ? found : []
}
"""


@pytest.mark.parametrize("tab", ["Walk", "Contact", "Check", "Break it"])
def test_an_index_stands_below_its_letter(lead: Callable[[str], Page], tab: str) -> None:
    """Also where the device has no font of its own for mathematics, as this one."""
    page = lead(f"preset=two_arms_and_box&t=0.4&play=0&tab={tab}")
    wait_until(page, lambda: len(page.evaluate(LOWERED)) > 1)
    assert min(page.evaluate(LOWERED)) > 1.0
