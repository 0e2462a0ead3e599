"""Two-way binding between a control and the state: the state moves the control, and a user's change moves the state."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Generic, TypeVar
from weakref import WeakValueDictionary

import panel as pn
import param
from panel.io.document import unlocked

from app.component import Component

T = TypeVar("T")
REMEMBERED = 32
"""Largest number of remembered values."""


class Receipts(Component):
    """Numbers what the state puts into a page's controls; the browser answers each number once it has drawn that."""

    sent = param.Integer(default=0, doc="Number of the last value that was put.")
    seen = param.Integer(default=-1, doc="The last number answered; -1 before the page is there.")

    _esm = "receipts.js"
    _of_page: ClassVar[WeakValueDictionary[int, Receipts]] = WeakValueDictionary()

    def __init__(self, **params: object) -> None:
        super().__init__(width=0, height=0, margin=0, **params)
        self._of_page[id(pn.state.curdoc)] = self

    @classmethod
    def of_page(cls) -> Receipts:
        """The present page's; without a page, some that nobody answers."""
        return cls._of_page.get(id(pn.state.curdoc)) or cls()

    def number(self) -> int:
        """The next number, sent with what it counts."""
        self.sent += 1
        return self.sent

    def awaits(self, number: int) -> bool:
        """Whether a browser may still write what it was sent with this number."""
        return 0 <= self.seen < number


def nearest(offered: Iterable[float], value: float) -> float:
    """The offered value nearest to ``value``, for a control that offers only some values."""
    return min(offered, key=lambda other: abs(other - value))


class Binding(Generic[T]):
    """Keeps one parameter of a control and one value of the state equal.

    A browser that cannot keep up echoes what the state has put into a control, possibly after the state has moved
    on. An echo is not marked as such, so a change counts as the user's unless it equals what the control already
    shows, or what the state put there and the browser has not yet drawn. An echo never reaches the state; the
    control is given its present value again.

    Args:
        control: object with the parameter ``name``.
        read: returns what the control should show now.
        act: applies a user's change to the state. The control then shows the resulting state, so an impossible value
            does not stay in it.
        echoes: false for our own components, which write only what the user does.
        held: whether the user is holding the control now; if so, the state does not move it.
    """

    def __init__(
        self,
        control: param.Parameterized,
        read: Callable[[], T],
        act: Callable[[T], None],
        *,
        name: str = "value",
        echoes: bool = True,
        held: Callable[[], bool] = lambda: False,
    ) -> None:
        self._control, self._name = control, name
        self._read, self._act = read, act
        self._echoes, self._held, self._receipts = echoes, held, Receipts.of_page()
        self._shown: T = getattr(control, name)
        self._put_before: deque[tuple[T, int]] = deque(maxlen=REMEMBERED)
        self._heard: T | None = None
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
        if others or value != self._shown:
            self._put(value, others)

    def commit(self, value: T) -> None:
        """Reports where the user has let go: a change, unless that value has already been heard.

        The browser's half of a control can overtake itself: a value that comes while the one before is still on its way
        is undone there, and only the value at release is reported separately.
        """
        if value not in (None, self._heard, self._shown):
            self._take(value)  # the control does not show it yet; the next ``follow`` sends it

    def _put(self, value: T, others: dict[str, Any]) -> None:
        unmoved = value == getattr(self._control, self._name)
        self._shown, self._putting = value, True
        try:
            self._control.param.update(**others, **{self._name: value})
            if others and unmoved:
                self._control.param.trigger(self._name)
        finally:
            self._putting = False
        if self._echoes and not unmoved:  # what the user has put there may be chosen again at once
            self._put_before.append((value, self._receipts.number()))

    def _hear(self, event: param.parameterized.Event) -> None:
        value = event.new
        if self._putting or value == self._shown:
            return
        if self._is_repeated(value):
            # If the state has moved on since, its next ``follow`` updates the control; an echo triggers nothing else.
            if not self._held() and self._read() == self._shown:
                self._put(self._shown, {})
            return
        self._shown = value
        self._take(value)

    def _take(self, value: T) -> None:
        """Applies the user's change."""
        self._heard = value
        with unlocked():  # everything that a hundred controls show of it goes to the browser in one message
            self._act(value)
            self.follow()

    def _is_repeated(self, value: T) -> bool:
        if value is None:  # a menu between two lists of options; no user can choose None
            return True
        return any(value == put and self._receipts.awaits(number) for put, number in self._put_before)
