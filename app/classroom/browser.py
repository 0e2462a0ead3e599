"""A lecturer's browser: its keys, pictures and files, and HTML made by the server, with the actions in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import param
from jinja2 import Template

from app.clipboard import COPYING
from app.component import Component
from app.number_text import beside_numbers
from app.views.components import templates, with_elements
from app.views.print_page import PRINTING

HERE = Path(__file__)
LONGEST_ADDRESS = 300  # characters of the page's own address
Hear = Callable[[Mapping[str, Any]], None]


def home_in(said: Mapping[str, Any]) -> str:
    """The page's own address as its browser reports it; else empty."""
    home = said.get("home")
    is_one = isinstance(home, str) and len(home) < LONGEST_ADDRESS and home.startswith(("http://", "https://"))
    return str(home) if is_one else ""


def template(name: str) -> Template:
    return templates(HERE.parent).get_template(name)


class LecturerBrowser(Component):
    """Invisible. It is sent ``shoot``, ``look``, ``keep``, ``save``, ``show``, or a ``token`` to store."""

    count = param.Integer(default=0, doc="How many moments there are: without any, no key is used.")
    presenting = param.Boolean(default=False, doc="Whether somebody may follow.")

    _esm = beside_numbers(COPYING, PRINTING, HERE.with_suffix(".js"))

    def __init__(self) -> None:
        super().__init__(width=0, height=0, margin=0)
        self._hear: list[Hear] = []

    def hear(self, hear: Hear) -> None:
        self._hear.append(hear)

    def send(self, **words: object) -> None:
        self._send_msg(words)

    def _handle_msg(self, data: object) -> None:
        if isinstance(data, Mapping):
            for hear in self._hear:
                hear(data)


class HtmlView(Component):
    """HTML made by the server, and what is done at its elements with ``data-do``.

    ``act`` receives ``do``, the ``number`` around it, and a field's ``value`` or all fields of a ``form``.
    """

    label = param.String(default="", doc="Its name for screen readers.")
    kind = param.String(default="", doc="Its class in style sheets.")
    html = param.String(default="")
    css = param.String(default="")
    word = param.String(default="", doc="What has just happened, for screen readers to say.")
    count = param.String(default="", doc="A line that changes often.")
    pictures = param.Dict(default={}, doc="Of each image, by what its ``data-picture`` says.")
    projected = param.Boolean(default=False, doc="Whether a class reads it from a distance.")

    _esm = with_elements(HERE.with_name("html_view.js"))

    def __init__(self, act: Hear, **params: Any) -> None:
        super().__init__(sizing_mode="stretch_width", **params)
        self._act = act

    def _handle_msg(self, data: object) -> None:
        if isinstance(data, Mapping):
            self._act(data)
