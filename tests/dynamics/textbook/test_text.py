"""The text is the method: it computes what the compiled sweeps compute, and stands on nothing of theirs."""

from collections.abc import Mapping

import numpy as np

import dynamics as dyn
from dynamics.reading import stage_difference
from dynamics.reading.moment import textbook_acceleration
from dynamics.system.registry import quantity_of
from tests.dynamics.every import every
from tests.dynamics.textbook.cases import NAMES, Case, case_named, draw_cases

EPSILON = np.finfo(float).eps
SEED = 12
FLYERS = [name for name in NAMES if "flyer" in name]
SOLVED_FOR = {"acceleration", "joint_acceleration"}


def tolerance(case: Case, stages: Mapping[str, Mapping[str, np.ndarray]]) -> float:
    """1e-12, or what rounding in the matrix of the contacts alone may do to the forces that it is solved for."""
    if not case.system.is_held:
        return 1e-12
    seen = np.linalg.eigvalsh(stages["contact"]["omega"])
    seen = seen[seen > 1e-10 * seen.max()]
    return max(1e-12, 4.0 * EPSILON * float(seen.max() / seen.min()))


def tolerance_of_both_filters(stage: Mapping[str, np.ndarray]) -> float:
    """1e-12, or what rounding in P + S alone may do to the accelerations that it is solved for, link by link.

    Held against 60 digits, where eps cond(P + S) is above 1e-13, neither text is further from the true acceleration
    than 1.02 of that, nor from the other than 1.5.
    """
    size = np.abs(stage["acceleration"]).max(axis=1)
    magnified = np.linalg.cond(stage["operational_space_inertia"]) * size / size.max()
    return max(1e-12, 4.0 * EPSILON * float(magnified.max()))


@every([12, 14])
def test_every_stage_of_every_link_is_that_of_the_compiled_sweeps(seed: int) -> None:
    for case in draw_cases(seed):
        expected, found = case.solve(), case.read().solution
        assert list(found.stages) == list(expected.stages)
        limit = dict.fromkeys(expected.stages, tolerance(case, expected.stages))
        solved = limit.copy()  # the limit of what is solved for
        if "dual_filter" in expected.stages:
            solved["dual_filter"] = tolerance_of_both_filters(expected.stages["dual_filter"])
        for stage, quantities in expected.stages.items():
            assert set(found.stages[stage]) == set(quantities)
            largest: dict[str, float] = {}  # of each unit in the stage: x(0) is what large forces leave
            for name, right in quantities.items():
                unit = quantity_of(stage, name).unit
                largest[unit] = max(largest.get(unit, 1.0), float(np.abs(right).max(initial=0.0)))
            for name, right in quantities.items():
                left = found.stages[stage][name]
                assert left.shape == right.shape, (case.name, stage, name)
                if name != "indeterminate_directions":  # any basis of them is right
                    size = largest[quantity_of(stage, name).unit]
                    allowed = (solved if name in SOLVED_FOR else limit)[stage]
                    assert np.allclose(left, right, rtol=0.0, atol=allowed * size), (case.name, stage, name)
        worst = stage_difference(found, expected)
        assert worst.relative < (solved if worst.quantity in SOLVED_FOR else limit).get(worst.stage, 1e-12)


@every((name, seed, method) for name in FLYERS for seed in (12, 14) for method in ("kernels", "textbook"))
def test_accelerations_from_both_filters_solve_what_both_filters_left(name: str, seed: int, method: str) -> None:
    """However P + S magnifies its own rounding, the solution of it is one to the last digits."""
    case = case_named(name, seed)
    found = case.solve() if method == "kernels" else case.read().solution
    inward, both, a = found.stages["filter"], found.stages["dual_filter"], found.bias_acceleration
    inertia = inward["articulated_inertia"] + both["dual_articulated_inertia"]
    terms = [
        np.einsum("kij,kj->ki", inertia, both["acceleration"]), inward["predicted_force"],
        both["dual_corrected_force"], -np.einsum("kij,kj->ki", inward["articulated_inertia"], a),
    ]  # fmt: skip
    size = np.abs(inertia).max(axis=(1, 2)) * np.abs(both["acceleration"]).max(axis=1) + sum(
        np.abs(term).max(axis=1) for term in terms[1:]
    )
    assert np.all(np.abs(sum(terms)).max(axis=1) < 4.0 * EPSILON * size)


@every(NAMES)
def test_the_rest_of_the_solution_is_the_same(name: str) -> None:
    case = case_named(name, SEED)
    expected, found = case.solve(), case.read().solution
    allowed = tolerance(case, expected.stages)
    for part in (
        "joint_acceleration", "base_acceleration", "object_acceleration", "contact_force", "link_pose", "link_velocity",
        "bias_acceleration", "bias_force", "tip_pose", "kinetic_energy", "potential_energy", "momentum",
    ):  # fmt: skip
        left, right = getattr(found, part), getattr(expected, part)
        assert (left is None) == (right is None), part
        if right is not None:
            size = max(1.0, float(np.abs(right).max(initial=0.0)))
            assert np.shape(left) == np.shape(right), part
            assert np.allclose(left, right, rtol=0.0, atol=allowed * size), part
    if expected.indeterminate is not None and found.indeterminate is not None:
        assert expected.indeterminate.shape == found.indeterminate.shape
    packed = textbook_acceleration(case.system, case.state, case.tau, case.wrench)
    assert np.array_equal(packed, found.packed_acceleration)
    dense = dyn.forward_dynamics(case.system, case.state, case.tau, "kkt", case.wrench).packed_acceleration
    assert np.allclose(packed, dense, rtol=0.0, atol=1e-9 * np.abs(dense).max())
