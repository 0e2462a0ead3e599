"""Fifty faults planted in another algorithm: the first wrong number is located, and the cause named."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import dynamics as dyn
from tests.dynamics.beside.drawn import Drawn, drawn, machine_of, moment_of
from tests.dynamics.beside.plain_aba import AS_KDL, FAULTS, MORE, run

pytestmark = [pytest.mark.compiled_only]  # no kernel knows of it, and it is long
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


AS_KDL_TOO = (
    "tree rotation transposed", "velocity product left out", "Steiner left out", "gyroscopic term negated",
    "inertia not corrected", "force not transformed",
)  # fmt: skip


def names_a_cause(number: int, fault: str, style: tuple[tuple[str, str], ...] = ()) -> None:
    it = drawn(number, (5, 7), 0.4, rough=True)
    machine, moment = machine_of(it.system), moment_of(it)
    right, wrong = run(machine, moment, "", style), run(machine, moment, fault, style)
    found = dyn.compare(it.system, it.state, wrong, it.tau, it.wrench)
    assert found.first_stage is not None, fault
    assert (found.first_stage.name, found.first_link) == first_wrong(wrong, right), str(found)
    assert found.causes, str(found)
    assert max(cause.difference for cause in found.causes) < 1e-9, str(found)
    assert style or found.libraries == ("Featherstone's book, spatial_v2 and RBDL",), str(found)


def test_a_fault_of_each_sweep_is_located_and_its_cause_named() -> None:
    """Of an algorithm as Featherstone's book has it, and as KDL has it, with the bias in the innovation alone."""
    for fault in ("Steiner negated", "velocity product left out", "inertia transformed the wrong way"):
        names_a_cause(list(FAULTS).index(fault), fault)
    names_a_cause(105, AS_KDL_TOO[5], AS_KDL)


@pytest.mark.full
def test_the_cause_of_every_fault_is_named() -> None:
    for number, fault in enumerate(FAULTS):
        names_a_cause(number, fault)
    for number, fault in enumerate(AS_KDL_TOO):
        names_a_cause(100 + number, fault, AS_KDL)
    for number, fault in enumerate(MORE):
        it = drawn(number, (4, 5), 0.5, rough=True)
        wrong = run(machine_of(it.system), moment_of(it), fault)
        found = dyn.compare(it.system, it.state, wrong, it.tau, it.wrench)
        assert fault in [cause.words for cause in found.causes], str(found)


ROUNDED = {
    "single precision": lambda array: array.astype(np.float32),
    "eight decimals": lambda array: array.round(8),
    "six decimals": lambda array: array.round(6),
    "nine digits": lambda array: np.vectorize(lambda number: float(f"{number:.9g}"))(array),
    "seven digits": lambda array: np.vectorize(lambda number: float(f"{number:.7g}"))(array),
}


def compared_when_rounded(kept: str, fault: str) -> None:
    it = drawn(3, (5, 7), 0.4, rough=True)
    machine, moment = machine_of(it.system), moment_of(it)
    theirs = {name: ROUNDED[kept](array) for name, array in run(machine, moment, fault).items()}
    found = dyn.compare(it.system, it.state, theirs, it.tau, it.wrench)
    first_link = first_wrong(run(machine, moment, fault), run(machine, moment, ""))[1] if fault else -1
    assert (found.agrees, found.first_link) == (not fault, first_link), str(found)
    assert bool(found.causes) == bool(fault), str(found)
    assert found.libraries == ("Featherstone's book, spatial_v2 and RBDL",), str(found)
    assert "is taken for rounding" in str(found)


def test_numbers_of_few_digits_agree() -> None:
    for kept in ROUNDED:
        compared_when_rounded(kept, "")


@pytest.mark.full
def test_every_fault_shows_in_numbers_of_few_digits() -> None:
    for kept in ROUNDED:
        for fault in ("gyroscopic term left out", "lever negated", "inertia not transformed"):
            compared_when_rounded(kept, fault)


def test_a_fixed_rotation_of_angles_in_the_other_order() -> None:
    it = drawn(1, (4, 5))
    machine = machine_of(it.system)
    turn = [Rotation.from_euler("XYZ", Rotation.from_matrix(R).as_euler("xyz")).as_matrix() for R in machine.turn]
    found = dyn.compare(it.system, it.state, run(machine._replace(turn=turn), moment_of(it)), it.tau, it.wrench)
    words = "the angles roll, pitch, yaw of the fixed rotation are applied in the other order"
    assert [cause.words for cause in found.causes] == [words]


BODIES = [
    ("R.T @ I @ R", "R @ c", "the inertia about the mass centre is turned the wrong way: RᵀIR"),
    ("I", "R @ c", "the inertia about the mass centre is taken in link axes as if it were in inertial ones"),
    ("R @ I @ R.T", "c", "the mass centre is taken in link axes as if it were in inertial ones"),
    ("R @ I @ R.T", "R.T @ c", "the mass centre is turned the wrong way"),
]


@pytest.mark.full
def test_bodies_turned_wrongly_into_inertial_axes() -> None:
    it = drawn(2, (5, 6))
    for inertia, center, cause in BODIES:
        bodies = []
        for R, link in zip(dyn.link_poses(it.system, it.state)[:, :3, :3], it.system.link_models, strict=True):
            scope = {"R": R, "I": link.inertia, "c": link.center_of_mass}
            p = np.cross(np.eye(3), eval(center, scope))
            mass = link.mass * np.eye(3)
            own = eval(inertia, scope) - link.mass * p @ p
            bodies.append(np.block([[own, link.mass * p], [-link.mass * p, mass]]))
        found = dyn.compare(it.system, it.state, {"I": np.array(bodies)}, it.tau, it.wrench)
        assert [each.words for each in found.causes] == [cause], str(found)


@pytest.mark.full
def test_a_rate_left_out_where_it_looks_like_another_form() -> None:
    """At tips its u is that of z with P a in it; and without v the first place that parts has the faults of all."""
    for seed, branching, names in ((9, 0.5, ()), (3, 0.0, ("IA", "pA", "qdd")), (1, 0.0, ("qdd",)), (0, 0.4, ("qdd",))):
        it = drawn(seed, (4, 5), branching, rough=True) if branching else drawn(seed, (3, 5))
        theirs = run(machine_of(it.system), moment_of(it), "own rate left out of the velocity")
        found = dyn.compare(it.system, it.state, {name: theirs[name] for name in names or theirs}, it.tau, it.wrench)
        assert "the velocity leaves out the joint's own rate" in found.causes[0].words, str(found)


@pytest.mark.full
def test_inertias_taken_along_the_axes_of_their_links() -> None:
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
    for names in ((), ("I",), ("IA", "qdd"), ("pA", "U", "qdd")):
        found = dyn.compare(system, state, {name: theirs[name] for name in names or theirs}, it.tau, it.wrench)
        assert [each.words[:43] for each in found.causes] == ["the turn of an inertia's own axes in its li"], str(found)


@pytest.mark.full
def test_a_fault_of_one_kind_of_joints_from_accelerations_alone() -> None:
    for seed in (20, 21):
        it = drawn(seed, (4, 6), 0.4, rough=True)
        theirs = run(machine_of(it.system), moment_of(it), "subspace negated")
        found = dyn.compare(it.system, it.state, {"qdd": theirs["qdd"]}, it.tau, it.wrench)
        assert found.causes[0].words == "H has the other sign, at joints that turn", str(found)


def without_friction(fault: str, *, rotors: bool = True) -> dyn.Comparison:
    system, rng = dyn.example("puma560")[0], np.random.default_rng(1)
    state, tau = system.state(rng.normal(size=6), rng.normal(size=6)), rng.normal(size=6)
    it = Drawn(None, system, state, tau, np.zeros((7, 6)))  # type: ignore[arg-type]
    machine = machine_of(system)
    if not rotors:
        machine = machine._replace(rotor=[0.0] * 6)
    return dyn.compare(system, state, run(machine, moment_of(it), fault), tau)


@pytest.mark.full
def test_behind_friction_that_is_left_out_a_fault_is_found_all_the_same() -> None:
    found = without_friction("Ia c left out")
    assert found.left_out == "friction"
    assert (found.stages[found.first].name, found.first_link) == ("pa", 0)
    assert any("P⁺ a" in cause.words or "bias" in cause.words for cause in found.causes), str(found)
    words = "Yours leaves out friction, which ours has; what follows is of ours without it."
    assert found.difference_in_words[0] == words


@pytest.mark.full
def test_friction_alone_is_a_cause_and_with_rotors_what_is_left_out() -> None:
    found = without_friction("")
    assert [cause.key for cause in found.causes] == ["friction is left out"]
    assert not found.left_out
    found = without_friction("", rotors=False)
    assert found.left_out == "friction and the rotors' inertia"
    assert not found.agrees
    assert "It agrees with ours everywhere" in str(found)


@pytest.mark.full
def test_where_nothing_agrees_more_is_asked_for() -> None:
    system, state = dyn.example("puma560")
    found = dyn.compare(system, state, {"qdd": np.arange(6.0)})
    assert "Hand in what comes before as well" in str(found)
    assert "This machine has friction" in str(found)
    system, state = dyn.example("one_arm_by_a_point")
    tau = np.linspace(-1.0, 1.0, system.n_joints)
    forces = dyn.forward_dynamics(system, state, tau).stages["contact"]["contact_force"]
    assert "none of them agrees" in str(dyn.compare(system, state, {"x_0": np.array(forces) * 1.1}, tau))
