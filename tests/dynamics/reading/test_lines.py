"""What is shown of a line, its equation, its terms and its value, is what the line has computed."""

import itertools
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import dynamics as dyn
from dynamics.reading import LineReading, TermValue, equation_pieces, textbook_lines
from dynamics.reading.lines import all_lines
from dynamics.reading.reading import STAGES
from dynamics.textbook.stages import meetings
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
        listed = {(row.stage, row.key): row.latex for row in textbook_lines(system)}
        assert {(line.stage, line.key): line.published_latex for line in readings(case)} == listed, case.name
        for stage, key in itertools.product(STAGES, keys):
            if (stage, key) in listed:
                assert equation_pieces(system, stage, key)
            else:
                with pytest.raises(dyn.ModelError, match="runs no line"):
                    equation_pieces(system, stage, key)
        for stage, link, half in itertools.product(STAGES, range(system.n_links), (0, 1)):
            is_base = link >= system.n_joints and stage != "contact"
            place = (stage, link, 0 if is_base else half)
            assert bool(reading.lines(stage, link, half)) == (place in visited), (case.name, place)


def test_links_of_other_legs_and_contacts_that_meet() -> None:
    on_the_ground, floating = (case.system for case in (forked(False), forked(True)))
    assert len({contact.arm for contact in on_the_ground.contacts}) == 1
    assert meetings(on_the_ground) == []
    base = floating.n_joints
    assert meetings(floating) == [(0, 1, base), (1, 0, base)]
    # Of a tree that is bolted down: the number after the last link's, from whichever leg it is reached.
    tips = [f"l{leg}_1" for leg in range(3)]
    system = dyn.single_arm(dyn.load_urdf_text(legged_file(legs=3, links=2), tip=tips))
    reading = dyn.read_textbook(system, system.state(np.arange(6.0), np.ones(6)))
    at_world = [k for k in range(system.n_joints) if system.inboard[k] < 0]
    assert len(at_world) == 3
    for k in at_world:
        line = next(line for line in reading.lines("smoother", k, 0) if r"\alpha^{+}" in line.latex.partition("=")[0])
        assert [factor.latex for factor in line.terms[0].factors] == [rf"\phi^{{T}}(7,{k + 1})", r"\alpha(7)"]


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
            reading.letter(name)
    assert reading.letter("P_plus").shape == (6, 6, 6)


def test_a_value_is_what_the_solution_holds() -> None:
    for case in draw_cases(SEED):
        stages = case.read().solution.stages
        for line in readings(case):
            array = stages[line.stage].get(line.quantity_name)
            if array is None or line.stage == "contact" or (line.stage, line.quantity_name) == ("smoother", "force"):
                continue
            assert np.array_equal(np.ravel(array[line.link]), line.value.ravel()), line.key
