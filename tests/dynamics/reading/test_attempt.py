"""Right is what comes to the same everywhere, however it is spelled, and nothing else; usual mistakes are named."""

import ast
import copy
import itertools
import re
from functools import cache

import numpy as np
import pytest

import dynamics as dyn
from dynamics.motion import TextbookSimulation
from dynamics.reading import LineError, Reading, attempt, exercises, letter_difference, stage_difference, textbook_lines
from dynamics.reading.lines import Line, all_lines
from dynamics.reading.places import moments, right_of

IN, OUT, DUAL = "inward_filter.prediction.", "outward_smoother.", "dual_filter."
AT, HELD, BIAS = "inward_filter.correction.", "contact_forces.", "bias.prediction."
OF_PRESET = {IN: "puma560", BIAS: "puma560", AT: "puma560", OUT: "free_flyer", DUAL: "free_flyer",
             "both_filters.": "free_flyer", HELD: "two_arms_and_box", "contact_prediction.": "two_arms_and_box",
             "costate_covariance.": "two_arms_and_box"}  # fmt: skip
CARRIED = "sum(phi(k, j) @ P_plus[j] @ phi(k, j).T for j in outboard(k))"
FORCES = "sum(phi(k, j) @ z_plus[j] for j in outboard(k))"
MISTAKES = [
    # Transpose
    (AT + "D", "H.T @ P @ H + I_r", "transposed", "H"),
    (AT + "G", "H @ P / D", "transposed", "P[k] @ H[k].T is right"),
    (OUT + "correction.theta_dd", "nu - G @ alpha_plus", "transposed", "G.T is right"),
    (OUT + "correction.alpha", "alpha_plus + H @ theta_dd + a", "transposed", "H.T is right"),
    (HELD + "gain", "C.T @ least(Omega, C @ solve(M_C, A))", "transposed", "solve(M_C, A).T is right"),
    # phi against its transpose, and its direction
    (IN + "P", "sum(phi(k, j) @ P_plus[j] @ phi(k, j) for j in outboard(k)) + M", "phi", "phi(k, j).T is right"),
    (OUT + "prediction.alpha_plus", "phi(i, k) @ alpha[i]", "phi", "phi(i, k).T is right"),
    (OUT + "prediction.alpha_plus", "phi(k, i).T @ alpha[i]", "direction", "phi(i, k) is right"),
    (IN + "P", "sum(phi(j, k) @ P_plus[j] @ phi(j, k).T for j in outboard(k)) + M", "direction", "phi(j, k)"),
    # Sign
    (AT + "eps", "tau - tau_loss + H @ z", "negated", "H[k] @ z[k]"),
    (HELD + "x_new", "x_FREE - gain @ (b_C - y) + rho", "negated", "gain"),
    (DUAL + "correction.G_s", "S_plus @ H.T / D_s", "negated", "S_plus"),
    # Order of prediction and correction
    (AT + "D", "H @ P_plus @ H.T + I_r", "order", "P_plus stands where P belongs"),
    (IN + "P", "sum(phi(k, j) @ P[j] @ phi(k, j).T for j in outboard(k)) + M", "order", "P[j] stands where P_plus[j]"),
    (HELD + "alpha_C", "solve(M_C, A @ x_FREE - b_C)", "order", "x_FREE stands where x_0 belongs"),
    # Gravity and bias, rotor, friction: what is zero at rest, or for some arms
    (IN + "z", FORCES + " + P @ a", "bias", "due to velocity and weight: b[k]"),
    (IN + "z", FORCES + " + b", "bias", "due to velocity: P[k] @ a[k]"),
    ("both_filters.combination.alpha_k", "-solve(P + S, z + z_s)", "bias", "P[k] @ a[k]"),
    ("contact_prediction.prediction.lam_FREE", "phi_0[c].T @ alpha[k]", "bias", "a_0[c]"),
    (AT + "D", "H @ P @ H.T", "dropped", "rotor"),
    (AT + "eps", "tau - H @ z", "dropped", "friction"),
    (IN + "P", CARRIED, "dropped", "M[k]"),
    (DUAL + "prediction.S_plus", "phi(k, i) @ (S[i] + M[i]) @ phi(k, i).T", "dropped", "other branches"),
    # Factors
    (AT + "G", "P @ H.T", "omitted", "D[k]"),
    (AT + "P_plus", "P - G @ H @ P @ P", "repeated", "P[k]"),
    (AT + "G", "P @ H.T @ D", "multiplied", "D[k]"),
    # Inverse
    (OUT + "base.alpha", "-P @ z", "inverted", "P[k]"),
    (HELD + "Omega", "C @ (Lam_0 + A.T @ M_C @ A) @ C.T", "inverted", "M_C"),
    (AT + "P_plus", "P @ (I - G @ H)", "swapped", "P @ (I - G @ H) stands where (I - G @ H) @ P belongs"),
    # The whole line, both sides of a matrix, a term within a sum
    (AT + "eps", "H @ z - tau + tau_loss", "negated", "tau[k] - tau_loss[k] - H[k] @ z[k]"),
    (IN + "P", "sum(phi(k, j) @ P_plus[j] @ phi(k, j).T + M for j in outboard(k))", "within", "M[k] belongs after it"),
    # The gain written out, Joseph's form
    (AT + "z_plus", "z + H.T @ eps / D", "omitted", "P"),
    (AT + "G", "P @ H.T / (H @ P @ H.T)", "dropped", "I_r"),
    (AT + "P_plus", "(I - G @ H) @ P @ (I - G @ H).T", "dropped", "G @ I_r @ G.T"),
    # The gain for the axis, the axis for the gain
    (OUT + "correction.theta_dd", "nu - H @ alpha_plus", "letter", "H[k] stands where G[k].T belongs"),
    (OUT + "correction.alpha", "a + alpha_plus + G @ theta_dd", "letter", "G[k] stands where H[k].T belongs"),
    # Letters and links
    (AT + "D", "H @ M @ H.T + I_r", "letter", "M[k] stands where P[k] belongs"),
    (OUT + "correction.theta_dd", "eps - G.T @ alpha_plus", "letter", "nu"),
    (OUT + "prediction.alpha_plus", "phi(i, k).T @ alpha", "index", "alpha[i] belongs"),
    # What stands in one line for what another one computes, with a term left out
    (AT + "z_plus", "z + G @ (tau - H @ z)", "dropped", "tau_loss"),
    # What is solved for, the other way round
    (OUT + "base.alpha", "-solve(z, P)", "swapped", "solve(z, P) stands where solve(P, z) belongs"),
    (BIAS + "w", "stack(o, m * g)", "bias", "m[k] * tilde(p[k]) @ g"),
    # A term that contains a bias among others is not zero at rest
    (HELD + "x_new", "x_FREE + rho", "dropped", "A term is left out: gain @ (b_C - y)"),
]  # fmt: skip


def reading_for(key: str) -> Reading:
    return reading_of(next(preset for start, preset in OF_PRESET.items() if key.startswith(start)))


@cache
def reading_of(preset: str) -> Reading:
    system, state = dyn.example(preset)
    moving = {"qd": np.linspace(-0.5, 0.7, system.n_joints)}
    given = {name: getattr(state, name) for name in ("base_pose", "object_pose") if getattr(state, name) is not None}
    return dyn.read_textbook(system, system.state(q=state.q, **moving, **given), np.ones(system.n_joints))


def test_usual_mistakes_and_notation_of_other_languages_are_named() -> None:
    for key, typed, kind, words in MISTAKES:
        found = attempt(reading_for(key), key, typed)
        assert found.verdict in ("wrong", "refused", "misfit", "elsewhere"), (key, typed)
        assert {mistake.kind for mistake in found.mistakes} == {kind}, (key, typed, found.mistakes)
        assert any(words in mistake.words for mistake in found.mistakes), (key, typed, found.mistakes)
        assert all(mistake.why for mistake in found.mistakes)
        assert all(("plus" in each.why) == ("_plus" in each.words) for each in found.mistakes if each.kind == "order")
    for key, typed, kinds in TWO:
        found = attempt(reading_for(key), key, typed)
        assert [mistake.kind for mistake in found.mistakes] == kinds, (key, typed)
    for typed, words in ELSEWHERE:
        found = attempt(reading_for(AT), AT + "D", typed)
        assert found.verdict == "refused", typed
        assert words in found.words, (typed, found.words)
        assert found.start < found.end <= len(typed), typed


TWO = [
    (AT + "eps", "H @ z - tau", ["negated", "dropped"]),
    (AT + "eps", "tau + H @ z", ["negated", "dropped"]),
    (IN + "z", "sum(phi(k, j) @ z[j] for j in outboard(k)) + b", ["order", "bias"]),
]
ELSEWHERE = [
    ("H @ P @ H' + I_r", "typed as .T, here H.T"), ("I_r[k] + H[k] P[k] H[k]'", "typed as .T, here H[k].T"),
    ("H @ P @ H^T + I_r", "typed as .T, here H.T"), ("H @ P @ H**T + I_r", "typed as .T, here H.T"),
    ("H @ P @ H^{T} + I_r", "typed as .T, here H.T"), ("H P H.T + I_r", "no sign between H and P"),
    ("H @ P H.T", "no sign between P and H"), ("2 I_r", "no sign between 2 and I_r"),
    ("H (P @ H.T)", "its index goes in brackets"), ("H @ P @ H.T + 1,5*I_r", "decimal point: 1.5"),
    ("0,5 * I_r", "decimal point: 0.5"), ("H.dot(P)", "typed as @"),
    ("H @ P @ H.T() + I_r", "not a function"), ("D = H P H' + I_r", "H.T"), ("H @ P @ HT + I_r", "a transpose as .T"),
    ("H @ (P @ H.T)' + I_r", "here (…).T"),
    ("H(P)H.T", "no sign between H(P) and"),
    ("H @ P @ H’", "typed as .T"), ("H @ P @ H⊤", "typed as .T"), ("H @ P @ H.T' + I_r", "here H.T,"),
    ("sum(phi(k, j)' @ z[j] for j in outboard(k))", "here phi(k, j).T"), ("I_r @ D^-1", "typed as inv(D)"),
    ("I_r * D**(-1)", "typed as inv(D)"), ("H @ P @ (1,5*H.T)", "decimal point: 1.5"), ("inv(1,5 * I_r)", "point: 1.5"),
    ("(H @ P) (H.T)", "typed as @"), ("sum(1,5 * z[j] for j in outboard(k))", "decimal point: 1.5"),
]  # fmt: skip
IN_TWO_WAYS = [
    (AT + "eps", "tau_loss[k]", ("tau - H @ z", "-H[k] @ z[k] + tau[k]")),
    (AT + "eps", "sign of tau_loss[k]", ("tau + tau_loss - H @ z", "tau - (H @ z - tau_loss)")),
    (AT + "eps", "sign of tau[k] - tau_loss[k] - H[k]", ("H @ z - tau + tau_loss", "tau_loss - (tau - H @ z)")),
    (OUT + "prediction.alpha_plus", "phi(i, k).T is right", ("phi(i, k) @ alpha[i]", "(alpha[i].T @ phi(i, k).T).T")),
    (IN + "P", "left out: M[k]", (CARRIED, CARRIED.replace("j", "c"))),
    (IN + "P", "M[k] belongs after", (
        "sum(M + phi(k, c) @ P_plus[c] @ phi(k, c).T for c in outboard(k))",
        "sum(phi(k, j) @ (P_plus[j] @ phi(k, j).T) + M[k] for j in outboard(k))")),
    (AT + "P_plus", "Order of the factors", ("P @ (I - G @ H)", "P - P @ (G @ H)")),
    (AT + "P_plus", "A term is left out", ("(I - G @ H) @ P @ (I - G @ H).T", "(I - G @ H) @ P @ (I - H.T @ G.T)")),
    (OUT + "correction.theta_dd", "H[k] stands where G[k].T", ("nu - H @ alpha_plus", "-(alpha_plus.T @ H.T) + nu")),
    (AT + "z_plus", "H[k].T stands where G[k]", ("z + H.T @ eps", "eps * H.T + z")),
]  # fmt: skip


def test_the_mistake_that_a_line_means_is_named_however_it_is_spelled() -> None:
    """Each spelling on one of three machines in turn: a chain, two arms in contact, and a tree in flight."""
    presets = itertools.cycle(("puma560", "two_arms_and_box", "free_flyer"))
    for key, words, spellings in IN_TWO_WAYS:
        for typed, preset in zip(spellings, presets, strict=False):
            found = attempt(reading_of(preset), key, typed)
            assert found.verdict in ("wrong", "refused", "elsewhere"), (key, typed, preset)
            assert any(words in mistake.words for mistake in found.mistakes), (key, typed, preset, found.mistakes)
    for typed in ("(I + G_s @ H) @ S_plus @ (I + G_s @ H).T", "(I + G_s @ H) @ S_plus @ (I + H.T @ G_s.T)"):
        (mistake,) = attempt(reading_of("free_flyer"), DUAL + "correction.S", typed).mistakes
        assert mistake.words == "A term is left out that is zero on this machine.", "which has no rotor"


def test_what_is_named_and_what_not() -> None:
    """A mistake once, wherever it stands; no letter that was not typed; nothing where no usual mistake explains it."""
    (mistake,) = attempt(reading_for(OUT), OUT + "force.x", "P @ alpha").mistakes
    assert mistake.kind == "dropped"
    assert mistake.words == "A term is left out: z[k] - P[k] @ a[k]."
    (mistake,) = attempt(reading_for(BIAS), BIAS + "w", "stack(tilde(p) @ g, g)").mistakes
    assert mistake.words == "A factor is left out: m[k]."
    # Nothing is carried by what is zero: p stands nowhere in this line, nor does a in the other.
    for key, typed in ((BIAS + "w", "stack(o, m * g)"), (OUT + "base.alpha", "Z")):
        found = attempt(reading_for(key), key, typed)
        assert found.verdict == "wrong"
        assert "letter" not in {mistake.kind for mistake in found.mistakes}
    for typed in ("D @ D / eps", "P @ P @ P", "tilde(l) @ m"):
        found = attempt(reading_for(AT), AT + "nu", typed)
        assert found.verdict != "right", typed
        assert found.mistakes == (), typed


LINES = {line.key: line for line in all_lines()}


def runs(line: Line) -> Reading:
    return next(each for each in moments() if any(one.key == line.key for one in exercises(each.system)))


class TransposeRewriter(ast.NodeTransformer):
    """A product as the transpose of the product the other way round; a sum the other way round."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        left, right = node.left, node.right
        if isinstance(node.op, ast.MatMult):
            back = ast.BinOp(ast.Attribute(right, "T"), ast.MatMult(), ast.Attribute(left, "T"))
            return ast.Attribute(back, "T")
        if isinstance(node.op, ast.Add):
            return ast.BinOp(right, ast.Add(), left)
        if isinstance(node.op, ast.Sub):
            return ast.BinOp(ast.UnaryOp(ast.USub(), right), ast.Add(), left)
        return node


class InverseRewriter(ast.NodeTransformer):
    """A solution as an inverse and a product; a quotient as a product with an inverse; what is subtracted as added."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "solve":
            return ast.BinOp(ast.Call(ast.Name("inv"), [node.args[0]], []), ast.MatMult(), node.args[1])
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Div):
            return ast.BinOp(node.left, ast.Mult(), ast.Call(ast.Name("inv"), [node.right], []))
        if isinstance(node.op, ast.Sub):
            return ast.BinOp(node.left, ast.Add(), ast.BinOp(ast.Constant(-1), ast.Mult(), node.right))
        if isinstance(node.op, ast.Add):
            return ast.BinOp(node.left, ast.Sub(), ast.UnaryOp(ast.USub(), node.right))
        return ast.Call(ast.Name("transpose"), [ast.Attribute(node, "T")], [])


def test_other_spellings_of_every_line_pass() -> None:
    for line in LINES.values():
        for speller in (TransposeRewriter(), InverseRewriter()):
            node = copy.deepcopy(line.statement.value)
            typed = ast.unparse(ast.fix_missing_locations(speller.visit(node)))
            if typed == right_of(line):  # a single letter
                typed = f"2 * {typed} - {typed}"
            found = attempt(runs(line), line.key, typed)
            assert found.verdict == "right", (line.key, typed, found.words, found.difference, found.beyond)


def test_what_agrees_here_alone_does_not_pass() -> None:
    """At rest, or where every contact holds in every direction and C is the identity; and a basis is no direction."""
    system, state = dyn.example("iiwa14")  # has no rotors, and rests
    reading = dyn.read_textbook(system, state)
    found = attempt(reading, AT + "D", "H @ P @ H.T")
    assert found.verdict == "elsewhere"
    assert found.difference == 0.0
    assert found.beyond > 1e-3
    (mistake,) = found.mistakes
    assert (mistake.kind, mistake.words) == ("dropped", "A term is left out that is zero on this machine.")
    assert attempt(reading, IN + "z", "sum(phi(k, j) @ z_plus[j] for j in outboard(k)) + b").verdict == "elsewhere"
    # Where every contact holds in every direction C is the identity; and a basis is no direction.
    key = "contact_forces.N"
    for typed in ("null(Omega)", "null(Omega * 1e6)", "null(-2 * Omega)", "null(Omega + Omega.T)"):
        found = attempt(reading_for(key), key, typed)
        assert found.verdict == "elsewhere", typed
        assert found.words == "N is 24×4 there; the typed line is 21×4."
        assert [mistake.words for mistake in found.mistakes] == ["A factor is left out: C.T."], typed
        assert attempt(reading_for(key), key, f"C.T @ {typed}").verdict == "right", typed


JUDGED = [  # what is no line, does not fit, or is wrong: the line, what is typed, the verdict and words
    (AT + "D", "D", "refused", "not known yet"),
    (AT + "P_plus", "P_plus[k]", "refused", "not known yet"),
    (AT + "nu", "nu + 0 * D", "refused", "not known yet"),
    (OUT + "force.x", "x", "refused", "not known yet"),
    (AT + "D", "P @ H.T", "misfit", "D is 1×1 here; the typed line is 6×1."),
    (AT + "D", "H @ P @ H", "refused", "H @ P is 1×6 and H is 1×6: they cannot be multiplied."),
    (IN + "P", "phi(k, j) @ P_plus[j] @ phi(k, j).T + M", "refused", "sum(… for j in outboard(k))"),
    (IN + "P", "phi(k, k - 1) @ P_plus[k - 1] @ phi(k, k - 1).T + M", "refused", "k - 1 of a chain, type j in sum("),
    (OUT + "correction.alpha", "phi(i, k).T @ alpha[i] + H.T @ theta_dd + a", "refused", "inboard of k is inboard(k)"),
    ("dual_filter.prediction.R", "sum(P_plus[j] for j in outboard(i))", "refused", "a sum runs over beside"),
    (AT + "D", "H @ P @", "refused", "something is missing after the last sign, at character 7"),
    ("contact_forces.Omega", "C.T @ (Lam_0 + A.T @ solve(M_C, A)) @ C", "refused", "not on others: C.T is 24×21"),
    ("contact_forces.Omega", "A", "misfit", "Omega is 12×12 here; the typed line is 6×12."),
    (AT + "nu", "eps / (D - D)", "wrong", "divided by zero"),
    (AT + "D", "  ", "empty", ""),
]


def test_what_is_no_line_or_does_not_fit_is_judged_with_advice() -> None:
    """Two rigid grips have as many directions as forces; the machine that has fewer is not shown."""
    for key, typed, verdict, words in JUDGED:
        found = attempt(reading_for(key), key, typed)
        assert (found.verdict, words in found.words) == (verdict, True), (key, typed, found.words)
        assert found.difference is None or verdict == "empty"
    found = attempt(reading_for(AT), AT + "D", "H @ P @ H.T + I_r + 0.00000000001 * I_r")
    assert found.verdict == "wrong"
    assert 1e-12 < found.difference < 1e-10
    with pytest.raises(dyn.ModelError, match="runs no line"):
        attempt(reading_for(AT), "dual_filter.correction.D_s", "H")


def test_exercises_are_the_lines_that_a_machine_runs() -> None:
    for preset in ("puma560", "two_arms_and_box", "two_arm_flyer"):
        system, state = dyn.example(preset)
        found = exercises(system)
        told = {line.key for line in textbook_lines(system) if line.stage != "smoother_final"}
        assert {each.key for each in found} == told
        assert len(found) == len(told)
        reading = dyn.read_textbook(system, state)
        for each in found:
            assert attempt(reading, each.key, each.right).verdict == "right"
            assert all(letter.meaning and letter.shape for letter in each.letters)
            own = {letter.name: letter.meaning for letter in each.letters}
            assert own.keys() >= set(re.findall(r"phi\(.*?\)|\b[OZo]\b", each.right)), each.key
            carried = [(name[7], name[4], own[name]) for name in own if name.startswith("phi(")]
            assert all(f"from O_{start} to O_{to}" in meaning for start, to, meaning in carried), each.key


def test_a_typed_text_moves_the_arm_by_what_is_typed() -> None:
    """Right lines as the published ones, bit by bit; a wrong one otherwise, and it fails what it should."""
    system, state = dyn.example("puma560")
    typed = {each.key: each.right for each in exercises(system)}
    published = dyn.read_textbook(system, state, np.ones(6))
    own = dyn.read_textbook(system, state, np.ones(6), typed=typed)
    assert letter_difference(own, published) == 0.0
    assert stage_difference(own.solution, published.solution).relative == 0.0
    run, other = (TextbookSimulation(system, state, (), typed=each, dt=0.01) for each in (typed, None))
    run.advance(0.05)
    other.advance(0.05)
    assert np.array_equal(run.recording.state_at(0.05).q, other.recording.state_at(0.05).q)
    typed = {AT + "D": "2 * H @ P @ H.T + I_r"}
    own = dyn.read_textbook(system, state, np.ones(6), typed=typed)
    broken = [check.identity.key for check in dyn.identities(own.solution) if not check.holds]
    assert "joint_inertia" in broken
    run, other = (TextbookSimulation(system, state, (), typed=each, dt=0.01) for each in (typed, None))
    run.advance(0.05)
    other.advance(0.05)
    assert np.abs(run.recording.state_at(0.05).q - other.recording.state_at(0.05).q).max() > 1e-4
    assert np.array_equal(run.recording.solution_at(0.05).tau, np.zeros(6))
    key = "inward_filter.prediction.P~M~drop"
    typed = {AT + "D": "H @ P @ H.T + I_r"}
    readings = (dyn.read_textbook(system, state, breaks=[key], typed=each) for each in (None, typed))
    assert np.array_equal(*(reading.solution.stages["filter"]["joint_inertia"] for reading in readings))
    for typed in ({"nothing": "P"}, {AT + "D": 3}, "P", [("a", "b")], {AT + "D": "P; P"}):
        with pytest.raises(dyn.ModelError):
            dyn.read_textbook(system, state, typed=typed)
    with pytest.raises(LineError, match="the typed line is 6×6 instead of 1×1"):
        dyn.read_textbook(system, state, typed={AT + "D": "P"})
