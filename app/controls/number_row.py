"""A slider with its value beside it, in a field that can be typed into."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import panel_material_ui as pmui
from panel.viewable import Viewable, Viewer

from app.binding import Binding
from app.controls.number_field import EVERY, NumberField


class NumberRow(Viewer):
    """One value; whoever moves the slider or types is heard by ``act``. Beyond its range the slider is at its end.

    Args:
        name: with its unit.
        lower, upper, step: of the slider, in that unit.
        tell: is told in words what was typed in vain.
        least, most: of what can be typed.
        written: the format of the text.
    """

    def __init__(
        self,
        name: str,
        lower: float,
        upper: float,
        step: float,
        act: Callable[[float], None],
        tell: Callable[[str], None],
        *,
        least: float = -math.inf,
        most: float = math.inf,
        written: str = EVERY,
    ) -> None:
        super().__init__()
        self._value = min(max(0.0, lower), upper)
        self._places, self._looks = 0, dict[str, Any]()
        self.field = NumberField(name, act, tell, least=least, most=most, written=written, value=self._value)
        self.slider = pmui.FloatSlider(
            label=name, start=lower, end=upper, step=step, value=self._value, show_value=False, tooltips=False,
            size="small", sizing_mode="stretch_width", margin=(2, 6, 2, 18),
        )  # fmt: skip
        self._moved = Binding(self.slider, self._place, act)
        self.slider.param.watch(lambda event: self._moved.commit(event.new), "value_throttled")
        self._row = pmui.Row(self.slider, self.field.widget, sizing_mode="stretch_width", margin=0)
        self.look(name, lower, upper, step)

    def look(self, name: str, lower: float, upper: float, step: float) -> None:
        """Makes it another value's row, which ``show`` has to follow: to send other words costs less than a slider."""
        self._places = 3 - math.floor(math.log10(step))
        ends = {"start": round(lower, self._places), "end": round(upper, self._places)}
        self._looks = {"label": name, **ends, "step": step}
        self.field.rename(name)

    def _place(self) -> float:
        """Of the slider: as near to the value as it goes."""
        return float(min(max(round(self._value, self._places), self._looks["start"]), self._looks["end"]))

    def show(self, value: float) -> None:
        """Both widgets at a value."""
        self._value = value
        self._moved.follow(**self._looks)
        self.field.show(value)

    @property
    def visible(self) -> bool:
        """Whether it is of use now."""
        return bool(self._row.visible)

    @visible.setter
    def visible(self, on: bool) -> None:
        self._row.visible = on

    def __panel__(self) -> Viewable:
        return self._row
