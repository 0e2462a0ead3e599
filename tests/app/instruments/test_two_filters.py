"""*Two filters*: its numbers are the mechanics' own, at rest, in the middle of a run, and of trees; a click follows."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

import dynamics as dyn
from app.equations.rounding import shortest_radius
from app.equations.sheet import Figures
from app.instruments.two_filters import DRAWN, TwoFilters
from app.instruments.two_filters_sheet import chain_html, felt, link_html, mean_masses, sizes
from app.page import assembled
from app.screen.rail import Rail
from app.state import Session
from app.state.walk import CORRECTION, PREDICTION
from tests.dynamics.systems import draw_robot
from tests.dynamics.twins import one_arm

pytestmark = pytest.mark.compiled_only


def at(preset: str, time: float) -> Session:
    session = Session(preset)
    while session.run.end < time:
        session.run.accept(session.run.compute())
    session.playing = False
    session.seek(time)
    return session


def tree(seed: int, n: int = 9) -> dyn.Solution:
    rng = np.random.default_rng(seed)
    twin = one_arm(rng, draw_robot(rng, n, branching=0.5), floating=True)
    return dyn.forward_dynamics(twin.system, twin.state, twin.tau)


SOLUTIONS = {
    "at the start": lambda: at("free_flyer", 0.0).solution(),
    "in the middle": lambda: at("free_flyer_drifting", 0.4).solution(),
    "a tree": lambda: tree(3),
    "another tree": lambda: tree(8, 14),
}


@pytest.fixture(params=SOLUTIONS)
def solution(request: pytest.FixtureRequest) -> dyn.Solution:
    return SOLUTIONS[request.param]()


def numbers_of(html: str, figures: Figures) -> list[float]:
    """What stands in the places of a piece of HTML, in its order."""
    return [float(figures.numbers[int(n)]) for n in re.findall(r"data-n='(\d+)'", html)]


def test_the_chain_says_how_heavy_each_link_is(solution: dyn.Solution) -> None:
    figures = Figures()
    html = chain_html(solution, 0, figures)
    shown = np.array(numbers_of(html, figures)).reshape(-1, 3)[::-1]
    system, stages = solution.system, solution.stages
    together = dyn.operational_space_inertia(system, solution.state)  # by kernels of their own
    for k in range(system.n_links):
        from_tip = stages["filter"]["articulated_inertia"][k]
        masses = [np.diag(m)[3:].mean() for m in (from_tip, together[k] - from_tip, together[k])]
        assert np.allclose(shown[k], masses, rtol=1e-9, atol=1e-9 * masses[2])
    assert np.allclose(shown[:, 0] + shown[:, 1], shown[:, 2])
    whole = sum(link.mass for link in system.link_models)
    assert shown[-1] == pytest.approx([shown[-1, 2], 0.0, shown[-1, 2]])  # nothing is inboard of the base
    assert (shown[:, 2] < whole * (1.0 + 1e-9)).all()  # no link feels heavier than everything
    assert len(re.findall(r"data-go='link \d+'", html)) == system.n_links


def test_the_link_is_told_by_the_text_and_in_its_sizes(solution: dyn.Solution) -> None:
    system = solution.system
    reading = dyn.read_textbook(system, solution.state, solution.tau)
    for k in (0, system.n_links // 2, system.n_links - 1):
        figures = Figures(shortest_radius(system))
        html = link_html(reading, solution, k, "light", figures)
        assert figures.count == len(figures.numbers)
        equations = re.findall(r"data-equation='(\S+ \S+)'", html)
        joint = ["dual_filter joint_acceleration"] if k < system.n_joints else []
        assert equations == ["dual_filter operational_space_inertia", "dual_filter acceleration", *joint]
        alpha = solution.stages["smoother"]["acceleration"][k]  # found by one filter and a sweep back
        section = html.partition("data-equation='dual_filter acceleration'")[2]
        assert np.allclose(numbers_of(section, figures)[:6], alpha, rtol=1e-8, atol=1e-8 * np.abs(alpha).max())
        felt = html.partition("How heavy it feels")[2].partition("No smoother")[0]
        shown = np.array(numbers_of(felt, figures)).reshape(2, 3, 3)
        P = solution.stages["filter"]["articulated_inertia"][k]
        S = dyn.operational_space_inertia(system, solution.state)[k] - P
        for block, values in ((slice(3, 6), shown[0]), (slice(0, 3), shown[1])):
            for matrix, row in zip((P, S, P + S), values, strict=True):
                expected = np.linalg.eigvalsh(matrix[block, block])
                assert np.allclose(row, expected, rtol=1e-8, atol=1e-9 * np.abs(values).max())


def test_what_is_stated_of_a_rod_is_what_one_knows_of_it() -> None:
    """Two equal bodies on a joint far from both: along the line between them each moves the other along."""
    body = dyn.Link("far", 2.0, np.array([1.0, 0.0, 0.0]), 0.1 * np.eye(3))
    root = dyn.Link("near", 2.0, np.array([-1.0, 0.0, 0.0]), 0.1 * np.eye(3))
    joint = dyn.Joint("pin", "revolute", np.array([0.0, 0.0, 1.0]), np.eye(4))
    robot = dyn.Robot("rod", (body,), (joint,), (1,), root, (dyn.Frame("tip", 0, np.eye(4)),))
    system = dyn.free_flyer(robot)
    solution = dyn.forward_dynamics(system, system.state())
    assert np.allclose(mean_masses(felt(solution))[0, 0], 2.0)
    assert np.allclose(sizes(solution, 0)[0, 2], [2.0 + 2.0 * 0.1 / 2.1, 4.0, 4.0])  # across, the other one turns away


def test_it_follows_the_cursor_and_leads_it() -> None:
    session = at("free_flyer", 0.3)
    opened: list[str] = []
    instrument = TwoFilters(session, lambda: opened.append("Walk"))
    instrument.paint("dark")
    instrument.draw()
    assert "Link 1, hand" in instrument._link.html
    before = instrument._chain.numbers
    for where in ("link 3", "link 99", "link ١", "link", "", "nonsense 1", "link 1 2", "row x"):
        instrument._go(where)
    assert (session.cursor.link, session.cursor.stage) == (3, "filter")
    assert "Link 4, elbow" in instrument._link.html
    assert instrument._chain.html.count("class='here'") == 1
    session.seek(0.1)
    instrument.draw()
    assert instrument._chain.numbers != before
    instrument._go("walk")
    assert opened == ["Walk"]
    assert (session.place.stage, session.place.link, session.place.half) == ("dual_filter", 3, CORRECTION)
    instrument._go("row 7")
    instrument._go("walk")
    assert (session.place.stage, session.place.link, session.place.half) == ("dual_filter", 7, PREDICTION)


def test_a_text_that_is_broken_elsewhere_is_whole_here() -> None:
    session = at("free_flyer", 0.2)
    instrument = TwoFilters(session, lambda: None)
    instrument.draw()
    whole = instrument._link.numbers
    session.breaks = frozenset({"inward_filter.prediction.P~M~drop"})
    instrument.paint("light")
    instrument.draw()
    assert instrument._link.numbers == whole


def test_the_world_shows_the_three_of_the_link_and_forgets_them() -> None:
    session = at("free_flyer", 0.2)
    instrument = TwoFilters(session, lambda: None)
    switch = instrument._world
    assert not switch.value
    layers = list(session.layers)
    session.walk_to_start()  # the walk chooses what is drawn
    switch.value = True
    assert set(DRAWN) <= set(session.layers)
    assert session.around == "link"
    assert not session.is_staged
    switch.value = False
    assert sorted(session.layers) == sorted(layers)
    assert session.around == "all"


@pytest.mark.slow
def test_only_a_free_flyer_has_it() -> None:
    whole = assembled({})
    rail = next(iter(whole.page.select(Rail)))
    assert "Two filters" not in rail.there
    whole.session.open_preset("free_flyer")
    assert "Two filters" in rail.there
    rail.active = "Two filters"
    assert whole.session.tab == "Two filters"
    whole.session.open_preset("two_arms_and_box")
    assert "Two filters" not in rail.there
    assert rail.active == "Walk"


def test_names_of_a_file_never_become_markup() -> None:
    markup = "<img src=x onerror=alert(1)>'\""
    body = dyn.Link(markup, 2.0, np.zeros(3), 0.1 * np.eye(3))
    root = replace(body, name=markup + "2")
    joint = dyn.Joint(markup, "revolute", np.array([0.0, 0.0, 1.0]), np.eye(4))
    robot = dyn.Robot(markup, (body,), (joint,), (1,), root, (dyn.Frame("tip", 0, np.eye(4)),))
    system = dyn.free_flyer(robot)
    solution, reading = dyn.forward_dynamics(system, system.state()), dyn.read_textbook(system, system.state())
    for html in (chain_html(solution, 0, Figures()), link_html(reading, solution, 0, "light", Figures())):
        assert "<img" not in html
        assert "alert(1)>'" not in html
