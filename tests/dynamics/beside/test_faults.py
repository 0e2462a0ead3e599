"""Fifty faults planted in somebody else's algorithm: the first number that is wrong is found, and what was done."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import dynamics as dyn
from tests.dynamics.beside.drawn import drawn, machine_of, moment_of
from tests.dynamics.beside.plain_aba import AS_KDL, FAULTS, MORE, run

pytestmark = [pytest.mark.compiled_only, pytest.mark.slow]  # no kernel knows of it, and it is long

SWEEPS = (("v", "I", "c"), ("IA", "pA", "D", "U", "u", "pa", "Ia"), ("qdd", "a"))
"""What each sweep of that algorithm leaves: outward, inward, outward."""


def first_wrong(wrong: dict[str, np.ndarray], right: dict[str, np.ndarray]) -> tuple[str, int]:
    """The name and our link of the first number that is not what it is without the fault."""
    n = len(right["qdd"])
    for sweep, names in enumerate(SWEEPS):
        for i in reversed(range(n)) if sweep == 1 else range(n):
            for name in names:
                one, other = wrong[name][i], right[name][i]
                if np.abs(one - other).max() > 1e-9 * max(np.abs(other).max(), 1e-3 * np.abs(right[name]).max()):
                    return name, n - 1 - i
    raise AssertionError("this machine does not feel the fault")


@pytest.mark.parametrize("fault", FAULTS)
def test_where_it_begins_and_what_it_is(fault: str) -> None:
    it = drawn(list(FAULTS).index(fault), (5, 7), 0.4, rough=True)
    machine, moment = machine_of(it.system), moment_of(it)
    right, wrong = run(machine, moment), run(machine, moment, fault)
    found = dyn.compare(it.system, it.state, wrong, it.tau, it.wrench)
    assert found.first_stage is not None
    assert (found.first_stage.name, found.first_link) == first_wrong(wrong, right), str(found)
    assert found.causes, str(found)
    assert max(cause.difference for cause in found.causes) < 1e-9
    assert found.libraries == ("Featherstone's book, spatial_v2 and RBDL",)


AT_EVERY_STEP = (
    "tree rotation transposed", "velocity product left out", "Steiner left out", "gyroscopic term negated",
    "inertia not corrected", "force not transformed",
)  # fmt: skip


@pytest.mark.parametrize("fault", AT_EVERY_STEP)
def test_an_innovation_with_the_bias_that_the_force_has_not(fault: str) -> None:
    it = drawn(AT_EVERY_STEP.index(fault) + 100, (5, 7), 0.4, rough=True)
    machine, moment = machine_of(it.system), moment_of(it)
    right, wrong = run(machine, moment, "", AS_KDL), run(machine, moment, fault, AS_KDL)
    assert dyn.compare(it.system, it.state, right, it.tau, it.wrench).agrees
    found = dyn.compare(it.system, it.state, wrong, it.tau, it.wrench)
    assert found.first_stage is not None
    assert (found.first_stage.name, found.first_link) == first_wrong(wrong, right), str(found)
    assert found.causes, str(found)


ROUNDED = {
    "single precision": lambda array: array.astype(np.float32),
    "eight decimals": lambda array: array.round(8),
    "six decimals": lambda array: array.round(6),
    "nine digits": lambda array: np.vectorize(lambda number: float(f"{number:.9g}"))(array),
    "seven digits": lambda array: np.vectorize(lambda number: float(f"{number:.7g}"))(array),
}


@pytest.mark.parametrize("kept", ROUNDED)
@pytest.mark.parametrize("fault", ["", "gyroscopic term left out", "lever negated", "inertia not transformed"])
def test_numbers_of_few_digits(kept: str, fault: str) -> None:
    it = drawn(3, (5, 7), 0.4, rough=True)
    machine, moment = machine_of(it.system), moment_of(it)
    exact = dyn.compare(it.system, it.state, run(machine, moment, fault), it.tau, it.wrench)
    theirs = {name: ROUNDED[kept](array) for name, array in run(machine, moment, fault).items()}
    found = dyn.compare(it.system, it.state, theirs, it.tau, it.wrench)
    assert (found.agrees, found.first_link) == (not fault, exact.first_link), str(found)
    assert bool(found.causes) == bool(fault), str(found)
    assert found.libraries == ("Featherstone's book, spatial_v2 and RBDL",)
    assert "is taken for rounding" in str(found)


@pytest.mark.parametrize("fault", MORE)
def test_faults_drawn_later_are_called_what_they_are(fault: str) -> None:
    it = drawn(list(MORE).index(fault), (4, 5), 0.5, rough=True)
    wrong = run(machine_of(it.system), moment_of(it), fault)
    found = dyn.compare(it.system, it.state, wrong, it.tau, it.wrench)
    assert fault in [cause.words for cause in found.causes], str(found)


def rolled(rotation: Rotation) -> Rotation:
    """The same roll, pitch and yaw, applied in the other order."""
    return Rotation.from_euler("XYZ", rotation.as_euler("xyz"))


def test_a_fixed_rotation_of_angles_in_the_other_order() -> None:
    it = drawn(1, (4, 5))
    machine = machine_of(it.system)
    turn = [rolled(Rotation.from_matrix(R)).as_matrix() for R in machine.turn]
    found = dyn.compare(it.system, it.state, run(machine._replace(turn=turn), moment_of(it)), it.tau, it.wrench)
    assert [cause.words for cause in found.causes] == [
        "the angles roll, pitch, yaw of the fixed rotation are applied in the other order"
    ]


@pytest.mark.parametrize(
    ("inertia", "center", "cause"),
    [
        ("R.T @ I @ R", "R @ c", "the inertia about the mass centre is turned the wrong way: RᵀIR"),
        ("I", "R @ c", "the inertia about the mass centre is taken in link axes as if it were in inertial ones"),
        ("R @ I @ R.T", "c", "the mass centre is taken in link axes as if it were in inertial ones"),
        ("R @ I @ R.T", "R.T @ c", "the mass centre is turned the wrong way"),
    ],
)
def test_bodies_turned_wrongly_into_inertial_axes(inertia: str, center: str, cause: str) -> None:
    it = drawn(2, (5, 6))
    bodies = []
    for R, link in zip(dyn.link_poses(it.system, it.state)[:, :3, :3], it.system.link_models, strict=True):
        scope = {"R": R, "I": link.inertia, "c": link.center_of_mass}
        p = np.cross(np.eye(3), eval(center, scope))
        mass = link.mass * np.eye(3)
        bodies.append(np.block([[eval(inertia, scope) - link.mass * p @ p, link.mass * p], [-link.mass * p, mass]]))
    found = dyn.compare(it.system, it.state, {"I": np.array(bodies)}, it.tau, it.wrench)
    assert [each.words for each in found.causes] == [cause], str(found)


@pytest.mark.parametrize(
    ("seed", "branching", "names"),
    [(9, 0.5, ()), (3, 0.0, ("IA", "pA", "qdd")), (1, 0.0, ("qdd",)), (0, 0.4, ("qdd",))],
)
def test_a_rate_left_out_where_it_looks_like_another_form(seed: int, branching: float, names: tuple[str, ...]) -> None:
    """At tips its u is that of z with P a in it; and without v the first place that parts has the faults of all."""
    it = drawn(seed, (4, 5), branching, rough=True) if branching else drawn(seed, (3, 5))
    theirs = run(machine_of(it.system), moment_of(it), "own rate left out of the velocity")
    found = dyn.compare(it.system, it.state, {name: theirs[name] for name in names or theirs}, it.tau, it.wrench)
    assert "the velocity leaves out the joint's own rate" in found.causes[0].words, str(found)


@pytest.mark.parametrize("names", [(), ("I",), ("IA", "qdd"), ("pA", "U", "qdd")])
def test_inertias_taken_along_the_axes_of_their_links(names: tuple[str, ...]) -> None:
    """Each in another order, as its file has it, whose turn is left out; one is not turned."""
    it, rng = drawn(12, (5, 6)), np.random.default_rng(12)
    links = list(it.system.robots[0].links)
    links[1] = replace(links[1], inertia=np.diag(np.linalg.eigvalsh(links[1].inertia)[::-1]))
    system = dyn.single_arm(replace(it.system.robots[0], links=tuple(links)), gravity=it.system.gravity)
    state = system.state(it.state.q, it.state.qd)
    machine = machine_of(system)
    tensor = [np.diag(rng.permutation(np.linalg.eigvalsh(each))) for each in machine.tensor]
    tensor[-2] = machine.tensor[-2]
    theirs = run(machine._replace(tensor=tensor), moment_of(replace(it, system=system, state=state)))
    found = dyn.compare(system, state, {name: theirs[name] for name in names or theirs}, it.tau, it.wrench)
    assert [each.words[:43] for each in found.causes] == ["the turn of an inertia's own axes in its li"], str(found)


def test_a_fault_of_one_kind_of_joints_from_accelerations_alone() -> None:
    for seed in (20, 21):
        it = drawn(seed, (4, 6), 0.4, rough=True)
        theirs = run(machine_of(it.system), moment_of(it), "subspace negated")
        found = dyn.compare(it.system, it.state, {"qdd": theirs["qdd"]}, it.tau, it.wrench)
        assert found.causes[0].words == "H has the other sign, at joints that turn", str(found)


def test_without_a_fault() -> None:
    for seed in range(3):
        it = drawn(seed, (5, 7), 0.4, rough=True)
        found = dyn.compare(it.system, it.state, run(machine_of(it.system), moment_of(it)), it.tau, it.wrench)
        assert found.agrees, str(found)
        assert found.libraries == ("Featherstone's book, spatial_v2 and RBDL",)
        assert not found.ambiguous
