"""The witnesses see with their own eyes: no import leads to the sweeps, and sweeps that see wrongly are found out."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import grimp
import numpy as np
import pytest

import dynamics as dyn
from dynamics.check.agreement import OF_A_FREE_OBJECT, STANDS_ON, shared
from dynamics.methods import formulations
from dynamics.system.layout import ORIGIN_POSITION, ORIGIN_ROTATION
from dynamics.system.plain_kinematics import plain_kinematics
from dynamics.system.system import System
from dynamics.witness import free_object
from dynamics.witness.kkt import Dense, dense_equations
from tests.dynamics.every import every

# What each method's answer is computed by; ``FORMULATIONS`` puts the questions.
RUNS = {
    "filter_smoother": ("recursion.filter_smoother",),
    "two_filter": ("recursion.filter_smoother", "recursion.two_filter"),
    "mass_matrix": ("operators.composite_inertia", "operators.inverse_sweeps"),
    "newton_euler": ("witness.newton_euler", "witness.strobing"),
    "newton_euler_modified": ("witness.newton_euler_modified", "witness.strobing"),
    "lagrange": ("witness.lagrange", "witness.strobing"),
    "appel": ("witness.appel", "witness.arm_group"),
    "kkt": ("witness.kkt", "system.tip_poses"),
}
MECHANICS = ("recursion", "lanes", "batch", "operators", "witness")
OF_A_SYSTEM = ("system.plain_kinematics", "system.axis_frames")
SWEEPS = {"filter_smoother", "two_filter"}


def mechanics_below(graph: grimp.ImportGraph, modules: tuple[str, ...]) -> set[str]:
    """These modules and what they import, as far as it computes mechanics."""
    found = {f"dynamics.{module}" for module in modules}
    for module in tuple(found):
        found |= graph.find_upstream_modules(module)
    names = {module.removeprefix("dynamics.") for module in found}
    return {name for name in names if name.partition(".")[0] in MECHANICS or name in OF_A_SYSTEM} - set(MECHANICS)


def test_methods_share_what_they_say_and_no_more() -> None:
    graph = grimp.build_graph("dynamics")
    named = {
        name for kind in ("iiwa14", "free_flyer", "two_arms_and_box") for name in dyn.methods(dyn.example(kind)[0])
    }
    assert named == set(STANDS_ON) == set(RUNS)
    for left, right in combinations(RUNS, 2):
        common = mechanics_below(graph, RUNS[left]) & mechanics_below(graph, RUNS[right])
        said = shared(left, right, let_go=False)
        assert set(said) <= common, (left, right)
        if {left, right} != SWEEPS:  # these two share the sweeps, and with them all that the sweeps import
            assert common <= mechanics_below(graph, said), (left, right)


def moved(system: System, column: int) -> System:
    """The same system whose compiled table has a few numbers of one joint wrong by a thousandth."""
    model = system.tables.model.copy()
    model[1, column : column + 3] += (1e-3, -2e-3, 1.5e-3)
    return replace(system, tables=system.tables._replace(model=model))


@every((name, column) for name in ("iiwa14", "free_flyer") for column in (ORIGIN_POSITION, ORIGIN_ROTATION + 6))
def test_sweeps_that_see_wrongly_are_found_out(name: str, column: int) -> None:
    """A fault in the compiled kinematics is no witness's: each denies the sweeps, and they agree among themselves."""
    system, state = dyn.example(name)
    state = replace(state, q=state.q + 0.1, qd=np.linspace(-0.8, 0.7, system.n_joints))
    tau = np.linspace(1.0, -2.0, system.n_joints)
    truth = dyn.agreement(system, state, tau)
    assert truth.worst < 1e-9
    assert truth.residuals["poses and velocities"] < 1e-12

    found = dyn.agreement(moved(system, column), state, tau)
    worst = dict.fromkeys(combinations(dyn.methods(system), 2), 0.0)
    for row in found.rows:
        worst[row.left, row.right] = max(worst[row.left, row.right], row.relative)
    for pair, gap in worst.items():
        denied = len(SWEEPS & set(pair)) == 1
        assert gap > 1e-5 if denied else gap < 1e-9, pair
    assert found.residuals["poses and velocities"] > 1e-5


@every([ORIGIN_POSITION, ORIGIN_ROTATION])
def test_identities_find_sweeps_that_see_wrongly(column: int) -> None:
    system, state = dyn.example("iiwa14")
    state = replace(state, q=state.q + 0.1, qd=np.linspace(-0.8, 0.7, system.n_joints))
    assert all(check.holds for check in dyn.identities(dyn.forward_dynamics(system, state)))
    checks = {
        (check.stage, check.identity.key): check
        for check in dyn.identities(dyn.forward_dynamics(moved(system, column), state))
    }
    for key in (
        ("filter", "articulated"),
        ("smoother", "kinematics"),
        ("smoother", "newton_joint"),
        ("smoother", "agreement"),
    ):
        assert not checks[key].holds, key


def test_the_badge_names_what_two_methods_share() -> None:
    system, state = dyn.example("free_flyer")
    shared = {(row.left, row.right): row.shared for row in dyn.agreement(system, state).rows}
    assert shared["filter_smoother", "kkt"] == ()
    assert shared["filter_smoother", "two_filter"] == ("recursion.kinematics", "recursion.inward_filter")
    assert shared["appel", "kkt"] == ("system.plain_kinematics",)


def test_rows_of_a_free_object_name_what_moves_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who runs ``free_object`` is found by counting its calls, and the rows of the object's acceleration say so."""
    held, state = dyn.example("two_arms_and_box")
    system, asked = dyn.release(held), []

    def counted(*given: object) -> np.ndarray:
        asked.append(given)
        return free_object.free_object_acceleration(*given)

    monkeypatch.setattr(formulations, "free_object_acceleration", counted)
    runs = set()
    for name in dyn.methods(system):
        asked.clear()
        dyn.forward_dynamics(system, state, method=name)
        runs |= {name} if asked else set()
    assert runs == set(OF_A_FREE_OBJECT)
    rows = {(row.left, row.right, row.quantity): row.shared for row in dyn.agreement(system, state).rows}
    for (left, right, quantity), modules in rows.items():
        is_said = "witness.free_object" in modules
        assert is_said == (quantity == "object_acceleration" and {left, right} <= runs), (left, right, quantity)
    assert rows["newton_euler", "appel", "object_acceleration"] == ("witness.free_object",)
    assert rows["newton_euler", "appel", "joint_acceleration"] == ()
    assert not any("free_object" in module for row in dyn.agreement(held, state).rows for module in row.shared)


def test_a_free_object_falls_and_tumbles_as_the_dense_solve_says() -> None:
    held, state = dyn.example("two_arms_and_box")
    system = dyn.release(held)
    state = replace(state, object_velocity=np.array([0.4, -1.2, 0.7, 0.1, 0.2, -0.3]))
    push = {"object": [0.3, -0.2, 0.5, 1.0, 2.0, -3.0]}
    found = dyn.forward_dynamics(system, state, method="appel", external_forces=push).object_acceleration
    expected = dyn.forward_dynamics(system, state, method="kkt", external_forces=push).object_acceleration
    assert np.allclose(found, expected, rtol=1e-12, atol=1e-12)


def test_kkt_sees_by_the_plain_kinematics(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its poses are handed to it by those who ask: they are the plain ones, whatever the tables of the sweeps say."""
    system, state = dyn.example("iiwa14")
    seen = []

    def looked(wrong: System, at: dyn.State, poses: np.ndarray, wrench: np.ndarray) -> Dense:
        seen.append(poses)
        return dense_equations(wrong, at, poses, wrench)

    monkeypatch.setattr(formulations, "dense_equations", looked)
    dyn.forward_dynamics(moved(system, ORIGIN_POSITION), state, method="kkt")
    dyn.mass_matrix(moved(system, ORIGIN_POSITION), state, method="kkt")
    assert len(seen) == 2
    for poses in seen:
        assert np.array_equal(poses, plain_kinematics(system, state).pose)


@every(["kkt", "newton_euler", "appel", "mass_matrix"])
def test_what_no_witness_answers_for_comes_from_the_compiled_kinematics(method: str) -> None:
    """A fault in their tables shows in poses, velocities, bias terms and energies whatever method was asked."""
    system, state = dyn.example("iiwa14")
    state = replace(state, q=state.q + 0.1, qd=np.linspace(-0.8, 0.7, system.n_joints))
    wrong = moved(system, ORIGIN_ROTATION)
    found, by_filter = dyn.forward_dynamics(wrong, state, method=method), dyn.forward_dynamics(wrong, state)
    truth = dyn.forward_dynamics(system, state, method=method)
    for name in ("link_pose", "link_velocity", "bias_acceleration", "bias_force", "kinetic_energy", "potential_energy"):
        assert np.array_equal(getattr(found, name), getattr(by_filter, name)), name
        assert not np.array_equal(getattr(found, name), getattr(truth, name)), name
    assert np.array_equal(found.joint_acceleration, truth.joint_acceleration)
