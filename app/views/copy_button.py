"""A button that copies what is shown as data, with all digits."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import param

from app.clipboard import COPYING
from app.component import Component
from app.number_text import beside_numbers

LOOK = """
:host { font: 0.8125rem/1.4 Roboto, "Helvetica Neue", Arial, sans-serif; color: inherit; }
button {
  font: inherit; color: inherit; background: none; cursor: pointer; min-height: 24px;
  padding: 1px 8px; border-radius: 4px; border: 1px solid rgba(128, 128, 128, 0.6);
}
button:hover { background: rgba(128, 128, 128, 0.14); }
button:focus-visible { outline: 2px solid currentColor; outline-offset: 1px; }
.told { margin-left: 8px; }
"""


class CopyButton(Component):
    """Asks for the text when it is pressed.

    Args:
        text: what is to be copied; nothing where there is nothing yet.
    """

    label = param.String(default="Copy", doc="What stands on it.")
    what = param.String(default="It is", doc="What has been copied, before the word *copied*.")

    _esm = beside_numbers(COPYING, Path(__file__).with_name("copy_button.js"))
    _stylesheets = [LOOK]  # noqa: RUF012

    def __init__(self, text: Callable[[], str], **params: Any) -> None:
        super().__init__(**params)
        self._text = text

    def _handle_msg(self, data: object) -> None:
        if data == "copy" and (text := self._text()):
            self._send_msg({"copy": text})
