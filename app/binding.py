"""Two-way binding between a control and the state: the state moves the control, and a user's change moves the state."""

from __future__ import annotations

import operator
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

import param
from panel.io.document import unlocked

T = TypeVar("T")
PATIENCE = 3.0
"""Seconds during which a browser may still echo a value that the state has put into a control."""
REMEMBERED = 32
"""Largest number of remembered values."""


def nearest(offered: Iterable[float], value: float) -> float:
    """The offered value nearest to ``value``, for a control that offers only some values."""
    return min(offered, key=lambda other: abs(other - value))


def always(_: object) -> bool:
    """For our own components, which write only what the user does: every value is the user's."""
    return True


class Binding(Generic[T]):
    """Keeps one parameter of a control and one value of the state equal.

    A browser that cannot keep up echoes what the state has put into a control, possibly after the state has moved
    on. An echo is not marked as such, so a change counts as the user's unless it equals what the control already
    shows, or what the state put there less than ``PATIENCE`` seconds ago. An echo never reaches the state; the
    control is given its present value again.

    Args:
        control: object with the parameter ``name``.
        read: returns what the control should show now.
        act: applies a user's change to the state. The control then shows the resulting state, so an impossible value
            does not stay in it.
        is_users: distinguishes a value that only a user can choose from one that only the state puts there, if the two
            never coincide; then an echo is recognized however late it comes.
        held: whether the user is holding the control now; if so, the state does not move it.
    """

    def __init__(
        self,
        control: param.Parameterized,
        read: Callable[[], T],
        act: Callable[[T], None],
        *,
        name: str = "value",
        is_users: Callable[[T], bool] | None = None,
        held: Callable[[], bool] = lambda: False,
        same: Callable[[T, T], bool] = operator.eq,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._control, self._name = control, name
        self._read, self._act = read, act
        self._is_users, self._held, self._same, self._now = is_users, held, same, now
        self._shown: T = getattr(control, name)
        self._put_before: deque[tuple[T, float]] = deque(maxlen=REMEMBERED)
        self._heard: tuple[T, float] | None = None
        self._let_go: tuple[T, float] | None = None
        self._putting = False
        control.param.watch(self._hear, name)

    @classmethod
    def of_parameter(cls, control: param.Parameterized, state: param.Parameterized, name: str) -> Binding[Any]:
        """Binds a control to a parameter of the state, and follows it from now on."""

        def act(value: Any) -> None:
            setattr(state, name, value)

        binding: Binding[Any] = cls(control, lambda: getattr(state, name), act)
        binding.follow()
        state.param.watch(lambda _: binding.follow(), name)
        return binding

    @property
    def shown(self) -> T:
        """What the control shows."""
        return self._shown

    def follow(self, **looks: Any) -> None:
        """Moves the control to the state; sends nothing that is already shown.

        Args:
            looks: other parameters of the control that belong to the value, such as options or an end. If one changes,
                the value is sent again even if it is the same, because its label may have changed.
        """
        others = {name: look for name, look in looks.items() if getattr(self._control, name) != look}
        value = self._shown if self._held() else self._read()
        if others or not self._same(value, self._shown):
            self._put(value, others)

    def commit(self, value: T) -> None:
        """Reports where the user has let go: a change, unless that value has already been heard.

        The browser's half of a control can overtake itself: a value that comes while the one before is still on its way
        is undone there, and only the value at release is reported separately.
        """
        heard = self._heard is not None and self._is_recent(value, self._heard)
        if not (value is None or heard or self._same(value, self._shown)):
            self._take(value)  # the control does not show it yet; the next ``follow`` sends it

    def settle(self, value: T) -> None:
        """Reports that the user has let go at a value: if it is repeated now, it is no new change."""
        self._let_go = (value, self._now())

    def _put(self, value: T, others: dict[str, Any]) -> None:
        unmoved = self._same(value, getattr(self._control, self._name))
        if self._is_users is None and not unmoved:  # what the user has put there may be chosen again at once
            self._put_before.append((value, self._now()))
        self._shown, self._putting = value, True
        try:
            self._control.param.update(**others, **{self._name: value})
            if others and unmoved:
                self._control.param.trigger(self._name)
        finally:
            self._putting = False

    def _hear(self, event: param.parameterized.Event) -> None:
        value = event.new
        if self._putting or self._same(value, self._shown):
            return
        if self._let_go is not None and self._is_recent(value, self._let_go):
            return
        if self._is_repeated(value):
            # If the state has moved on since, its next ``follow`` updates the control; an echo triggers nothing else.
            if not self._held() and self._same(self._read(), self._shown):
                self._put(self._shown, {})
            return
        self._shown = value
        self._take(value)

    def _take(self, value: T) -> None:
        """Applies the user's change."""
        self._heard, self._let_go = (value, self._now()), None
        with unlocked():  # everything that a hundred controls show of it goes to the browser in one message
            self._act(value)
            self.follow()

    def _is_repeated(self, value: T) -> bool:
        if value is None:  # a menu between two lists of options; no user can choose None
            return True
        if self._is_users is not None and not self._is_users(value):
            return True
        return any(self._is_recent(value, put) for put in self._put_before)

    def _is_recent(self, value: T, before: tuple[T, float]) -> bool:
        return before[1] > self._now() - PATIENCE and self._same(value, before[0])
