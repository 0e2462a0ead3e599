"""A batch is its states one by one: chains, trees, free flyers and closed chains, accelerations and stages."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray

import dynamics as dyn
from tests.dynamics.every import every
from tests.dynamics.systems import GRAVITY, draw_pose, draw_robot
from tests.dynamics.twins import arms_and_object, draw_arms

Array = NDArray[np.float64]
BODIES = ("base_pose", "base_velocity", "object_pose", "object_velocity")
LENGTHS = (1, 2, 7, 8, 9, 17)
RESULTS = ("joint_acceleration", "base_acceleration", "object_acceleration", "contact_force")
SCREW = np.array([[0.0, 0.0, 1.0, 0.0, 0.0, 0.3], [1.0, 0.0, 0.0, 0.2, 0.0, 0.0]])


def relative(found: Array, expected: Array) -> float:
    assert found.shape == expected.shape
    size = float(np.max(np.abs(expected), initial=0.0))
    return float(np.max(np.abs(found - expected), initial=0.0)) / (size or 1.0)


def solve(
    system: dyn.System, states: Sequence[dyn.State], taus: Array, keep: str, wrench: Array | None = None
) -> dyn.BatchSolution:
    bodies = {}
    for name in BODIES:
        if getattr(states[0], name) is not None:
            bodies[name] = np.array([getattr(state, name) for state in states])
    q, qd = (np.array([getattr(state, name) for state in states]) for name in ("q", "qd"))
    return dyn.forward_dynamics_batch(system, q, qd, taus, keep, external_forces=wrench, **bodies)


def last_digit(system: dyn.System, state: dyn.State, tau: Array) -> float:
    """How far one unit in the last digit of the joints' displacements moves the answer; no form can be closer."""
    exact, far = dyn.forward_dynamics(system, state, tau).joint_acceleration, 0.0
    for towards in (np.inf, -np.inf, 0.0):
        moved = dyn.forward_dynamics(system, replace(state, q=np.nextafter(state.q, towards)), tau)
        far = max(far, relative(moved.joint_acceleration, exact))
    return far


def check(
    system: dyn.System, states: Sequence[dyn.State], taus: Array, tolerance: float = 1e-12, wrench: Array | None = None
) -> None:
    kept = solve(system, states, taus, "stages", wrench)
    bare = solve(system, states, taus, "accelerations", wrench)
    assert len(kept) == len(states)
    assert not bare.stages
    for i, (state, tau) in enumerate(zip(states, taus, strict=True)):
        expected = dyn.forward_dynamics(system, state, tau, external_forces=None if wrench is None else wrench[i])

        def is_close(one: Array, other: Array, much: float = 1.0, state: dyn.State = state, tau: Array = tau) -> bool:
            gap = relative(one, other)
            return gap < much * tolerance or gap < much * 10.0 * last_digit(system, state, tau)

        for name in RESULTS:
            wanted = getattr(expected, name)
            for found in (getattr(kept, name), getattr(bare, name)):
                assert (found is None) == (wanted is None)
                assert found is None or is_close(found[i], wanted), name
        assert list(kept.stages) == list(expected.stages)
        for stage, quantities in expected.stages.items():
            assert list(kept.stages[stage]) == list(quantities)
            for name, wanted in quantities.items():
                array = kept.stages[stage][name]
                assert not array.flags.writeable
                found = array[i]
                if name == "indeterminate_directions":  # a basis is free to turn
                    assert not found[:, wanted.shape[1] :].any()
                    found, wanted = found @ found.T, wanted @ wanted.T
                assert is_close(found, wanted, 100.0), (stage, name)


@pytest.mark.compiled_only
@given(
    seed=st.integers(0, 2**32 - 1), n_joints=st.integers(1, 40), branching=st.sampled_from([0.0, 0.2, 0.8]),
    floating=st.booleans(), length=st.sampled_from(LENGTHS), pushed=st.booleans(),
)  # fmt: skip
@example(seed=8, n_joints=3, branching=0.3, floating=True, length=8, pushed=False)
@example(seed=17, n_joints=3, branching=0.3, floating=False, length=17, pushed=False)
def test_any_tree(seed: int, n_joints: int, branching: float, floating: bool, length: int, pushed: bool) -> None:
    rng = np.random.default_rng(seed)
    robot = draw_robot(rng, n_joints, branching=branching).load()
    if floating:
        system = dyn.free_flyer(robot, gravity=GRAVITY)
    else:
        system = dyn.single_arm(robot, gravity=GRAVITY, base_pose=draw_pose(rng))
    states = []
    for _ in range(length):
        base = {"base_pose": draw_pose(rng), "base_velocity": rng.normal(size=6)} if floating else {}
        q, qd = rng.uniform(-9.0, 9.0, n_joints), rng.normal(size=n_joints)
        states.append(system.state(q=q, qd=qd, **base))
    wrench = rng.normal(size=(length, system.n_links + 1, 6)) if pushed else None
    check(system, states, 10.0 * rng.normal(size=(length, n_joints)), wrench=wrench)


def draw_held(
    rng: np.random.Generator, contacts: Sequence[str | Array], length: int
) -> tuple[dyn.System, list[dyn.State]]:
    twin = arms_and_object(rng, draw_arms(rng, [7] * len(contacts)), ["rigid"] * len(contacts))
    free = dyn.release(twin.system)
    system = dyn.grasp(free, twin.state, contacts)
    states = []
    for _ in range(length):
        away = free.state(
            q=twin.state.q + 0.01 * rng.normal(size=free.n_joints), qd=rng.normal(size=free.n_joints),
            object_pose=twin.state.object_pose, object_velocity=rng.normal(size=6),
        )  # fmt: skip
        states.append(dyn.project(system, away))
    return system, states


@pytest.mark.compiled_only
@every([["rigid"], ["soft_finger", SCREW, "point"], ["point", "rigid", SCREW, "soft_finger", "point", "rigid"]])
def test_held_object(contacts: list[str | Array]) -> None:
    rng = np.random.default_rng(len(contacts))
    system, states = draw_held(rng, contacts, 3)
    taus = rng.normal(size=(3, system.n_joints))
    check(system, states, taus, 1e-9)  # the forces carry the condition of Omega
    check(dyn.release(system), states, taus)


def test_memory_angles_and_what_holds_for_all_states() -> None:
    system = dyn.single_arm(dyn.load("puma560"))
    rng = np.random.default_rng(4)
    slow = [system.state(q=rng.normal(size=6), qd=0.01 * rng.normal(size=6)) for _ in range(2)]
    check(system, slow, rng.normal(size=(2, 6)))  # where friction's smoothed step is none yet
    q, qd, tau = rng.normal(size=(9, 6)), rng.normal(size=6), rng.normal(size=6)
    forces = {system.link_names[0]: rng.normal(size=6), system.link_names[2]: rng.normal(size=(9, 6))}
    found = dyn.forward_dynamics_batch(system, q, qd, tau, external_forces=forces).joint_acceleration
    for i in range(9):
        each = {name: wrench if wrench.ndim == 1 else wrench[i] for name, wrench in forces.items()}
        expected = dyn.forward_dynamics(system, system.state(q=q[i], qd=qd), tau, external_forces=each)
        assert relative(found[i], expected.joint_acceleration) < 1e-12
    nothing = dyn.forward_dynamics_batch(system)
    expected = dyn.forward_dynamics(system, system.state()).joint_acceleration
    assert relative(nothing.joint_acceleration[0], expected) < 1e-12
    q = np.random.default_rng(5).normal(size=(6, 20))
    found = dyn.forward_dynamics_batch(system, q.T[::2]).joint_acceleration
    expected = dyn.forward_dynamics_batch(system, np.ascontiguousarray(q.T[::2])).joint_acceleration
    assert np.array_equal(found, expected)
    q = np.array([[1e3, -1e5, 1e12, -3e8, 1e300, 2e5], [0.1] * 6])
    found = dyn.forward_dynamics_batch(system, q).joint_acceleration
    for i in range(2):
        expected = dyn.forward_dynamics(system, system.state(q=q[i])).joint_acceleration
        assert relative(found[i], expected) < 1e-11


@every(["accelerations", "stages"])
def test_no_state_at_all(keep: str) -> None:
    arm = dyn.single_arm(dyn.load("puma560"))
    found = dyn.forward_dynamics_batch(arm, np.zeros((0, 6)), keep=keep)
    assert found.joint_acceleration.shape == (0, 6)
    held, _ = dyn.example("two_arms_and_box")
    found = dyn.forward_dynamics_batch(held, np.zeros((0, held.n_joints)), keep=keep)
    assert found.object_acceleration.shape == (0, 6)
    assert found.contact_force.shape == (0, 2, 6)
    if keep == "stages":
        assert found.stages["filter"]["articulated_inertia"].shape == (0, held.n_links, 6, 6)
        assert len(found.stages["contact"]["omega"]) == 0


NAN = float("nan")


def spoiled(shape: tuple[int, ...], index: tuple[int, ...], value: float) -> np.ndarray:
    array = np.zeros(shape)
    array[index] = value
    return array


@every([
    ({"q": spoiled((20, 6), (17, 3), NAN)}, ["state 17", "q", "[3]", "nan", "finite"]),
    ({"qd": spoiled((20, 6), (9, 0), -np.inf)}, ["state 9", "qd", "[0]", "inf"]),
    ({"q": np.zeros((3, 6)), "tau": spoiled((6,), (5,), NAN)}, ["tau", "[5]", "nan"]),
    ({"q": np.zeros((4, 7))}, ["q", "(6,)", "(batch, 6)", "(4, 7)"]),
    ({"q": np.zeros((2, 2, 6))}, ["q", "(2, 2, 6)"]),
    ({"q": 1.0}, ["q", "(6,)", "()"]),
    ({"q": [["a"] * 6]}, ["q", "numbers"]),
    ({"q": np.zeros((4, 6)), "tau": np.zeros((5, 6))}, ["q has 4", "tau has 5"]),
    ({"base_pose": np.eye(4)}, ["base_pose", "floating base"]),
    ({"object_velocity": np.zeros(6)}, ["object_velocity", "task object"]),
    ({"external_forces": {"nothing": np.zeros(6)}}, ["nothing", "expected one of"]),
    ({"external_forces": np.zeros((2, 3))}, ["external_forces", "(2, 3)"]),
    ({"q": np.full(6, 0.1), "qd": np.full((9, 6), 1e200)}, ["state 0", "not finite"]),
])  # fmt: skip
def test_argument(arguments: dict[str, object], words: list[str]) -> None:
    arm = dyn.single_arm(dyn.load("puma560"))
    for keep in ("accelerations", "stages"):
        # Uncompiled, numpy remarks on overflow.
        with pytest.raises(dyn.StateError) as caught, np.errstate(all="ignore"):
            dyn.forward_dynamics_batch(arm, keep=keep, **arguments)
        assert all(word in str(caught.value) for word in words), str(caught.value)
    with pytest.raises(dyn.ModelError, match="everything"):
        dyn.forward_dynamics_batch(arm, keep="everything")


def test_states_that_cannot_be_are_named_by_their_numbers(tmp_path: Path) -> None:
    flyer = dyn.free_flyer(dyn.load("free_flyer"))
    for last, words in (
        ((1.1, 1.0, 1.0, 1.0), r"state 11 of the batch: base_pose"), ((1.0, 1.0, -1.0, 1.0), "right-handed"),
        ((1.0, 1.0, NAN, 1.0), r"state 11 of the batch: base_pose: entry \[2, 2\] is nan"),
    ):  # fmt: skip
        poses = np.stack([*[np.eye(4)] * 11, np.diag(last)])
        with pytest.raises(dyn.StateError, match=words):
            dyn.forward_dynamics_batch(flyer, base_pose=poses)
    system, state = dyn.example("two_arms_and_box")
    q = np.tile(state.q, (13, 1))
    q[12, 2] += 1e-3
    with pytest.raises(dyn.StateError, match=r"state 12 of the batch.*arm 1"):
        dyn.forward_dynamics_batch(system, q, object_pose=state.object_pose)
    # Straight up, the point mass lies on the axis of the joint that pans.
    (path := tmp_path / "r.urdf").write_text(POINT_MASS)
    system = dyn.single_arm(dyn.load(path, free=["pan"]))
    q = np.full((20, 2), 0.3)
    q[13, 0] = 0.0
    with pytest.raises(dyn.ModelError, match=r"state 13 of the batch: joint 'pan' moves no inertia"):
        dyn.forward_dynamics_batch(system, q)
    q[13, 0] = 0.1
    assert np.isfinite(dyn.forward_dynamics_batch(system, q).joint_acceleration).all()


POINT_MASS = """<robot name="r"><link name="base"/><link name="arm"/>
<link name="tip"><inertial><origin xyz="0 0 1"/><mass value="2"/>
<inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial></link>
<joint name="pan" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint>
<joint name="tilt" type="continuous"><parent link="arm"/><child link="tip"/><axis xyz="0 1 0"/></joint></robot>"""


def test_arguments_are_left_alone() -> None:
    rng = np.random.default_rng(1)
    system = dyn.free_flyer(draw_robot(rng, 4).load(), gravity=GRAVITY)
    q = rng.normal(size=(3, 4))
    q[0, 0] = 3e5
    before = q.copy()
    found = dyn.forward_dynamics_batch(system, q, keep="stages")
    assert np.array_equal(q, before)
    q[:] = 0.0  # what is laid out later still belongs to the call
    expected = dyn.forward_dynamics(system, system.state(q=before[1]))
    dual = found.stages["dual_filter"]["joint_acceleration"][1]
    assert np.allclose(dual, expected.joint_acceleration, rtol=1e-9, atol=1e-9)
