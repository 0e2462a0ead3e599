"""Right is what comes to the same everywhere, however it is spelled, and nothing else."""

import ast
import copy

import numpy as np
import pytest

import dynamics as dyn
from dynamics.exercise import LineError, attempt, exercises
from dynamics.exercise.places import moments, right_of
from dynamics.motion import TextbookSimulation
from dynamics.reading import Reading, letter_difference, stage_difference, textbook_lines
from dynamics.reading.lines import Line, all_lines
from tests.dynamics.exercise.test_mistakes import AT, IN, OUT, reading_for

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
