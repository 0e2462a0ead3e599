"""Any link as the base: both countings stand side by side, and what they say of each other is the mechanics' own."""

from __future__ import annotations

import re

import numpy as np
import pytest

import dynamics as dyn
from app.equations.rounding import shortest_radius
from app.equations.sheet import Figures
from app.instruments.two_filters import TwoFilters
from app.instruments.two_filters_base import TOLD, Comparison, base_html, relative
from app.instruments.two_filters_sheet import chain_html
from tests.app.instruments.test_two_filters import SOLUTIONS, at, numbers_of, tree

pytestmark = pytest.mark.compiled_only


@pytest.fixture(params=SOLUTIONS)
def solution(request: pytest.FixtureRequest) -> dyn.Solution:
    return SOLUTIONS[request.param]()


def counted(solution: dyn.Solution, base: str) -> Comparison:
    return Comparison(solution, dyn.from_another_base(solution, dyn.rebase(solution.system, base)))


def test_what_a_base_changes_and_what_it_does_not(solution: dyn.Solution) -> None:
    system = solution.system
    for base in (0, system.n_links // 2):
        found = counted(solution, system.link_names[base])
        for name, told in TOLD.items():
            if told.stays:
                assert found.most(name) < 1e-9, name
            else:
                assert found.apart(name, base) > 1e-3, name


def test_both_are_shown_as_the_mechanics_has_them(solution: dyn.Solution) -> None:
    """Found here by the rebased machine itself, at the new base's own point: that is the same one."""
    system = solution.system
    name = system.link_names[0]
    rebased = dyn.rebase(system, name)
    state = dyn.rebase_state(system, rebased, solution.state)
    tau = rebased.to_joint_vector(system.from_joint_vector(solution.tau))
    again = dyn.forward_dynamics(rebased, state, tau)
    figures = Figures(shortest_radius(system))
    html = base_html(counted(solution, name), system, 0, "light", figures)
    assert figures.count == len(figures.numbers)
    own, other = solution.stages, again.stages
    joints = again.system.from_joint_vector(again.joint_acceleration)
    expected = {
        "articulated_inertia": [x["filter"]["articulated_inertia"][k] for x, k in ((own, 0), (other, -1))],
        "dual_articulated_inertia": [
            x["dual_filter"]["dual_articulated_inertia"][k] for x, k in ((own, 0), (other, -1))
        ],
        "predicted_force": [x["filter"]["predicted_force"][k] for x, k in ((own, 0), (other, -1))],
        "operational_space_inertia": [
            dyn.operational_space_inertia(*x)[k] for x, k in (((system, solution.state), 0), ((rebased, state), -1))
        ],
        "acceleration": [x["smoother"]["acceleration"][k] for x, k in ((own, 0), (other, -1))],
        "joint_acceleration": [solution.joint_acceleration, system.to_joint_vector(joints)],
    }
    for key, pair in expected.items():
        section = html.partition(f"data-told='{key}'")[2].partition("</section>")[0]
        _, values = section.split("<div class='numbers'>")
        shown = np.array(numbers_of(values, figures)).reshape(2, -1)
        for one, wanted in zip(shown, pair, strict=True):
            assert np.allclose(one, wanted.ravel(), rtol=1e-8, atol=1e-8 * np.abs(pair).max()), key


def test_the_table_counts_from_the_chosen_base() -> None:
    solution = tree(3)
    system = solution.system
    other = dyn.from_another_base(solution, dyn.rebase(system, system.link_names[0]))
    figures, own = Figures(), Figures()
    html = chain_html(solution, 1, figures, other)
    before = np.array(numbers_of(chain_html(solution, 1, own), own)).reshape(-1, 3)
    after = np.array(numbers_of(html, figures)).reshape(-1, 3)
    assert np.allclose(after[:, 2], before[:, 2])
    assert after[-1] == pytest.approx([before[-1, 2], 0.0, before[-1, 2]], abs=1e-9)
    assert before[0, 0] > 1.01 * after[0, 0]  # the old base has something inboard now
    assert re.findall(r"data-go='base (\d+)'", html) == [str(k) for k in reversed(range(1, system.n_links))]


def test_a_difference_is_relative_to_what_has_its_unit() -> None:
    spatial, one = (0, 0, 0, 1, 1, 1), (0,)
    before = np.array([1.0, 0.0, 0.0, 100.0, 0.0, 0.0])[:, None]
    after = before.copy()
    after[1] = 0.5
    assert relative(before, after, spatial, one, 1e-3) == pytest.approx(0.5)  # beside 1, or beside 0.1 brought over
    assert relative(before, after, spatial, one, 1.0) == pytest.approx(0.005)  # where a metre makes them alike
    assert relative(before, after, spatial, one, 1e-3, np.array([[5.0], [0.0]])) == pytest.approx(0.1)
    assert relative(0.0 * before, 0.0 * before, spatial, one, 1.0) == 0.0
    assert relative(before, before, spatial, one, 1.0) == 0.0


def test_a_click_counts_from_there_and_back() -> None:
    session = at("free_flyer", 0.4)
    run = session.run
    instrument = TwoFilters(session, lambda: None)
    instrument.draw()
    assert "Any link as the base" in instrument._counted.html
    instrument._go("base 0")
    assert "Counted from hand instead of bus" in instrument._counted.html
    first = instrument._counted.numbers
    session.seek(0.1)
    instrument.draw()
    assert instrument._counted.numbers != first
    instrument._go("base 2")
    assert "Counted from forearm" in instrument._counted.html
    for where in ("base 99", "base", "base x", "base -1", "base ١"):
        instrument._go(where)
    assert "Counted from forearm" in instrument._counted.html
    instrument._go("link 0")
    assert "Link 1, hand does not lie between the two bases" in instrument._counted.html
    session.set_torque(session.system.joint_names[0], 0.5)  # another run of the same machine
    session.run.accept(session.run.compute())
    instrument.draw()
    assert "Counted from forearm" in instrument._counted.html
    instrument._go("base 7")
    assert "Any link as the base" in instrument._counted.html
    assert run.legs  # nobody has touched it
    instrument._go("base 1")
    session.open_preset("free_flyer_drifting")
    instrument.draw()
    assert "Counted from wrist" in instrument._counted.html


def test_what_cannot_fly_alone_is_refused_in_words() -> None:
    text = """<robot name='r'><link name='bus'><inertial><mass value='9'/><inertia ixx='1' iyy='1' izz='1' ixy='0'
    ixz='0' iyz='0'/></inertial></link><link name='fork'/><link name='hand'><inertial><origin xyz='.3 0 0'/><mass
    value='1'/><inertia ixx='.1' iyy='.1' izz='.1' ixy='0' ixz='0' iyz='0'/></inertial></link>
    <joint name='a' type='continuous'><parent link='bus'/><child link='fork'/><axis xyz='0 1 0'/></joint>
    <joint name='b' type='continuous'><parent link='fork'/><child link='hand'/><axis xyz='0 0 1'/></joint></robot>"""
    system = dyn.free_flyer(dyn.load_urdf_text(text))
    session = at("free_flyer", 0.0)
    instrument = TwoFilters(session, lambda: None)
    instrument._go("base 2")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(session), "system_here", property(lambda _: system))
        instrument._count_from("fork")
    assert "fork cannot be called the base" in session.message
    assert instrument._base == "forearm"
    instrument.draw()
    assert "Counted from forearm" in instrument._counted.html


def test_at_rest_there_is_nothing_to_tell_apart() -> None:
    system, state = dyn.example("free_flyer")
    still = dyn.forward_dynamics(system, system.state(q=state.q))
    found = counted(still, "hand")
    assert {name: found.most(name) for name in ("acceleration", "joint_acceleration")} == {
        "acceleration": 0.0,
        "joint_acceleration": 0.0,
    }
