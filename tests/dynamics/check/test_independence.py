"""The witnesses see with their own eyes: no import leads to the sweeps, and sweeps that see wrongly are found out."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import grimp
import numpy as np

import dynamics as dyn
from dynamics.check.agreement import OF_A_FREE_OBJECT, STANDS_ON, shared
from dynamics.system.layout import ORIGIN_POSITION, ORIGIN_ROTATION
from dynamics.system.system import System
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
        ("filter", "articulated"), ("smoother", "kinematics"), ("smoother", "newton_joint"), ("smoother", "agreement"),
    ):  # fmt: skip
        assert not checks[key].holds, key


def test_rows_of_a_free_object_name_what_moves_it() -> None:
    held, state = dyn.example("two_arms_and_box")
    rows = dyn.agreement(dyn.release(held), state).rows
    for row in rows:
        of_object = row.quantity == "object_acceleration" and {row.left, row.right} <= set(OF_A_FREE_OBJECT)
        assert ("witness.free_object" in row.shared) == of_object, row
    assert not any("free_object" in module for row in dyn.agreement(held, state).rows for module in row.shared)
