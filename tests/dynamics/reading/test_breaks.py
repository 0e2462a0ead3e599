"""Each break changes what the tree says it changes, and nothing before it."""

from __future__ import annotations

import ast
import re
from functools import cache

import numpy as np
import pytest

import dynamics as dyn
from dynamics.reading import LineReading, Reading, altered_source
from dynamics.reading.altered import altered_line
from dynamics.reading.breaks import all_breaks
from dynamics.reading.consequences import PROSE
from dynamics.reading.lines import Line, all_lines, formulated_lines
from tests.dynamics.textbook.cases import Case, draw_cases, places

pytestmark = pytest.mark.compiled_only  # the text is Python's own either way

BREAKS = all_breaks()
LINES = {line.key: line for line in all_lines()}
EVERY = {line.key: line for line in (*all_lines(), *formulated_lines())}
SEEDS = (31,)
INWARD = ("filter", "filter_correction")


@cache
def cases() -> tuple[Case, ...]:
    return tuple(case for seed in SEEDS for case in draw_cases(seed))


@cache
def published(case: Case) -> Reading:
    return case.read()


@cache
def published_lines(case: Case, place: tuple[str, int, int]) -> tuple[LineReading, ...]:
    return published(case).lines(*place)


@cache
def first_places(case: Case) -> dict[str, tuple[str, int, int]]:
    """Where each line runs for the first time."""
    stages = list(published(case).solution.stages)
    order = sorted(
        places(case.system),
        key=lambda place: (stages.index(place[0]), place[1] if place[0] in INWARD else -place[1]),
    )
    found: dict[str, tuple[str, int, int]] = {}
    for place in order:
        for line in published_lines(case, place):
            found.setdefault(line.key, place)
    return found


def line_at(reading: Reading, place: tuple[str, int, int], key: str) -> LineReading:
    return next(line for line in reading.lines(*place) if line.key == key)


def same(a: np.ndarray, b: np.ndarray) -> bool:
    return np.array_equal(a, b, equal_nan=True)


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES.values(), ids=lambda line: line.key)
def test_a_break_changes_its_line_and_nothing_before_it(line: Line) -> None:
    """At the place where the line runs first everything that it reads is still right."""
    keys = [key for key in BREAKS if key.startswith(f"{line.key}~")]
    where = [(case, first_places(case)[line.key]) for case in cases() if line.key in first_places(case)]
    assert where, "no system of these runs the line"
    noticed = set()
    for key in keys:
        for case, place in where[:6]:
            before, after = published(case), case.read([key])
            rows = list(zip(published_lines(case, place), after.lines(*place), strict=True))
            at = next(i for i, (old, _) in enumerate(rows) if old.key == line.key)
            old, new = rows[at]
            if not same(old.value, new.value):
                noticed.add(key)
            changed_by_the_tree(key, old, new)
            for earlier, again in rows[:at]:
                assert same(earlier.value, again.value), earlier.key
            parts = list(before.evaluation.scopes)
            own = next(i for i, part in enumerate(parts) if part.function == line.function)
            for part in parts[:own]:
                for letter in before.evaluation.computed[part]:
                    old_value = before.evaluation.scopes[part][letter]
                    if isinstance(old_value, np.ndarray):
                        assert same(old_value, after.evaluation.scopes[part][letter]), letter
            if key in noticed:
                break
    # Where the first link of all has no outboard neighbor, and so on, some later link must show it.
    for key in set(keys) - noticed:
        assert any(shows_somewhere(case, key, line) for case, _ in where), key


def changed_by_the_tree(key: str, old: LineReading, new: LineReading) -> None:
    """A dropped or negated term of the line itself leaves the others: the value is what they add up to."""
    _, part, kind = key.split("~")
    names = [name_of(term) for term in LINES[old.key].right.terms]
    if kind not in ("drop", "negate") or names.count(part) != 1 or len(old.terms) != len(names):
        return
    term = old.terms[names.index(part)]
    expected = old.value - (1.0 if kind == "drop" else 2.0) * term.sign * term.value
    size = max(1.0, *(float(np.abs(each.value).max(initial=0.0)) for each in old.terms))
    assert np.allclose(new.value, expected, rtol=0.0, atol=1e-11 * size, equal_nan=True), key


def name_of(term: object) -> str:
    return str(term.name)  # type: ignore[attr-defined]


def shows_somewhere(case: Case, key: str, line: Line) -> bool:
    after = case.read([key])
    for place in places(case.system):
        if line.key not in {old.key for old in published_lines(case, place)}:
            continue
        for old, new in zip(published_lines(case, place), after.lines(*place), strict=True):
            if old.key == line.key and not same(old.value, new.value):
                return True
    return False


def test_keys_are_unique_and_fit_an_address() -> None:
    assert len(BREAKS) == len(set(BREAKS))
    assert all(re.fullmatch(r"[A-Za-z0-9_.~-]+", key) for key in BREAKS)


@pytest.mark.parametrize("line", LINES.values(), ids=lambda line: line.key)
def test_the_tree_misses_no_part(line: Line) -> None:
    """Counted another way: every sum of the tree gives its operands, every transposed square its T, every division."""
    value = line.statement.value
    mine = [each for key, each in BREAKS.items() if each.line == line.key]
    divided = [node for node in ast.walk(value) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)]
    solved = [
        node
        for node in ast.walk(value)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("solve", "least")
    ]
    assert len([each for each in mine if each.kind == "multiply"]) == len(divided) + len(solved)
    sums = [node for node in ast.walk(value) if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub))]
    ones = [node for node in ast.walk(value) if isinstance(node, ast.Name) and node.id in ("I", "O", "Z", "o")]
    dropped = [each for each in mine if each.kind == "drop"]
    assert len(dropped) + len(ones) > len(sums)
    assert len(dropped) == len([each for each in mine if each.kind == "negate"])


def test_a_broken_text_still_parses_and_differs_in_its_line_alone() -> None:
    for key, each in BREAKS.items():
        line = EVERY[each.line]
        written = altered_source(line.text, frozenset([key])).splitlines()
        plain = altered_source(line.text, frozenset()).splitlines()
        different = [number for number, (a, b) in enumerate(zip(written, plain, strict=True), 1) if a != b]
        assert different == [line.number], key
        assert written[line.number - 1].partition("  # ")[2] == line.source.partition("  # ")[2]
        assert "@ *" not in written[line.number - 1]


def test_several_at_once() -> None:
    case = next(case for case in cases() if case.name == "chain")
    keys = ["inward_filter.prediction.P~M~negate", "inward_filter.prediction.P~phi-P_plus-phi.phi_2~untranspose",
            "outward_smoother.correction.alpha~a~drop"]  # fmt: skip
    line = LINES["inward_filter.prediction.P"]
    assert altered_line(line, frozenset(keys)).startswith(
        "P[k] = sum(phi(k, j) @ P_plus[j] @ phi(k, j) for j in outboard(k)) - M[k]"
    )
    reading = case.read(keys)
    found = line_at(reading, ("filter", 0, 0), line.key)
    assert found.broken == (keys[1], keys[0])
    assert found.source != found.published
    assert found.latex != found.published_latex
    plain = line_at(published(case), ("filter", 0, 0), line.key)
    assert np.array_equal(found.value, -plain.value)


def test_what_is_left_of_a_sum_is_shown() -> None:
    case = next(case for case in cases() if case.name == "chain")
    found = line_at(case.read(["inward_filter.prediction.P~M~drop"]), ("filter", 2, 0), "inward_filter.prediction.P")
    assert [term.latex for term in found.terms] == [r"\phi(3,2)\,P^{+}(2)\,\phi^{T}(3,2)"]
    assert np.array_equal(found.terms[0].value, found.value, equal_nan=True)


@pytest.mark.slow
def test_a_broken_text_never_raises() -> None:
    """Each break of each line, where it matters most: numbers that are not finite are an answer."""
    held = next(case for case in cases() if case.name == "floating group")
    flying = next(case for case in cases() if case.name == "free flyer")
    for key, each in BREAKS.items():
        if each.line not in LINES:
            continue
        case = flying if LINES[each.line].text == "free_flyer" else held
        assert case.read([key]).solution.joint_acceleration.shape == (case.system.n_joints,)


def test_unknown_and_contradicting_breaks_are_refused() -> None:
    system, state = dyn.example("puma560")
    with pytest.raises(dyn.ModelError, match="nothing to break"):
        dyn.read_textbook(system, state, breaks=["inward_filter.prediction.P~nothing~drop"])
    both = ["inward_filter.prediction.P~M~drop", "inward_filter.prediction.P~M~negate"]
    with pytest.raises(dyn.ModelError, match="contradicts"):
        dyn.read_textbook(system, state, breaks=both)


def test_every_sentence_belongs_to_a_part_that_there_is() -> None:
    assert set(PROSE) <= {f"{each.line}~{each.part}" for each in BREAKS.values()}


def test_what_can_be_broken_has_the_letters_of_its_equation() -> None:
    """In a chain the outboard neighbor of link k is k - 1, in the equation and in each thing that can be done to it."""
    seen = 0
    for case in cases():
        for line in dyn.textbook_lines(case.system):
            for each in line.breaks:
                places = set(re.findall(r"\([^()]*\)", each.latex))
                assert places <= set(re.findall(r"\([^()]*\)", line.latex)), (line.latex, each.latex)
                seen += len(places)
    assert seen > 100


def test_every_break_has_words() -> None:
    for case in cases():
        for row in dyn.textbook_lines(case.system):
            for each in row.breaks:
                assert each.prose.expect.endswith(".")
                assert each.doing
