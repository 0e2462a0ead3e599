"""Another formulation, broken: each break shows at its own line, moves what it should by as much, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from tests.dynamics.every import every
from tests.dynamics.systems import draw_robot

pytestmark = pytest.mark.compiled_only  # the text is Python's own either way

WALKED = ("newton_euler", "newton_euler_modified", "lagrange", "strobing", "composite_bodies", "appel", "constrained",
          "as_printed", "inverse_dynamics")  # fmt: skip
COPIES = ("U_2[k, j, s] = U_2[k, s, j]", "mass[j, k] = mass[k, j]")
"""Other halves of symmetric letters."""


def moving(seed: int, n: int, branching: float = 0.0) -> tuple[dyn.System, dyn.State, np.ndarray, np.ndarray]:
    """A drawn arm, a state of it, torques and accelerations."""
    rng = np.random.default_rng(seed)
    system = dyn.single_arm(draw_robot(rng, n, branching=branching).load(), (0.3, -0.2, -9.81))
    state = system.state(q=rng.normal(size=n), qd=rng.normal(size=n))
    return system, state, rng.normal(size=n), rng.normal(size=n)


@every(WALKED)
def test_each_break_is_seen_at_its_line(name: str) -> None:
    """Whatever is broken is answered; the line says that it is broken, and its terms still add up to its value."""
    system, state, tau, wanted = moving(7, 3)
    lines = dyn.formulation_lines(system, name)
    assert lines
    assert len({line.key for line in lines}) == len(lines)
    whole = dyn.read_formulation(system, state, name, tau, wanted)
    first = {one.key: k for k in reversed(range(len(whole.steps))) for one in whole.lines(k)}  # step of its first visit
    for line in lines:
        assert dyn.equation_pieces(system, name, line.key)
        assert line.breaks or line.source in COPIES
        at = first[line.key]
        for each in line.breaks:
            read = dyn.read_formulation(system, state, name, tau, wanted, breaks=[each.key])
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
    assert dyn.textbook_breaks([own, other]) == {own}
    assert dyn.read_textbook(system, state, tau, breaks=[own, other]).breaks == {own}
    read = dyn.read_formulation(system, state, "newton_euler", tau, wanted, breaks=[own, other])
    assert read.breaks == {other}


def test_bad_questions_are_refused_in_words() -> None:
    system, state, *_ = moving(19, 3)
    with pytest.raises(dyn.ModelError, match="formulation_lines list what there is"):
        dyn.read_formulation(system, state, "newton_euler", breaks=["newton_euler.nothing"])
    with pytest.raises(dyn.ModelError, match="there is no formulation 'kane'"):
        dyn.formulation_lines(system, "kane")
    with pytest.raises(dyn.ModelError, match="arms that hold an object"):
        dyn.formulation_lines(system, "group_inverse")
    drop, negate = (f"newton_euler.forces.balance.F~m-bracket~{kind}" for kind in ("drop", "negate"))
    with pytest.raises(dyn.ModelError, match="contradicts"):
        dyn.read_formulation(system, state, "newton_euler", breaks=[drop, negate])


def test_letters_on_which_no_motion_depends_are_held_to_what_does() -> None:
    """R88 (9.2) and R87's printed form: whole they hold, broken they fail, and no stage array has heard of it."""
    rng = np.random.default_rng(23)
    system, state = dyn.example("two_arms_and_box")
    tau = rng.normal(size=system.n_joints)
    whole = dyn.read_textbook(system, state, tau)
    assert all(check.holds for check in dyn.text_identities(whole))
    broken = dyn.read_textbook(system, state, tau, breaks=["contact_forces.alpha_new~alpha_b~drop"])
    assert [check.identity.key for check in dyn.text_identities(broken) if not check.holds] == ["object_corrector"]
    assert dyn.stage_difference(broken.solution, whole.solution).relative == 0.0
    assert dyn.letter_difference(broken, whole) > 1e-3
    arm, moved, torque, _ = moving(29, 5)
    printed = dyn.read_textbook(arm, moved, torque, breaks=["inward_filter.correction.e_plus~e_minus-D.D~multiply"])
    failing = [check.identity.key for check in dyn.text_identities(printed) if not check.holds]
    assert failing == ["printed_residual"]
