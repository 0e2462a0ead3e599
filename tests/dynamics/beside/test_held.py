"""Arms that hold an object: forces, accelerations and mobilities in others' conventions, and faults of theirs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamics as dyn
from dynamics.beside.compare import compared
from dynamics.beside.handed_in import handed_in
from dynamics.beside.numbering import numberings
from dynamics.beside.rerun import Moment
from tests.dynamics.pinocchio_world import Grip, PinocchioWorld
from tests.dynamics.systems import GRAVITY, draw_object, draw_pose, draw_robot

pytestmark = pytest.mark.compiled_only  # no kernel knows of it

SELECTED = {"rigid": np.eye(6), "point": np.eye(6)[3:]}


def holding(seed: int, kinds: Sequence[str]) -> tuple[PinocchioWorld, dyn.System, dyn.State, list[Grip], np.ndarray]:
    """Arms that hold a moving object, and the same in Pinocchio."""
    rng = np.random.default_rng([seed, 27])
    robots = [draw_robot(rng, int(rng.integers(6, 8)), mass_decades=1.0) for _ in kinds]
    thing, bases = draw_object(rng), [draw_pose(rng) for _ in kinds]
    system = dyn.multi_arm([robot.load(robot.leaf) for robot in robots], bases, thing, GRAVITY)
    n = system.n_joints
    state = system.state(
        rng.uniform(-2, 2, n), rng.normal(size=n), object_pose=draw_pose(rng), object_velocity=rng.normal(size=6)
    )
    system = dyn.grasp(system, state, list(kinds))
    state = dyn.project(system, state)
    world = PinocchioWorld(robots, bases, task_object=thing, gravity=GRAVITY)
    grips = [
        Grip(
            held.arm, SELECTED[held.kind], np.linalg.solve(system.tips[held.tip].pose, held.tip_pose), held.object_pose
        )
        for held in system.contacts
    ]
    return world, system, state, grips, rng.normal(size=n) * 3


@given(st.integers(0, 9), st.sampled_from([("rigid", "rigid"), ("rigid", "point")]))
@settings(max_examples=2)
def test_pinocchio_with_contacts(seed: int, kinds: Sequence[str]) -> None:
    world, system, state, grips, tau = holding(seed, kinds)
    named = dict(zip(system.joint_names, state.q, strict=True))
    rates = dict(zip(system.joint_names, state.qd, strict=True))
    motors = dict(zip(system.joint_names, tau, strict=True))
    x = world.configuration(named, object_pose=state.object_pose)
    v = world.velocity(rates, object_pose=state.object_pose, object_velocity=state.object_velocity)
    answer = world.held_motion(x, v, world.torque(motors), grips)
    assert answer.contact_force is not None
    order = list(answer.joint_acceleration)
    theirs = {
        "ddq": np.array(list(answer.joint_acceleration.values())),
        "x_0": -answer.contact_force[:, [3, 4, 5, 0, 1, 2]],
        "alpha_C": answer.object_acceleration,
    }
    found = dyn.compare(system, state, theirs, tau, joints=order, tolerance=1e-8)
    assert found.agrees, str(found)
    said = {stage.name: stage for stage in found.stages}
    assert said["ddq"].quantity == "final_joint_acceleration"
    assert said["x_0"].convention == "linear first, in inertial axes, at the contact, on the arm"
    theirs["x_0"][1] *= 1.01
    moment = Moment(system, state, tau, np.zeros((system.n_links + 1, 6)))
    items, numbered = handed_in(system, state, tau, theirs), numberings(system, order)
    wrong = compared(moment, items, numbered, 1e-8, seek_causes=False).comparison
    assert wrong.first_stage is not None
    assert (wrong.first_stage.name, wrong.first_link) == ("x_0", system.contacts[1].link)


def stages_of(system: dyn.System, state: dyn.State, tau: np.ndarray) -> dict[str, np.ndarray]:
    """Ours, as a solution has them."""
    found = dyn.forward_dynamics(system, state, tau)
    stages = found.stages
    return {
        "P": stages["filter"]["articulated_inertia"],
        "D": stages["filter"]["joint_inertia"],
        "z": stages["filter"]["predicted_force"],
        "eps": stages["filter"]["innovation"],
        "modified_innovation": stages["filter_correction"]["modified_innovation"],
        "x_0": stages["contact"]["contact_force"],
        "Lam_0": stages["contact"]["tip_costate_covariance"],
        "alpha_C": stages["contact"]["object_acceleration"],
        "qdd": found.joint_acceleration,
        "alpha": stages["smoother_final"]["acceleration"],
    }


def test_our_own_arrays_of_arms_that_hold_agree() -> None:
    _, system, state, _, tau = holding(1, ("rigid", "point"))
    theirs = {name: np.array(array) for name, array in stages_of(system, state, tau).items()}
    theirs["M"] = np.array(dyn.mass_matrix(system, state))
    found = dyn.compare(system, state, theirs, tau)
    assert found.agrees, str(found)
    assert "Rodriguez, Jain and Kreutz, as Armsweep does" in found.libraries


@pytest.mark.full
def test_a_fault_of_the_filter_is_found_though_an_object_is_held() -> None:
    system, state = dyn.example("two_arms_and_box")
    tau = np.linspace(-1.0, 1.0, system.n_joints)
    broken = dyn.read_textbook(system, state, tau, breaks=["inward_filter.correction.P_plus~G-H-P~drop"])
    theirs = {name: np.array(broken.letter(name)) for name in ("P", "D", "G", "x_0")}
    found = dyn.compare(system, state, theirs, tau)
    assert found.first_stage is not None
    assert found.first_stage.name == "P"
    assert "inward_filter.correction.P_plus~G-H-P~drop" in {cause.key for cause in found.causes}


def test_a_fault_of_the_object_alone_is_located_at_the_object() -> None:
    system, state = dyn.example("one_arm_by_a_point")
    motion = np.array(dyn.forward_dynamics(system, state).stages["contact"]["object_acceleration"]) + 1.0
    found = dyn.compare(system, state, {"alpha_C": motion})
    assert found.first_link == system.n_links
    assert "α(C), the object, in the stage contact" in str(found)


def test_contact_forces_without_contacts_are_refused() -> None:
    system, state = dyn.example("two_arms_and_box")
    with pytest.raises(dyn.StateError, match="is no contact force"):
        dyn.compare(dyn.release(system), state, {"x_0": np.zeros((2, 6))})
