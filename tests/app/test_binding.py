"""A control and the state stay equal, whatever a slow browser repeats."""

from __future__ import annotations

import math

import panel as pn
import param
import pytest

from app.binding import HEARD_AFTER, PATIENCE, Binding


class Control(param.Parameterized):
    """What a browser can write to; ``sent`` is what it was told."""

    value = param.Parameter(default=0)
    options = param.Dict(default={})

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[object] = []


class State(param.Parameterized):
    value = param.Parameter(default=0)


class Bound:
    """A state, a control, and a clock that the test moves."""

    def __init__(self, **options: object) -> None:
        self.control, self.state, self.now = Control(), State(), 0.0
        self.acts: list[object] = []
        self.binding: Binding[object] = Binding(
            self.control, lambda: self.state.value, self.act, now=lambda: self.now, **options
        )
        self.control.param.watch(lambda event: self.control.sent.append(event.new), "value")
        self.state.param.watch(lambda _: self.binding.follow(), "value")

    def act(self, value: object) -> None:
        self.acts.append(value)
        self.state.value = value


def test_the_state_moves_the_control_and_is_not_told_so() -> None:
    bound = Bound()
    bound.state.value = 5
    assert bound.control.value == bound.binding.shown == 5
    assert bound.acts == []


def test_a_users_change_moves_the_state_once() -> None:
    bound = Bound()
    bound.control.value = 7
    assert bound.state.value == 7
    assert bound.acts == [7]
    assert bound.control.sent == [7]


def test_where_it_is_let_go_counts_where_the_change_itself_was_lost() -> None:
    bound = Bound()
    bound.control.value = 7
    bound.binding.commit(8)  # which overtook the other on its way
    assert (bound.state.value, bound.control.value, bound.acts) == (8, 8, [7, 8])
    assert bound.control.sent == [7, 8]
    bound.control.value = 9
    bound.state.value = 5  # what the state makes of it
    for told in (9, 5, None):  # the same told once more, and nothing
        bound.binding.commit(told)
    assert (bound.state.value, bound.acts) == (5, [7, 8, 9])


def test_a_late_echo_never_moves_the_state_back() -> None:
    bound = Bound()
    for value in (1, 2, 3, 4):
        bound.now += 0.1
        bound.state.value = value
    for late in (1, 2, 3, 4, 3, 2):
        bound.now += 0.3
        bound.control.value = late
        assert bound.state.value == bound.control.value == 4
    assert bound.acts == []


def test_after_a_while_the_same_value_is_the_users() -> None:
    bound = Bound()
    bound.state.value = 1
    bound.state.value = 2
    bound.now += PATIENCE + 0.1
    bound.control.value = 1
    assert bound.acts == [1]


def test_what_the_user_has_left_is_no_echo() -> None:
    """Back and forth by hand, as quickly as one likes: the state has put nothing there."""
    bound = Bound()
    for value in (1, 0, 1, 0):
        bound.control.value = value
    assert bound.acts == [1, 0, 1, 0]


def test_an_echo_while_the_state_moves_sends_nothing() -> None:
    """Else every echo would be answered by a value that echoes again."""
    bound = Bound()
    bound.state.value = 1
    bound.state.value = 2
    with param.parameterized.discard_events(bound.state):
        bound.state.value = 3  # the clock has moved on, and will show it in its own time
    bound.control.sent.clear()
    bound.control.value = 1
    assert bound.control.sent == [1]
    bound.binding.follow()
    assert bound.control.sent == [1, 3]


def test_what_the_state_refuses_does_not_stay_in_the_control() -> None:
    bound = Bound()

    def clip(value: object) -> None:
        bound.state.value = min(value, 10)  # type: ignore[call-overload]

    bound.binding._act = clip
    bound.control.value = 12
    assert bound.state.value == bound.control.value == 10
    bound.now += PATIENCE + 0.1
    bound.control.value = 11
    assert bound.control.value == 10


def test_values_that_only_a_user_can_choose_need_no_patience() -> None:
    bound = Bound(is_users=lambda value: value == round(value))
    bound.state.value = 0.5
    bound.state.value = 1.5
    bound.now = 1e6
    bound.control.value = 0.5
    assert bound.acts == []
    assert bound.control.value == 1.5
    bound.control.value = 1
    assert bound.acts == [1]


def test_the_state_does_not_move_what_is_held() -> None:
    held = True
    bound = Bound(held=lambda: held)
    bound.control.value = 1
    bound.state.value = 2
    bound.control.value = 1.5
    assert bound.state.value == bound.control.value == 1.5
    with param.parameterized.discard_events(bound.state):
        bound.state.value = 3
    bound.binding.follow()
    assert bound.control.value == 1.5
    held = False
    bound.binding.follow()
    assert bound.control.value == 3


def test_where_the_user_let_go_is_no_new_change() -> None:
    bound = Bound()
    bound.control.value = 1
    bound.binding.settle(1)
    bound.state.value = 2
    bound.now += PATIENCE - 0.1
    bound.control.value = 1
    assert bound.acts == [1]
    assert bound.state.value == 2
    bound.control.value = 3
    bound.control.value = 1  # back there by hand
    assert bound.acts == [1, 3, 1]


def test_with_new_options_the_value_is_sent_anew() -> None:
    bound = Bound()
    bound.binding.follow(options={"a": 0})
    assert bound.control.options == {"a": 0}
    assert bound.control.sent == [0]
    bound.binding.follow(options={"a": 0})
    assert bound.control.sent == [0]
    assert bound.acts == []


@pytest.mark.parametrize("value", [1, "word", [1, 2], math.pi])
def test_a_parameter_is_bound_both_ways(value: object) -> None:
    control, state = Control(), State(value=3)
    Binding.of_parameter(control, state, "value")
    assert control.value == 3
    state.value = value
    assert control.value == value
    control.value = 4
    assert state.value == 4


def test_a_change_at_the_browser_is_acted_upon_soon() -> None:
    """Sooner than Panel would; the name by which it waits is Panel's own, and may be another one day."""
    slider = pn.widgets.FloatSlider()
    assert slider._debounce == 50
    Binding(slider, lambda: 0.0, lambda _: None)
    assert slider._debounce == HEARD_AFTER < 50
    assert pn.widgets.FloatSlider()._debounce == 50
