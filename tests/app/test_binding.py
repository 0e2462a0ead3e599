"""A control and the state stay equal, whatever a slow browser repeats."""

import param

from app.binding import Binding, Receipts


class Control(param.Parameterized):
    """What a browser can write to; ``sent`` is what it was told."""

    value = param.Parameter(default=0)
    options = param.Dict(default={})

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[object] = []


class State(param.Parameterized):
    value = param.Parameter(default=0)


class BoundControl:
    """A state, a control, and a browser that has drawn nothing yet."""

    def __init__(self, **options: object) -> None:
        self.control, self.state = Control(), State()
        self.acts: list[object] = []
        self.receipts = Receipts(seen=0)
        self.binding: Binding[object] = Binding(self.control, lambda: self.state.value, self.act, **options)
        self.control.param.watch(lambda event: self.control.sent.append(event.new), "value")
        self.state.param.watch(lambda _: self.binding.follow(), "value")

    def act(self, value: object) -> None:
        self.acts.append(value)
        self.state.value = value


def test_a_user_goes_back_at_once_though_a_label_changes_with_the_value() -> None:
    bound = BoundControl()
    for value in (1, 2, 3, 2, 1, 0):
        bound.control.value = value
        bound.binding.follow(options={"label": value})
        assert bound.state.value == bound.control.value == value


def test_where_it_is_let_go_counts_where_the_change_itself_was_lost() -> None:
    bound = BoundControl()
    bound.control.value = 7
    bound.binding.commit(8)  # which overtook the other on its way
    assert ((bound.state.value, bound.control.value, bound.acts), bound.control.sent) == ((8, 8, [7, 8]), [7, 8])
    bound.control.value = 9
    bound.state.value = 5  # what the state makes of it
    for told in (9, 5, None):  # the same told once more, and nothing
        bound.binding.commit(told)
    assert (bound.state.value, bound.acts) == (5, [7, 8, 9])


def test_a_late_echo_never_moves_the_state_back() -> None:
    bound = BoundControl()
    for value in (1, 2, 3, 4):
        bound.state.value = value
    bound.receipts.seen = bound.receipts.sent - 3  # the browser has drawn the first
    for late in (2, 3, 4, 3, 2):
        bound.control.value = late
        assert bound.state.value == bound.control.value == 4
    assert bound.acts == []
    bound.control.value = 1
    assert (bound.state.value, bound.acts) == (1, [1])


def test_once_the_browser_has_drawn_it_every_value_is_the_users() -> None:
    bound = BoundControl()
    for value in (1, 2, 3):
        bound.state.value = value
        bound.receipts.seen = bound.receipts.sent
        for chosen in (value - 1, value):
            bound.control.value = chosen
            assert bound.state.value == bound.control.value == chosen


def test_what_the_state_refuses_does_not_stay_in_the_control() -> None:
    bound = BoundControl()

    def clip(value: object) -> None:
        bound.state.value = min(value, 10)  # type: ignore[call-overload]

    bound.binding._act = clip
    bound.control.value = 12
    assert bound.state.value == bound.control.value == 10
    bound.receipts.seen = bound.receipts.sent
    bound.control.value = 11
    assert bound.control.value == 10


def test_the_state_does_not_move_what_is_held() -> None:
    held = True
    bound = BoundControl(held=lambda: held)
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
