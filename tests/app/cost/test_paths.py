"""The longest chain as a picture: bars and lines are the counted tasks, and its depth is that of ``critical_path``."""

from __future__ import annotations

import asyncio
import html
import re
from collections.abc import Callable, Coroutine
from itertools import pairwise
from typing import Any

import pytest

import dynamics as dyn
from app.cost.cost import Cost
from app.cost.path_svg import graph_html, lane_text, svg
from app.cost.paths import ALL, CHAIN
from app.measures.path_graph import FORMS, HUB, LENGTHS, MOST_DRAWN, Graph, depth, graph
from app.state import Session

pytestmark = pytest.mark.compiled_only
Run = Callable[[Coroutine[Any, Any, None]], None]
CASES = [(form, n, arms) for form in FORMS for n, arms in ((1, 2), (5, 3), (7, 2))]


def direct(key: str, n: int, arms: int) -> Any:
    return dyn.critical_path(key, n, arms if key == "spoked_wheel" else 1)


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", " ", text)))


@pytest.mark.parametrize(("form", "n", "arms"), CASES)
def test_the_longest_chain_goes_from_the_first_step_to_the_last(form: Any, n: int, arms: int) -> None:
    """Each bar begins when the last that it needs has ended; the critical ones leave no gap."""
    drawn, found = graph(form, n, arms), direct(form.key, n, arms)
    for k, bar in enumerate(drawn.bars):
        assert bar.start == max((drawn.bars[first].end for first, last in drawn.needs if last == k), default=0)
    at = 0.0
    for bar in sorted((bar for bar in drawn.bars if bar.critical), key=lambda bar: (bar.start, bar.end)):
        assert bar.start == at
        at = bar.end
    assert at == drawn.steps == found.path.steps
    assert drawn.sequential == found.sequential.steps
    assert drawn.path == tuple(found.path[:2])
    assert drawn.published == (None if n == 1 else found.published)


def of_lane(drawn: Graph, name: str) -> float:
    return sum(bar.end - bar.start for bar in drawn.bars if drawn.lanes[bar.lane] == name)


def test_bars_are_as_long_as_what_they_stand_for() -> None:
    newton, wheel, filters = (graph(form, 5, 3) for form in FORMS)
    assert sum(bar.end - bar.start for bar in newton.bars) == newton.sequential
    stages = direct("spoked_wheel", 5, 3).stages
    for arm in range(3):
        assert of_lane(wheel, f"arm {arm + 1}") == sum(cost.steps for name, cost in stages.items() if name != HUB)
    assert of_lane(wheel, "hub: the object") == stages[HUB].steps
    sweep = dyn.count_operations("filter_smoother", 5).terms["outward_smoother"]
    smoothing = [bar.end - bar.start for bar in wheel.bars if bar.name in ("2 smooth", "5 smooth") and bar.lane == 0]
    assert smoothing == [sweep.steps] * 2  # the same sweep, before the hub and after it
    terms = dyn.count_operations("two_filter", 5).terms
    assert of_lane(filters, "filter from tip") == terms["inward_filter"].steps
    assert of_lane(filters, "filter from base") == terms["dual_filter"].steps
    assert [lane for lane in filters.lanes if lane.startswith("link")] == [f"link {k}" for k in range(1, 6)]


@pytest.mark.parametrize("form", FORMS)
def test_what_is_drawn_and_said(form: Any) -> None:
    drawn, found = graph(form, 6, 2), direct(form.key, 6, 2)
    picture = svg(form, drawn)
    assert picture.count("<rect") == sum(bar.end > bar.start for bar in drawn.bars)
    assert picture.count("class='critical'") == sum(bar.critical and bar.end > bar.start for bar in drawn.bars)
    assert picture.count("class='lane'") == len(drawn.lanes)
    assert len(re.findall(r"M[\d.]+ ", picture)) == len(drawn.needs)
    text = plain(graph_html(form, drawn, 6, 2))
    told = f"{found.path.steps:,} steps along the longest chain of {found.sequential.steps:,} in all"
    assert told in text
    assert f"Along it {found.path.multiplications:,} × and {found.path.additions:,} +" in text
    assert ("published 204 × and 203 +" in text) is (form.key == "newton_euler_modified")  # 27 n + 42 and 27 n + 41
    for left, width in re.findall(r"<rect x='([\d.]+)' y='[\d.]+' width='([\d.]+)'", picture):
        assert 80 < float(left) < float(left) + float(width) <= 360


def test_one_processor_does_one_thing_at_a_time_but_for_the_rotations() -> None:
    for form in FORMS:
        drawn = graph(form, 6, 3)
        for lane, name in enumerate(drawn.lanes):
            own = sorted((bar.start, bar.end) for bar in drawn.bars if bar.lane == lane and bar.end > bar.start)
            apart = all(end <= start for (_, end), (start, _) in pairwise(own))
            assert apart is not name.startswith("R_i (1.10)"), name


@pytest.mark.parametrize("arms", [2, 3, 4])
def test_the_hub_takes_longer_where_the_arms_cannot_give_way(arms: int) -> None:
    """What the page says of the jump: nothing moves where the contacts take as much as joints and object have."""
    firm = (6 * arms - 6) // arms
    few, more = (direct("spoked_wheel", n, arms).stages[HUB].steps for n in (firm, firm + 1))
    assert few > 2 * more


def test_depths_are_those_of_the_counts() -> None:
    for form in FORMS:
        for n in LENGTHS[1:4]:
            found = direct(form.key, n, 2)
            assert depth(form, n, 2) == (n, found.path.steps, found.sequential.steps)


def test_lanes_are_named_in_the_papers_letters() -> None:
    assert lane_text("omega_i (3.15)") == "ωᵢ"
    assert lane_text("m_i p_i x R a_i-1") == "mᵢ pᵢ × R aᵢ₋₁"
    assert lane_text("r_i x R f_i+1") == "rᵢ × R fᵢ₊₁"
    assert lane_text("hub: the object") == "hub: the object"


@pytest.mark.slow
def test_a_form_is_chosen_and_follows_the_machine(run_async: Run) -> None:
    async def settled(session: Session, instrument: Cost) -> str:
        instrument.draw()
        while session.jobs.running:
            await asyncio.wait(session.jobs.running)
            session.jobs.attend()
        instrument.draw()
        return plain(instrument.paths.sheet.html)

    async def live() -> None:
        session = Session("iiwa14")
        session.playing = False
        instrument = Cost(session)
        instrument.paint("light")
        assert f"N = 7: {direct('newton_euler_modified', 7, 1).path.steps:,} steps" in await settled(
            session, instrument
        )
        instrument._go("form 1")
        text = await settled(session, instrument)
        assert f"N = 7, 2 arms: {direct('spoked_wheel', 7, 2).path.steps:,} steps" in text
        assert "the line jumps" in text
        chain, every = (source.data["y"] for source in instrument.paths.plot._sources[:2])
        rows = [depth(FORMS[1], n, 2) for n in LENGTHS]
        assert list(chain) == [steps for _, steps, _ in rows]
        assert list(every) == [steps for _, _, steps in rows]
        assert instrument.paths.plot._names == (CHAIN, ALL)
        session.open_preset("four_arms_and_box")
        assert ", 4 arms: " in await settled(session, instrument)
        for nobody in ("form 3", "form -1", "form x", "form"):
            instrument._go(nobody)
        assert ", 4 arms: " in plain(instrument.paths.sheet.html)
        instrument.paths.draw(MOST_DRAWN + 4)
        await settled(session, instrument)
        instrument.paths.draw(MOST_DRAWN + 4)
        while session.jobs.running:
            await asyncio.wait(session.jobs.running)
            session.jobs.attend()
        instrument.paths.draw(MOST_DRAWN + 4)
        assert "Drawn for 8 of its 12 links." in instrument.paths.sheet.html

    run_async(live())


@pytest.mark.parametrize("what", ["graph", "depth"])
def test_a_failure_is_told_in_words(what: str, run_async: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise dyn.ModelError("no <chain>.")

    async def live() -> None:
        monkeypatch.setattr(f"app.cost.paths.{what}", fail)
        session = Session("puma560")
        instrument = Cost(session)
        instrument.draw()
        while session.jobs.running:
            await asyncio.wait(session.jobs.running)
            session.jobs.attend()
        instrument.draw()
        assert "The longest chain could not be counted: no &lt;chain&gt;." in instrument.paths.sheet.html
        assert not instrument.paths.plot.view.visible
        assert ("<svg" in instrument.paths.sheet.html) is (what == "depth")

    run_async(live())
