"""A run stops before it is wrong: every sample is closed and solvable, its energy accounted for, stiff losses taken."""

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamics as dyn
from dynamics.motion.textbook_simulation import TextbookSimulation
from tests.dynamics.systems import GRAVITY, draw_object, draw_pose, draw_robot
from tests.dynamics.textbook.cases import NAMES, case_named

pytestmark = pytest.mark.compiled_only
METHODS = ("rk4", "heun", "euler", "RK45")
EXAMPLES = ("two_arms_and_box", "point_contact", "two_planar_arms", "four_arms_and_box")
ADAPTIVE = ("RK45", "LSODA", "DOP853", "Radau", "BDF")


def held_fast(seed: int) -> tuple[dyn.System, dyn.State, np.random.Generator]:
    """Arms that hold an object, at 0.1 to 3,000 rad/s: an example, one beyond its stops, or drawn arms, some flying."""
    rng = np.random.default_rng(seed)
    if seed % 4 < 2:
        system, state = dyn.example(EXAMPLES[seed // 4 % 4] if seed % 4 == 0 else "two_arms_and_box")
    if seed % 4 == 1:
        robots = [replace(robot, joints=tuple(narrow(rng, joint) for joint in robot.joints)) for robot in system.robots]
        free = dyn.multi_arm(robots, system.base_poses, system.task_object, system.gravity)
        system = dyn.grasp(free, state, ["rigid", "rigid"])
    if seed % 4 > 1:
        count = rng.integers(1, 4)
        drawn = [draw_robot(rng, int(rng.integers(2, 8)), fixed=0.0, mass_decades=1.0) for _ in range(count)]
        flags = [bool(rng.random() < 0.2) for _ in drawn]
        robots = [robot.load(tip=robot.leaf) for robot in drawn]
        free = dyn.multi_arm(robots, [draw_pose(rng) for _ in robots], draw_object(rng), GRAVITY, flags)
        bases = np.array([draw_pose(rng) for _ in range(sum(flags))]) if any(flags) else None
        state = free.state(rng.uniform(-2, 2, free.n_joints), base_pose=bases, object_pose=draw_pose(rng))
        system = dyn.grasp(free, state, [str(rng.choice(["rigid", "point", "soft_finger"])) for _ in robots])
    speed = 10.0 ** rng.uniform(-1.0, 3.5)
    qd, payload = speed * rng.normal(size=system.n_joints), speed * rng.normal(size=6)
    moving = system.state(state.q, qd, state.base_pose, None, state.object_pose, payload)
    return system, dyn.project(system, moving), rng


def narrow(rng: np.random.Generator, joint: dyn.Joint) -> dyn.Joint:
    return replace(joint, lower=-0.3 * abs(rng.normal()), upper=0.3 * abs(rng.normal()))


@settings(max_examples=max(3, settings().max_examples // 2))  # each is expensive
@given(st.integers(0, 38))
def test_every_sample_of_a_violent_run_can_be_solved(seed: int) -> None:
    system, state, rng = held_fast(seed)
    dt, tau = float(10.0 ** rng.uniform(-4, -2)), rng.normal(size=system.n_joints)
    run = dyn.Simulation(system, state, tau=tau, dt=dt, method=METHODS[seed // 4 % 4])
    run.advance(min(0.1, 200 * dt))
    recording = run.recording
    for t in recording.t[-10:]:
        recording.solution_at(float(t))
    assert np.all(np.isfinite(recording.unexplained_energy)) or recording.doubtful_from is not None
    if run.stopped:
        assert run.time == recording.duration
        assert np.array_equal(run.state.q, recording.state_at(run.time).q)


@given(
    st.sampled_from(["iiwa14", "puma560", "free_flyer"]),
    st.sampled_from(["rk4", "euler", "RK45", "LSODA", "BDF"]),
    st.sampled_from([1e8, 1e30]),
)
def test_a_start_that_cannot_make_its_first_step_says_so(name: str, method: str, speed: float) -> None:
    system, state = dyn.example(name)
    fast = system.state(state.q, speed * np.ones(system.n_joints))
    run = dyn.Simulation(system, fast, method=method)
    if speed == 1e8 and method in ("rk4", "euler"):
        run.advance(0.01)
        assert run.stopped.startswith("stopped at 0.000 s: speeds grew beyond all bounds")
        assert run.recording.t.tolist() == [0.0]
    else:
        with pytest.raises(dyn.StateError, match=r"first step: speeds grew"):
            run.advance(0.01)
    assert run.time == 0.0
    assert np.array_equal(run.state.qd, fast.qd)


def test_implicit_methods_agree_with_explicit_ones() -> None:
    """At rest, too, where Newton's method has nothing but rounding to work on."""
    for name, stiffness, damping in (("iiwa14", 1e8, 1e3), ("two_arms_and_box", 1e4, 1e2)):
        system, state = dyn.example(name)
        pd = dyn.JointPD(state.q + 0.05 * (not system.is_held), stiffness=stiffness, damping=damping)
        expected = dyn.simulate(system, state, pd, 0.02, method="LSODA")
        for method in ("Radau", "BDF"):
            found = dyn.simulate(system, state, pd, 0.02, method=method)
            assert found.stopped is None
            assert np.abs(found.x[-1] - expected.x[-1]).max() < 1e-6, (name, method)


@given(st.sampled_from([*ADAPTIVE, "rk4"]), st.sampled_from([1e-4, 4e-5, 1.3e-5]))
def test_a_run_in_short_pieces_is_the_run_in_one(method: str, piece: float) -> None:
    """The steps that a method chooses end elsewhere than the pieces."""
    for name in ("iiwa14", "two_planar_arms"):
        system, state = dyn.example(name)
        tau = np.random.default_rng(0).normal(size=system.n_joints)
        run = dyn.Simulation(system, state, tau=tau, dt=1e-4, method=method)
        for _ in range(12):
            run.advance(piece)
        whole = dyn.simulate(system, state, tau=tau, duration=12 * piece, dt=1e-4, method=method)
        assert run.recording.duration == run.time
        assert np.abs(run.recording.v[-1] - whole.v[-1]).max() < 1e-8


def test_a_run_with_too_long_a_step_is_marked_doubtful() -> None:
    """Through a nearly singular closure: four tenths of the energy from nowhere, and no other word for it."""
    system, state, _ = held_fast(232)
    coarse, fine = (dyn.simulate(system, state, duration=0.04, dt=dt) for dt in (2e-3, 5e-5))
    assert coarse.stopped is None
    kinetic = max(coarse.solution_at(float(t)).kinetic_energy for t in coarse.t)
    assert np.abs(coarse.unexplained_energy).max() > 0.05 * kinetic
    assert coarse.doubtful_from < 0.01
    assert fine.doubtful_from is None
    assert np.abs(fine.unexplained_energy).max() < 1e-5 * kinetic
    system, state = dyn.example("iiwa14")  # its gains are too stiff: the wrist's motion is the integrator's own
    coarse, fine = (dyn.simulate(system, state, dyn.JointPD(state.q + 0.3), 0.05, dt) for dt in (1e-3, 2e-5))
    assert fine.doubtful_from is None


@given(st.sampled_from(dyn.examples()))
def test_energy_is_explained_by_work_losses_and_pushes(name: str) -> None:
    system, state = dyn.example(name)
    push = {system.link_names[0]: [0.1, 0.2, 0.3, 5.0, 2.0, 1.0]}
    carried = dyn.forward_dynamics(system, state).stages["filter"]["joint_inertia"]
    stiffness = np.minimum(5.0, 30.0**2 * carried)  # of a small wrist slow enough for the step, too
    soft = dyn.JointPD(state.q + 0.1 * (not system.is_held), stiffness=stiffness, damping=0.01 * stiffness)
    ways = {"external_forces": push}, {"controller": soft}, {"method": "LSODA", "dt": 1e-2}
    for arguments in ({}, ways[dyn.examples().index(name) % 3]):
        recording = dyn.simulate(system, state, **{"duration": 0.3, "dt": 1e-3} | arguments)
        assert recording.doubtful_from is None
        kinetic = max(recording.solution_at(float(t)).kinetic_energy for t in recording.t[::10])
        assert np.abs(recording.unexplained_energy).max() < 1e-3 * kinetic + 1e-9
        assert not recording.unexplained_energy.flags.writeable


@given(st.sampled_from(["iiwa14", "puma560", "free_flyer"]), st.sampled_from(["rk4", *ADAPTIVE]))
def test_a_joint_goes_as_far_beyond_its_stop_as_a_step_leads(name: str, method: str) -> None:
    """However long the steps are that a method takes between the samples."""
    free, state = dyn.example(name)
    qd = np.random.default_rng(1).normal(size=free.n_joints)
    (robot,), ends = free.robots, state.q + np.sign(qd) * 2.3e-3
    joints = tuple(
        replace(joint, lower=-9.0 if speed > 0.0 else end, upper=9.0 if speed < 0.0 else end)
        for joint, end, speed in zip(robot.joints, ends, qd, strict=True)
    )
    stopped = replace(robot, joints=joints)
    system = dyn.free_flyer(stopped) if free.is_floating else dyn.single_arm(stopped, free.gravity)
    run = dyn.simulate(system, system.state(state.q, qd, state.base_pose), duration=0.008, dt=1e-3, method=method)
    lower, upper = np.array([(joint.lower, joint.upper) for joint in system.joint_models]).T
    q, qd = run.x[:, : system.n_joints], run.v[:, : system.n_joints]
    assert run.limits_met
    assert np.maximum(q - upper, lower - q).max() < 1.5e-3 * np.abs(qd).max()


def test_a_stop_is_reported_for_its_joint_and_side() -> None:
    free, state = dyn.example("iiwa14")
    (robot,) = free.robots
    for k, sign in ((0, 1.0), (3, -1.0), (6, 1.0)):
        end = {"upper" if sign > 0.0 else "lower": state.q[k] + 2e-3 * sign}
        joints = [replace(joint, lower=-np.inf, upper=np.inf) for joint in robot.joints]
        joints[k] = replace(joints[k], **end)
        system = dyn.single_arm(replace(robot, joints=tuple(joints)), free.gravity)
        run = dyn.simulate(system, system.state(state.q, sign * np.eye(7)[k]), duration=0.005)
        ((time, word),) = run.events
        (met,) = run.limits_met
        assert (met.time, met.joint, met.limit, met.words) == (time, joints[k].name, *end, word)
        assert time == run.t[np.argmax(sign * (run.q[:, k] - state.q[k]) >= 2e-3)]  # the first step at the limit
        assert abs(run.v[-1, k]) < 0.5


def test_moments_solved_together_are_those_solved_alone() -> None:
    for name in NAMES:
        case = case_named(name, 3)
        controller = dyn.ConstantTorque(case.tau)
        run = dyn.simulate(case.system, case.state, controller, duration=4e-3, dt=1e-3, external_forces=case.wrench)
        times = [0.002, 0.0, 0.00137, 0.004, 0.0005, 0.002]
        if run.stopped or name == "indeterminate":  # where nothing moves there is nothing between two samples
            times = run.t.tolist()
        for t, together in zip(times, run.solutions_at(times), strict=True):
            assert_equal_answers(together, run.solution_at(t))
            direct = dyn.forward_dynamics(case.system, run.state_at(t), case.tau, external_forces=case.wrench)
            found, expected = together.packed_acceleration, direct.packed_acceleration
            assert np.abs(found - expected).max() <= 1e-9 * max(1.0, np.abs(expected).max())


def assert_equal_answers(found: dyn.Solution, expected: dyn.Solution) -> None:
    """The same to rounding, which differs where products of matrices are taken in another order."""
    assert found.method == expected.method
    assert np.array_equal(found.state.q, expected.state.q)
    assert (found.kinetic_energy, found.potential_energy) == (expected.kinetic_energy, expected.potential_energy)
    assert list(found.stages) == list(expected.stages)
    pairs = [(getattr(found, each.name), getattr(expected, each.name)) for each in fields(found)]
    for stage, arrays in expected.stages.items():
        assert list(found.stages[stage]) == list(arrays)
        pairs += [(found.stages[stage][key], array) for key, array in arrays.items()]
    for one, other in pairs:
        if isinstance(other, np.ndarray):
            assert one.shape == other.shape
            assert not one.flags.writeable
            assert np.abs(one - other).max(initial=0.0) <= 1e-11 * np.abs(other).max(initial=1e-3)


def test_moments_before_and_after_an_event_are_solved_together() -> None:
    system, state = dyn.example("two_arms_and_box")
    recording = dyn.simulate(system, state, duration=0.02, events=[dyn.Release(0.01)])
    times = [0.002, 0.018, 0.0093, 0.01]
    found = recording.solutions_at(times)
    assert ["contact" in each.stages for each in found] == [True, False, True, False]
    for t, one in zip(times, found, strict=True):
        assert_equal_answers(one, recording.solution_at(t))
    assert recording.solutions_at([]) == ()
    with pytest.raises(dyn.StateError, match="outside this recording"):
        recording.solutions_at([0.001, 0.5])


MASS, LENGTH, DAMPING = 0.01, 0.015, 0.1
WEIGHT = 9.81 * MASS * LENGTH


def finger(n_joints: int = 1, damping: float = DAMPING, friction: float = 0.0, upper: float = 3.0) -> dyn.System:
    """Links of ten grams in a plane, level where all angles are zero; they sink as the angles grow."""
    text = '<robot name="finger"><link name="l0"/>'
    for k in range(1, n_joints + 1):
        text += f"""<link name="l{k}"><inertial><origin xyz="{LENGTH} 0 0"/><mass value="{MASS}"/>
            <inertia ixx="1e-6" iyy="1e-6" izz="1e-6" ixy="0" ixz="0" iyz="0"/></inertial></link>
            <joint name="j{k}" type="revolute"><parent link="l{k - 1}"/><child link="l{k}"/>
            <origin xyz="{2 * LENGTH * (k > 1)} 0 0"/><axis xyz="0 1 0"/>
            <limit lower="-3" upper="{upper}" effort="1" velocity="9"/>
            <dynamics damping="{damping}" friction="{friction}"/></joint>"""
    return dyn.single_arm(dyn.load_urdf_text(text + "</robot>"))


@pytest.mark.parametrize("method", ["rk4", "heun", "euler"])
def test_a_finger_sinks_as_its_damping_lets_it(method: str) -> None:
    """It is damped at 30,000 a second. Once the rate that it starts with is gone, d q' = m g l cos q."""
    system = finger()
    run = dyn.simulate(system, system.state(qd=[5.0]), duration=10.0, method=method)
    assert run.stopped is None
    assert run.doubtful_from is None
    q, rate = run.x[:, 0], run.v[:, 0]
    assert np.all(np.diff(rate[:5]) < 0.0)
    assert q[30] < 0.012  # two steps at that rate, and none of the swing that a lighter loss would leave it
    assert np.allclose(rate[30:], WEIGHT / DAMPING * np.cos(q[30:]), rtol=1e-4, atol=1e-9)


def test_friction_holds_a_finger_and_a_stop_keeps_it() -> None:
    system = finger(friction=0.05)
    run = dyn.simulate(system, system.state(qd=[5.0]), duration=3.0)
    assert run.stopped is None
    assert np.abs(run.v[30:]).max() < 0.01 * WEIGHT / 0.05 * 1.1  # what smoothed friction lets through
    system = finger(upper=0.05)
    run = dyn.simulate(system, system.state(), duration=10.0)
    assert run.stopped is None
    assert [word for _, word in run.events] == ["j1 met its upper limit"]
    assert run.x[run.t > 6.0, 0] == pytest.approx(0.05, abs=1e-3)


@pytest.mark.parametrize("n_joints", [1, 3])
def test_steps_in_python_take_stiff_losses_alike(n_joints: int) -> None:
    system = finger(n_joints, friction=0.01)
    state = system.state(qd=np.full(n_joints, 2.0))
    expected = dyn.simulate(system, state, duration=0.02)
    text = TextbookSimulation(system, state, (), dt=1e-3)
    text.advance(0.02)
    assert np.allclose(text.recording.v, expected.v, rtol=1e-9, atol=1e-9)


def test_shorter_steps_converge_to_the_stiff_motion() -> None:
    """Of first order, to what an implicit method with error control makes of the same accelerations."""
    system = finger(3, damping=0.003)
    start = np.array([0.3, -0.4, 0.2])
    there = dyn.simulate(system, system.state(start), duration=0.2, dt=0.2, method="Radau").x[-1]
    errors = []
    for dt in (4e-3, 2e-3, 1e-3):
        run = dyn.simulate(system, system.state(start), duration=0.2, dt=dt)
        errors.append(np.abs(run.x[-1] - there).max())
    assert errors[0] < 0.05
    assert np.all(np.array(errors[:-1]) > 1.7 * np.array(errors[1:])), errors


@given(st.integers(0, 10_000))
def test_a_machine_without_motors_comes_to_rest_or_swings(seed: int) -> None:
    """Links of 1 g to 10 kg under any losses: it never gains energy, and no rate at its start makes it explode."""
    rng = np.random.default_rng(seed)
    robot = draw_robot(rng, int(rng.integers(1, 8)), branching=float(rng.choice([0.0, 0.4]))).load()
    light = 10.0 ** rng.uniform(-3, 0)
    links = tuple(replace(link, mass=light * link.mass, inertia=light * link.inertia) for link in robot.links)
    damping, friction = 10.0 ** rng.uniform(-3, 1, (2, len(robot.joints))) * (rng.random((2, len(robot.joints))) < 0.7)
    joints = tuple(
        replace(joint, damping=d, friction=(f, f))
        for joint, d, f in zip(robot.joints, damping.tolist(), friction.tolist(), strict=True)
    )
    robot = replace(robot, links=links, joints=joints)
    system = dyn.free_flyer(robot) if seed % 5 == 0 else dyn.single_arm(robot)
    q, qd = rng.uniform(-1, 1, system.n_joints), 10.0 ** rng.uniform(-2, 1) * rng.normal(size=system.n_joints)
    moved = dyn.simulate(system, system.state(q, qd), duration=2.0)
    fallen = dyn.simulate(system, system.state(q), duration=2.0)
    for run in (moved, fallen):
        assert run.stopped is None
        assert np.all(np.isfinite(run.v))
    solutions = [fallen.solution_at(float(t)) for t in fallen.t[::50]]
    energy = np.array([solution.kinetic_energy + solution.potential_energy for solution in solutions])
    size = max(solution.kinetic_energy for solution in solutions) + np.ptp(energy)
    assert np.max(energy - np.minimum.accumulate(energy)) <= 1e-3 * size
