"""The papers' sums hold on random machines, and a wrong number in a stage shows in them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

import dynamics as dyn
from tests.dynamics.every import every
from tests.dynamics.systems import draw_robot
from tests.dynamics.twins import Twin, arms_and_object, draw_arms, one_arm


def arm(seed: int, n: int, floating: bool, branching: float) -> Twin:
    rng = np.random.default_rng(seed)
    return one_arm(rng, draw_robot(rng, n, branching=branching, mass_decades=1.0), floating=floating)


def held(seed: int, joints: list[int], kinds: list[str]) -> Twin:
    rng = np.random.default_rng(seed)
    return arms_and_object(rng, draw_arms(rng, joints), kinds)


MACHINES: dict[str, Callable[[], Twin]] = {
    "chain": lambda: arm(41, 7, False, 0.0), "tree": lambda: arm(42, 9, False, 0.5),
    "flyer": lambda: arm(43, 6, True, 0.0), "tree in flight": lambda: arm(44, 9, True, 0.5),
    "arms that hold": lambda: held(45, [7, 6], ["rigid", "rigid"]),
    "one by a point": lambda: held(46, [6, 8, 5], ["rigid", "point", "rigid"]),
}  # fmt: skip


@every(MACHINES)
def test_both_sides_agree(name: str) -> None:
    twin = MACHINES[name]()
    solution = dyn.forward_dynamics(twin.system, twin.state, twin.tau)
    found = dyn.paper_sums(solution)
    wrong = {f"{each.source} {each.title}": each.residual for each in found if each.residual > 1e-8}
    assert not wrong
    kinds = {each.source.split()[0] for each in found}
    bolted = not solution.system.is_floating and not solution.system.is_held
    assert kinds == {"R87", "R88", "JR"} | ({"JZ"} if bolted else set())
    assert any("(A.9)" in each.source for each in found) == (
        solution.system.kind == "free_flyer" and not any(j.rotor_inertia for j in solution.system.joint_models)
    )
    assert any("(5.6)" in each.source for each in found) == solution.system.is_held
    assert len({(each.source, each.title) for each in found}) == len(found)


@every(MACHINES)
def test_what_is_only_rounding_at_rest_is_no_difference(name: str) -> None:
    """Motors carry the weight, or all falls freely, and velocities are what rounding leaves of them."""
    twin = MACHINES[name]()
    system, rng = twin.system, np.random.default_rng(47)
    still = replace(twin.state, **{
        part: 1e-16 * rng.standard_normal(speed.shape)
        for part in ("qd", "base_velocity", "object_velocity") if (speed := getattr(twin.state, part)) is not None
    })  # fmt: skip
    found = dyn.forward_dynamics(system, still, carrying(system, still))
    assert name.endswith("flight") or name == "flyer" or np.abs(found.joint_acceleration).max() < 1e-9
    wrong = {f"{each.source} {each.title}": each.residual for each in dyn.paper_sums(found) if each.residual > 1e-8}
    assert not wrong


def carrying(system: dyn.System, state: dyn.State) -> np.ndarray:
    """Torques under which nothing accelerates; of a free flyer none, so that it falls."""
    if system.is_floating:
        return np.zeros(system.n_joints)
    alone = dyn.forward_dynamics(system, state).joint_acceleration
    response = [dyn.forward_dynamics(system, state, one).joint_acceleration - alone for one in np.eye(system.n_joints)]
    return np.asarray(np.linalg.lstsq(np.array(response).T, -alone, rcond=1e-10)[0])


@every(
    [
        ("smoother", "acceleration", "(23)"),
        ("smoother", "costate_covariance", "(4.5)"),
        ("filter", "kalman_gain", "(2.7)"),
        ("filter", "corrected_force", "(3.10)"),
        ("filter", "articulated_inertia_updated", "(50)"),
    ]
)
def test_a_wrong_number_shows(stage: str, name: str, source: str) -> None:
    twin = MACHINES["chain"]()
    solution = dyn.forward_dynamics(twin.system, twin.state, twin.tau)
    stages = {key: dict(arrays) for key, arrays in solution.stages.items()}
    wrong = stages[stage][name].copy()
    wrong.flat[np.abs(wrong).argmax()] *= 1.01
    stages[stage][name] = wrong
    found = dyn.paper_sums(replace(solution, stages=stages))
    assert max(each.residual for each in found if source in each.source) > 1e-4
