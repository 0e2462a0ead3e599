"""What people compare first, by the names of other programs: right arrays are known, usual faults are named."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamics as dyn
from tests.dynamics.comparison.drawn import DrawnMachine, drawn, machine_of, moment_of
from tests.dynamics.comparison.plain_aba import run
from tests.dynamics.pinocchio_world import PinocchioWorld
from tests.dynamics.systems import GRAVITY, draw_pose

pytestmark = pytest.mark.compiled_only  # no kernel knows of it
ROBOTS = Path(dyn.__file__).parents[1] / "assets" / "robots"
KINDS = ("arm", "tree", "flyer")
Arrays = Mapping[str, np.ndarray]


class Case(NamedTuple):
    world: PinocchioWorld
    system: dyn.System
    state: dyn.State
    tau: np.ndarray

    def arrays(self, q: np.ndarray, qd: np.ndarray, tau: np.ndarray) -> Arrays:
        """Pinocchio's, of these inputs; its Jacobian is that of the first tip's link, in the world's axes."""
        names, world, state, model = self.system.joint_names, self.world, self.state, self.world.model

        def by_name(values: np.ndarray) -> dict[str, float]:
            return {f"1/{name}": value for name, value in zip(names, values, strict=True)}

        x = world.configuration(by_name(q), state.base_pose)
        v = world.velocity(by_name(qd), state.base_pose, state.base_velocity)
        data = model.createData()
        link = self.system.link_names[self.system.tips[0].link]
        frame = model.getFrameId(f"1/{link}", pin.FrameType.BODY)
        return {
            "ddq": pin.aba(model, data, x, v, world.torque(by_name(tau))).copy(),
            "M": pin.crba(model, model.createData(), x).copy(),
            "g": pin.computeGeneralizedGravity(model, data, x).copy(),
            "nle": pin.nonLinearEffects(model, data, x, v).copy(),
            "C": pin.computeCoriolisMatrix(model, data, x, v).copy(),
            "J": pin.computeFrameJacobian(model, data, x, frame, pin.LOCAL_WORLD_ALIGNED).copy(),
        }

    def right(self) -> Arrays:
        return self.arrays(self.state.q, self.state.qd, self.tau)

    def causes(self, theirs: Arrays) -> list[str]:
        found = dyn.compare(self.system, self.state, theirs, self.tau)
        assert not found.agrees
        assert all(cause.difference < 1e-9 for cause in found.causes), str(found)
        return [cause.words for cause in found.causes]


def case(seed: int, kind: str) -> Case:
    it, rng = drawn(seed, (3, 6), 0.0 if kind == "arm" else 0.5), np.random.default_rng(seed)
    system, state = it.system, it.state
    if kind == "flyer":
        system = dyn.free_flyer(it.robot.load(), gravity=GRAVITY)
        state = system.state(state.q, state.qd, draw_pose(rng), rng.normal(size=6))
    return Case(PinocchioWorld([it.robot], floating=kind == "flyer", gravity=GRAVITY), system, state, it.tau)


def few(theirs: Arrays, *names: str) -> dict[str, np.ndarray]:
    return {name: theirs[name] for name in names}


seeds = given(st.integers(0, 99), st.sampled_from(KINDS))


@seeds
@settings(max_examples=3)
def test_what_pinocchio_calls_nle_g_c_and_j_is_known(seed: int, kind: str) -> None:
    """And written in our convention: a flyer's rows of its base are in body axes there, in inertial ones here."""
    it = case(seed, kind)
    found = dyn.compare(it.system, it.state, it.right(), it.tau)
    assert found.agrees, str(found)
    assert "Pinocchio (local, world aligned) and KDL's Jacobian" in found.libraries
    link = it.system.link_names[it.system.tips[0].link]
    written = next(stage for stage in found.stages if stage.name == "J").convention
    assert written.startswith(("of tip 1", f"of link {link}")), written
    J = it.right()["J"]  # linear half first; MuJoCo has each for itself
    assert dyn.compare(it.system, it.state, {"jacp": J[:3], "jacr": J[3:]}, it.tau).agrees
    for name, ours in (
        ("coriolis_matrix", dyn.coriolis_matrix), ("bias_torque", dyn.bias_torque),
        ("gravity_torque", dyn.gravity_torque), ("mass_matrix", dyn.mass_matrix),
    ):  # fmt: skip
        expected = ours(it.system, it.state)
        assert np.abs(found.converted[name] - expected).max() < 1e-10 * np.abs(expected).max()


@seeds
@settings(max_examples=2)
def test_what_drake_and_kdl_call_gravity_is_known_by_its_sign(seed: int, kind: str) -> None:
    """Drake's is the force of gravity, KDL's the torque against it; both have the velocity terms by themselves."""
    it = case(seed, kind)
    theirs = it.right()
    for named in ({"tau_g": -theirs["g"], "Cv": theirs["nle"] - theirs["g"]}, {"gravity": theirs["g"]}):
        found = dyn.compare(it.system, it.state, named | few(theirs, "M"), it.tau)
        assert found.agrees, str(found)


@seeds
@settings(max_examples=3)
def test_inputs_given_from_base_to_tip_are_told_from_a_fault(seed: int, kind: str) -> None:
    it = case(seed, kind)
    q, qd, tau = it.state.q[::-1], it.state.qd[::-1], it.tau[::-1]
    turned = it.causes(few(it.arrays(q, qd, tau), "ddq", "M", "nle"))
    assert [words.partition("; give")[0] for words in turned] == [
        "q, q̇ and τ run from base to tip, ours from tip to base"
    ]
    turned = it.causes(few(it.arrays(it.state.q, it.state.qd, tau), "ddq", "M"))
    assert [words.partition("; give")[0] for words in turned] == ["τ run from base to tip, ours from tip to base"]


PARENTS = "base", "l0", "l0", "l0", "l1", "l2", "l3", "l3", "base", "base"


@pytest.mark.parametrize("seed", [1, 2])
def test_inputs_in_pinocchio_s_order_of_a_tree_are_named_with_the_order_to_give(seed: int) -> None:
    """Pinocchio goes branch after branch, joints that share a body by their names."""
    rng = np.random.default_rng(seed)
    text = '<link name="base"/>'
    for k, (parent, letter) in enumerate(zip(PARENTS, rng.permutation(list("abcdefghijklmnop")), strict=False)):
        axis, place, center = rng.standard_normal(3), rng.uniform(-0.3, 0.3, 3), rng.uniform(-0.1, 0.1, 3)
        x, o, c = (" ".join(map(str, each)) for each in (axis / np.linalg.norm(axis), place, center))
        text += (
            f'<link name="l{k}"><inertial><origin xyz="{c}"/><mass value="{rng.uniform(0.5, 2.0)}"/><inertia ixx=".1" '
            f'iyy=".12" izz=".09" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="{letter}" type="continuous">'
            f'<parent link="{parent}"/><child link="l{k}"/><axis xyz="{x}"/><origin xyz="{o}"/></joint>'
        )
    text = f'<robot name="tree">{text}</robot>'
    model, system = pin.buildModelFromXML(text), dyn.single_arm(dyn.load_urdf_text(text))
    q, qd, tau = rng.uniform(-1.0, 1.0, (3, len(PARENTS)))
    x = np.column_stack([np.cos(q), np.sin(q)]).ravel()
    theirs = {"ddq": pin.aba(model, model.createData(), x, qd, tau)}
    order = list(model.names)[1:]
    (cause,) = dyn.compare(system, system.state(q=q, qd=qd), theirs, tau).causes
    assert cause.words.endswith(f"; give them with order={order}")
    state = system.state(q=q, qd=qd, order=order)
    assert dyn.compare(system, state, theirs, system.to_joint_vector(tau, order=order)).agrees


GRAVITIES: Mapping[str, Sequence[float]] = {
    "gravity acts along -y": (0.0, -1.0, 0.0), "gravity acts along +x": (1.0, 0.0, 0.0),
    "gravity has the other sign": -np.array(GRAVITY),
}  # fmt: skip


@given(st.integers(0, 99), st.sampled_from(KINDS), st.sampled_from(sorted(GRAVITIES)))
@settings(max_examples=3)
def test_gravity_along_another_axis(seed: int, kind: str, words: str) -> None:
    it, direction = case(seed, kind), np.array(GRAVITIES[words])
    it.world.model.gravity.linear = direction * np.linalg.norm(GRAVITY) / np.linalg.norm(direction)
    assert words in it.causes(few(it.right(), "ddq", "M", "nle"))


@seeds
@settings(max_examples=2)
def test_another_size_of_gravity(seed: int, kind: str) -> None:
    it = case(seed, kind)
    for size in (9.8, 9.80665, 1.62):  # of any size: a book's, the standard's, the Moon's
        it.world.model.gravity.linear = np.array(GRAVITY) * size / np.linalg.norm(GRAVITY)
        assert f"gravity is {size:g} m/s²" in it.causes(few(it.right(), "M", "nle"))


@given(st.integers(0, 99), st.sampled_from(KINDS), st.sampled_from([0.5, -1.0]))
@settings(max_examples=3)
def test_a_coriolis_matrix_halved_or_of_the_other_sign(seed: int, kind: str, factor: float) -> None:
    it = case(seed, kind)
    right, words = it.right(), f"the velocity terms C q̇ {'are halved' if factor > 0 else 'have the other sign'}"
    wrong = {"M": right["M"], "g": right["g"], "nle": right["g"] + factor * (right["nle"] - right["g"])}
    assert words in it.causes(wrong)
    assert it.causes({"M": right["M"], "C": factor * right["C"]}) == [words]


@seeds
@settings(max_examples=2)
def test_a_coriolis_matrix_of_another_choice_moves_alike(seed: int, kind: str) -> None:
    it = case(seed, kind)
    right, v = it.right(), it.world.velocity(
        {f"1/{name}": rate for name, rate in it.system.from_joint_vector(it.state.qd).items()},
        it.state.base_pose, it.state.base_velocity,
    )  # fmt: skip
    other = np.random.default_rng(seed).normal(size=right["C"].shape)
    other -= np.outer(other @ v, v) / (v @ v)
    found = dyn.compare(it.system, it.state, {"M": right["M"], "C": right["C"] + other}, it.tau)
    assert found.agrees, str(found)
    assert "C q̇, and so the motion, is the same" in str(found)


def test_what_is_wrong_with_one_array_is_told_beside_right_ones() -> None:
    it = case(3, "arm")
    right = it.right()
    wrong = {"M": right["M"], "C": right["C"], "nle": 2.0 * right["g"] - right["nle"]}
    assert it.causes(wrong) == ["the velocity terms C q̇ have the other sign, in nle alone, the rest is right"]


def test_a_joint_that_turns_about_the_opposite_axis_is_named(tmp_path: Path) -> None:
    text = (ROBOTS / "iiwa14" / "robot.urdf").read_text()
    before, joint, after = text.partition('<joint name="joint_4"')
    (tmp_path / "turned.urdf").write_text(before + joint + after.replace('xyz="0 0 1"', 'xyz="0 0 -1"', 1))
    system, other = (dyn.single_arm(dyn.load(each)) for each in ("iiwa14", tmp_path / "turned.urdf"))
    q, qd, tau = np.random.default_rng(3).normal(size=(3, 7))
    qdd = dyn.forward_dynamics(other, other.state(q, qd), tau, "kkt").joint_acceleration
    found = dyn.compare(system, system.state(q, qd), {"qdd": qdd}, tau)
    assert [cause.words for cause in found.causes] == ["the joint's axis has the other sign, at joint_4 alone"]


DIVISIONS = {
    "the inertia P⁺": (("IA[i] - np.outer(U[i], U[i]) / d[i]", "IA[i] - np.outer(U[i], U[i])"),),
    "the force z⁺": ((" + U[i] * u[i] / d[i]", " + U[i] * u[i]"),),
    "the acceleration θ̈": (("(u[i] - U[i] @ ap) / d[i]", "(u[i] - U[i] @ ap)"),),
}
DIVISIONS["P⁺, z⁺ and θ̈"] = tuple(pair for (pair,) in DIVISIONS.values())


@pytest.mark.parametrize("where", ["P⁺, z⁺ and θ̈", *(pytest.param(each, marks=pytest.mark.full) for each in DIVISIONS)])
def test_a_forgotten_division_by_d_is_found_on_a_whole_arm(where: str) -> None:
    system, rng = dyn.single_arm(dyn.load("iiwa14").without("friction", "damping")), np.random.default_rng(4)
    n = system.n_joints
    it = DrawnMachine(None, system, system.state(rng.normal(size=n), rng.normal(size=n)), rng.normal(size=n),  # type: ignore[arg-type]
               np.zeros((n + 1, 6)))  # fmt: skip
    wrong = run(machine_of(system), moment_of(it), "", DIVISIONS[where])
    found = dyn.compare(system, it.state, few(wrong, "IA", "pA", "D", "u", "qdd"), it.tau)
    assert [cause.words for cause in found.causes] == [f"the division by D is forgotten in {where}"], str(found)


def test_an_array_that_is_right_under_another_name() -> None:
    it = drawn(7, (5, 7), 0.4)
    right = run(machine_of(it.system), moment_of(it))
    found = dyn.compare(it.system, it.state, {"G": right["U"], "IA": right["IA"]}, it.tau)
    assert found.agrees
    assert "Your G is our U = P Hᵀ, the gain times D: it is right under another name." in str(found)
