"""What is shown of a line, its equation, its terms and its value, is what the line has computed."""

from __future__ import annotations

import functools
import itertools
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from latex2mathml import converter

import dynamics as dyn
from dynamics.reading import LineReading, TermValue
from dynamics.reading.lines import all_lines
from dynamics.reading.reading import STAGES
from dynamics.textbook.givens import meetings
from tests.dynamics.systems import draw_object, draw_pose, draw_robot, legged_file
from tests.dynamics.textbook.cases import NAMES, Case, case_named, draw_cases, places

Array = np.ndarray
SEED = 21
FORKS = "a fork on the ground", "a fork that floats"


@cache
def readings(case: Case) -> list[LineReading]:
    reading = case.read()
    return [line for place in places(case.system) for line in reading.lines(*place)]


def product(term: TermValue) -> Array:
    """A term from the numbers of its factors alone."""
    result = np.eye(1)
    for factor in reversed(term.factors):
        value = factor.value
        if factor.inverse:
            result = value_of_inverse(value, result)
        else:
            is_number = 1 in (value.size, result.size)
            result = value * result if is_number else value @ result
    return result


def value_of_inverse(value: Array, right: Array) -> Array:
    if value.shape == (1, 1):
        return right / value
    if right.shape == (1, 1):
        return inverted(value) * right
    return inverted(value) @ right


def inverted(value: Array) -> Array:
    """The inverse that is least in the matrix's own units."""
    own = np.abs(np.diag(value))
    unit = np.sqrt(np.where(own > 1e-12 * own.max(), own, 1.0))  # what is only rounding has no unit of its own
    return np.linalg.pinv(value / np.outer(unit, unit), rcond=1e-10, hermitian=True) / np.outer(unit, unit)


def total(terms: tuple[TermValue, ...], like: Array) -> Array:
    return sum((term.sign * product(term) for term in terms), np.zeros_like(like))


def near(found: Array, expected: Array, allowed: float, line: LineReading) -> None:
    assert np.allclose(found, expected, rtol=0.0, atol=allowed), (line.key, line.stage, line.link)


def largest(terms: tuple[TermValue, ...]) -> float:
    return max([1.0, *(float(np.abs(term.value).max(initial=0.0)) for term in terms)])


def test_factors_multiply_to_terms_and_terms_add_up_to_the_value() -> None:
    """Of every line of every machine; and what stands in brackets is the factor that it is shown as."""
    columns = 0
    for line in (line for name in NAMES for line in readings(case_named(name, SEED))):
        summed = sum((term.sign * term.value for term in line.terms), np.zeros_like(line.value))
        near(summed, line.value, 1e-12 * largest(line.terms), line)
        for term in line.terms:
            near(product(term), term.value, rounding(term) * max(1.0, float(np.abs(term.value).max(initial=0.0))), line)
            for factor in term.factors:
                if len(factor.inner) == 1 and len(factor.inner[0]) > 1:
                    value = factor.value.T if factor.transposed else factor.value
                    near(total(factor.inner[0], value), value, 1e-11 * largest(factor.inner[0]), line)
                elif len(factor.inner) == 2:
                    upper, lower = (total(terms, np.zeros((3, 1))) for terms in factor.inner)
                    assert np.allclose(np.concatenate([upper, lower]), factor.value, rtol=1e-12, atol=1e-12), line.key
                    columns += 1
    assert columns


def rounding(term: TermValue) -> float:
    """What a term may differ by from the product of its factors; what is solved for in the text is inverted here."""
    inverses = [factor.value for factor in term.factors if factor.inverse and factor.value.size > 1]
    if not inverses:
        return 1e-12
    worst = max(np.linalg.cond(value) for value in inverses)
    sizes = [
        np.abs(np.linalg.pinv(factor.value)).max() if factor.inverse else np.abs(factor.value).max(initial=0.0)
        for factor in term.factors
    ]
    return max(1e-12, 1e-14 * min(worst, 1e10) * max(1.0, float(np.prod([max(size, 1e-3) for size in sizes]))))


def test_everything_that_is_typeset_is_mathematics_that_can_be_set() -> None:
    convert, seen = functools.cache(converter.convert), set()
    for name in NAMES:
        case = case_named(name, SEED)
        for line in readings(case):
            seen.add(line.key)
            for latex in (line.latex, line.published_latex, line.left, *(term.latex for term in line.terms)):
                assert convert(latex)
            for factor in (factor for term in line.terms for factor in term.factors):
                assert convert(factor.latex)
        for row in dyn.textbook_lines(case.system):
            for latex in (row.latex, row.left, *(each.latex for each in row.breaks)):
                assert convert(latex)
    assert seen == {line.key for line in all_lines()}


@cache
def forked(floating: bool) -> Case:
    """One robot whose two branches part at its root and hold one object, on a base that is fixed or floats."""
    rng = np.random.default_rng(22)
    drawn = draw_robot(rng, 4, fixed=0.0)
    joints = tuple(replace(joint, parent=0) if joint.child == 3 else joint for joint in drawn.joints)
    robot = replace(drawn, joints=joints).load(tip=["l2", "l4"])
    system = dyn.multi_arm([robot], [draw_pose(rng)], draw_object(rng), floating=floating)
    state = system.state(q=rng.normal(size=4), object_pose=draw_pose(rng))
    system = dyn.grasp(system, state, ["point", "point"])
    return Case(FORKS[floating], system, state, rng.normal(size=4), np.zeros((system.n_links + 1, 6)))


def test_contents_pieces_and_places_name_the_same_lines() -> None:
    """Not one line more, so that nothing is offered to be broken that never runs; in forks, too."""
    keys = {line.key for line in all_lines()}
    for case in (*(case_named(name, SEED) for name in NAMES), forked(False), forked(True)):
        system, reading, visited = case.system, case.read(), set(places(case.system))
        listed = {(row.stage, row.key): row.latex for row in dyn.textbook_lines(system)}
        assert {(line.stage, line.key): line.published_latex for line in readings(case)} == listed, case.name
        for stage, key in itertools.product(STAGES, keys):
            if (stage, key) in listed:
                assert dyn.equation_pieces(system, stage, key)
            else:
                with pytest.raises(dyn.ModelError, match="runs no line"):
                    dyn.equation_pieces(system, stage, key)
        for stage, link, half in itertools.product(STAGES, range(system.n_links), (0, 1)):
            is_base = link >= system.n_joints and stage != "contact"
            place = (stage, link, 0 if is_base else half)
            assert bool(reading.lines(stage, link, half)) == (place in visited), (case.name, place)


def test_contacts_meet_where_one_can_push_the_other() -> None:
    on_the_ground, floating = (case.system for case in (forked(False), forked(True)))
    assert len({contact.arm for contact in on_the_ground.contacts}) == 1
    assert meetings(on_the_ground) == []
    base = floating.n_joints
    assert meetings(floating) == [(0, 1, base), (1, 0, base)]


def test_places_and_letters_that_do_not_exist_are_refused() -> None:
    system, state = dyn.example("puma560")
    reading = dyn.read_textbook(system, state)
    refused: list[tuple[Any, ...]] = [
        *((dyn.StateError, "does not exist; this system has links 0 to 5", ("filter", link, 0))
          for link in (99, -1, 6, 1.0, "1", None)),
        *((dyn.StateError, "expected 0 or 1", ("filter", 0, half)) for half in (2, -1, 0.5, "0", None)),
        *((dyn.ModelError, "the stages are filter, smoother", (stage, 0, 0)) for stage in ("fliter", "", None, 3, [])),
    ]  # fmt: skip
    for error, words, place in refused:
        with pytest.raises(error, match=words):
            reading.lines(*place)
    for name in ("zzz", "", "M_C", None, 3, []):
        with pytest.raises(dyn.ModelError, match="; its letters are phi, H, M"):
            reading.letter(name)  # type: ignore[arg-type]
    assert reading.letter("P_plus").shape == (6, 6, 6)


def test_a_link_may_be_counted_by_numpy() -> None:
    system, state = dyn.example("puma560")
    reading = dyn.read_textbook(system, state)
    found = reading.lines("filter", np.int64(2), np.int32(1))  # type: ignore[arg-type]
    assert [line.key for line in found] == [line.key for line in reading.lines("filter", 2, 1)]


def test_a_value_is_what_the_solution_holds() -> None:
    for case in draw_cases(SEED):
        stages = case.read().solution.stages
        for line in readings(case):
            array = stages[line.stage].get(line.quantity_name)
            if array is None or line.stage == "contact" or (line.stage, line.quantity_name) == ("smoother", "force"):
                continue
            assert np.array_equal(np.ravel(array[line.link]), line.value.ravel()), line.key


def test_the_lines_of_a_place_are_the_walks() -> None:
    system, state = dyn.example("puma560")
    reading = dyn.read_textbook(system, state)
    across = [line.key.rpartition(".")[2] for line in reading.lines("filter", 2, 0)]
    assert across == ["a", "w", "b", "P", "z", "z_minus"]
    at_joint = [line.key.rpartition(".")[2] for line in reading.lines("smoother", 2, 1)]
    assert at_joint == ["theta_dd", "alpha", "x", "Lam"]
    line = reading.lines("filter", 2, 0)[3]
    assert (line.left, line.equation) == ("P(3)", "R87 (37)")
    assert line.source == "P[k] = sum(phi(k, j) @ P_plus[j] @ phi(k, j).T for j in outboard(k)) + M[k]"
    assert [term.latex for term in line.terms] == [r"\phi(3,2)\,P^{+}(2)\,\phi^{T}(3,2)", "M(3)"]
    assert line.published_latex == r"P(k)=\phi(k,k{-}1)\,P^{+}(k{-}1)\,\phi^{T}(k,k{-}1)+M(k)"


def test_a_base_that_floats_begins_the_smoother() -> None:
    system, state = dyn.example("free_flyer")
    reading, base = dyn.read_textbook(system, state), system.n_joints
    for half in (0, 1):
        lines = reading.lines("smoother", base, half)
        assert [line.key.rpartition(".")[2] for line in lines] == ["alpha", "x", "Lam"]
        assert lines[0].equation == "JR (3.2)"
        assert [line.key.rpartition(".")[2] for line in reading.lines("dual_filter", base, half)] == [
            "S", "z_s", "Y", "alpha_k",
        ]  # fmt: skip


def test_a_tree_sums_over_its_branches() -> None:
    case = case_named("tree", SEED)
    inner = [int(i) for i in case.system.inboard if i >= 0]
    k = max(set(inner), key=inner.count)
    line = next(line for line in case.read().lines("filter", k, 0) if line.key == "inward_filter.prediction.P")
    assert len(line.terms) == inner.count(k) + 1
    assert r"\sum_{j}" in line.published_latex


def test_the_world_is_no_link_of_another_leg() -> None:
    """Of a tree that is bolted down: the number after the last link's, from whichever leg it is reached."""
    tips = [f"l{leg}_1" for leg in range(3)]
    system = dyn.single_arm(dyn.load_urdf_text(legged_file(legs=3, links=2), tip=tips))
    reading = dyn.read_textbook(system, system.state(np.arange(6.0), np.ones(6)))
    at_world = [k for k in range(system.n_joints) if system.inboard[k] < 0]
    assert len(at_world) == 3
    for k in at_world:
        line = next(line for line in reading.lines("smoother", k, 0) if r"\alpha^{+}" in line.latex.partition("=")[0])
        assert [factor.latex for factor in line.terms[0].factors] == [rf"\phi^{{T}}(7,{k + 1})", r"\alpha(7)"]


def test_the_last_smoother_starts_from_what_the_contact_has_changed() -> None:
    system, state = dyn.example("two_arms_and_box")
    reading = dyn.read_textbook(system, state)
    first, last = (reading.lines(stage, 1, 1)[0] for stage in ("smoother", "smoother_final"))
    assert first.key == last.key
    assert (first.equation, last.equation) == ("JR (2.13b)", "R88 (8.5), JR (2.13b)")
    assert r"\nu(2)" in first.terms[0].latex
    assert r"\nu^{\prime}(2)" in last.terms[0].latex


@pytest.mark.parametrize("name", ["tree", "coupled contacts", "floating group"])
def test_lines_of_another_moment_lend_their_typesetting_and_nothing_else(name: str) -> None:
    case = case_named(name, SEED)
    reading = case.read()
    for place in places(case.system):
        plain = reading.lines(*place)
        lent = [replace(line, value=2.0 * line.value, latex="x", left="y", terms=line.terms) for line in plain]
        again = reading.lines(*place, lent)
        lettering = [("x", "y") if unique(line, plain) else (line.latex, line.left) for line in plain]
        assert [(line.latex, line.left) for line in again] == lettering
        for one, other in zip(plain, again, strict=True):
            np.testing.assert_array_equal(one.value, other.value)
            assert [written(term) for term in one.terms] == [written(term) for term in other.terms]
            for term, same in zip(one.terms, other.terms, strict=True):
                np.testing.assert_array_equal(term.value, same.value)


def written(term: TermValue) -> tuple[Any, ...]:
    return term.latex, term.sign, [(f.latex, [[written(t) for t in inner] for inner in f.inner]) for f in term.factors]


def unique(line: LineReading, among: tuple[LineReading, ...]) -> bool:
    """Whether a line runs only once at its place and contact."""
    return sum((other.key, other.contact) == (line.key, line.contact) for other in among) == 1
