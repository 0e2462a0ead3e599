"""Twins of functions: the same code, run on numbers that count.

A twin is the function itself, its very code: its constants are counting numbers, ``math`` counts sines, ``np``
makes arrays of objects, and each function of this package that it calls is that function's twin. Compiled kernels
are twinned by the Python they were compiled from. So counts need no second version of an algorithm.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container
from types import CodeType, FunctionType, SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from dynamics.counting.number import Cost, CountingNumber, Tally, counting


class Task(NamedTuple):
    """One call of a named function, as a processor's work.

    Attributes:
        term: the function's name.
        starts, ends: the longest chain of work that leads to it, and that together with its own.
        needs: places, in the order of the calls, of the tasks whose results it takes.
    """

    term: str
    starts: Cost
    ends: Cost
    needs: tuple[int, ...]


PACKAGE = __name__.partition(".")[0] + "."


class Twins:
    """Makes twins that count on one tally.

    Args:
        terms: names of functions whose work is tallied under their name.
        tasks: each such call is one task of one processor. It starts when all its arguments are there, and its
            results carry the path that leads through it.

    Attributes:
        finished: the tasks, in the order of the calls.
    """

    def __init__(self, tally: Tally, terms: Container[str] = (), tasks: bool = False) -> None:
        self.tally, self.terms, self.tasks = tally, terms, tasks
        self.finished: list[Task] = []
        self._places: dict[int, int] = {}  # by the very path that a task ends, which the task keeps
        self._known: dict[int, Callable[..., Any]] = {}
        self._numpy = SimpleNamespace(
            nan=np.nan, **{name: _of_objects(getattr(np, name)) for name in ("empty", "zeros", "eye")}
        )
        functions = ("sin", "cos", "tan", "tanh", "atan2", "sqrt")
        self._math = SimpleNamespace(**{name: _called(getattr(math, name)) for name in functions})

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
        if value is math:
            return self._math
        if value is np:
            return self._numpy
        plain = getattr(value, "py_func", value)
        if isinstance(plain, FunctionType) and plain.__module__.startswith(PACKAGE):
            return self.of(plain)
        return value

    def _term(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        if name not in self.terms:
            return function
        tally = self.tally

        def named(*arguments: Any) -> Any:
            before, outer = tally.cost(), tally.term
            tally.enter(name)
            try:
                result = function(*arguments)
            finally:
                tally.term = outer
            if not self.tasks:
                return result
            paths = [number.path for number in _numbers(arguments)]
            ready = max(paths, key=lambda path: path.steps, default=Cost())
            task = Task(name, ready, ready.plus(tally.cost().minus(before)), self._makers(paths))
            self._places[id(task.ends)] = len(self.finished)
            self.finished.append(task)
            return _arriving(result, task.ends)

        return named

    def _makers(self, paths: list[Cost]) -> tuple[int, ...]:
        """The tasks that these numbers come from: each hands its very own path on."""
        return tuple(sorted({self._places[id(path)] for path in paths if id(path) in self._places}))

    def last(self, path: Cost) -> int:
        """The place of the task that ends a path."""
        return self._places[id(path)]


def _names(code: CodeType) -> set[str]:
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return set(code.co_names).union(*(_names(each) for each in inner))


def _of_objects(make: Callable[..., Any]) -> Callable[..., Any]:
    return lambda shape: make(shape, dtype=object)


def _called(function: Callable[..., float]) -> Callable[..., Any]:
    def call(x: Any, *others: Any) -> Any:
        return x.call(function, *others) if isinstance(x, CountingNumber) else function(x, *others)

    return call


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
