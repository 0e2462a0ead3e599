"""Whatever is handed out cannot be written, all the way down; it pickles and copies, and is then the same."""

import copy
import inspect
import pickle
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass, replace
from functools import cache, cached_property
from typing import Any

import numpy as np
import pytest

import dynamics as dyn
from dynamics.record import Record
from dynamics.robot.rigid_body import MassProperties
from dynamics.solve.influence import acceleration_parts, contact_gain
from dynamics.solve.mass_matrix_inverse import acceleration_responses
from dynamics.witness.arm_group import group_inverse

pytestmark = pytest.mark.compiled_only
SMALLEST = 20_000
"""Bytes that a pickle may have beside the numbers that it is about: the model, without kernels and workspaces."""


@cache
def handed_out(name: str) -> dict[str, Any]:
    """What is made of an example by asking the public functions."""
    system, state = dyn.example(name)
    moving = system.state(
        state.q, 0.1 * np.arange(system.n_joints), state.base_pose, None, state.object_pose, None
    )  # fmt: skip
    moving = dyn.project(system, moving)
    several = {"q": np.tile(moving.q, (9, 1)), "qd": moving.qd, "base_pose": moving.base_pose}
    several |= {"object_pose": moving.object_pose, "object_velocity": moving.object_velocity}
    run = dyn.Simulation(system, moving, dyn.JointPD(), dt=5e-3)
    run.advance(0.02)
    if system.is_held:
        run.apply(dyn.Release(0.02))
        run.advance(0.01)
    asked = {
        "system": system, "robot": system.robots[0], "state": moving, "run": run, "recording": run.recording,
        "solution": dyn.forward_dynamics(system, moving), "dense": dyn.forward_dynamics(system, moving, method="kkt"),
        "batch": dyn.forward_dynamics_batch(system, keep="stages", **several),
        "bare batch": dyn.forward_dynamics_batch(system, **several), "stages": dyn.solver(system).stages,
        "reading": dyn.read_textbook(system, moving).solution,
        "checks": dyn.identities(dyn.forward_dynamics(system, moving)),
        "agreement": dyn.agreement(system, moving, only=["kkt"]),
        "parts": acceleration_parts(dyn.forward_dynamics(system, moving)),
        "responses": acceleration_responses(system, moving), "factors": dyn.operator_factors(system, moving),
    }  # fmt: skip
    if system.is_held:
        asked["gain"] = contact_gain(system, moving)
        asked["influence"] = dyn.influence(system, moving)
        asked["torques"] = group_inverse(system, moving, np.ones(6))
    return asked


def parts(value: object) -> Iterator[tuple[str, object]]:
    """What one sees of a value without calling anything: fields and properties, or entries."""
    if isinstance(value, Mapping):
        yield from ((f"[{key!r}]", one) for key, one in value.items())
    elif isinstance(value, tuple):
        yield from ((f"[{i}]", one) for i, one in enumerate(value))
    if is_dataclass(value) or type(value).__module__.startswith("dynamics"):
        seen = dict(inspect.getmembers_static(type(value), lambda one: isinstance(one, property | cached_property)))
        for name in sorted({*getattr(value, "__dict__", ()), *seen}):
            if not name.startswith("_"):
                yield f".{name}", getattr(value, name)


KEPT: list[object] = []


def written(value: object, path: str = "", seen: set[int] | None = None) -> Iterator[str]:
    seen = set() if seen is None else seen
    if id(value) in seen:
        return
    seen.add(id(value))
    base = value
    while isinstance(base, np.ndarray):
        if base.flags.writeable:
            yield path
        base = base.base
    if isinstance(value, list | dict | set | bytearray):
        yield path
    kept = list(parts(value))
    for name, one in kept:
        yield from written(one, path + name, seen)
    seen |= {id(one) for _, one in kept}
    KEPT.extend(one for _, one in kept)  # or another value could be given its id


def numbers_of(value: object, depth: int = 0) -> Iterator[Any]:
    assert depth < 20
    if isinstance(value, np.ndarray):
        yield value.dtype.str, value.shape, value.tobytes()
    elif isinstance(value, str | int | float | bool | None | frozenset):
        yield value
    for name, one in parts(value):
        if name != ".evaluation":
            yield name
            yield from numbers_of(one, depth + 1)


MACHINES = "iiwa14", "two_arms_and_box", "two_arm_flyer"
"""An arm, two that hold an object, and a base that floats with two."""


@pytest.fixture(
    params=[*MACHINES, *(pytest.param(name, marks=pytest.mark.full) for name in dyn.examples() if name not in MACHINES)]
)
def asked(request: pytest.FixtureRequest) -> dict[str, Any]:
    return handed_out(request.param)


def test_what_is_handed_out_cannot_be_written_pickles_and_copies(asked: dict[str, Any]) -> None:
    found = [where for name, value in asked.items() if name != "run" for where in written(value, name)]
    assert not found, found
    # A deep copy of what cannot change is the thing itself.
    for name, value in asked.items():
        own = list(numbers_of(value))
        for protocol in (2, pickle.HIGHEST_PROTOCOL):
            again = pickle.loads(pickle.dumps(value, protocol))
            assert list(numbers_of(again)) == own, name
            assert name == "run" or not list(written(again, name))
        if isinstance(value, Record):
            assert copy.deepcopy(value) is value, name
            assert list(numbers_of(copy.copy(value))) == own, name
    robot = asked["solution"].system.robots[0]
    assert len(pickle.dumps(robot)) < max(SMALLEST, 2_000 * len(robot.links))


def test_what_a_caller_gave_may_change_afterwards() -> None:
    """A controller, a link, a contact: all keep numbers of their own, and none that was already protected is copied."""
    given = np.ones(7)
    controllers = [dyn.ConstantTorque(given), dyn.JointPD(given, stiffness=given), dyn.JointPD(feedforward=given)]
    inertia, center = np.eye(3), np.zeros(3)
    link, body = dyn.Link("a", 1.0, center, inertia), MassProperties(1.0, center, inertia)
    selection = [[0.0, 0, 0, 1, 0, 0]]
    grasp = dyn.Grasp(0.0, contacts := ["rigid", given, selection])
    geometry = [dyn.Geometry("box", (1.0, 1.0, 1.0), pose := np.eye(4))]
    payload, home = dyn.TaskObject(1.0, inertia, geometry), {"joint": 1.0}
    robot = replace(dyn.load("iiwa14"), home=home)
    before = [list(numbers_of(each)) for each in (*controllers, link, body, grasp, payload, robot)]
    for array in (given, inertia, center, pose):
        array[:] = 5.0
    contacts[0], selection[0][0], home["joint"] = "point", 3.0, 2.0
    geometry.clear()
    assert [list(numbers_of(each)) for each in (*controllers, link, body, grasp, payload, robot)] == before
    protected = replace(link, mass=2.0)
    assert protected.inertia is link.inertia
    view = np.ones((2, 7))[0]
    view.flags.writeable = False  # and still its base can be written
    assert dyn.ConstantTorque(view).tau is not view
