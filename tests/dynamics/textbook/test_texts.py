"""Every other formulation as it is read: what it arrives at, each of its lines, its steps and its letters."""

import numpy as np
import pytest

import dynamics as dyn
from dynamics.check import text_identities
from dynamics.reading import (
    FormulationReading,
    equation_pieces,
    formulation_lines,
    letter_difference,
    read_formulation,
    readable_formulations,
    stage_difference,
    textbook_breaks,
)
from dynamics.solve.formulations import INVERSE, RECURSIONS
from dynamics.witness import appel
from dynamics.witness.arm_group import group_inverse
from dynamics.witness.kkt import dense_equations, solve_dense
from tests.dynamics.every import every
from tests.dynamics.systems import draw_robot
from tests.dynamics.textbook.cases import NAMES, Case, case_named

SEED = 3
BOLTED = "one link", "chain", "tree", "losses", "beside"
HOLDING = "held", "coupled contacts", "floating group", "at rest, rigid", "at rest, soft_finger", "indeterminate"
WITNESSES = {name: name for name in RECURSIONS} | {"inverse_dynamics": "newton_euler"}


def drawn(name: str) -> Case:
    return case_named(name, SEED)


def read(case: Case, name: str, joint_acceleration: np.ndarray | None = None) -> FormulationReading:
    return read_formulation(case.system, case.state, name, case.tau, joint_acceleration, case.wrench)


def close(found: np.ndarray, expected: np.ndarray, rtol: float = 1e-10) -> bool:
    return bool(np.abs(found - expected).max(initial=0.0) <= rtol * np.abs(expected).max(initial=1e-9))


@every([("newton_euler", BOLTED), ("group_inverse", HOLDING)])
def test_each_formulation_is_read_for_all_that_it_serves(formulation: str, names: tuple[str, ...]) -> None:
    offered = {name for name in NAMES if formulation in readable_formulations(drawn(name).system)}
    assert offered == set(names)


def kkt(case: Case) -> np.ndarray:
    poses = case.read().solution.link_pose
    return solve_dense(dense_equations(case.system, case.state, poses, case.wrench), case.tau)[0]


@every((case, name) for case in BOLTED for name in WITNESSES)
def test_torques_are_those_of_independent_mechanics(case: str, name: str) -> None:
    wanted = np.random.default_rng(5).normal(size=drawn(case).system.n_joints)
    found = read(drawn(case), name, wanted)
    system, state, wrench = drawn(case).system, drawn(case).state, drawn(case).wrench
    assert found.arrives == "torque"
    assert close(found.answer, INVERSE[WITNESSES[name]](system, state, wanted, wrench))


@every(BOLTED)
def test_accelerations_and_mass_matrices_are_those_of_independent_mechanics(case: str) -> None:
    system, state = drawn(case).system, drawn(case).state
    n, packed = system.n_joints, kkt(drawn(case))
    expected = dyn.mass_matrix(system, state, "kkt")[:n, :n]
    letters = {"strobing": "W", "composite_bodies": "W", "appel": "W_S", "constrained": "W_v"}
    for name, letter in letters.items():
        found = read(drawn(case), name)
        assert found.arrives == "joint_acceleration"
        assert close(found.answer, packed[:n]), name
        assert close(found.letter(letter), expected), name


@every(NAMES)
def test_multipliers_close_every_chain(case: str) -> None:
    """Joints, what floats, the object and what the contacts transmit."""
    own = drawn(case)
    found, packed = read(own, "constrained"), kkt(own)
    floating = own.system.n_joints + 6 * own.system.n_bases
    assert close(found.answer, packed[: own.system.n_joints])
    if own.system.is_held:
        assert close(found.letter("v_dd").ravel(), packed[:floating])
        assert close(found.letter("alpha_C").ravel(), packed[-6:], 1e-9)
        force = own.read().letter("F")
        assert close(found.letter("F"), force, 1e-8)  # of what is indeterminate both take the smallest


@every(HOLDING)
def test_torques_for_a_held_object_are_those_of_the_group(case: str) -> None:
    own = drawn(case)
    wanted = np.random.default_rng(7).normal(size=6)
    found = read_formulation(own.system, own.state, "group_inverse", None, None, own.wrench, wanted)
    expected = group_inverse(own.system, own.state, wanted, own.wrench)
    n = own.system.n_joints
    assert close(found.letter("P_v").ravel(), expected.tau, 1e-9)
    assert close(found.letter("v_dd").ravel(), expected.joint_acceleration, 1e-9)
    assert np.array_equal(found.answer, found.letter("P_v").ravel()[:n])


def test_appels_energy_is_quadratic_in_the_accelerations() -> None:
    """S is what the masses' accelerations sum to, by the independent witness's matrices."""
    case = drawn("chain")
    gibbs = appel.gibbs_function(case.system, case.state)
    found = read(case, "appel")
    assert close(found.letter("V_S").ravel(), gibbs.velocity_terms)
    assert close(found.letter("D_S").ravel(), np.array([gibbs.rest]))


@every(["one link", "tree", "beside", "free flyer", "coupled contacts"])
def test_each_line_says_what_it_computed(case: str) -> None:
    for name in readable_formulations(drawn(case).system):
        found = read(drawn(case), name)
        for at, step in enumerate(found.steps):
            lines = found.lines(at)
            assert lines, (name, step)
            for line in lines:
                total = sum(term.sign * term.value for term in line.terms)
                largest = max(np.abs(term.value).max(initial=0.0) for term in line.terms)
                assert np.allclose(total, line.value, rtol=1e-12, atol=1e-12 * (1.0 + largest)), (name, line.key)
                assert line.equation.split()[0] in ("TML", "JZ", "R87", "JR"), line.key
                assert line.quantity.mechanics_name, line.key


def test_what_is_no_formulation_letter_or_break_is_refused_in_words() -> None:
    flyer = drawn("free flyer")
    assert readable_formulations(flyer.system) == ("constrained",)
    with pytest.raises(dyn.ModelError, match="bolted down and hold nothing"):
        read(flyer, "appel")
    with pytest.raises(dyn.ModelError, match="there is no formulation 'kane'"):
        read(flyer, "kane")
    with pytest.raises(dyn.StateError, match="no step 999"):
        read(flyer, "constrained").lines(999)
    with pytest.raises(dyn.ModelError, match="no letter 'Lam'"):
        read(flyer, "constrained").letter("Lam")
    system, state, *_ = moving(19, 3)
    with pytest.raises(dyn.ModelError, match="formulation_lines list all"):
        read_formulation(system, state, "newton_euler", breaks=["newton_euler.nothing"])
    with pytest.raises(dyn.ModelError, match="there is no formulation 'kane'"):
        formulation_lines(system, "kane")
    with pytest.raises(dyn.ModelError, match="arms that hold an object"):
        formulation_lines(system, "group_inverse")
    drop, negate = (f"newton_euler.forces.balance.F~m-bracket~{kind}" for kind in ("drop", "negate"))
    with pytest.raises(dyn.ModelError, match="contradicts"):
        read_formulation(system, state, "newton_euler", breaks=[drop, negate])


BREAKABLE = (
    *("newton_euler", "newton_euler_modified", "lagrange", "strobing", "composite_bodies", "appel", "constrained"),
    "inverse_dynamics",
)
COPIES = ("U_2[k, j, s] = U_2[k, s, j]", "mass[j, k] = mass[k, j]")
"""Other halves of symmetric letters."""


def moving(seed: int, n: int, branching: float = 0.0) -> tuple[dyn.System, dyn.State, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    system = dyn.single_arm(draw_robot(rng, n, branching=branching).load(), (0.3, -0.2, -9.81))
    state = system.state(q=rng.normal(size=n), qd=rng.normal(size=n))
    return system, state, rng.normal(size=n), rng.normal(size=n)


@pytest.mark.compiled_only  # the text is Python's own either way
@every(BREAKABLE)
def test_each_break_is_seen_at_its_line(name: str) -> None:
    """Whatever is broken is answered; the line says that it is broken, and its terms still add up to its value."""
    system, state, tau, wanted = moving(7, 3)
    lines = formulation_lines(system, name)
    assert lines
    assert len({line.key for line in lines}) == len(lines)
    whole = read_formulation(system, state, name, tau, wanted)
    first = {one.key: k for k in reversed(range(len(whole.steps))) for one in whole.lines(k)}  # step of its first visit
    for line in lines:
        assert equation_pieces(system, name, line.key)
        assert line.breaks or line.source in COPIES
        at = first[line.key]
        for each in line.breaks:
            read = read_formulation(system, state, name, tau, wanted, breaks=[each.key])
            assert read.breaks == {each.key}
            assert len(read.steps) == len(whole.steps)
            there = read.lines(at)
            found = next(one for one in there if one.key == line.key)
            assert found.broken == (each.key,)
            assert found.source != found.published
            assert found.latex != found.published_latex
            before = there[0]
            if before.key != line.key:  # an earlier line of the same first visit
                assert before.source == before.published
            if np.isfinite(found.value).all() and all(np.isfinite(term.value).all() for term in found.terms):
                total = sum(term.sign * term.value for term in found.terms)
                assert np.allclose(total, found.value, rtol=1e-9, atol=1e-9 * (1.0 + np.abs(found.value).max()))


def test_the_textbook_does_not_hear_of_another_formulation() -> None:
    system, state, tau, wanted = moving(17, 4)
    own, other = "inward_filter.prediction.P~M~negate", "newton_euler.forces.balance.F~m-bracket~negate"
    assert textbook_breaks([own, other]) == {own}
    assert dyn.read_textbook(system, state, tau, breaks=[own, other]).breaks == {own}
    read = read_formulation(system, state, "newton_euler", tau, wanted, breaks=[own, other])
    assert read.breaks == {other}


def test_letters_on_which_no_motion_depends_are_held_to_what_does() -> None:
    """R88 (9.2) and R87's printed form: whole they hold, broken they fail, and no stage array has heard of it."""
    rng = np.random.default_rng(23)
    system, state = dyn.example("two_arms_and_box")
    tau = rng.normal(size=system.n_joints)
    whole = dyn.read_textbook(system, state, tau)
    assert all(check.holds for check in text_identities(whole))
    broken = dyn.read_textbook(system, state, tau, breaks=["contact_forces.alpha_new~alpha_b~drop"])
    assert [check.identity.key for check in text_identities(broken) if not check.holds] == ["object_corrector"]
    assert stage_difference(broken.solution, whole.solution).relative == 0.0
    assert letter_difference(broken, whole) > 1e-3
    arm, moved, torque, _ = moving(29, 5)
    printed = dyn.read_textbook(arm, moved, torque, breaks=["inward_filter.correction.e_plus~e_minus-D.D~multiply"])
    failing = [check.identity.key for check in text_identities(printed) if not check.holds]
    assert failing == ["printed_residual"]
