"""What names stand for that have no array of their own in the registry: rotors, squeezes, other methods, counts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import dynamics as dyn
from app.lessons.language import parsed
from app.lessons.quantities import MOST_COUNTED, Known, Scope
from app.lessons.staged import known_of
from app.lessons.values import ExpressionError, Value
from app.state import Session

Ask = Callable[[str], Value]
PRESSED = {"preset": "jazidie_1", "drive": "free", "torques": "0:1,3:-1"}


@pytest.fixture(scope="module")
def known(session: Session) -> Callable[..., Known]:
    def at(**query: str) -> Known:
        return known_of(query, session, float(query.get("t", 0.0)))

    return at


def asker(known: Known) -> Ask:
    scope = Scope(known, known, True)
    return lambda text: parsed(text).value(scope)


def test_a_rotor_is_part_of_what_a_joint_turns(known: Callable[..., Known]) -> None:
    ask = asker(known(preset="puma560"))
    for k in range(1, 7):
        seen = ask(f"dot(joint_axis({k}), articulated_inertia({k}) @ joint_axis({k})) + rotor_inertia({k})")
        assert seen == pytest.approx(ask(f"joint_inertia({k})"), rel=1e-12)
    assert ask("rotor_inertia(1)") > 0.0
    assert asker(known(preset="planar_chain"))("max(rotor_inertia)") == 0.0


def test_a_squeeze_cancels_out_in_the_object_and_does_not_know_it(known: Callable[..., Known]) -> None:
    light, heavy = known(**PRESSED), known(**PRESSED, mass="5000")
    grasp_map = dyn.contact_gain(light.solution.system, light.solution.state).grasp_map
    squeeze = np.concatenate([np.asarray(asker(light)(f"squeeze({k})")) for k in (1, 2)])
    assert np.linalg.norm(squeeze) > 1.0
    assert grasp_map @ squeeze == pytest.approx(np.zeros(6), abs=1e-12)
    assert np.asarray(asker(heavy)("squeeze(1)")) == pytest.approx(squeeze[:6], abs=1e-9)


def test_what_no_one_can_know_is_counted(known: Callable[..., Known]) -> None:
    ask = asker(known(**PRESSED))
    assert (ask("contact_directions"), ask("indeterminate")) == (12.0, 3.0)
    assert asker(known(preset="two_arms_and_box"))("indeterminate") == 0.0
    for name in ("indeterminate", "contact_directions", "squeeze(1)"):
        with pytest.raises(ExpressionError, match="holds no object"):
            asker(known(preset="panda"))(name)


def test_another_method_is_asked_about_the_same_moment(known: Callable[..., Known]) -> None:
    moment = known(preset="puma560", t="0.5")
    shown = moment.solution
    expected = dyn.forward_dynamics(shown.system, shown.state, shown.tau, method="lagrange").joint_acceleration
    ask = asker(moment)
    assert np.array_equal(np.asarray(ask("answers.lagrange.joint_acceleration")), expected)
    assert ask("answers.lagrange.joint_acceleration(2)") == expected[1]
    assert ask("max(abs(answers.mass_matrix.joint_acceleration - joint_acceleration))") < 1e-12
    for text, said in (
        ("answers.guess.joint_acceleration", "cannot be solved by 'guess'"),
        ("answers.lagrange.torque", "nothing else"),
        ("answers.lagrange.joint_acceleration(9)", "none of number 9"),
    ):
        with pytest.raises(ExpressionError, match=said):
            ask(text)


def test_operations_are_counted_and_not_beyond_what_a_page_waits_for(known: Callable[..., Known]) -> None:
    ask = asker(known(preset="planar_chain"))
    count = dyn.count_operations("strobing", 6)
    assert ask("counted.strobing.multiplications(6)") == count.multiplications
    assert ask("counted.strobing.additions(6)") == count.additions
    assert ask("counted.strobing.operations(joints + 1)") == count.multiplications + count.additions
    for text, said in (
        ("counted.guess.operations(6)", "not counted"),
        ("counted.strobing.guesses(6)", "not counted"),
        ("counted.strobing.operations", "an arm of 1 to"),
        (f"counted.strobing.operations({MOST_COUNTED + 1})", "an arm of 1 to"),
    ):
        with pytest.raises(ExpressionError, match=said):
            ask(text)


def test_what_balanced_loads_leave_is_zero(known: Callable[..., Known]) -> None:
    """As in the walk: a chain that hangs at rest has no innovation, and not one of 1e-16."""
    hanging = known(preset="planar_chain", posture=f"0,0,0,0,{np.pi / 2!r}")
    stages = hanging.solution.stages
    assert 0.0 < np.abs(stages["filter"]["innovation"]).max() < 1e-12
    ask = asker(hanging)
    assert [ask(f"{name}(2)") for name in ("innovation", "residual", "joint_acceleration")] == [0.0, 0.0, 0.0]
    assert ask("norm(acceleration(3))") == 0.0
    assert ask("corrected_force(1)[6]") == pytest.approx(9.81)


def test_a_link_is_as_long_as_from_its_joint_to_the_next_outboard_or_to_the_tip(known: Callable[..., Known]) -> None:
    assert asker(known(preset="planar_chain"))("length") == pytest.approx([0.3] * 5)
    assert asker(known(preset="planar_chain"))("center_distance") == pytest.approx([0.15] * 5)
    held = known(preset="two_arms_and_box")
    ask, joints = asker(held), held.solution.link_pose[:, :3, 3]
    for arm, tip in enumerate((0, 7)):
        outer = np.vstack([held.solution.tip_pose[arm, :3, 3], joints[tip : tip + 6]])
        lengths = [ask(f"length({tip + k})") for k in range(1, 8)]
        assert lengths == pytest.approx(np.linalg.norm(outer - joints[tip : tip + 7], axis=1))
    with pytest.raises(ExpressionError, match="between -1 and 1"):
        ask("acos(1.1)")
    assert ask("acos(-1)") == pytest.approx(np.pi)
