"""The lines as LaTeX equations, for any link or for one."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from dynamics.reading.expression import Factor, Sum, Term
from dynamics.reading.lines import Line
from dynamics.system.system import System
from dynamics.textbook.letters import symbols_of
from dynamics.textbook.symbols import SYMBOLS, Symbol

GENERIC = {"k": "k", "i": "k{+}1", "j": "j", "s": "s", "c": "i", "d": "j"}
MINUS, PLUS = "-", "+"
TRACES = {"trace": "", "axial": r"\,\sigma^{T}"}
"""Functions that are traces, and what else they contain."""


@dataclass(frozen=True)
class IndexNames:
    """The names of the indices: their letters, or the numbers of one place.

    Attributes:
        system: for the numbers; links are counted within their arm, from its tip.
        values: of the indices at a place, link or contact numbers from 0; empty for any place.
        renamed: letters that stand for others: a sweep's parameter -> its argument.
        spoken: indices that are not written as their letter: in a chain j is k - 1.
        symbols: the letters, of the textbook or of another formulation.
        marks: whether each letter is wrapped in a ``\\class`` of its name, to find it in the typeset equation.
    """

    system: System
    values: Mapping[str, int] = field(default_factory=dict)
    renamed: Mapping[str, str] = field(default_factory=dict)
    spoken: Mapping[str, str] = field(default_factory=dict)
    symbols: Mapping[str, Symbol] = field(default_factory=lambda: SYMBOLS)
    marks: bool = False

    def at(self, index: str, value: int) -> IndexNames:
        """The same with one more known index."""
        return replace(self, values={**self.values, index: value})

    def link(self, index: str) -> str:
        """A link's number within its arm: 1 is the tip's; the world's is one more than the arm's number of links."""
        if index not in self.values:
            return self.spoken.get(index, GENERIC[index])
        k = self.values[index]
        if k >= 0:
            return str(link_number(self.system, k))
        arm = self.system.arm_of_link
        return str(int((arm == arm[self.values["k"]]).sum()) + 1)

    def contact(self, index: str) -> str:
        """A tip's number; empty if only one holds."""
        if len(self.system.contacts) < 2:
            return ""
        return str(self.system.contacts[self.values[index]].tip + 1) if index in self.values else GENERIC[index]

    def link_of_contact(self, index: str) -> str:
        if index not in self.values:
            return self.spoken.get("k", GENERIC["k"])
        return str(link_number(self.system, self.system.contacts[self.values[index]].link))

    @property
    def is_chain(self) -> bool:
        """Whether no link has more than one outboard neighbor."""
        inner = [int(i) for i in self.system.inboard if i >= 0]
        return len(set(inner)) == len(inner)


def for_any_link(system: System, arguments: Sequence[str], renamed: Mapping[str, str]) -> IndexNames:
    """The naming of a line for any place; the link that holds a contact is its arm's first."""
    return IndexNames(system, {}, renamed, {"k": "1"} if tuple(arguments) == ("c", "k") else {})


def for_formulation(system: System, line: Line) -> IndexNames:
    """The naming of a line of another formulation, for any place."""
    return replace(for_any_link(system, line.arguments, {}), symbols=symbols_of(line.text))


def link_number(system: System, k: int) -> int:
    """Link k's number in the papers: 1 is its arm's tip."""
    arm = system.arm_of_link
    return int((arm[: k + 1] == arm[k]).sum())


def symbol_latex(letter: str, indices: Sequence[str], naming: IndexNames, marks: Sequence[str] = ()) -> str:
    """A letter with its indices and the marks above it."""
    letter = naming.renamed.get(letter, letter)
    symbol = naming.symbols[letter]
    below, argument = symbol.below, ""
    if symbol.at == "link":
        argument = _arguments(letter, indices, naming)
    elif letter in ("phi_0", "l_0"):
        which = naming.contact(indices[0])
        argument = f"({naming.link_of_contact(indices[0])},0{'_' + which if which else ''})"
    elif symbol.at in ("tip", "contact"):
        numbers = [naming.contact(index) for index in dict.fromkeys(indices)]
        below = ",".join(part for part in (below, "".join(numbers)) if part)
        argument = "(0)" if symbol.at == "tip" else ""
    elif symbol.at:
        argument = f"({symbol.at})"
    stem = stem_latex(symbol, below, marks)
    return (rf"\class{{{letter}}}{{{stem}}}" if naming.marks else stem) + argument


def stem_latex(symbol: Symbol, below: str | None = None, marks: Sequence[str] = ()) -> str:
    """A letter with the marks below and above it, without its indices."""
    below = symbol.below if below is None else below
    above = "".join(part for part in (symbol.mark, *marks) if part)
    return symbol.latex + (f"_{{{below}}}" if below else "") + (f"^{{{above}}}" if above else "")


def _arguments(letter: str, indices: Sequence[str], naming: IndexNames) -> str:
    if not indices:
        return ""
    if letter == "psi":
        which = naming.contact(indices[1])
        return f"({naming.link(indices[0])},0{'_' + which if which else ''})"
    return f"({','.join(naming.link(index) for index in indices)})"


def sum_latex(total: Sum, naming: IndexNames) -> str:
    """A sum of products; zero if it is empty."""
    text = ""
    for term in total.terms:
        sign = MINUS if term.sign < 0 else (PLUS if text else "")
        text += sign + term_latex(term, naming)
    return text or "0"


def term_latex(term: Term, naming: IndexNames) -> str:
    """A product without its sign."""
    before, within = summed(term, naming)
    return before + _product(term, within)


def summed(term: Term, naming: IndexNames) -> tuple[str, IndexNames]:
    """The summation sign before a product, if it needs one, and the names of the indices in it."""
    if term.over is None or term.over[0] in naming.values:
        return "", naming
    index, through = term.over
    if isinstance(through, ast.Call) and ast.unparse(through.func) == "outboard" and naming.is_chain:
        return "", replace(naming, spoken={**naming.spoken, index: "k{-}1"})
    return rf"\sum_{{{GENERIC[index]}}}", naming


def _product(term: Term, naming: IndexNames) -> str:
    return r"\,".join(factor_latex(factor, naming, len(term.factors) > 1) for factor in term.factors)


def factor_latex(factor: Factor, naming: IndexNames, has_company: bool = True) -> str:
    """One factor."""
    marks = [mark for mark in (factor.inverse, "T" if factor.transposed else "") if mark]
    if factor.letter:
        return symbol_latex(factor.letter, [index_name(index) for index in factor.indices], naming, marks)
    if isinstance(factor.node, ast.Constant):
        return str(factor.node.value)
    above = f"^{{{''.join(marks)}}}" if marks else ""
    if factor.function == "stack":
        upper, lower = (sum_latex(inner, naming) for inner in factor.inner)
        return rf"\begin{{bmatrix}}{upper}\\{lower}\end{{bmatrix}}{above}"
    inside = sum_latex(factor.inner[0], naming)
    if factor.function == "tilde":
        return rf"\tilde {inside}"
    if factor.function == "null":
        return rf"\ker {inside}"
    if factor.function in TRACES:
        return rf"\mathrm{{Tr}}\{{{inside}{TRACES[factor.function]}\}}"
    terms = factor.inner[0].terms
    plain = not above and len(terms) < 2 and all(term.sign > 0 for term in terms)
    return inside if plain or (not has_company and not above) else f"[{inside}]{above}"


def index_name(index: ast.expr) -> str:
    """The name of an index as the text writes it."""
    assert isinstance(index, ast.Name)
    return index.id
