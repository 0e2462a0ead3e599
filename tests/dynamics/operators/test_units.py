"""Machines of any size and objects of any weight: what counts as singular does not hang on the units of Omega."""

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamics as dyn
from dynamics.operators.influence import influence
from tests.dynamics.systems import DrawnRobot, draw_object, draw_pose, draw_robot

EPSILON = np.finfo(float).eps
SIZES = st.sampled_from([1e-6, 1e-4, 1e-2, 1.0, 1e2, 1e4, 1e6])
GRASPS = [["rigid", "point"], ["rigid", "rigid"], ["soft_finger", "rigid"], ["point", "soft_finger"]]
LIGHT = ["two_arms_and_box", "two_planar_arms", "point_contact", "four_arms_and_box"]


def draw_scaled(rng: np.random.Generator, size: float, joints: int) -> DrawnRobot:
    drawn = draw_robot(rng, joints, fixed=0.0, mass_decades=1.0, reach=0.4 * size)
    heavy = [replace(link, mass=link.mass * size**3, inertia=link.inertia * size**3) for link in drawn.links]
    return replace(drawn, links=tuple(heavy))


def draw_held(
    rng: np.random.Generator, size: float, kinds: list[str], floating: bool, gravity: float = 9.0,
    lengths: tuple[int, ...] = (),
) -> tuple[dyn.System, dyn.State, np.ndarray]:  # fmt: skip
    """Arms at rest that hold an object, everything of one size, and torques; of seven or eight joints if not given."""
    arms = [draw_scaled(rng, size, n) for n in lengths or [int(rng.integers(7, 9)) for _ in kinds]]
    thing = draw_object(rng)
    system = dyn.multi_arm(
        [arm.load(tip=arm.leaf) for arm in arms], [draw_pose(rng, size) for _ in arms],
        dyn.TaskObject(mass=thing.mass * size**3, inertia=thing.inertia * size**5),
        gravity=(0.0, 0.3 * size * gravity, -size * gravity), floating=floating,
    )  # fmt: skip
    unit = joint_units(system, size)
    state = system.state(q=rng.uniform(-1.0, 1.0, system.n_joints) * unit, object_pose=draw_pose(rng, size))
    return dyn.grasp(system, state, kinds), state, rng.normal(size=system.n_joints) * size**5 / unit


def joint_units(system: dyn.System, size: float) -> np.ndarray:
    return np.array([size if joint.kind == "prismatic" else 1.0 for joint in system.joint_models])


def motion_units(system: dyn.System, size: float) -> np.ndarray:
    """Of joints and bases: accelerations over these are of size one."""
    return np.concatenate([joint_units(system, size), np.tile([1.0] * 3 + [size] * 3, system.n_bases)])


def rounding(omega: np.ndarray) -> float:
    """What rounding in Omega may do to what it is solved for, its directions in their own units."""
    unit = np.sqrt(np.diag(omega))
    seen = np.linalg.eigvalsh(omega / np.outer(unit, unit))
    seen = seen[seen > 1e-12 * seen.max()]
    return 4.0 * EPSILON * float(seen.max() / seen.min())


def apart(found: np.ndarray, expected: np.ndarray, unit: np.ndarray, size: float = 0.0) -> float:
    """The largest difference in units of one, relative to the largest there is."""
    return float(np.abs((found - expected) / unit).max() / max(np.abs(expected / unit).max(), size))


@settings(max_examples=max(2, settings().max_examples // 2))  # each is expensive
@given(SIZES, st.booleans(), st.integers(0, 3))
def test_every_form_of_a_machine_of_any_size(size: float, floating: bool, seed: int) -> None:
    rng = np.random.default_rng([seed, floating])
    system, state, tau = draw_held(rng, size, GRASPS[seed], floating)
    unit = np.concatenate([motion_units(system, size), [1.0] * 3 + [size] * 3])
    expected = dyn.forward_dynamics(system, state, tau)
    by_dense = dyn.forward_dynamics(system, state, tau, "kkt")
    free = dyn.forward_dynamics(dyn.release(system), state, tau).packed_acceleration  # what the contacts stop
    scale = float(np.abs(free / unit).max())
    assert apart(expected.packed_acceleration, by_dense.packed_acceleration, unit, scale) < 1e-9
    allowed = max(1e-12, rounding(expected.stages["contact"]["omega"]))
    text = dyn.read_textbook(system, state, tau).solution
    assert text.indeterminate.shape == expected.indeterminate.shape
    assert apart(text.packed_acceleration, expected.packed_acceleration, unit, scale) < allowed
    for name in ("contact_force", "predicted_contact_force", "corrected_contact_force", "free_tip_force"):
        left, right = text.stages["contact"][name], expected.stages["contact"][name]
        assert apart(left, right, np.array([size] * 3 + [1.0] * 3)) < max(1e-9, allowed), name
    rng = np.random.default_rng([seed, floating, 1])
    system, state, tau = draw_held(rng, size, GRASPS[seed], floating, gravity=0.0)
    unit, n = motion_units(system, size), system.n_joints
    expected = dyn.forward_dynamics(system, state, tau, "kkt")
    force, pull = expected.contact_force, np.array([size] * 3 + [1.0] * 3)
    if not floating:
        maps = influence(system, state)
        assert apart(maps.W @ tau, expected.joint_acceleration, unit[:n]) < 1e-8
        assert apart((maps.contact_force @ tau).reshape(-1, 6), force, pull) < 1e-8
        thing = np.array([1.0] * 3 + [size] * 3)
        assert apart(maps.object_acceleration @ tau, expected.object_acceleration, thing) < 1e-8


@settings(max_examples=max(2, settings().max_examples // 2))  # each is expensive
@given(st.sampled_from(LIGHT), st.sampled_from([1e-2, 1e-4, 1e-6, 1e-8]))
def test_a_light_object(name: str, mass: float) -> None:
    """All that such an object leaves of Omega is its arms' share: a small one, and all the same no rounding."""
    system, state = dyn.example(name)
    system = dyn.with_task_object(system, system.task_object.with_mass(mass))
    tau = np.random.default_rng(0).normal(size=system.n_joints)
    expected = dyn.forward_dynamics(system, state, tau)
    dense = dyn.forward_dynamics(system, state, tau, "kkt")
    allowed = max(1e-9, rounding(expected.stages["contact"]["omega"]))
    text = dyn.read_textbook(system, state, tau).solution
    assert text.indeterminate.shape == expected.indeterminate.shape
    one = np.ones(1)
    for found in (text, expected):
        assert apart(found.joint_acceleration, dense.joint_acceleration, one) < allowed
        assert apart(found.contact_force, dense.contact_force, one) < allowed
    change = dyn.forward_dynamics(system, state, 2.0 * tau).joint_acceleration - expected.joint_acceleration
    assert apart(influence(system, state).W @ tau, change, one) < allowed


@settings(max_examples=max(2, settings().max_examples // 2))  # each is expensive
@given(st.sampled_from([1e-3, 1e-2, 1.0, 1e1, 1e2]), st.sampled_from([(2, 2, 2), (2, 3), (1, 1, 1, 1)]))
def test_forces_that_no_motion_reveals_at_any_size(size: float, lengths: tuple[int, ...]) -> None:
    """Fewer joints than contact directions: the force is the one of least norm, in every form the same."""
    rng = np.random.default_rng(list(lengths))
    system, state, tau = draw_held(rng, size, ["rigid"] * len(lengths), False, 0.0, lengths)
    expected = dyn.forward_dynamics(system, state, tau)
    text = dyn.read_textbook(system, state, tau).solution
    lost = expected.indeterminate.shape[-1]
    assert lost == 6 * len(lengths) - sum(lengths) - 6
    assert text.indeterminate.shape == expected.indeterminate.shape
    forces = {
        "textbook": text.contact_force,
        "influence": (influence(system, state).contact_force @ tau).reshape(-1, 6),
    }
    for name, found in forces.items():
        assert apart(found, expected.contact_force, np.array([size] * 3 + [1.0] * 3)) < 1e-6, name
    for null in (text.indeterminate, expected.indeterminate):
        null = null.reshape(-1, lost)
        assert np.allclose(null.T @ null, np.eye(lost), rtol=0.0, atol=1e-9)
