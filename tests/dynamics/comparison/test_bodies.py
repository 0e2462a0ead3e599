"""What floats and what is held, as Pinocchio and MuJoCo write it."""

from collections.abc import Sequence

import mujoco
import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamics as dyn
from tests.dynamics.comparison.drawn import drawn
from tests.dynamics.mujoco_world import MujocoTwin
from tests.dynamics.pinocchio_world import PinocchioWorld
from tests.dynamics.systems import GRAVITY, draw_object, draw_pose
from tests.dynamics.twins import arms_and_object, draw_arms

pytestmark = pytest.mark.compiled_only  # no kernel knows of it


def floating(seed: int) -> tuple[PinocchioWorld, dyn.System, dyn.State, np.ndarray]:
    it = drawn(seed, (3, 7), 0.3)
    rng = np.random.default_rng(seed)
    system = dyn.free_flyer(it.robot.load(), gravity=GRAVITY)
    state = system.state(it.state.q, it.state.qd, draw_pose(rng), rng.normal(size=6))
    world = PinocchioWorld([it.robot], floating=True, gravity=GRAVITY)
    names = [f"1/{name}" for name in system.joint_names]
    return world, system, state, world.configuration(dict(zip(names, state.q, strict=True)), state.base_pose)


def pinocchio_matrices(world: PinocchioWorld, x: np.ndarray) -> dict[str, np.ndarray]:
    model = world.model
    mass = pin.crba(model, model.createData(), x).copy()
    return {"M": mass, "Minv": pin.computeMinverse(model, model.createData(), x).copy()}


@given(st.integers(0, 99))
@settings(max_examples=3)
def test_pinocchio_afloat(seed: int) -> None:
    world, system, state, x = floating(seed)
    found = dyn.compare(system, state, pinocchio_matrices(world, x))
    assert found.agrees, str(found)
    for stage in found.stages:
        assert "rows of floating bodies linear first, in body axes" in stage.convention
    expected = dyn.forward_dynamics(system, state, np.ones(system.n_joints))
    rates = np.append(expected.joint_acceleration, expected.base_acceleration)  # type: ignore[arg-type]
    force = np.append(np.ones(system.n_joints), np.zeros(6))
    at_rest = dyn.forward_dynamics(system, state)
    change = rates - np.append(at_rest.joint_acceleration, at_rest.base_acceleration)  # type: ignore[arg-type]
    ours = found.converted["mass_matrix"]
    assert np.abs(ours @ change - force).max() < 1e-9 * np.abs(ours).max()
    rng = np.random.default_rng(seed)
    names = [f"1/{name}" for name in system.joint_names]
    rates = dict(zip(names, state.qd, strict=True))
    v = world.velocity(rates, state.base_pose, state.base_velocity)
    tau = rng.normal(size=system.n_joints)
    force = world.torque(dict(zip(names, tau, strict=True)))
    ddq = pin.aba(world.model, world.model.createData(), x, v, force)
    found = dyn.compare(system, state, {"ddq": ddq}, tau)
    assert found.agrees, str(found)
    assert "rows of floating bodies linear first, in body axes" in str(found)
    assert found.stages[0].quantity == "joint_and_base_acceleration"
    model = world.model.copy()
    model.gravity.linear = -model.gravity.linear
    upside_down = dyn.compare(system, state, {"ddq": pin.aba(model, model.createData(), x, v, force)}, tau)
    assert [cause.words for cause in upside_down.causes] == ["gravity has the other sign"]


@given(st.integers(0, 99))
@settings(max_examples=3)
def test_an_object_beside_the_arm(seed: int) -> None:
    it, rng = drawn(seed, (3, 6)), np.random.default_rng(seed)
    payload = draw_object(rng)
    system = dyn.multi_arm([it.robot.load()], task_object=payload, gravity=GRAVITY)
    state = system.state(it.state.q, it.state.qd, object_pose=draw_pose(rng), object_velocity=rng.normal(size=6))
    world = PinocchioWorld([it.robot], task_object=payload, gravity=GRAVITY)
    names = [f"1/{name}" for name in system.joint_names]
    x = world.configuration(dict(zip(names, state.q, strict=True)), object_pose=state.object_pose)
    found = dyn.compare(system, state, pinocchio_matrices(world, x))
    assert found.agrees, str(found)
    n = system.n_joints
    alone = dyn.compare(system, state, {"M": pinocchio_matrices(world, x)["M"][:n, :n]})
    assert alone.agrees, str(alone)


FREE = """<mujoco><option gravity="0.3 -0.7 -9.81"/><worldbody><body name="b0" pos="0.1 0.2 0.3" euler="10 20 30">
<freejoint name="free"/><inertial pos="0.1 0.2 -0.1" mass="2" fullinertia="0.3 0.2 0.4 0.01 0.02 0.03"/>
<body name="b1" pos="0.2 0 0.1" euler="40 0 10"><joint name="j1" axis="1 1 0"/>
<inertial pos="0 0.1 0.2" mass="1" diaginertia="0.1 0.2 0.25"/>
<body name="b2" pos="0 0.3 0"><joint name="j2" type="slide" axis="0 1 1"/>
<inertial pos="0.1 0 0" mass="0.5" diaginertia="0.1 0.1 0.1"/></body></body>
<body name="b3" pos="-0.2 0 0"><joint name="j3" axis="0 1 0"/>
<inertial pos="0 0 0.2" mass="0.7" diaginertia="0.1 0.15 0.1"/></body></body></worldbody></mujoco>"""


@given(st.integers(0, 99))
@settings(max_examples=1)
def test_mujoco_s_free_joint(seed: int) -> None:
    rng = np.random.default_rng(seed)
    system = dyn.free_flyer(dyn.load_mjcf_text(FREE), gravity=GRAVITY)
    n = system.n_joints
    state = system.state(rng.normal(size=n), rng.normal(size=n), draw_pose(rng), rng.normal(size=6))
    twin = MujocoTwin(FREE, system, state)
    mujoco.mj_forward(twin.model, twin.data)
    full = np.zeros((twin.model.nv, twin.model.nv))
    mujoco.mj_fullM(twin.model, twin.data, full)
    qacc = twin.data.qacc.copy()
    theirs = {"qM": np.triu(full), "qacc": qacc, "qfrc_bias": twin.data.qfrc_bias.copy()}
    found = dyn.compare(system, state, theirs)
    assert found.agrees, str(found)
    for stage in found.stages:
        assert "linear first, the linear half in inertial axes, the angular one in body axes" in stage.convention
    for theirs in ({"qM": full[1:, 1:]}, {"qacc": qacc[1:]}):
        with pytest.raises(dyn.StateError, match="shape"):
            dyn.compare(system, state, theirs)
    qacc[3] += 1e-3
    assert dyn.compare(system, state, {"qacc": qacc}).first_link == n  # the root alone: its joints agree


@given(st.integers(0, 9), st.sampled_from([("rigid", "rigid"), ("rigid", "point")]))
@settings(max_examples=1)
def test_pinocchio_with_contacts(seed: int, kinds: Sequence[str]) -> None:
    rng = np.random.default_rng([seed, 27])
    twin = arms_and_object(rng, draw_arms(rng, rng.integers(6, 8, 2).tolist()), kinds)
    system, state, tau, answer = twin.system, twin.state, twin.tau, twin.expected()
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
    written = said["x_0"].convention or found.convention
    assert "linear first, in inertial axes" in written
    assert "forces with the other sign" in written
    theirs["x_0"][1] *= 1.01
    wrong = dyn.compare(system, state, {"x_0": theirs["x_0"]}, tau, tolerance=1e-8)
    assert wrong.first_stage is not None
    assert (wrong.first_stage.name, wrong.first_link) == ("x_0", system.contacts[1].link)


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


@pytest.mark.full
def test_a_fault_of_the_object_alone_is_located_at_the_object() -> None:
    system, state = dyn.example("one_arm_by_a_point")
    motion = np.array(dyn.forward_dynamics(system, state).stages["contact"]["object_acceleration"]) + 1.0
    found = dyn.compare(system, state, {"alpha_C": motion})
    assert found.first_link == system.n_links
    assert "α(C), the object, in the stage contact" in str(found)


def test_contact_forces_without_contacts_are_refused() -> None:
    system, state = dyn.example("two_arms_and_box")
    with pytest.raises(dyn.StateError, match="fits no contact force"):
        dyn.compare(dyn.release(system), state, {"x_0": np.zeros((2, 6))})
