"""Motion over time: what is conserved, what is held, and the order that each method claims."""

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dynamics as dyn
from dynamics.motion.textbook_simulation import TextbookSimulation
from tests.dynamics.every import every
from tests.dynamics.textbook.cases import case_named

pytestmark = pytest.mark.compiled_only
CEILING = np.diag([1.0, -1.0, -1.0, 1.0])


def undriven_arm(name: str) -> tuple[dyn.System, dyn.State]:
    robot = dyn.load(name).without("friction", "damping", "limits")
    rng = np.random.default_rng(1)
    gravity = (0.0, 0.0, 0.0 if name == "planar_chain" else -9.81)
    system = dyn.single_arm(robot, gravity=gravity, base_pose=CEILING if name in ("iiwa14", "panda") else None)
    return system, system.state(q=rng.uniform(-0.5, 0.5, system.n_joints), qd=rng.uniform(-0.5, 0.5, system.n_joints))


def test_energy_of_undriven_machines() -> None:
    """A falling arm's wrists whip round at 60 to 120 rad/s: too fast for RK4's 1e-8. Contacts do no work."""
    runs = [(*undriven_arm(name), "rk4", 1e-8, 0.0) for name in ("puma560", "iiwa14", "panda", "planar_chain")]
    for method, name, share in (("rk8", "iiwa14", 1e-10), ("rk8", "panda", 1e-10), ("rk8", "planar_chain", 1e-8),
                                ("rk5", "iiwa14", 1e-8)):  # fmt: skip
        system = dyn.single_arm(dyn.load(name).without("friction", "damping", "limits"))
        runs.append((system, system.home(), method, share, 30.0))
    held, state = dyn.example("two_arms_and_box")
    runs.append((without_losses(held, state), state, "rk4", 1e-6, 0.0))
    for system, state, method, share, fast in runs:
        recording = dyn.simulate(system, state, duration=2.0 if system.is_held else 5.0, dt=1e-3, method=method)
        assert np.abs(recording.v).max() > fast
        solutions = [recording.solution_at(t) for t in recording.t[::50]]
        kinetic = max(solution.kinetic_energy for solution in solutions)
        total = [solution.kinetic_energy + solution.potential_energy for solution in solutions]
        assert np.ptp(total) < share * kinetic, (method, system.robots[0].name)


def test_closure_holds_for_ten_seconds() -> None:
    for name in ("two_arms_and_box", "two_planar_arms", "point_contact", "four_arms_and_box"):
        system, state = dyn.example(name)
        rng = np.random.default_rng(3)
        size = 0.1 if name == "two_planar_arms" else 1.0  # Nm; those arms weigh 1.5 kg
        torque = dyn.ConstantTorque(rng.uniform(-size, size, system.n_joints))
        recording = dyn.simulate(system, state, controller=torque, duration=10.0, dt=1e-3)
        assert recording.t[-1] == pytest.approx(10.0)
        assert recording.drift.shape == (len(recording.t), 2)
        assert np.max([closure_gap(recording, t) for t in recording.t[::200]]) < 1e-9, name
        dyn.forward_dynamics(system, recording.state_at(10.0), np.zeros(system.n_joints))


def closure_gap(recording: dyn.Recording, t: float) -> float:
    """How far, in metres, the contact points of arms and object are apart."""
    solution = recording.solution_at(t)
    gaps = [
        solution.link_pose[contact.link] @ contact.tip_pose - solution.state.object_pose @ contact.object_pose
        for contact in solution.system.contacts
    ]
    return float(np.max([np.linalg.norm(gap[:3, 3]) for gap in gaps]))


def without_losses(system: dyn.System, state: dyn.State) -> dyn.System:
    free = dyn.multi_arm(
        [robot.without("friction", "damping", "limits") for robot in system.robots], base_poses=system.base_poses,
        task_object=system.task_object, gravity=system.gravity,
    )  # fmt: skip
    return dyn.grasp(free, state, [contact.kind for contact in system.contacts])


@pytest.mark.parametrize("damping", [0.0, 0.02])
def test_runge_kutta_is_of_fourth_order(damping: float) -> None:
    system, state = undriven_arm("iiwa14")
    joints = tuple(replace(joint, damping=damping) for joint in system.robots[0].joints)
    system = dyn.single_arm(replace(system.robots[0], joints=joints), system.gravity, system.base_poses[0])
    final = {dt: dyn.simulate(system, state, duration=0.4, dt=dt).x[-1] for dt in (8e-3, 4e-3, 2e-3, 2.5e-4)}
    errors = [np.max(np.abs(final[dt] - final[2.5e-4])) for dt in (8e-3, 4e-3, 2e-3)]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all(orders > 3.6), orders
    assert np.all(orders < 4.8), orders


@given(st.sampled_from(["arm", "flyer", "held"]))
def test_adaptive_and_fixed_steps_agree(kind: str) -> None:
    if kind == "arm":
        system, state = undriven_arm("puma560")
    else:
        system, state = dyn.example("free_flyer" if kind == "flyer" else "two_arms_and_box")
        if kind == "held":
            system = without_losses(system, state)
    fixed = dyn.simulate(system, state, duration=0.5, dt=5e-4)
    adaptive = dyn.simulate(system, state, duration=0.5, dt=1e-3, method="DOP853")
    assert adaptive.t[-1] == pytest.approx(0.5)
    assert np.max(np.abs(fixed.x[-1] - adaptive.x[-1])) < 1e-7
    assert np.max(np.abs(fixed.v[-1] - adaptive.v[-1])) < 1e-6


def test_release_and_grasp_inside_a_run() -> None:
    system, state = dyn.example("two_arms_and_box")
    events = (dyn.Release(0.05), dyn.Grasp(0.06, ["rigid", "point"]))
    recording = dyn.simulate(system, state, duration=0.1, dt=1e-3, events=events)
    assert [time for time, _ in recording.events] == pytest.approx([0.05, 0.06])
    assert recording.system_at(0.04).is_held
    assert not recording.system_at(0.055).is_held
    assert [contact.kind for contact in recording.system_at(0.09).contacts] == ["rigid", "point"]
    assert np.max(np.abs(recording.drift)) < 1e-9
    free = recording.solution_at(0.055)
    assert np.allclose(free.object_acceleration[3:], system.gravity, rtol=0, atol=1e-9)
    assert np.max(np.abs(recording.solution_at(0.09).contact_force)) > 0.0
    for time in (np.nan, np.inf, -0.1):
        with pytest.raises(dyn.StateError, match="the time of an event is"):
            dyn.Simulation(system, state, events=[dyn.Release(0.1), dyn.Release(time)])


@given(st.sampled_from(["rk4", "RK45"]))
def test_pieces_too_short_to_be_steps_add_up(method: str) -> None:
    """Each was a moment in which nothing moved; now they wait for each other, and for a push among them."""
    system, state = dyn.example("puma560")
    whole, pieces = (dyn.Simulation(system, state, dt=0.5, method=method) for _ in range(2))
    whole.advance(6e-5)
    for k in range(300):
        pieces.advance(2e-7)
        if k in (100, 101):
            pieces.push(None)
        assert pieces.time == pytest.approx(2e-7 * (k + 1), abs=0.6e-6)
    assert pieces.time == pytest.approx(whole.time, abs=0.6e-6)
    assert np.allclose(pieces.state.qd, whole.state.qd, rtol=1e-2, atol=0.0)
    recording = pieces.recording
    assert np.isfinite(recording.state_at(3e-5).q).all()


@given(st.sampled_from(["rk4", "RK45"]))
def test_the_last_step_is_kept(method: str) -> None:
    system = dyn.single_arm(dyn.load("puma560"))
    kept = dyn.simulate(system, system.home(), duration=0.01, record_every=3, method=method)
    every = dyn.simulate(system, system.home(), duration=0.01, method=method)
    assert np.allclose(kept.t, [0.0, 0.003, 0.006, 0.009, 0.01], rtol=0, atol=1e-15)
    assert np.allclose(kept.x, every.x[[0, 3, 6, 9, 10]], rtol=0, atol=1e-12 if method == "rk4" else 1e-8)


WEIGHT = "bias.prediction.b~w~drop"
CORRECTION = "inward_filter.correction.z_plus~G-eps~drop"


@given(st.sampled_from(["puma560", "free_flyer", "two_arms_and_box"]))
def test_without_breaks_it_is_the_motion(example: str) -> None:
    system, state = dyn.example(example)
    controller = dyn.ConstantTorque(np.linspace(-0.01, 0.01, system.n_joints))
    run = TextbookSimulation(system, state, (), controller, dt=2.5e-3)
    run.advance(0.05)
    expected = dyn.simulate(system, state, controller, duration=0.05, dt=1e-3)
    assert run.time == pytest.approx(0.05)
    assert not run.stopped
    assert np.allclose(run.recording.x[-1], expected.x[-1], rtol=0.0, atol=1e-5)
    assert np.allclose(run.recording.v[-1], expected.v[-1], rtol=0.0, atol=1e-4)


def test_a_broken_text_moves_by_what_it_says_or_ends_with_a_reason() -> None:
    system, state = dyn.example("planar_chain")
    still = system.state(q=state.q)
    run = TextbookSimulation(system, still, [WEIGHT])
    run.advance(0.2)
    assert np.allclose(run.recording.x, state.q)
    assert np.abs(dyn.simulate(system, still, duration=0.2).x[-1] - state.q).max() > 1e-2
    system, state = dyn.example("puma560")
    run = TextbookSimulation(system, state, [CORRECTION])
    run.advance(0.05)
    found = run.recording.solution_at(0.0421)
    again = dyn.read_textbook(system, found.state, found.tau, breaks=[CORRECTION]).solution
    assert np.array_equal(found.joint_acceleration, again.joint_acceleration)
    true = dyn.forward_dynamics(system, found.state, found.tau)
    assert np.abs(found.joint_acceleration - true.joint_acceleration).max() > 1e-2
    part = run.recording.until(0.0421)
    assert part.duration < run.recording.duration
    assert np.array_equal(part.solution_at(0.03).joint_acceleration, run.recording.solution_at(0.03).joint_acceleration)
    system, state = dyn.example("long_chain")
    faults = {"inward_filter.prediction.P~M~drop": "divides by zero", CORRECTION: "faster than any machine"}
    for key, words in faults.items():
        run = TextbookSimulation(system, state, [key])
        run.advance(1.0)
        assert words in run.stopped
        assert run.time < 1.0
        assert np.all(np.isfinite(run.recording.x))
        assert run.recording.stopped == run.stopped
        run.recording.state_at(run.time)
    system, state = dyn.example("puma560")
    run = TextbookSimulation(system, state, (), dt=0.01, typed={"inward_filter.correction.nu": "1e6 * eps / D"})
    run.advance(0.5)
    assert "the text as it is typed makes" in run.stopped
    with pytest.raises(dyn.StateError, match="dt is"):
        TextbookSimulation(system, state, (), dt=0.0)
    with pytest.raises(dyn.ModelError, match="nothing to break"):
        TextbookSimulation(system, state, ["no.such~part~drop"])


SHORT: dict[str, Any] = {"duration": 0.02, "dt": 2e-3}


@every(["tree", "free flyer with losses", "held", "floating group"])
def test_a_function_moves_a_machine_as_the_law_does_that_it_spells_out(name: str) -> None:
    case = case_named(name, 2)
    system, state = case.system, case.state
    n = system.n_joints
    least = float(np.linalg.eigvalsh(dyn.mass_matrix(system, state)[:n, :n])[0])
    stiffness, damping = 100.0 * least, 10.0 * least  # as stiff as the lightest direction bears

    def torque(t: float, now: dyn.State) -> np.ndarray:
        return case.tau + stiffness * (state.q - now.q) - damping * now.qd

    law = dyn.JointPD(stiffness=stiffness, damping=damping, gravity_compensation=False, feedforward=case.tau)
    for method in ("rk4", "RK45"):
        expected = dyn.simulate(system, state, law, external_forces=case.wrench, method=method, **SHORT)
        found = dyn.simulate(system, state, torque, external_forces=lambda t, now: case.wrench, method=method, **SHORT)
        for quantity in ("t", "x", "v", "acceleration", "tau"):
            size = np.abs(getattr(expected, quantity)).max()
            assert np.abs(getattr(found, quantity) - getattr(expected, quantity)).max() < 1e-8 * size, quantity
        assert found.doubtful_from == expected.doubtful_from


def test_a_push_in_the_middle_of_a_run_is_recorded_with_it() -> None:
    case = case_named("tree", 2)
    system, state, link = case.system, case.state, case.system.link_names[0]
    force = np.array([0.0, 0.0, 0.0, 3.0, 0.0, 0.0])

    def push(t: float, now: dyn.State) -> dict[str, np.ndarray]:
        return {link: force * (0.0 if t < 0.0055 else t)}

    run = dyn.simulate(system, state, duration=0.02, external_forces=push)
    for t in (0.003, 0.006, 0.01234, 0.02):
        now = run.state_at(t)
        expected = dyn.forward_dynamics(system, now, external_forces=push(t, now))
        assert np.allclose(run.solution_at(t).joint_acceleration, expected.joint_acceleration, rtol=1e-10)
        assert np.array_equal(run.solutions_at([t])[0].joint_acceleration, run.solution_at(t).joint_acceleration)
    assert run.doubtful_from is None
    part = run.until(0.01)
    assert part.segments[0].wrench.shape == (len(part.t), system.n_links + 1, 6)
    assert np.allclose(run.stage("joint_acceleration"), run.qdd, rtol=1e-9, atol=1e-9)


def test_a_run_is_told_names_and_outlives_an_event() -> None:
    system, state = dyn.example("two_arms_and_box")
    seen: list[float] = []

    def torque(t: float, now: dyn.State) -> dict[str, float]:
        seen.append(t)
        return {system.joint_names[3]: 2.0}

    run = dyn.simulate(system, state, torque, duration=0.01, dt=1e-3, events=[dyn.Release(0.005)])
    assert np.array_equal(run.tau, np.tile(system.to_joint_vector({system.joint_names[3]: 2.0}), (len(run.t), 1)))
    assert min(seen) == 0.0
    assert max(seen) == pytest.approx(0.01)
    assert "contact" not in run.solution_at(0.01).stages


FAULTS: dict[str, tuple[Any, str]] = {
    "length": (lambda t, now: [0.0, 1.0], r"shape \(6,\)"), "NaN": (lambda t, now: np.full(6, np.nan), "nan"),
    "none": (lambda t, now: None, "None"), "name": (lambda t, now: {"elbow": 1.0}, "elbow_joint"),
    "raises": (lambda t, now: {}["x"], "KeyError"),
}  # fmt: skip


def test_what_a_function_may_not_answer_is_refused_with_the_time() -> None:
    system = dyn.single_arm(dyn.load("ur5e"))
    for name, (fault, words) in FAULTS.items():
        run = dyn.Simulation(system, system.state(), lambda t, x, f=fault: f(t, x) if t > 0.0041 else np.zeros(6))
        with pytest.raises(dyn.StateError, match=rf"controller at t = 0\.0045 s.*{words}"):
            run.advance(0.02)
        assert run.recording.t[-1] == run.time == pytest.approx(0.004), name
    for method in ("rk4", "RK45"):
        with pytest.raises(dyn.StateError, match=r"external_forces at t = .*'wrist_3' \(did you mean 'wrist_3_link'"):
            dyn.simulate(system, system.state(), external_forces=lambda t, x: {"wrist_3": np.zeros(6)}, method=method)
    with pytest.raises(dyn.StateError, match="a function of the time and the state"):
        dyn.simulate(system, system.state(), lambda t: np.zeros(6))
    with pytest.raises(KeyboardInterrupt):
        dyn.simulate(system, system.state(), interrupted)


def interrupted(t: float, now: dyn.State) -> np.ndarray:
    if t > 0.001:
        raise KeyboardInterrupt
    return -now.qd


def test_a_copy_of_a_run_goes_on_by_itself() -> None:
    system = dyn.single_arm(dyn.load("ur5e"))
    run = dyn.Simulation(system, system.state(), interrupted, external_forces=lambda t, x: None)
    run.push(None)
    run.advance(0.0005)
    other = pickle.loads(pickle.dumps(run))
    for each in (run, other):
        each.advance(0.0005)
    assert np.array_equal(run.recording.x, other.recording.x)
