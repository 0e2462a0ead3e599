"""Serialized access: a run advances in one thread at a time, and a copy of it advances independently."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from threading import RLock
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class SerialAccess:
    """An object that advances from call to call. A copy or pickle shares no mutable state with it."""

    _turn: Any

    def __new__(cls, *_: Any, **__: Any) -> Self:
        made = super().__new__(cls)
        made._turn = RLock()
        return made

    def __getstate__(self) -> dict[str, Any]:
        with self._turn:
            return copy.deepcopy({name: value for name, value in vars(self).items() if name != "_turn"})


def in_turn(method: Callable[Concatenate[Any, P], R]) -> Callable[Concatenate[Any, P], R]:
    """Makes a method exclusive: other threads wait until it returns."""

    @functools.wraps(method)
    def waited(self: Any, *arguments: P.args, **named: P.kwargs) -> R:
        with self._turn:
            return method(self, *arguments, **named)

    return waited
