"""A number field: Enter or leaving it applies the number, Escape reverts it, and a refusal is explained in words."""

from __future__ import annotations

import math
import re
import reprlib
from collections.abc import Callable
from typing import Any

import panel_material_ui as pmui
import param

from app.binding import Binding
from app.state import Session
from app.state.address import bounded_float
from app.state.machine_loader import RefusedError
from app.views.components import View

EVERY = "{:z.6g}"  # Default number format
TYPED = "typed-number"  # CSS class of these fields, which ``keyboard.js`` looks for
THOUSAND = re.compile(r"[+-−]?[1-9][0-9]{0,2}(,[0-9]{3})+")
"""A number that may be meant with a thousands separator but is read with a decimal comma; two commas are no number."""


class NumberField(View):
    """One value; ``act`` receives a typed one. A line below it shows why the text is no number, or how it was read.

    Args:
        session: receives the same message, for users of a screen reader.
        name: with its unit.
        least, most: range of valid values.
        written: the format of the text.
        has_label: whether the name stands above the field, which is as wide as it may be; or is announced to screen
            readers only.
        looks: options of the text field.
    """

    def __init__(
        self, session: Session, name: str, act: Callable[[float], None], *, least: float = -math.inf,
        most: float = math.inf, written: str = EVERY, has_label: bool = False, value: float = 0.0, **looks: object,
    ) -> None:  # fmt: skip
        super().__init__()
        self.least, self.most = least, most
        self._session, self._name, self._act, self._written_as, self._value = session, name, act, written, value
        wide = {"label": name, "sizing_mode": "stretch_width", "margin": (4, 6)}
        narrow = {"label": "", "placeholder": name, "width": 78, "margin": (12, 14, 0, 4), "sx": FIELD}
        look = {"variant": "standard", "size": "small", **(wide if has_label else narrow), **looks}
        self.view = self.widget = pmui.TextInput(value=self._text(), css_classes=[TYPED], **look)
        self._typing = self._is_wrong = self._is_open = False
        self._heard = ""
        self._said = Binding(self.widget, self._text, self._read)
        self._written = Binding(
            self.widget, self._text, self._type, name="value_input", held=lambda: self._typing
        )  # the text in the field, which a browser may echo as well
        self.widget.param.watch(self._take_back, "value_input")

    @property
    def value(self) -> float:
        return self._value

    def _text(self) -> str:
        return self._written_as.format(self._value)

    def _type(self, text: str) -> None:
        """Notes that the user is typing; the message about the last input is removed."""
        self._typing = True
        if text != self._heard:
            self._say("")

    def _take_back(self, event: param.parameterized.Event) -> None:
        """Notes that the typing was undone, so that the field follows the state again."""
        self._typing = self._typing and event.new != self._text()

    def _read(self, text: str) -> None:
        self._typing, self._heard = False, text
        try:
            value = bounded_float(plain(text), self._name, self.least, self.most)
        except RefusedError as error:
            self._say(f"{reprlib.repr(text)} is not a number from {self.least:g} to {self.most:g}", is_wrong=True)
            self._session.whispered = str(error)
        else:
            self._say(f"read as {value:g}: a comma is a decimal point" if THOUSAND.fullmatch(text.strip()) else "")
            self._act(value)
        self._written.follow()

    def _say(self, words: str, is_wrong: bool = False) -> None:
        """Shows a message below the field until something else is typed."""
        self._is_wrong = is_wrong
        self.widget.param.update(helper_text=words, error_state=is_wrong or self._is_open)

    def rename(self, name: str) -> None:
        """Labels the field with another name."""
        self._name = name
        self.widget.param.update(**{"label" if self.widget.label else "placeholder": name})

    def show(self, value: float, is_open: bool = False) -> None:
        """Shows a value; ``is_open`` marks one that is not applied yet."""
        self._value, self._is_open = value, is_open
        self.widget.error_state = is_open or self._is_wrong
        self._written.follow()
        self._said.follow()


def plain(text: str) -> str:
    """A number as people type it, converted to the form that a computer reads."""
    return text.replace("−", "-").replace(",", ".").strip()


BELOW = {
    "& .MuiFormHelperText-root": {
        "position": "absolute", "top": "100%", "right": 0, "whiteSpace": "nowrap", "margin": 0, "zIndex": 2,
        "backgroundColor": "background.paper", "lineHeight": 1.2,
    },
}  # fmt: skip
"""Style of a message below a field that is narrower than the message."""
FIELD = BELOW | {
    "& .MuiInputBase-root": {"marginTop": 0},
    "& .MuiInputBase-input": {"textAlign": "right", "padding": "2px 4px"},
}


class NumberRow(View):
    """One value: ``act`` receives changes of slider and field. A value beyond the slider's range puts it at its end.

    Args:
        session: receives the message about a value that cannot be used.
        name: with its unit.
        lower, upper, step: of the slider, in that unit.
        least, most: range of the values that can be typed.
        written: the format of the text.
    """

    def __init__(
        self, session: Session, name: str, lower: float, upper: float, step: float, act: Callable[[float], None], *,
        least: float = -math.inf, most: float = math.inf, written: str = EVERY,
    ) -> None:  # fmt: skip
        super().__init__()
        self._value = min(max(0.0, lower), upper)
        self._places, self._looks = 0, dict[str, Any]()
        self.field = NumberField(session, name, act, least=least, most=most, written=written, value=self._value)
        self.slider = pmui.FloatSlider(
            label=name, start=lower, end=upper, step=step, value=self._value, show_value=False, tooltips=False,
            size="small", sizing_mode="stretch_width", margin=(2, 6, 2, 18),
        )  # fmt: skip
        self._moved = Binding(self.slider, self._place, act)
        self.slider.param.watch(lambda event: self._moved.commit(event.new), "value_throttled")
        self.view = self._row = pmui.Row(self.slider, self.field.widget, sizing_mode="stretch_width", margin=0)
        self.look(name, lower, upper, step)

    def look(self, name: str, lower: float, upper: float, step: float) -> None:
        """Relabels the row for another value, before ``show``: sending other labels costs less than another slider."""
        self._places = 3 - math.floor(math.log10(step))
        ends = {"start": round(lower, self._places), "end": round(upper, self._places)}
        self._looks = {"label": name, **ends, "step": step}
        self.field.rename(name)

    def _place(self) -> float:
        return float(min(max(round(self._value, self._places), self._looks["start"]), self._looks["end"]))

    def show(self, value: float) -> None:
        self._value = value
        self._moved.follow(**self._looks)
        self.field.show(value)

    @property
    def visible(self) -> bool:
        return bool(self._row.visible)

    @visible.setter
    def visible(self, on: bool) -> None:
        self._row.visible = on
