"""The checks that every public function makes first and last: records of the right kind in, finite numbers out.

All other arguments are read by ``checks`` where they are used. NumPy's warnings are silenced meanwhile: an overflow is
reported as an error, or does no harm.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import is_dataclass
from functools import wraps
from math import isfinite
from types import NoneType, UnionType
from typing import Any, NamedTuple, ParamSpec, TypeVar, get_args, get_origin, get_type_hints

import numpy as np

from dynamics.checks import brief
from dynamics.errors import ModelError, SingularConfigurationError, StateError

P = ParamSpec("P")
R = TypeVar("R")
OF_THE_MODEL = {
    "Robot": "load one with dynamics.load(...)",
    "Link": "make one with dynamics.Link(...)",
    "Joint": "make one with dynamics.Joint(...)",
    "TaskObject": "make one with dynamics.TaskObject(...)",
    "System": "make one with dynamics.single_arm(...) or the like",
}
OF_THE_STATE = {
    "State": "make one with system.state(...)",
    "Solution": "make one with dynamics.forward_dynamics(...)",
    "Recording": "make one with dynamics.simulate(...)",
    "Reading": "make one with dynamics.read_textbook(...)",
}
NAMED = (ModelError, StateError, SingularConfigurationError)
DEPTH = 2
"""How deep a result is checked: down to the numbers of the records in it."""


def public(function: Callable[P, R]) -> Callable[P, R]:
    """A function that refuses records of the wrong kind, states of another system, and results that are not finite."""
    return _guarded(function, judged=True)


def public_as_computed(function: Callable[P, R]) -> Callable[P, R]:
    """The same for a function that checks its own result, or runs a broken text, whose numbers may be infinite."""
    return _guarded(function, judged=False)


class _RecordArguments(NamedTuple):
    """The records among a function's arguments."""

    records: tuple[tuple[int, str, tuple[type, ...]], ...]  # position, name and kinds of each
    has_state: bool  # the state must belong to the system
    is_pair: bool  # a system and its state, in this order, and nothing else: ``require_own`` has marked what fits

    def judge(self, function: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Refuse a record of the wrong kind, and a state of another system."""
        given: dict[str, Any] = {}
        for at, name, kinds in self.records:
            value = given[name] = args[at] if at < len(args) else kwargs.get(name)
            if not isinstance(value, kinds) and (at < len(args) or name in kwargs):
                kind = kinds[0].__name__
                error, advice = (ModelError if kind in OF_THE_MODEL else StateError), OF_THE_MODEL | OF_THE_STATE
                raise error(f"{function}: {name} is {brief(value)}; expected a {kind}: {advice[kind]}.")
        if self.has_state and given["system"] is not None and given["state"] is not None:
            given["system"].require_own(given["state"])


def _guarded(function: Callable[P, R], judged: bool) -> Callable[P, R]:
    asked: _RecordArguments | None = None

    @wraps(function)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
        nonlocal asked
        if asked is None:  # by now everything that the annotations name is defined
            asked = _asked(function)
        if not (asked.is_pair and len(args) > 1 and getattr(args[1], "_fits", 0) is getattr(args[0], "_shapes", 1)):
            asked.judge(function.__name__, args, kwargs)
        with np.errstate(all="ignore"):
            try:
                answer = function(*args, **kwargs)
            except (ValueError, ArithmeticError, MemoryError) as cause:
                if isinstance(cause, ValueError) and not _is_unnamed(cause):
                    raise
                error = StateError if asked.has_state else ModelError
                raise error(f"{function.__name__}: {TOO_LARGE} ({brief(str(cause))[1:-1]}).") from cause
            return finite(answer, function.__name__) if judged else answer

    return guarded


def finite(answer: R, function: str) -> R:
    """The result of a function; ``StateError`` if it, or a record in it, holds a number that is not finite."""
    if not _is_finite(answer, DEPTH):
        raise StateError(f"{function}: {TOO_LARGE}.")
    return answer


TOO_LARGE = "its arguments are too large, or too small, to compute with"


def _asked(function: Callable[..., object]) -> _RecordArguments:
    hints = get_type_hints(function)
    names = list(inspect.signature(function).parameters)
    records = []
    for at, name in enumerate(names):
        hint = hints.get(name)
        kinds = get_args(hint) if get_origin(hint) is UnionType else (hint,)
        if all(kind is NoneType or _is_record(kind) for kind in kinds):
            records.append((at, name, kinds))
    is_pair = [(at, name) for at, name, _ in records] == [(0, "system"), (1, "state")]
    return _RecordArguments(tuple(records), {"system", "state"} <= set(names), is_pair)


def _is_record(kind: object) -> bool:
    return isinstance(kind, type) and is_dataclass(kind)


def _is_unnamed(error: Exception) -> bool:
    """Whether arithmetic raised it (a failed factorization, the sine of infinity) and not a caller's own function."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = "" if trace is None else str(trace.tb_frame.f_globals.get("__name__")).partition(".")[0]
    return place in ("numpy", "scipy", "dynamics") and not isinstance(error, NAMED)


def _is_finite(answer: object, depth: int) -> bool:
    """Whether a result's numbers, and those of records in it, are all finite; the limits of a model need not be."""
    if isinstance(answer, np.ndarray):
        # One dot product of the whole array is fastest; that of large numbers overflows.
        return answer.dtype.kind != "f" or isfinite(np.vdot(answer, answer)) or bool(np.isfinite(answer).all())
    if isinstance(answer, float):
        return isfinite(answer)
    if depth and isinstance(answer, tuple):
        return all(_is_finite(each, depth - 1) for each in answer)
    if depth and is_dataclass(answer) and type(answer).__name__ not in OF_THE_MODEL:
        return all(_is_finite(each, depth - 1) for each in vars(answer).values())
    return True
