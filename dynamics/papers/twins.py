"""Numbers that count the operations on them, and twins of functions: the same code, run on such numbers.

A twin runs the function's own code: its constants are counting numbers, ``math`` counts sines, ``np``
makes arrays of objects, and each function of this package that it calls is replaced by its twin. The twin of a
compiled kernel uses its Python source. So counting needs no second version of an algorithm.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Container, Iterable
from functools import partial
from types import CodeType, FunctionType, SimpleNamespace
from typing import Any, NamedTuple

import numpy as np


class Cost(NamedTuple):
    """Operations; additions include subtractions, a change of sign is not counted."""

    multiplications: int = 0
    additions: int = 0
    divisions: int = 0
    trigonometric: int = 0
    square_roots: int = 0

    def minus(self, other: Cost) -> Cost:
        return Cost(*(a - b for a, b in zip(self, other, strict=True)))

    @property
    def steps(self) -> int:
        """Multiplications, additions and divisions together."""
        return self.multiplications + self.additions + self.divisions


def total(costs: Iterable[Cost]) -> Cost:
    """The sum of some costs."""
    return Cost(*(sum(column) for column in zip(Cost(), *costs, strict=True)))


class Tally:
    """The counters of one run, term by term.

    Attributes:
        term: the term that is counted at present; ``""`` for work outside all terms.
        counts: term -> [multiplications, additions, divisions, trigonometric calls, square roots].
    """

    def __init__(self) -> None:
        self.term = ""
        self.counts: dict[str, list[int]] = {"": [0] * len(Cost._fields)}

    def cost(self, *terms: str) -> Cost:
        """The cost of the named terms, or of everything."""
        return total(Cost(*self.counts[term]) for term in (terms or self.counts) if term in self.counts)


def _counted(operation: int, result: Callable[[float, float], float]) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Arithmetic with the counting number on the left, and on the right."""
    return (
        lambda self, other: self.counted(operation, result(float(self), float(other)), other),
        lambda self, other: self.counted(operation, result(float(other), float(self)), other),
    )


class CountingNumber(float):
    """A float that counts. ``path`` is the longest chain of work that led to it, if a twin tracks it."""

    __array_ufunc__ = None  # numpy's numbers leave arithmetic with these to this class
    __slots__ = ("path", "tally")
    path: Cost
    tally: Tally

    def __new__(cls, value: float, tally: Tally, path: Cost = Cost()) -> CountingNumber:  # noqa: B008 - immutable
        number = super().__new__(cls, value)
        number.tally, number.path = tally, path
        return number

    def counted(self, operation: int, value: float, other: object = None) -> CountingNumber:
        """The result of an operation with this number, which is counted."""
        self.tally.counts[self.tally.term][operation] += 1
        path = self.path
        if isinstance(other, CountingNumber) and other.path is not path and other.path.steps > path.steps:
            path = other.path
        return CountingNumber(value, self.tally, path)

    __mul__, __rmul__ = _counted(0, operator.mul)
    __add__, __radd__ = _counted(1, operator.add)
    __sub__, __rsub__ = _counted(1, operator.sub)
    __truediv__, __rtruediv__ = _counted(2, operator.truediv)

    def call(self, function: Callable[..., float], *others: Any) -> CountingNumber:
        """A function of this number: a square root, or a trigonometric call."""
        return self.counted(4 if function is math.sqrt else 3, function(self, *others))

    def __neg__(self) -> CountingNumber:
        return CountingNumber(-float(self), self.tally, self.path)

    def __abs__(self) -> CountingNumber:
        return CountingNumber(abs(float(self)), self.tally, self.path)


def counting(value: Any, tally: Tally) -> Any:
    """Every float in tuples, lists and arrays as a counting number; integers and booleans stay."""
    if isinstance(value, np.ndarray):
        if not np.issubdtype(value.dtype, np.floating):
            return value.copy()
        table = np.empty(value.shape, dtype=object)
        table.ravel()[:] = [CountingNumber(x, tally) for x in value.ravel().tolist()]
        return table
    if isinstance(value, tuple):
        parts = [counting(part, tally) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if isinstance(value, list):
        return [counting(part, tally) for part in value]
    return CountingNumber(value, tally) if isinstance(value, float) else value


class Task(NamedTuple):
    """One call of a named function, as a processor's work.

    Attributes:
        term: the function's name.
        starts, ends: the longest chain of work that leads to it, without and with its own work.
        needs: indices, in the order of the calls, of the tasks whose results it uses.
    """

    term: str
    starts: Cost
    ends: Cost
    needs: tuple[int, ...]


def _called(function: Callable[..., float]) -> Callable[..., Any]:
    return lambda x, *others: x.call(function, *others) if isinstance(x, CountingNumber) else function(x, *others)


PACKAGE = __name__.partition(".")[0] + "."
MATH = SimpleNamespace(
    **{name: _called(getattr(math, name)) for name in ("sin", "cos", "tan", "tanh", "atan2", "sqrt")}
)
NUMPY = SimpleNamespace(
    nan=np.nan, **{name: partial(getattr(np, name), dtype=object) for name in ("empty", "zeros", "eye")}
)
"""What stands for ``math`` and ``np`` in a twin."""


class Twins:
    """Makes twins that count on one tally.

    Args:
        terms: names of functions whose work is counted under their name.
        tasks: whether each such call is one task of one processor. It starts when all its arguments are available,
            and its results carry the path that leads through it.

    Attributes:
        tally: its counters.
        finished: the tasks, in the order of the calls.
    """

    def __init__(self, terms: Container[str] = (), tasks: bool = False) -> None:
        self.tally, self.terms, self.tasks = Tally(), terms, tasks
        self.finished: list[Task] = []
        self._places: dict[int, int] = {}  # by the id of the path object that a task ends; the task keeps it alive
        self._known: dict[int, Callable[..., Any]] = {}

    def count(self, *values: Any) -> Any:
        """Values as numbers that count on this tally."""
        return counting(values, self.tally)

    def of(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The twin of a function or kernel of this package."""
        original: Any = getattr(function, "py_func", function)
        if id(original) not in self._known:
            bound: dict[str, Any] = {"__builtins__": __builtins__}
            code = self._counting_constants(original.__code__)
            twin = FunctionType(code, bound, original.__name__, original.__defaults__, original.__closure__)
            self._known[id(original)] = self._term(original.__name__, twin)
            for name in _names(original.__code__):
                if name in original.__globals__:
                    bound[name] = self._bind(original.__globals__[name])
        return self._known[id(original)]

    def _counting_constants(self, code: CodeType) -> CodeType:
        constants = (
            self._counting_constants(each) if isinstance(each, CodeType) else counting(each, self.tally)
            for each in code.co_consts
        )
        return code.replace(co_consts=tuple(constants))

    def _bind(self, value: Any) -> Any:
        if value is math or value is np:
            return MATH if value is math else NUMPY
        plain = getattr(value, "py_func", value)
        if isinstance(plain, FunctionType) and plain.__module__.startswith(PACKAGE):
            return self.of(plain)
        return value

    def _term(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        if name not in self.terms:
            return function
        tally = self.tally

        def named(*arguments: Any) -> Any:
            before, outer = tally.cost() if self.tasks else Cost(), tally.term
            tally.term = name
            tally.counts.setdefault(name, [0] * len(Cost._fields))
            result = function(*arguments)
            tally.term = outer
            if not self.tasks:
                return result
            paths = [number.path for number in _numbers(arguments)]
            ready = max(paths, key=lambda path: path.steps, default=Cost())
            makers = {self._places[id(path)] for path in paths if id(path) in self._places}
            task = Task(name, ready, total((ready, tally.cost().minus(before))), tuple(sorted(makers)))
            self._places[id(task.ends)] = len(self.finished)
            self.finished.append(task)
            return _arriving(result, task.ends)

        return named

    def last(self, path: Cost) -> int:
        """The index of the task that ends a path."""
        return self._places[id(path)]


def _names(code: CodeType) -> set[str]:
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return set(code.co_names).union(*(_names(each) for each in inner))


def _numbers(value: Any) -> list[CountingNumber]:
    if isinstance(value, CountingNumber):
        return [value]
    return [n for part in value for n in _numbers(part)] if isinstance(value, tuple | list) else []


def _arriving(value: Any, path: Cost) -> Any:
    if isinstance(value, CountingNumber):
        return CountingNumber(value, value.tally, path)
    if isinstance(value, tuple | list):
        return type(value)(_arriving(part, path) for part in value)
    return value
