"""A slider with its value beside it, in a field that can be typed into."""

from __future__ import annotations

from collections.abc import Callable

import panel_material_ui as pmui
import param
from panel.viewable import Viewable, Viewer


class JointRow(Viewer):
    """One joint; whoever moves the slider or types a value is heard by ``act``.

    Args:
        name: with its unit.
        lower, upper, step: of the slider, in that unit.
    """

    def __init__(
        self, name: str, lower: float, upper: float, step: float, act: Callable[[float | None], None], **params: object
    ) -> None:
        super().__init__(**params)
        self._digits = 2 if step >= 0.1 else 4
        start = round(min(max(0.0, lower), upper), self._digits)
        self._slider = pmui.FloatSlider(
            label=name, start=round(lower, 4), end=round(upper, 4), step=step, value=start, show_value=False,
            tooltips=False, size="small", sizing_mode="stretch_width", margin=(2, 6, 2, 18),
        )  # fmt: skip
        self._field = pmui.FloatInput(
            label="", placeholder=name, value=start, step=step, variant="standard", size="small", width=74,
            margin=(12, 14, 0, 4), sx=FIELD,
        )  # fmt: skip
        for widget in (self._slider, self._field):
            widget.param.watch(lambda event: self._hear(event, act), "value")
        self._showing = False

    def _hear(self, event: param.parameterized.Event, act: Callable[[float | None], None]) -> None:
        if not self._showing:
            act(event.new)

    def show(self, value: float) -> None:
        """Both widgets at a value; a slider that is too short grows."""
        value = round(value, self._digits)
        self._showing = True
        try:
            if self._slider.value != value:
                slider = self._slider
                slider.param.update(start=min(slider.start, value), end=max(slider.end, value), value=value)
            if self._field.value != value:
                self._field.value = value
        finally:
            self._showing = False

    def __panel__(self) -> Viewable:
        return pmui.Row(self._slider, self._field, sizing_mode="stretch_width", margin=0)


FIELD = {
    "& .MuiInputBase-root": {"marginTop": 0},
    "& .MuiInputBase-input": {"textAlign": "right", "padding": "2px 4px"},
    "& .MuiInputAdornment-root": {"display": "none"},
}
"""The arrow keys do what the buttons of the field would."""
