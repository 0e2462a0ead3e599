"""Bad input: a named error that says what is wrong, and nothing half-changed."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import dynamics as dyn
from tests.dynamics.every import every
from tests.dynamics.refusals import assert_all_refused

NAN = float("nan")
ARM, FLYER = dyn.single_arm(dyn.load("puma560")), dyn.free_flyer(dyn.load("free_flyer"))
HELD, CLOSED = dyn.example("two_arms_and_box")
FLYERS = dyn.multi_arm([FLYER.robots[0]] * 2, task_object=dyn.TaskObject.box((1, 1, 1), 1.0), floating=True)
FREE, ROBOT, REST = dyn.release(HELD), ARM.robots[0], ARM.state()


def payload(mass: float, inertia: np.ndarray) -> Callable[[], object]:
    return lambda: dyn.TaskObject(mass=mass, inertia=inertia)


def based(pose: np.ndarray) -> Callable[[], object]:
    return lambda: FLYER.state(base_pose=pose)


def run(**arguments: object) -> Callable[[], object]:
    return lambda: dyn.simulate(ARM, REST, **arguments)


def held(contacts: object, system: dyn.System = FREE, state: dyn.State = CLOSED) -> Callable[[], object]:
    return lambda: dyn.grasp(system, state, contacts)


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: ARM.state(qd=[0, 0, 0, np.inf, 0, 0]), "qd.*3.*inf"),
    (lambda: ARM.state(q=np.zeros(7)), r"q.*\(6,\).*\(7,\)"),
    (lambda: ARM.state(q=np.zeros((2, 3))), r"q.*\(6,\).*\(2, 3\)"),
    (lambda: ARM.state(base_pose=np.eye(4)), "base_pose"),
    (lambda: ARM.state(object_pose=np.eye(4)), "object_pose"),
    (based(np.zeros((4, 4))), r"base_pose.*\(0, 0, 0, 1\)"),
    (based(np.diag([1.0, 1.0, -1.0, 1.0])), "base_pose.*right-handed"),
    (based(np.diag([2.0, 1.0, 1.0, 1.0])), "base_pose.*rotation"),
    (lambda: FLYER.unpack(FLYER.pack(FLYER.state())[0] * 0.0, np.zeros(FLYER.n_velocity)), "quaternion has length"),
    (lambda: dyn.forward_dynamics(ARM, REST, np.zeros(5)), r"tau.*\(6,\)"),
    (lambda: dyn.forward_dynamics(ARM, FLYER.state(), np.zeros(6)), "."),
    (lambda: dyn.load("puma_560"), "puma560"),
    (lambda: dyn.load("no/such/file.urdf"), "file.urdf"),
    (lambda: dyn.load("puma560", tip="nose"), "nose"),
    (lambda: dyn.example("nothing"), "two_arms_and_box"),
    (lambda: dyn.forward_dynamics(ARM, REST, np.zeros(6), method="magic"), "magic"),
    (lambda: ARM.to_joint_vector({"knee": 1.0}), "knee"),
    (lambda: ROBOT.without("gravity"), "gravity"),
    (held(["rigid", "glue"]), "glue"),
    (run(duration=0.01, method="euler9"), "euler9"),
    *((run(**{"duration": 0.1} | wrong), ".") for wrong in (
        {"duration": -1.0}, {"duration": NAN}, {"dt": 0.0}, {"dt": NAN}, {"record_every": 0},
        {"controller": dyn.ConstantTorque(np.zeros(3))})),
    (held(["rigid"], ARM, REST), "."),
    *((held(contacts), ".") for contacts in (
        ["rigid"], "rigid", 3, iter(["rigid", "rigid"]), [None, None], [np.zeros((2, 6)), "rigid"],
        [np.full((1, 6), NAN), "rigid"])),
    *((held(["rigid", "rigid"], FREE, other), ".") for other in (
        REST, dyn.example("two_planar_arms")[1], dyn.example("free_flyer")[1])),
    (lambda: dyn.release(FREE), "."),
    (payload(0.0, np.eye(3)), "mass"),
    (payload(1.0, np.diag([1.0, 1.0, -1.0])), "none below zero|positive"),
    (payload(1.0, np.diag([1.0, 1.0, 3.0])), "triangle"),
    (payload(1.0, np.triu(np.ones((3, 3)))), "symmetric"),
    (lambda: dyn.multi_arm([]), "at least one"),
    (lambda: dyn.multi_arm(FLYERS.robots, floating=(True,)), "floating: expected 2"),
    (lambda: dyn.multi_arm([dyn.planar_chain(3)], floating=True), "needs all of them positive"),
    (lambda: FLYERS.state(base_pose=np.eye(4)), "base_pose"),
    (held(["rigid"], FLYERS, FLYERS.state()), "expected 2 entries"),
    (lambda: dyn.multi_arm([ROBOT, ROBOT], base_poses=[np.eye(4)]), "base_poses"),
    (lambda: dyn.single_arm(ROBOT, gravity=(0, 0)), "gravity"),
    (lambda: dyn.single_arm(ROBOT, base_pose=np.zeros((4, 4))), "base_poses"),
    (lambda: dyn.single_arm("puma560"), "load"),
]  # fmt: skip


def test_impossible_arguments_are_refused_by_name() -> None:
    for error in (dyn.ModelError, dyn.StateError, dyn.SingularConfigurationError):
        assert issubclass(error, ValueError)
    assert_all_refused({f"{k}: {words}": (act, words) for k, (act, words) in enumerate(REFUSED)})
    assert HELD.is_held
    assert not FREE.is_held


def test_states_off_the_closure_are_refused_and_projected_onto_it() -> None:
    again = HELD.unpack(*HELD.pack(CLOSED))
    for part in ("q", "object_pose", "object_velocity"):
        assert np.allclose(getattr(again, part), getattr(CLOSED, part), rtol=0, atol=1e-14)
    for part, at, size, arm in (("q", 0, 1e-3, "arm 1"), ("qd", -1, 1e-2, "arm 2")):
        moved = getattr(CLOSED, part).copy()
        moved[at] += size
        off = replace(CLOSED, **{part: moved})
        with pytest.raises(dyn.StateError, match=f"{arm}.*project"):
            dyn.forward_dynamics(HELD, off)
        back = dyn.project(HELD, off)
        dyn.forward_dynamics(HELD, back)
        assert np.allclose(dyn.project(HELD, back).q, back.q, rtol=0, atol=1e-12)
    away = CLOSED.object_pose.copy()
    away[0, 3] += 50.0
    with pytest.raises(dyn.SingularConfigurationError, match="arms cannot close"):
        dyn.project(HELD, replace(CLOSED, object_pose=away))


@every([
    ("free_flyer", {"base_velocity": None}), ("free_flyer", {"base_pose": None}),
    ("two_arms_and_box", {"object_velocity": None}), ("two_arms_and_box", {"object_pose": None}),
    ("iiwa14", {"base_velocity": np.zeros(6)}), ("iiwa14", {"object_velocity": np.full(6, np.nan)}),
    ("iiwa14", {"q": np.ma.masked_array(np.zeros(7), mask=True)}),
])  # fmt: skip
def test_half_a_state_is_none(name: str, lost: dict[str, object]) -> None:
    """Put together by hand: packed, it would be shorter than what kernels read of it."""
    system, state = dyn.example(name)
    for asked in (dyn.forward_dynamics, dyn.project, dyn.operational_space_inertia, dyn.simulate, dyn.System.pack):
        with pytest.raises(dyn.StateError):
            asked(system, replace(state, **lost))
