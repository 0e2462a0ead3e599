"""A slider with its value beside it, in a field that can be typed into."""

from __future__ import annotations

import math
from collections.abc import Callable

import panel_material_ui as pmui
from panel.viewable import Viewable, Viewer


class JointRow(Viewer):
    """One joint; whoever moves the slider or types a value is heard by ``act``.

    Args:
        name: with its unit.
        lower, upper, step: of the slider, in that unit.
    """

    def __init__(
        self, name: str, lower: float, upper: float, step: float, act: Callable[[float], None], **params: object
    ) -> None:
        super().__init__(**params)
        self._format = "{:.2f}" if step >= 0.1 else "{:.4f}"
        start = min(max(0.0, lower), upper)
        self._slider = pmui.FloatSlider(
            label=name, start=round(lower, 4), end=round(upper, 4), step=step, value=start, show_value=False,
            tooltips=False, size="small", sizing_mode="stretch_width", margin=(2, 6, 2, 18),
        )  # fmt: skip
        self._field = pmui.TextInput(
            label="", placeholder=name, value=self._format.format(start), variant="standard", size="small", width=74,
            margin=(12, 14, 0, 4), sx=FIELD,
        )  # fmt: skip
        self._act = act
        self._shown = start
        self._showing = False
        self._slider.param.watch(lambda event: self._hear(event.new), "value")
        self._field.param.watch(lambda event: self._hear(read_number(event.new)), "value")

    def _hear(self, value: float | None) -> None:
        if self._showing:
            return
        if value is not None:
            self._act(value)
        self.show(self._shown)  # what is no number, or was not possible, does not stay in the field

    def show(self, value: float) -> None:
        """Both widgets at a value; a slider that is too short grows."""
        self._shown = value
        text, rounded = self._format.format(value), round(value, 4)
        self._showing = True
        try:
            if self._slider.value != rounded:
                slider = self._slider
                slider.param.update(start=min(slider.start, rounded), end=max(slider.end, rounded), value=rounded)
            if self._field.value != text or self._field.value_input != text:
                self._field.param.update(value=text, value_input=text)
        finally:
            self._showing = False

    def __panel__(self) -> Viewable:
        return pmui.Row(self._slider, self._field, sizing_mode="stretch_width", margin=0)


def read_number(text: str) -> float | None:
    """A number as people type it, or None."""
    try:
        value = float(text.replace("−", "-").replace(",", ".").strip())
    except ValueError:
        return None
    return value if math.isfinite(value) else None


FIELD = {
    "& .MuiInputBase-root": {"marginTop": 0},
    "& .MuiInputBase-input": {"textAlign": "right", "padding": "2px 4px"},
}
