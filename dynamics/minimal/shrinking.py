"""Tries one simplification after the other, in a fixed order, until none is left that keeps the difference."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from dynamics.beside.rerun import Moment
from dynamics.errors import ModelError, StateError
from dynamics.minimal.case import Case
from dynamics.minimal.parts import Part, parts_of
from dynamics.robot.task_object import TaskObject


class OutOfCalls(Exception):
    """The judge has been asked as often as it may be."""


def shrunk(case: Case, parts_so: Callable[[Moment], bool], left: Callable[[], int]) -> bool:
    """Makes a case simpler, as long as it parts so; whether everything has been tried on what is left, in vain.

    Args:
        case: where it begins.
        parts_so: whether a moment parts as it should; it keeps the last that does.
        left: how often it may still be asked.
    """
    search = _Search(case, parts_so, left)
    try:
        search.run()
    except OutOfCalls:
        return False
    return True


class _Search:
    def __init__(self, case: Case, parts_so: Callable[[Moment], bool], left: Callable[[], int]) -> None:
        self.case, self._parts_so, self._left = case, parts_so, left

    def run(self) -> None:
        """Passes over everything, until one changes nothing: then each step of it was in vain."""
        changed = True
        while changed:
            changed = self._cut()
            changed |= self._let_go()
            for several in range(len(parts_of(self.case))):
                changed |= self._made_simpler(several)

    def _takes(self, case: Case) -> bool:
        if self._left() <= 0:
            raise OutOfCalls
        try:
            moment = case.moment()
        except (ModelError, StateError):  # there is no such machine
            return False
        if not self._parts_so(moment):
            return False
        self.case = case
        return True

    def _cut(self) -> bool:
        """Links go, half of them at once, then a quarter, then one by one: delta debugging."""
        changed, size = False, max(len(self.case.q) // 2, 1)
        while True:
            at = 0
            while at < len(self.case.q) > 1:
                some = range(at, min(at + size, len(self.case.q)))
                if len(some) < len(self.case.q) and self._takes(self.case.without_links(some)):
                    changed = True
                else:
                    at += size
            if size == 1:
                return changed
            size = max(size // 2, 1)

    def _let_go(self) -> bool:
        """Grips, the object, arms and floating roots."""
        changed = True
        any_change = False
        while changed:
            changed = any(self._takes(case) for case in let_go(self.case))
            any_change |= changed
        return any_change

    def _made_simpler(self, at: int) -> bool:
        """Parts of a kind: all of them as simple as can be, then each as far as it goes."""
        several = parts_of(self.case)[at]
        changed = len(several) > 1 and self._takes_all(several)
        for part in several:
            changed |= any(self._takes(case) for case in part.simpler_cases(self.case))
        return changed

    def _takes_all(self, several: list[Part]) -> bool:
        case = self.case
        for part in several:
            case = next(part.simpler_cases(case), case)
        return case is not self.case and self._takes(case)


def let_go(case: Case) -> Iterator[Case]:
    """The case with a grip, an object, an arm or a floating root less."""
    if case.grips:
        yield replace(case, grips=())
        holding = [tip for tip, grip in enumerate(case.grips) if grip is not None]
        for tip in holding if len(holding) > 1 else ():
            yield replace(case, grips=tuple(None if each == tip else grip for each, grip in enumerate(case.grips)))
        yield from (_with_grip(case, tip, "rigid") for tip in holding if not isinstance(case.grips[tip], str))
    if case.thing is not None:
        yield replace(case, thing=None, grips=())
        if case.thing.geometry:
            yield replace(case, thing=TaskObject(case.thing.mass, case.thing.inertia, (), case.thing.name))
    for arm in range(len(case.robots)):
        if len(case.robots) > 1:
            yield case.without_arms([arm])
        if case.floating[arm] and case.robots[arm].links:
            yield case.bolted(arm)


def _with_grip(case: Case, tip: int, grip: str) -> Case:
    return replace(case, grips=tuple(grip if each == tip else own for each, own in enumerate(case.grips)))


def simplifications(case: Case) -> Iterator[Case]:
    """Every single step that a search tries, from one case."""
    n = len(case.q)
    yield from (case.without_links({k}) for k in range(n) if n > 1)
    yield from let_go(case)
    for several in parts_of(case):
        for part in several:
            yield from part.simpler_cases(case)
