"""The text at one moment: each of its lines with the numbers of a place, and what can be broken there."""

from __future__ import annotations

import ast
import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import CodeType
from typing import Any

import numpy as np

from dynamics.checks import Array, brief, choices, is_among, is_index
from dynamics.errors import ModelError, StateError
from dynamics.reading.breaks import Break, altered_line, breaks_of
from dynamics.reading.evaluation import Evaluation, Scope
from dynamics.reading.expression import Factor, Sum, Term, parse
from dynamics.reading.lines import Line, lines_run
from dynamics.reading.typeset import IndexNames, factor_latex, for_any_link, sum_latex, symbol_latex, term_latex
from dynamics.record import Record
from dynamics.system.registry import REGISTRY, Quantity, quantity_of
from dynamics.system.solution import Solution
from dynamics.system.system import System
from dynamics.textbook.stages import Part, parts_of
from dynamics.textbook.symbols import FORCES, SYMBOLS


@dataclass(frozen=True, eq=False)
class FactorValue(Record):
    """One factor with its numbers.

    Attributes:
        latex: with this place's numbers as indices, transposed and inverted as in the line.
        value: as a matrix, 2 axes, transposed as in the line; if ``inverse``, the matrix to be inverted.
        letter: its name in ``symbols``; empty for a number, a stack and brackets.
        transposed: whether the line transposes it.
        inverse: whether the line takes its inverse.
        inner: the contents of its brackets: one sum, or the two of a stack.
    """

    latex: str
    value: Array
    letter: str
    transposed: bool
    inverse: bool
    inner: tuple[tuple[TermValue, ...], ...] = ()


@dataclass(frozen=True, eq=False)
class TermValue(Record):
    """``sign`` times the product of its factors.

    Attributes:
        latex: with this place's numbers as indices.
        sign: 1 or -1.
        factors: from left to right.
        value: of the product, without the sign.
    """

    latex: str
    sign: int
    factors: tuple[FactorValue, ...]
    value: Array


def as_matrix(value: Any) -> Array:
    """A number as 1x1."""
    array = np.asarray(value, dtype=float)
    return array if array.ndim == 2 else array.reshape(1, 1)


def term_values(
    total: Sum, scope: dict[str, Any], naming: IndexNames, typeset: Sequence[TermValue] = ()
) -> tuple[TermValue, ...]:
    """The terms of a sum with their values; sums over neighbors are expanded.

    ``typeset`` are the same terms at another moment of the same place, whose LaTeX is reused.
    """
    found: list[TermValue] = []
    before = iter(typeset)
    for term in total.terms:
        if term.over is None:
            found.append(_term(term, scope, naming, next(before, None)))
            continue
        index, through = term.over
        for value in _evaluated(through, scope, naming):
            found.append(_term(term, scope, naming.at(index, value), next(before, None)))
    return tuple(found)


def no_terms(value: Array) -> tuple[TermValue, ...]:
    """A sum without terms: zero, or NaN if a break has left zero times something that is not finite."""
    zero = FactorValue("0", np.abs(0.0 * value), "", False, False)
    return (TermValue("0", 1, (zero,), zero.value),)


def _term(term: Term, scope: dict[str, Any], naming: IndexNames, typeset: TermValue | None) -> TermValue:
    before: Sequence[FactorValue | None] = typeset.factors if typeset is not None else [None] * len(term.factors)
    factors = tuple(
        _factor(factor, scope, naming, len(term.factors) > 1, each)
        for factor, each in zip(term.factors, before, strict=True)
    )
    value = term.own * as_matrix(_evaluated(term.product, scope, naming))
    return TermValue(term_latex(term, naming) if typeset is None else typeset.latex, term.sign, factors, value)


def _factor(
    factor: Factor, scope: dict[str, Any], naming: IndexNames, has_company: bool, typeset: FactorValue | None
) -> FactorValue:
    opened = () if factor.letter or factor.function == "null" else factor.inner
    before: Sequence[Sequence[TermValue]] = typeset.inner if typeset is not None else [()] * len(opened)
    return FactorValue(
        latex=factor_latex(factor, naming, has_company) if typeset is None else typeset.latex,
        value=as_matrix(_evaluated(factor.node, scope, naming)),
        letter=factor.letter,
        transposed=factor.transposed,
        inverse=factor.inverse != "",
        inner=tuple(term_values(each, scope, naming, old) for each, old in zip(opened, before, strict=True)),
    )


def _evaluated(node: ast.expr, scope: dict[str, Any], naming: IndexNames) -> Any:
    """A part of a line, evaluated with the letters of its sweep and the indices of the place."""
    with np.errstate(all="ignore"):
        return eval(_compiled(node), {**scope, **naming.values})


@functools.lru_cache(maxsize=8192)
def _compiled(node: ast.expr) -> CodeType:
    return compile(ast.Expression(node), "textbook", "eval")


PREDICTION, CORRECTION = 0, 1
"""The halves of a step: across the link, and at its joint."""
FIRST_HALF = ("prediction", "coupling")
STAGES = tuple(dict.fromkeys(stage for stage, _ in REGISTRY))


@dataclass(frozen=True, eq=False)
class LineReading(Record):
    """A line of the text at a place: as it ran, with its result.

    Attributes:
        key: of the line; the keys of its breaks begin with it.
        stage: of the place.
        link: of the place.
        contact: of the place; -1 if the line belongs to none.
        equation: paper and number.
        quantity_name: the computed quantity's name in the registry.
        quantity: its registry entry.
        source: the line as it ran, without the equation's number.
        published: the line in the text.
        file: its file.
        number: of the line in the file.
        latex: the equation for any link, as it ran.
        published_latex: as in the text.
        lettered: ``latex`` with each letter marked: ``\\class{P_plus}{P^{+}}``, by the names of ``textbook_letters``.
        left: the left side with this place's numbers.
        value: the line's result, a matrix.
        rows: of a value for all contacts together, those that belong to this link; else empty.
        terms: the right side with this place's numbers, sums written out; it adds up to ``value``.
        breaks: everything that can be broken in it.
        broken: the keys of those that are.
    """

    key: str
    stage: str
    link: int
    contact: int
    equation: str
    quantity_name: str
    quantity: Quantity
    source: str
    published: str
    file: str
    number: int
    latex: str
    published_latex: str
    lettered: str
    left: str
    value: Array
    rows: tuple[int, ...]
    terms: tuple[TermValue, ...]
    breaks: tuple[Break, ...]
    broken: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Reading(Record):
    """The text, evaluated for one state.

    Attributes:
        solution: everything that it computed, as from ``forward_dynamics``; its method is ``textbook``.
        breaks: the keys of what is broken in it.
        evaluation: every letter of every sweep.
        wrench: (links + 1, 6), the external forces; None for none.
        typed: right sides that the user has typed, by the keys of their lines.
    """

    solution: Solution
    breaks: frozenset[str]
    evaluation: Evaluation
    wrench: Array | None = None
    typed: Mapping[str, str] = field(default_factory=dict)

    @property
    def system(self) -> System:
        """The evaluated system."""
        return self.solution.system

    def letter(self, name: str) -> Any:
        """A given of the text, or its last computed value, by a letter of ``symbols``.

        Args:
            name: the letter, e.g. ``P_plus``.

        Returns:
            for all links (links, rows, columns), or one matrix; in the unit of its quantity, inertial axes.

        Raises:
            ModelError: for a letter that the text does not have, or not for this kind of system.

        Cost: none.
        """
        letters = self.evaluation.letters
        if not isinstance(name, str) or name not in letters:
            known = choices(letter for letter in SYMBOLS if letter in letters)
            raise ModelError(f"the text of this system has no letter {brief(name)}; its letters are {known}.")
        return letters[name]

    def lines(self, stage: str, link: int, half: int, typeset: Sequence[LineReading] = ()) -> tuple[LineReading, ...]:
        """The lines that a half-step of the walk computes, in the order of the text.

        Args:
            stage: as in ``Solution.stages``.
            link: its index from 0; in the contact stage one that holds.
            half: 0 across the link, 1 at its joint; a floating base has one half-step in each stage, either.
            typeset: the lines of this same place at another moment of the same system, read with the same breaks:
                their LaTeX is reused. Lines of another place, or with other breaks, are ignored.

        Returns:
            one entry per line, with its numbers; empty if the stage does not visit the link, or if only
            other systems have the stage.

        Raises:
            ModelError: for a stage that no system has.
            StateError: for a link that the system does not have, another half, or invalid lines.

        Cost: some 0.1 ms a line, two thirds of it for typesetting.
        """
        called = self.calls(stage, link, half)
        if not isinstance(typeset, list | tuple) or not all(isinstance(line, LineReading) for line in typeset):
            raise StateError(f"typeset is {brief(typeset)}; expected a list or tuple of lines from a reading.")
        before: dict[tuple[object, ...], LineReading] = {
            (line.key, line.stage, line.link, line.contact, line.source): line for line in typeset
        }
        return tuple(self._line(part, line, link, indices, before) for part, line, _, indices in called)

    def calls(self, stage: str, link: int, half: int) -> tuple[tuple[Part, Line, str, dict[str, int]], ...]:
        """The same lines without numbers: each with its sweep, its source, and the indices of its call.

        Args:
            stage: as in ``Solution.stages``.
            link: its index from 0; in the contact stage one that holds.
            half: as for ``lines``.

        Returns:
            one entry per line, in the order of the text.

        Raises:
            ModelError: for a stage that no system has.
            StateError: for a link that the system does not have, or another half.

        Cost: none.
        """
        self._check_place(stage, link, half)
        parts = [part for part in parts_of(self.system) if part.stage == stage]
        return tuple(
            (part, line, altered_line(line, self.breaks).partition("  # ")[0], indices)
            for part in parts
            for line, indices in self._at(part, link, half)
        )

    def _check_place(self, stage: str, link: int, half: int) -> None:
        if not is_among(stage, STAGES):
            raise ModelError(f"there is no stage {brief(stage)}; the stages are {choices(STAGES)}.")
        if not is_index(link, self.system.n_links):
            raise StateError(
                f"link {brief(link)} does not exist; this system has links 0 to {self.system.n_links - 1}."
            )
        if not is_index(half, CORRECTION + 1):
            raise StateError(f"a step has no half {brief(half)}; expected {PREDICTION} or {CORRECTION}.")

    def _at(self, part: Part, link: int, half: int) -> list[tuple[Line, dict[str, int]]]:
        lines = lines_run(self.system, part)
        if part.stage == "contact" and not self._held_by(link):
            return []
        if part.stage == "contact":
            wanted = [line for line in lines if (line.block in FIRST_HALF) == (half == PREDICTION)]
        elif link >= self.system.n_joints:
            at_base = [line for line in lines if line.block == "base"]
            blocks = {line.block for line in at_base} or {lines[0].block}
            wanted = [line for line in lines if line.block in blocks | {"force"}]
        else:
            wanted = [
                line for line in lines if line.block != "base" and (line.block in FIRST_HALF) == (half == PREDICTION)
            ]
        found = []
        for line in wanted:
            if line.key in self.typed:  # a typed line is not an equation of the papers
                continue
            found += [(line, indices) for indices in self._calls(line, link)]
        return found

    def _calls(self, line: Line, link: int) -> list[dict[str, int]]:
        """The arguments of a half-step's calls at a link."""
        inner = int(self.system.inboard[link])
        match line.arguments:
            case ("k",):
                return [{"k": link}]
            case ("k", "i"):
                return [{"k": link, "i": inner}]
            case ("c", "k"):
                return [{"c": c, "k": link} for c in self._held_by(link)]
            case ("c", "d", "k"):
                meeting = self.evaluation.letters["meeting"]
                own = self._held_by(link)
                return [{"c": c, "d": d, "k": met} for c, d, met in meeting if c in own]
        return [{}]

    def _held_by(self, link: int) -> list[int]:
        return [c for c, contact in enumerate(self.system.contacts) if contact.link == link]

    def _rows(self, line: Line, link: int) -> tuple[int, ...]:
        if SYMBOLS[line.letter].shape[0] != FORCES or line.indices:
            return ()
        return tuple(row for c in self._held_by(link) for row in range(6 * c, 6 * c + 6))

    def _line(
        self,
        part: Part,
        line: Line,
        link: int,
        indices: dict[str, int],
        typeset: Mapping[tuple[object, ...], LineReading],
    ) -> LineReading:
        name = SYMBOLS[line.letter].quantity
        quantity = quantity_of(part.stage, name)
        at_base = line.block == "base" and quantity.equation_at_base
        source = altered_line(line, self.breaks).partition("  # ")[0]
        place = indices.get("k", -1), indices.get("c", -1)
        return read_line(
            line,
            self.breaks,
            for_any_link(self.system, line.arguments, part.renamed),
            IndexNames(self.system, indices, part.renamed),
            self.evaluation.scopes[part],
            before=typeset.get((line.key, part.stage, *place, source)) if "d" not in indices else None,
            stage=part.stage,
            equation=quantity.equation_at_base if at_base else quantity.equation,
            quantity_name=name,
            quantity=quantity,
            rows=self._rows(line, link),
        )


def read_line(
    line: Line,
    keys: frozenset[str],
    naming: IndexNames,
    here: IndexNames,
    scope: Scope,
    before: LineReading | None = None,
    **about: Any,
) -> LineReading:
    """A line of any text with the numbers of a place.

    ``naming`` names the indices for any place, ``here`` at this one; ``before`` is the same line at another moment,
    whose LaTeX is reused; ``about`` are the remaining fields.
    """
    source, breaks = altered_line(line, keys).partition("  # ")[0], breaks_of(line)
    right, indices = right_side(source), here.values
    names = [index.id for index in line.indices if isinstance(index, ast.Name)]
    value = as_matrix(scope[line.letter][tuple(indices[name] for name in names)] if names else scope[line.letter])

    def equation_latex(naming: IndexNames, right: Sum) -> str:
        return f"{symbol_latex(line.letter, names, naming)}={sum_latex(right, naming)}"

    return LineReading(
        key=line.key,
        link=indices.get("k", -1),
        contact=indices.get("c", -1),
        source=source,
        published=line.source.partition("  # ")[0],
        file=f"{line.text}.py",
        number=line.number,
        latex=before.latex if before else equation_latex(naming, right),
        published_latex=before.published_latex if before else equation_latex(naming, line.right),
        lettered=before.lettered if before else equation_latex(replace(naming, marks=True), right),
        left=before.left if before else symbol_latex(line.letter, names, here),
        value=value,
        terms=term_values(right, dict(scope), here, before.terms if before else ()) or no_terms(value),
        breaks=breaks,
        broken=tuple(each.key for each in breaks if each.key in keys),
        **about,
    )


@functools.lru_cache(maxsize=1024)
def right_side(source: str) -> Sum:
    """The right side of a line, parsed from its source without the equation's number."""
    (statement,) = ast.parse(source).body
    assert isinstance(statement, ast.Assign)
    return parse(statement.value)
