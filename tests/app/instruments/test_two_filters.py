"""Two filters: its numbers are the mechanics' own, at rest, in a run and for trees; a click follows."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamics as dyn
from app.equations.rounding import shortest_radius
from app.equations.sheet import Figures
from app.instruments.two_filters import TwoFilters
from app.instruments.two_filters_sheet import (
    LEGENDS,
    Comparison,
    Flight,
    base_html,
    chain_html,
    is_pushed,
    link_html,
    meetings,
)
from app.instruments.walk.step_sheet import step_html
from app.motion.interventions import ForceStep
from app.state.walk import CORRECTION, PREDICTION, Place
from dynamics.reading import stage_difference
from dynamics.robot import Frame
from dynamics.solve import from_another_base, rebase, rebase_state, velocity_without_momentum
from tests.app.arrival import computed, paused
from tests.app.instruments.walk.test_step_sheet import places
from tests.dynamics.systems import draw_robot
from tests.dynamics.twins import one_arm

pytestmark = pytest.mark.compiled_only
SEEDS = st.integers(0, 2**32 - 1)


def tree(seed: int, n: int = 9) -> dyn.Solution:
    rng = np.random.default_rng(seed)
    twin = one_arm(rng, draw_robot(rng, n, branching=0.5), floating=True)
    return dyn.forward_dynamics(twin.system, twin.state, twin.tau)


SOLUTIONS = {
    "at the start": lambda: paused("free_flyer_drifting", 0.0).solution(),
    "in the middle": lambda: paused("free_flyer_drifting", 0.4).solution(),
    "two arms": lambda: paused("two_arm_flyer", 0.7).solution(),
    "a tree": lambda: tree(3),
    "another tree": lambda: tree(8, 14),
}


def numbers_of(html: str, figures: Figures) -> list[float]:
    return [float(figures.numbers[n]) for n in places(html)]


def test_the_chain_says_how_heavy_each_link_is() -> None:
    for name, make in SOLUTIONS.items():
        solution, figures = make(), Figures()
        html = chain_html(solution, 0, figures)
        shown = np.array(numbers_of(html, figures)).reshape(-1, 3)[::-1]
        system, stages = solution.system, solution.stages
        together = dyn.operational_space_inertia(system, solution.state)  # by kernels of their own
        for k in range(system.n_links):
            from_tip = stages["filter"]["articulated_inertia"][k]
            masses = [np.diag(m)[3:].mean() for m in (from_tip, together[k] - from_tip, together[k])]
            assert np.allclose(shown[k], masses, rtol=1e-9, atol=1e-9 * masses[2]), (name, k)
        whole = sum(link.mass for link in system.link_models)
        assert shown[-1] == pytest.approx([shown[-1, 2], 0.0, shown[-1, 2]])  # nothing is inboard of the base
        assert (shown[:, 2] < whole * (1.0 + 1e-9)).all()  # no link feels heavier than everything
        assert len(re.findall(r"data-go='link \d+'", html)) == system.n_links


def test_a_link_has_the_accelerations_and_sizes_of_the_text() -> None:
    for name, make in SOLUTIONS.items():
        solution = make()
        system = solution.system
        reading = dyn.read_textbook(system, solution.state, solution.tau)
        for k in (0, system.n_links // 2, system.n_links - 1):
            figures = Figures(shortest_radius(system))
            html = link_html(reading, solution, k, "light", figures)
            equations = re.findall(r"data-equation='dual_filter (\S+)'", html)
            joint = ["joint_acceleration"] if k < system.n_joints else []
            assert equations == ["operational_space_inertia", "acceleration", *joint], (name, k)
            alpha = solution.stages["smoother"]["acceleration"][k]  # found by one filter and a sweep back
            section = html.partition("data-equation='dual_filter acceleration'")[2]
            assert np.allclose(numbers_of(section, figures)[:6], alpha, rtol=1e-8, atol=1e-8 * np.abs(alpha).max())
            felt = html.partition("about one axis only")[2].partition("No smoother")[0]
            shown = np.array(numbers_of(felt, figures)).reshape(2, 3, 3)
            P = solution.stages["filter"]["articulated_inertia"][k]
            S = dyn.operational_space_inertia(system, solution.state)[k] - P
            for block, values in ((slice(3, 6), shown[0]), (slice(0, 3), shown[1])):
                for matrix, row in zip((P, S, P + S), values, strict=True):
                    expected = np.linalg.eigvalsh(matrix[block, block])
                    assert np.allclose(row, expected, rtol=1e-8, atol=1e-9 * np.abs(values).max()), (name, k)


def test_it_follows_the_cursor_and_leads_it() -> None:
    session, opened = paused("free_flyer", 0.3), list[str]()
    instrument = TwoFilters(session, lambda: opened.append("Walk"))
    instrument.paint("dark")
    instrument.draw()
    assert "Link hand" in instrument._link.html
    before = instrument._chain.numbers
    for where in ("link 3", "link 99", "link ١", "link", "", "nonsense 1", "link 1 2", "row x"):
        instrument._go(where)
    assert (session.cursor.link, session.cursor.stage) == (3, "filter")
    assert "Link elbow" in instrument._link.html
    session.seek(0.1)
    instrument.draw()
    assert instrument._chain.numbers != before
    instrument._go("walk")
    assert opened == ["Walk"]
    assert (session.place.stage, session.place.link, session.place.half) == ("dual_filter", 3, CORRECTION)
    instrument._go("row 7")
    instrument._go("walk")
    assert (session.place.stage, session.place.link, session.place.half) == ("dual_filter", 7, PREDICTION)


def test_names_of_a_file_never_become_markup() -> None:
    markup = "<img src=x onerror=alert(1)>'\""
    body = dyn.Link(markup, 2.0, np.zeros(3), 0.1 * np.eye(3))
    joint = dyn.Joint(markup, "revolute", np.array([0.0, 0.0, 1.0]), np.eye(4))
    tips = (Frame("tip", 0, np.eye(4)),)
    system = dyn.free_flyer(dyn.Robot(markup, (body,), (joint,), (1,), replace(body, name=markup + "2"), tips))
    solution, reading = dyn.forward_dynamics(system, system.state()), dyn.read_textbook(system, system.state())
    step = step_html(
        reading, stage_difference(reading.solution, solution), Place("filter", 0, 0, 0), "light", Figures()
    )
    for html in (chain_html(solution, 0, Figures()), link_html(reading, solution, 0, "light", Figures()), step):
        assert "<img" not in html
        assert "alert(1)>'" not in html


def test_a_click_counts_from_there_and_back() -> None:
    session = paused("free_flyer", 0.4)
    instrument = TwoFilters(session, lambda: None)
    instrument.draw()
    for where in ("base 2", "base 99", "base", "base x", "base -1", "base ١"):
        instrument._go(where)
        assert "Counted from forearm instead of bus" in instrument._counted.html
    session.set_torque(session.system.joint_names[0], 0.5)  # another run of the same machine
    computed(session.run, 0.25)
    instrument.draw()
    assert "Counted from forearm" in instrument._counted.html
    instrument._go("base 7")
    assert "Any link as the base" in instrument._counted.html


@settings(max_examples=10)
@given(SEEDS)
def test_sums_where_branches_meet_are_those_of_the_text(seed: int) -> None:
    """By its own letters: what each branch carries in, R(k) of the others, S+(k)."""
    solution = tree(seed, 12) if seed else paused("two_arm_flyer", 0.7).solution()
    reading = dyn.read_textbook(solution.system, solution.state, solution.tau)
    phi, inboard = reading.letter("phi"), np.asarray(solution.system.inboard)
    P, P_plus, S, S_plus, R, M = (np.asarray(reading.letter(name)) for name in ("P", "P_plus", "S", "S_plus", "R", "M"))

    def mass(inertia: np.ndarray) -> float:
        return float(np.trace(inertia[3:, 3:]) / 3.0)

    found = meetings(solution)
    counts = np.bincount(inboard[inboard >= 0], minlength=solution.system.n_links)
    assert [each.body for each in found] == [*np.flatnonzero(counts > 1)[::-1]]
    for each in found:
        i = each.body
        assert each.apart < 1e-9
        assert each.own == pytest.approx(mass(M[i]))
        for place, (j, carried, felt) in enumerate(zip(each.branches, each.carried, each.scattered, strict=True)):
            shift = np.asarray(phi(i, j))
            assert carried == pytest.approx(mass(shift @ P_plus[j] @ shift.T), rel=1e-9)
            assert each.others(place) == pytest.approx(mass(R[j]), rel=1e-8)
            assert felt == pytest.approx(mass(S_plus[j]), rel=1e-8)
            assert felt == pytest.approx(mass(S[i]) + mass(M[i]) + mass(R[j]), rel=1e-8)
        assert each.gathered == pytest.approx(mass(P[i]), rel=1e-9)


def drifting(seed: int, gravity: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> tuple[dyn.System, dyn.State]:
    rng = np.random.default_rng(seed)
    twin = one_arm(rng, draw_robot(rng, 6, branching=0.5), floating=True, speed=0.5)
    system, own = dyn.free_flyer(twin.system.robots[0], gravity=gravity), twin.state
    return system, system.state(q=own.q, qd=own.qd, base_pose=own.base_pose, base_velocity=own.base_velocity)


def test_momentum_stays_and_the_mass_center_keeps_its_path() -> None:
    for seed, gravity in ((1, (0.0, 0.0, 0.0)), (2, (0.3, -0.7, -9.81)), (4, (0.0, 0.0, -1.6))):
        system, state = drifting(seed, gravity)
        controller = dyn.ConstantTorque(np.zeros(system.n_joints))
        recording = dyn.simulate(system, state, controller, duration=0.5, dt=1e-3)
        flight = Flight(recording.solution_at(0.0), recording.solution_at(0.5), 0.5, pushed=False)
        assert max(flight.linear.apart, flight.angular.apart, flight.off_path) < 1e-6, seed
        assert flight.falls is any(gravity)


@given(SEEDS)
def test_what_joints_alone_turn_is_what_is_left_without_momentum(seed: int) -> None:
    """A machine in the same posture, its base given exactly that velocity, has no momentum."""
    system, state = drifting(seed)
    solution = dyn.forward_dynamics(system, state)
    M, n = dyn.mass_matrix(system, state), system.n_joints
    base = -np.linalg.inv(M[n:, n:]) @ M[n:, :n] @ state.qd
    still = system.state(q=state.q, qd=state.qd, base_pose=state.base_pose, base_velocity=base)
    momentum = dyn.forward_dynamics(system, still).momentum
    assert np.abs(momentum).max() < 1e-9 * np.abs(solution.momentum).max()
    assert np.allclose(velocity_without_momentum(system, state), base, atol=1e-12 * np.abs(base).max())


def test_flight_is_said_as_it_was_and_after_a_push_nothing_is_said_to_stay() -> None:
    session = paused("free_flyer", 0.2)
    instrument = TwoFilters(session, lambda: None)
    instrument.draw()
    assert "stayed" in instrument._flight.html
    first, now = session.run.solution_at(0.0), session.solution()
    turn = now.link_pose[-1, :3, :3] @ first.link_pose[-1, :3, :3].T
    angle = np.degrees(np.arccos(np.clip((np.trace(turn) - 1.0) / 2.0, -1.0, 1.0)))
    assert np.frombuffer(instrument._flight.numbers)[0] == pytest.approx(angle, rel=1e-6)
    wrench = np.zeros((session.system.n_links + 1, 6))
    wrench[0, 3] = 2.0
    session.intervene(ForceStep(0.2, wrench))
    computed(session.run, 0.6)
    for time in (0.1, 0.6):
        session.seek(time)
        assert is_pushed(session.run, session.time) == (time > 0.2)
    instrument.draw()
    assert "something has pushed it from outside" in instrument._flight.html
    assert "stayed" not in instrument._flight.html


def test_another_base_changes_what_it_says_it_changes_and_nothing_else() -> None:
    """The rebased machine is solved by itself, at the new base's own point: that is the same one."""
    for name, make in SOLUTIONS.items():
        solution = make()
        system, own = solution.system, solution.stages
        for base in (0, system.n_links // 2):
            rebased = rebase(system, system.link_names[base])
            found = Comparison(solution, from_another_base(solution, rebased))
            for key, told in LEGENDS.items():
                assert found.most(key) < 1e-9 if told.stays else found.apart(key, base) > 1e-3, (name, key)
        rebased = rebase(system, system.link_names[0])
        state = rebase_state(system, rebased, solution.state)
        tau = rebased.to_joint_vector(system.from_joint_vector(solution.tau))
        other, figures = dyn.forward_dynamics(rebased, state, tau).stages, Figures(shortest_radius(system))
        found = Comparison(solution, from_another_base(solution, rebased))
        html = base_html(found, system, 0, "light", figures)
        for stage, key in (("filter", "articulated_inertia"), ("filter", "predicted_force"),
                           ("dual_filter", "dual_articulated_inertia"), ("smoother", "acceleration")):  # fmt: skip
            pair = own[stage][key][0], other[stage][key][-1]
            section = html.partition(f"data-told='{key}'")[2].partition("</section>")[0]
            shown = np.array(numbers_of(section.split("<div class='numbers'>")[1], figures)).reshape(2, -1)
            for one, wanted in zip(shown, pair, strict=True):
                assert np.allclose(one, wanted.ravel(), rtol=1e-8, atol=1e-8 * np.abs(pair).max()), (name, key)
