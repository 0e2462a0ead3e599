"""The picture of a parallel form: a lane for each processor, a bar for each task, the longest chain heavy."""

from __future__ import annotations

import html
import re

from app.equations.spelled import LETTERS
from app.measures.path_graph import FORMS, Bar, Form, Graph
from app.number_text import number_text

WIDTH, LANE, LEFT, FOOT = 360.0, 19.0, 88.0, 18.0
LETTER = 5.4
"""Width of a letter of a bar, about."""
LOWERED = str.maketrans("i0123456789+-", "ᵢ₀₁₂₃₄₅₆₇₈₉₊₋")


def forms_html(chosen: Form) -> str:
    """Which form stands below, and what it is."""
    offered = "".join(
        f"<button type='button' data-go='form {k}' aria-pressed='{str(form is chosen).lower()}'>{form.name}</button>"
        for k, form in enumerate(FORMS)
    )
    return f"<div class='tools'>{offered}</div><p>{html.escape(chosen.told)}</p>"


def graph_html(form: Form, drawn: Graph, n_links: int, n_arms: int) -> str:
    """The picture, and how deep it is."""
    arms = f", {n_arms} arms" if form.key == "spoked_wheel" else ""
    times = number_text(drawn.sequential / drawn.steps, digits=3)
    paper = "" if drawn.published is None else f"; published {drawn.published[0]} × and {drawn.published[1]} +"
    return (
        f"<p><b>N = {n_links}{arms}: {drawn.steps:,} steps along the longest chain of {drawn.sequential:,} in all</b>, "
        f"at most {times} times as quick. Along it {drawn.path[0]:,} × and {drawn.path[1]:,} +{paper}. "
        f"Processors: {html.escape(drawn.processors)}.</p>{svg(form, drawn)}"
        "<p class='note'>Heavy: the longest chain. A thin line leads from what is done to what waits for it. A step is "
        "a multiplication, an addition or a division; sending numbers takes none."
        f"{' ' + form.note if form.note else ''}</p>"
    )


def svg(form: Form, drawn: Graph) -> str:
    """Lanes from top to bottom, steps from left to right."""
    height = LANE * len(drawn.lanes) + FOOT
    last = max(bar.end for bar in drawn.bars)
    scale = (WIDTH - LEFT - 4.0) / last
    lanes = "".join(
        f"<text x='0' y='{LANE * (k + 0.7):.1f}'>{html.escape(lane_text(name))}</text>"
        f"<line class='lane' x1='{LEFT}' x2='{WIDTH}' y1='{LANE * (k + 1):.1f}' y2='{LANE * (k + 1):.1f}'/>"
        for k, name in enumerate(drawn.lanes)
    )
    lines: dict[bool, list[str]] = {False: [], True: []}
    for first, second in drawn.needs:
        one, other = drawn.bars[first], drawn.bars[second]
        lines[one.critical and other.critical and one.end == other.start].append(
            f"M{LEFT + scale * one.end:.1f} {LANE * (one.lane + 0.5):.1f}"
            f"L{LEFT + scale * other.start:.1f} {LANE * (other.lane + 0.5):.1f}"
        )
    bars = "".join(_bar_html(bar, scale, drawn.lanes[bar.lane]) for bar in drawn.bars if bar.end > bar.start)
    told = f"{form.name}: {len(drawn.bars)} tasks in {len(drawn.lanes)} lanes, {drawn.steps} steps in the longest chain"
    return (
        f"<svg class='graph' viewBox='0 0 {WIDTH:g} {height:g}' role='img' "
        f"aria-label='{html.escape(told, quote=True)}'>{lanes}<path class='needs' d='{''.join(lines[False])}'/>"
        f"<path class='needs heavy' d='{''.join(lines[True])}'/>{bars}"
        f"<text x='{LEFT}' y='{height - 4.0:g}'>0</text><text x='{WIDTH}' y='{height - 4.0:g}' class='end'>"
        f"{last:,.0f} steps</text></svg>"
    )


def _bar_html(bar: Bar, scale: float, lane: str) -> str:
    """A bar, and in it what it is, where there is room: all of its name or its first word, unless the lane says it."""
    left, width, top = LEFT + scale * bar.start, scale * (bar.end - bar.start), LANE * bar.lane
    heavy = " class='critical'" if bar.critical else ""
    texts = () if bar.name == lane else (bar.name, bar.name.partition(" ")[0])
    text = next((each for each in texts if len(each) * LETTER < width - 3.0), "")
    within = f"<text class='within' x='{left + width / 2.0:.1f}' y='{top + 0.66 * LANE:.1f}'>{html.escape(text)}</text>"
    return (
        f"<rect x='{left:.1f}' y='{top + 3.0:.1f}' width='{max(width, 0.8):.1f}' height='{LANE - 6.0:g}'{heavy}>"
        f"<title>{html.escape(bar.name)}: steps {bar.start:g} to {bar.end:g}</title></rect>{within if text else ''}"
    )


def lane_text(name: str) -> str:
    """A lane's name in letters that stand by themselves: pictures know no subscripts."""
    text = re.sub(r" \([\d.]+\)$", "", name)
    for spelled, letter in LETTERS.items():
        text = text.replace(spelled, letter)
    return re.sub(r"_(i(?:[+-]1)?)|(?<=[a-z])(i[+-]1)", lambda found: (found[1] or found[2]).translate(LOWERED), text)
