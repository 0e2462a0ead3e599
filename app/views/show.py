"""The contents of the scene, with switches, both vocabularies and the present scales."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import panel_material_ui as pmui
import param

import dynamics as dyn
import scenes
from app.binding import Binding
from app.component import Component
from app.state import Session
from app.views.components import Instrument, scrolled, text_pane, with_elements
from app.views.scene_words import icon, machine, names
from scenes import palette
from scenes.layers import symbol
from scenes.scene import amount_in_words

GROUPS = {
    "contacts": "Contact forces",
    "ellipsoids": "Ellipsoids at Oₖ: roots of eigenvalues",
    "flight": "The whole machine in flight",
    "arrows": "Arrows at Oₖ; two heads: angular part",
    "marks": "Marks",
}


class ShowList(Component):
    """Groups of checkboxes, each with a drawing, a symbol, words and a scale."""

    groups = param.List(default=[], item_type=dict, doc="Dicts of `title` and `items`: name, symbol, words, icon.")
    chosen = param.List(default=[], item_type=str, doc="Names of the items that are on.")
    scales = param.Dict(default={}, doc="Name -> what ten centimetres of it stand for.")
    theme: param.Selector = param.Selector(default="light", objects=["light", "dark"])

    _esm = with_elements(Path(__file__).with_name("show_list.js"))

    def paint(self, theme: palette.Theme) -> None:
        self.theme = theme


class Show(Instrument):
    """The machine in words, and the meaning of everything drawn; every layer can be switched here.

    Args:
        stated: the present scale of each visible layer: its unit, and the amount that ten centimetres represent.
        beside: the instrument with the kept runs.
    """

    follows = False
    session = param.ClassSelector(class_=Session)

    def __init__(
        self,
        session: Session,
        stated: Callable[[], dict[str, tuple[str, float]]],
        beside: Instrument | None = None,
        **params: object,
    ) -> None:
        self._stated, self._beside = stated, beside
        self._list = ShowList(sizing_mode="stretch_width", margin=(4, 12))
        self._block, self._around = choice(session, "block"), choice(session, "around")
        self._walked = switch(session, "follows_walk", "While paused, the walk chooses what is drawn")
        self._shadow = switch(session, "shadow", "Shadow on the floor")
        self._boxes = Binding(self._list, lambda: list(session.layers), self._choose, name="chosen", echoes=False)
        self._head, self._foot = text_pane("", (4, 12, 0, 12)), text_pane(foot_of(session.block))
        self.painted = [self._list] if beside is None else [self._list, beside]
        super().__init__(session=session, **params)
        head = [self._head] if beside is None else [self._head, beside]
        self.view = scrolled(*head, self._walked, self._around, self._block, self._list, self._shadow, self._foot)

    def _choose(self, chosen: list[str]) -> None:
        """Applies the boxes of this machine; layers of other machines stay as they were.

        A choice made while the walk chooses the layers ends the walk's choice.
        """
        if self.session.is_staged:
            self.session.follows_walk = False
        own = {layer.name for layer in scenes.layers_of(self.session.system)}
        elsewhere = [name for name in self.session.layers if name not in own]
        self.session.layers = [name for name in scenes.CHOICES if name in chosen or name in elsewhere]

    @param.depends("session.layers", watch=True, on_init=True)
    def _follow(self) -> None:
        """Updates the boxes, in view or not, so that they are right whenever the instrument is opened."""
        self._boxes.follow()

    def paint(self, theme: palette.Theme) -> None:
        super().paint(theme)
        self._write()

    @param.depends("session.run", watch=True, on_init=True)
    def _write(self) -> None:
        session, system = self.session, self.session.system
        self._head.object = f"<h3>{html.escape(session.title)}</h3><p>{machine(system)}.</p>"
        self._list.groups = groups_of(scenes.layers_of(system), system, self.theme)

    def draw(self) -> None:
        """Updates the boxes from the session, and the scales from the scene."""
        self._boxes.follow()
        if self._beside is not None:
            self._beside.draw()
        events = "".join(f"<li>{at:.2f} s: {html.escape(word)}</li>" for at, word in self.session.run.events)
        foot = foot_of(self.session.block)
        if events:
            foot = f"<p>In this run:</p><ul>{events}</ul>{foot}"
        self._foot.object = foot
        self._list.scales = {
            name: f"10 cm: {amount_in_words(amount, unit)}" for name, (unit, amount) in self._stated().items()
        }


def groups_of(layers: Iterable[scenes.Layer], system: dyn.System, theme: palette.Theme) -> list[dict[str, Any]]:
    """The groups of a list with these layers."""
    of = {group: [layer for layer in layers if layer.group == group] for group in GROUPS}
    return [
        {
            "title": GROUPS[group],
            "items": [
                {
                    "name": layer.name,
                    "symbol": symbol(layer, system),
                    "words": ": ".join(names(layer, system)),
                    "icon": icon(layer.form, palette.quantity(layer.color, theme)),
                }
                for layer in own
            ],
        }
        for group, own in of.items()
        if own
    ]


def switch(session: Session, name: str, label: str) -> pmui.Switch:
    found = pmui.Switch(label=label, value=getattr(session, name), size="small", margin=(4, 12))
    Binding.of_parameter(found, session, name)
    return found


def choice(session: Session, name: str) -> pmui.RadioButtonGroup:
    """A row of buttons that selects the value of a session's parameter."""
    buttons = pmui.RadioButtonGroup(
        options=dict(session.param[name].names), value=getattr(session, name), size="small", margin=(4, 12),
        sizing_mode="stretch_width", sx={"& .MuiToggleButton-root": {"textTransform": "none", "padding": "2px 6px"}},
    )  # fmt: skip
    Binding.of_parameter(buttons, session, name)
    return buttons


BLOCKS = {
    "translational": ("the mass", "2 √kg are 4 kg", "masses"),
    "rotational": ("the moment of inertia", "2 √kg m are 4 kg m²", "moments of inertia"),
}
"""For each block: what a length represents, an example, and the quantities with this scale."""


def foot_of(block: str) -> str:
    """How to read the drawing."""
    size, example, whose = BLOCKS[block]
    return (
        f"<p>A half axis of an ellipsoid is the root of {size} in its direction (for Λ: of the mobility): twice as "
        f"long is four times as much. So 10 cm that stand for {example}. The scale is chosen for the {whose} of this "
        "machine; those of the other block have their own.</p><p>A click on a link, an ellipsoid or an arrow moves the "
        "cursor to it. Drag turns the view, the wheel zooms, the right button shifts, a double click shows all.</p>"
    )
