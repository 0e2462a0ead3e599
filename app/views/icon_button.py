"""A round button whose icon may change."""

from __future__ import annotations

from typing import Any

import panel_material_ui as pmui

ROOM = {"small": ("5px", "1.25rem"), "medium": ("8px", "1.5rem")}
"""Around an icon, and its height."""


def changing_icon_button(size: str = "medium", color: str = "inherit", **params: Any) -> pmui.Button:
    """Looks as ``pmui.IconButton`` does, which goes on showing the icon that it began with."""
    room, height = ROOM[size]
    look = {"minWidth": 0, "padding": f"{room} !important", "borderRadius": "50%", "color": color, "lineHeight": 1}
    return pmui.Button(label="", variant="text", size=size, icon_size=height, sx=look, **params)
