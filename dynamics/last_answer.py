"""The answer to what was asked last, kept while it may be asked again."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import ref

from dynamics.record import Record

A = TypeVar("A")
B = TypeVar("B")
Found = TypeVar("Found", bound=Record)


def kept_for_the_latest(function: Callable[[A, B], Found]) -> Callable[[A, B], Found]:
    """A function of two records, a system and its state, that need not work again where the two are those of last time.

    Whoever checks a moment asks for the same from many places. The two are known by themselves, which is enough: nobody
    can write in a record. They are not kept alive; the answer, itself a record, is, until another takes its place.
    """
    last: list[tuple[ref[A], ref[B], Found]] = []  # one at most: replaced whole, so that any thread may

    @wraps(function)
    def kept(system: A, state: B) -> Found:
        for of_system, of_state, found in last:
            if of_system() is system and of_state() is state:
                return found
        found = function(system, state)
        last[:] = [(ref(system), ref(state), found)]
        return found

    return kept
