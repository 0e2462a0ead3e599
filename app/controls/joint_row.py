"""A slider with its value beside it, in a field that can be typed into."""

from __future__ import annotations

from collections.abc import Callable

import panel_material_ui as pmui
from panel.viewable import Viewable, Viewer

from app.binding import Binding
from app.number_text import read_number


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
        self._format = "{:z.2f}" if step >= 0.1 else "{:z.4f}"
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
        self._value = start
        self._moved = Binding(self._slider, lambda: round(self._value, 4), act)
        self._typing = False
        self._typed = Binding(self._field, self._text, self._read)
        self._written = Binding(
            self._field, self._text, self._type, name="value_input", held=lambda: self._typing
        )  # what stands in the field, which a browser may repeat as well

    def _text(self) -> str:
        return self._format.format(self._value)

    def _type(self, _: str) -> None:
        """The user is about to say something."""
        self._typing = True

    def _read(self, text: str) -> None:
        self._typing = False
        value = read_number(text.replace("−", "-").replace(",", ".").strip())  # as people type it
        if value is not None:
            self._act(value)
        self._written.follow()

    def show(self, value: float) -> None:
        """Both widgets at a value; a slider that is too short grows."""
        self._value = value
        rounded, slider = round(value, 4), self._slider
        if rounded < slider.start or rounded > slider.end:
            self._moved.follow(start=min(slider.start, rounded), end=max(slider.end, rounded))
        self._moved.follow()
        self._written.follow()
        self._typed.follow()

    def __panel__(self) -> Viewable:
        return pmui.Row(self._slider, self._field, sizing_mode="stretch_width", margin=0)


FIELD = {
    "& .MuiInputBase-root": {"marginTop": 0},
    "& .MuiInputBase-input": {"textAlign": "right", "padding": "2px 4px"},
}
