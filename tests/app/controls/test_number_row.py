"""A slider and the field beside it show one value, whatever a slow browser repeats."""

from __future__ import annotations

import panel_material_ui as pmui
import pytest

from app.controls.number_row import NumberRow


class Joint:
    """A joint row, and what it was told."""

    def __init__(self) -> None:
        self.acts: list[float] = []
        self.most = 1e3
        self.told: list[str] = []
        self.row = NumberRow(
            "joint (°)", -170.0, 170.0, 0.5, self._act, self.told.append, least=-1e3, most=1e3, written="{:z.2f}"
        )
        (self.slider,) = self.row.__panel__().select(pmui.FloatSlider)
        (self.field,) = self.row.__panel__().select(pmui.TextInput)

    def _act(self, value: float) -> None:
        self.acts.append(value)
        self.row.show(min(value, self.most))


@pytest.fixture
def joint() -> Joint:
    joint = Joint()
    joint.row.show(45.0)
    return joint


def test_what_a_browser_repeats_does_not_stay_in_the_field(joint: Joint) -> None:
    for value in (45.5, 46.0, 46.5):
        joint.slider.value = value
    joint.field.value_input = "46.00"  # late
    assert joint.field.value_input == "46.50"
    joint.field.param.update(value="45.50", value_input="45.50")
    assert joint.field.value_input == joint.field.value == "46.50"
    assert joint.acts == [45.5, 46.0, 46.5]


def test_what_is_being_typed_stays_until_it_is_said(joint: Joint) -> None:
    joint.field.value_input = "-3"
    joint.row.show(45.0)
    assert joint.field.value_input == "-3"
    joint.field.param.update(value="-30", value_input="-30")
    assert joint.acts == [-30.0]
    assert joint.field.value_input == joint.field.value == "-30.00"


@pytest.mark.parametrize("text", ["up", "", "1e999"])
def test_what_is_no_number_goes(joint: Joint, text: str) -> None:
    joint.field.param.update(value=text, value_input=text)
    assert joint.acts == []
    assert joint.field.value_input == joint.field.value == "45.00"
    assert len(joint.told) == 1
    assert "expected a number from -1000 to 1000" in joint.told[0]


def test_a_wrong_number_is_told_at_its_field_until_something_else_is_typed(joint: Joint) -> None:
    joint.field.param.update(value="4000", value_input="4000")
    assert joint.field.helper_text == "'4000' is no number from -1000 to 1000"
    assert joint.field.error_state
    joint.row.show(45.0)  # the state may change meanwhile
    assert joint.field.error_state
    joint.field.value_input = "4"
    assert (joint.field.helper_text, joint.field.error_state) == ("", False)
    joint.field.param.update(value="40", value_input="40")
    assert (joint.acts, joint.field.helper_text) == ([40.0], "")


@pytest.mark.parametrize(
    ("text", "value", "said"), [("1,000", 1.0, "read as 1: a comma"), ("1,5", 1.5, ""), ("0,125", 0.125, "")]
)
def test_a_comma_that_may_mean_thousands_is_said_as_it_was_read(
    joint: Joint, text: str, value: float, said: str
) -> None:
    joint.field.param.update(value=text, value_input=text)
    assert joint.acts == [value]
    assert joint.field.helper_text.startswith(said)
    assert bool(joint.field.helper_text) == bool(said)


def test_what_was_typed_and_taken_back_holds_nothing(joint: Joint) -> None:
    joint.field.value_input = "45.001"
    joint.field.value_input = "45.00"  # as it stood: Escape, or by hand
    joint.row.show(50.0)
    assert joint.field.value_input == joint.field.value == "50.00"
    assert joint.acts == []


def test_beyond_its_range_the_slider_is_at_its_end(joint: Joint) -> None:
    joint.field.param.update(value="-400", value_input="-400")
    assert joint.acts == [-400.0]
    assert (joint.slider.value, joint.slider.start, joint.field.value) == (-170.0, -170.0, "-400.00")
    joint.slider.value = -100.0
    assert joint.acts == [-400.0, -100.0]
    assert joint.field.value == "-100.00"


def test_a_value_that_the_joint_does_not_take_goes(joint: Joint) -> None:
    joint.most = 90.0
    joint.field.param.update(value="400", value_input="400")
    assert joint.field.value_input == joint.field.value == "90.00"
    assert joint.slider.value == 90.0


def test_the_place_where_the_slider_is_let_go_counts(joint: Joint) -> None:
    """Its last move may be taken back in the browser by the one before."""
    joint.slider.value = 45.5
    joint.slider.param.update(value_throttled=47.0)
    assert joint.acts == [45.5, 47.0]
    assert (joint.slider.value, joint.field.value) == (47.0, "47.00")
    joint.most = 50.0
    joint.slider.param.update(value=60.0, value_throttled=60.0)
    assert joint.acts == [45.5, 47.0, 60.0]
    assert (joint.slider.value, joint.field.value) == (50.0, "50.00")
