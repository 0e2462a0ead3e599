"""The right side of a line as a sum of products, from its syntax tree."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from dynamics.checks import brief
from dynamics.textbook.symbols import NUMBER, SYMBOLS, Shape

INVERTING = {"solve": "-1", "least": r"\dagger", "smallest": r"\dagger"}
"""Functions that invert their first argument, and the mark of that inverse."""
ADDING, MULTIPLYING = (ast.Add, ast.Sub), (ast.MatMult, ast.Mult, ast.Div)


@dataclass(frozen=True, eq=False)
class Factor:
    """One factor as the line writes it.

    Attributes:
        node: its node.
        letter: its name in ``symbols``; empty for a number and for brackets.
        indices: of the letter.
        inverse: the mark of its inverse, if the line takes it; else empty.
        inner: the contents of its brackets: one sum, or the two of a stack.
        function: ``tilde``, ``stack``, ``null``, ``trace``, ``axial`` or empty.
    """

    node: ast.expr
    letter: str = ""
    indices: tuple[ast.expr, ...] = ()
    transposed: bool = False
    inverse: str = ""
    inner: tuple[Sum, ...] = ()
    function: str = ""

    @property
    def name(self) -> str:
        """Its name in keys."""
        if isinstance(self.node, ast.Constant):
            return str(self.node.value)
        return self.letter or self.function or "bracket"

    @property
    def shape(self) -> Shape:
        if isinstance(self.node, ast.Constant):
            return NUMBER
        if self.function == "tilde":
            return (3, 3)
        if self.function == "null":
            return ("directions", "indeterminate")
        if self.letter:
            shape = _composite(self) or SYMBOLS[self.letter].shape
        elif self.function == "stack":
            shape = (6, 1)
        else:
            shape = self.inner[0].shape
        return (shape[1], shape[0]) if self.transposed else shape

    @property
    def is_square(self) -> bool:
        return self.shape[0] == self.shape[1]


@dataclass(frozen=True, eq=False)
class Term:
    """``sign`` times a product.

    Attributes:
        node: its node; for a sum over neighbors the whole sum.
        sign: of the term in its sum, 1 or -1.
        factors: from left to right, without their signs.
        over: the index and the set of a sum.
        product: the product of the factors as written, within the sum.
        own: the sign that ``product`` has in itself, wherever it is written; ``sign`` includes it.
    """

    node: ast.expr
    sign: int
    factors: tuple[Factor, ...]
    product: ast.expr
    own: int
    over: tuple[str, ast.expr] | None = None

    @property
    def name(self) -> str:
        return "-".join(factor.name for factor in self.factors)

    @property
    def shape(self) -> Shape:
        shapes = [factor.shape for factor in self.factors if factor.shape != NUMBER]
        return (shapes[0][0], shapes[-1][1]) if shapes else NUMBER


@dataclass(frozen=True, eq=False)
class Sum:
    """Terms that are added; empty if a break has left none, and zero stands there."""

    terms: tuple[Term, ...]

    @property
    def shape(self) -> Shape:
        return self.terms[0].shape


def _composite(factor: Factor) -> Shape | None:
    """The size of a contact quantity that is written without an index."""
    if factor.letter in ("lam_bar", "lam_FREE") and not factor.indices:
        return ("6 contacts", 1)
    if factor.letter == "Lam_0" and not factor.indices:
        return ("6 contacts", "6 contacts")
    if factor.letter == "x_0" and factor.indices:
        return (6, 1)
    return None


def parse(node: ast.expr) -> Sum:
    """A sum of products; SyntaxError for constructs that the text does not use."""
    return Sum(tuple(_terms(node, 1)))


def _is_zero(node: ast.expr) -> bool:
    """Whether a break has left no term of a sum: zero times what was there, which gives its size."""
    return (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Mult)
        and isinstance(node.left, ast.Constant)
        and node.left.value == 0
    )


def _terms(node: ast.expr, sign: int) -> list[Term]:
    if _is_zero(node):
        return []
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return _terms(node.operand, -sign) if is_running(node.operand) else [_term(node, sign)]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ADDING):
        return _terms(node.left, sign) + _terms(node.right, sign if isinstance(node.op, ast.Add) else -sign)
    if is_running(node):
        assert isinstance(node, ast.Call)
        running = node.args[0]
        assert isinstance(running, ast.GeneratorExp)
        term = _term(running.elt, 1)
        assert isinstance(running.generators[0].target, ast.Name)
        over = (running.generators[0].target.id, running.generators[0].iter)
        return [replace(term, node=node, sign=sign * term.sign, over=over)]
    return [_term(node, sign)]


def is_running(node: ast.expr) -> bool:
    """Whether it is a sum over neighbors."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "sum"


def _term(node: ast.expr, sign: int) -> Term:
    own, factors = _product(node)
    return Term(node, sign * own, tuple(factors), node, own)


def _product(node: ast.expr) -> tuple[int, list[Factor]]:
    """Its sign and its factors, in the order in which they are written."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        sign, factors = _product(node.operand)
        return -sign, factors
    if isinstance(node, ast.BinOp) and isinstance(node.op, MULTIPLYING) and not _is_zero(node):
        sign, factors = _product(node.left)
        if isinstance(node.op, ast.Div):
            return sign, [*factors, replace(_factor(node.right), inverse="-1")]
        other, more = _product(node.right)
        return sign * other, factors + more
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in INVERTING:
        inverted = replace(_factor(node.args[0]), inverse=INVERTING[node.func.id])
        sign, factors = _product(node.args[1])
        return sign, [inverted, *factors]
    return 1, [_factor(node)]


def _factor(node: ast.expr) -> Factor:
    if isinstance(node, ast.Attribute) and node.attr == "T":
        inner = _factor(node.value)
        return replace(inner, node=node, transposed=True)
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        index = node.slice
        return Factor(node, node.value.id, tuple(index.elts) if isinstance(index, ast.Tuple) else (index,))
    if isinstance(node, ast.Name):
        return Factor(node, node.id)
    if isinstance(node, ast.Constant):
        return Factor(node)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        function = node.func.id
        if function in ("stack", "tilde", "null", "trace", "axial"):
            return Factor(node, inner=tuple(parse(argument) for argument in node.args), function=function)
        if function in SYMBOLS:
            return Factor(node, function, tuple(node.args))
    is_negative = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    if is_negative or isinstance(node, ast.BinOp) or (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
        return Factor(node, inner=(parse(node),))
    raise SyntaxError(f"the text has no {brief(ast.unparse(node))}")
