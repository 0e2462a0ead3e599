"""MuJoCo models of all kinds and their mixtures: they open with remarks, and move as in MuJoCo where its ties hold."""

import re
import warnings
from collections.abc import Callable

import mujoco
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import dynamics as dyn
from tests.dynamics.mjcf.here import compile_here
from tests.dynamics.mujoco_world import GRAVITY, NO_CONTACT, MujocoTwin, draw_model, numbers

pytestmark = pytest.mark.compiled_only  # no kernel reads a file
Change = Callable[[np.random.Generator, str], str]
ALL = ' constraint="disable"'
LOOSE = '<body name="loose" pos="0 0 5"><freejoint/><geom size="0.1"/></body>'
DRAWN = '<body name="drawn" mocap="true" pos="1 0 0"/>'  # by a mouse
TIED = '<equality><connect body1="b0" body2="loose" anchor="0.1 0.2 0.3"/></equality>'


def beside(text: str) -> Change:
    """An element of the model more."""
    return lambda rng, model: model.replace("<worldbody>", f"{text}<worldbody>", 1)


def in_world(text: str) -> Change:
    return lambda rng, model: model.replace("</worldbody>", f"{text}</worldbody>", 1)


def tied(words: str) -> Change:
    """Two bodies are."""

    def change(rng: np.random.Generator, model: str) -> str:
        a, b = rng.choice(len(re.findall(r'body name="b\d', model)), 2, replace=False)
        tie = words.format(a=a, b=b, at=numbers(*0.3 * rng.normal(size=3)))
        return model.replace("</mujoco>", f"<equality>{tie}</equality></mujoco>")

    return change


def names_of_joints(model: str) -> list[str]:
    """Of hinges and slides."""
    return re.findall(r'<joint name="(\w+)" type="(?:hinge|slide)"', model)


def follower(rng: np.random.Generator, model: str) -> str:
    names = names_of_joints(model)
    if len(names) < 2:
        return model
    a, b = rng.choice(names, 2, replace=False)
    line = numbers(0.0, rng.normal(), 0.0, 0.0, 0.0)
    tie = f'<equality><joint joint1="{a}" joint2="{b}" polycoef="{line}"/></equality>'
    return model.replace("</mujoco>", f"{tie}</mujoco>")


def everywhere(old: str, new: str) -> Change:
    return lambda rng, model: model.replace(old, new)


# What each is, and a word of the remark on it.
KINDS: dict[str, tuple[Change, str]] = {
    "a loop": (tied('<connect body1="b{a}" body2="b{b}" anchor="{at}"/>'), "<connect> in <equality>"),
    "a weld": (tied('<weld body1="b{a}" body2="b{b}" anchor="{at}"/>'), "<weld> in <equality>"),
    "a weld of places": (tied('<weld body1="b{a}" body2="b{b}" torquescale="0"/>'), "<weld> in <equality>"),
    "a tie that is off": (tied('<weld body1="b{a}" body2="b{b}" active="false"/>'), ""),
    "a follower": (follower, ""),
    "a loose body": (in_world(LOOSE), "'loose' moves by itself and is left out"),
    "a loose body that is tied": (lambda rng, model: beside(TIED)(rng, in_world(LOOSE)(rng, model.replace(LOOSE, ""))),
        "it holds what is no part of the robot"),
    "a body that is drawn along": (lambda rng, model: beside(TIED.replace("loose", "drawn"))(rng, in_world(DRAWN)(
        rng, model)), "it holds what is no part of the robot"),
    "a spring": (everywhere("armature=", 'stiffness="3" armature='), ""),
    "weight that is carried": (everywhere('<body name="b1"', '<body name="b1" gravcomp="1"'), ""),
    "a fluid": (beside('<option density="1.2" viscosity="0.1" wind="1 0 0"/>'), "nothing moves in a fluid here"),
    "a servo": (beside('<actuator><position joint="{joint}" kp="9"/></actuator>'), "servos among them hold"),
    "a tendon": (beside('<tendon><fixed name="t"><joint joint="{joint}" coef="1"/></fixed></tendon>'), "<tendon>"),
    "a posture": (beside("<keyframe><key time='1'/></keyframe>"), "<keyframe>"),
    "a terrain": (lambda rng, model: in_world('<geom type="hfield" hfield="h"/>')(rng, beside(
        '<asset><hfield name="h" ncol="8" nrow="8" size="3 3 1 1"/></asset>')(rng, model)), "a height field"),
    "a free joint that loses": (everywhere('<freejoint name="free"', '<joint name="free" type="free" damping="1"'), ""),
    "words": (beside("left over"), "text in <mujoco> is left out"),
    "what only shows": (beside('<visual/><statistic extent="2"/><custom/>'), ""),
}  # fmt: skip


@given(st.integers(0, 2**32), st.booleans(), st.sets(st.sampled_from([*KINDS]), max_size=4))
def test_models_of_all_kinds_open_with_remarks_and_move_as_in_mujoco(
    seed: int, floating: bool, kinds: set[str]
) -> None:
    rng = np.random.default_rng(seed)
    text = draw_model(rng, int(rng.integers(3, 7)), floating).replace(NO_CONTACT, NO_CONTACT.replace(ALL, ""))
    joints = names_of_joints(text)
    assume(joints)
    for kind in sorted(kinds):
        text = KINDS[kind][0](rng, text).replace("{joint}", joints[0])
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compile_here(patch)
        robot = dyn.load_mjcf_text(text)
    for kind in kinds:
        assert KINDS[kind][1] in "; ".join(robot.remarks), (kind, robot.remarks)
    system = dyn.free_flyer(robot, GRAVITY) if floating else dyn.single_arm(robot, GRAVITY)
    at = mujoco.MjModel.from_xml_string(text)
    zero = {at.jnt(j).name: at.qpos0[at.jnt_qposadr[j]] for j in range(at.njnt) if at.jnt_type[j] > 1}
    start = system.state(system.to_joint_vector(zero), rng.normal(size=system.n_joints))  # all that is tied is so there
    state = dyn.project(system, start)
    alone = text
    for other in (LOOSE, TIED, DRAWN, TIED.replace("loose", "drawn")):
        alone = alone.replace(other, "")
    twin, found = MujocoTwin(alone, system, state), dyn.forward_dynamics(system, state)
    assert twin.tied_difference(found) < 1e-9
