"""The style of the sheets in both themes, and the font of formulas: many devices have no mathematical font."""

from __future__ import annotations

import base64
import functools
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from scenes import palette

BAD: Mapping[str, str] = MappingProxyType({"light": "#B3261E", "dark": "#FF8A80"})
"""Color of a broken line."""
SIGNS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {"light": ("#1C5A9C", "#B45309"), "dark": ("#7AB8F5", "#F5A55A")}
)
"""Tile colors: positive, and negative, which is hatched as well."""


def css(theme: palette.Theme) -> str:
    """The style of a sheet, for elements outside a sheet."""
    return colors_of(theme) + _sheet()


def colors_of(theme: palette.Theme) -> str:
    """The part of a sheet's style that depends on the theme; the rest comes with every ``Sheet``."""
    return f":host {{ display: block; {variables(theme)} }}"


def variables(theme: palette.Theme) -> str:
    """The colors under the names that the style sheets use."""
    return (
        f"--ink: {palette.INK[theme]}; --paper: {palette.BACKGROUND[theme]}; --selected: {palette.SELECTED[theme]};"
        f"--axis: {palette.quantity('axis', theme)}; --shade: {palette.quantity('gain', theme)};"
        f"--focus: {palette.quantity('predicted', theme)}; --bad: {BAD[theme]};"
        f"--plus: {SIGNS[theme][0]}; --minus: {SIGNS[theme][1]};"
    )


@functools.cache
def _sheet() -> str:
    return Path(__file__).with_name("sheet.css").read_text(encoding="utf-8")


FONTS = Path(__file__).resolve().parents[2] / "assets" / "fonts"
FONTS_NAME, FONT = "armsweep_fonts", "math.woff2"
"""The folder's name in addresses, and the one font file in it."""


def face(address: str) -> str:
    """The font's declaration, for a document; its shadow roots inherit it."""
    return (
        f'@font-face {{ font-family: "Armsweep Math"; font-display: swap; src: url("{address}") format("woff2"); }}\n'
    )


def served_face(root: str = "") -> str:
    """The declaration for a page of this server; ``root`` leads from the page's folder to the app's, with a slash."""
    return face(f"{root}static/extensions/{FONTS_NAME}/{FONT}")


@functools.cache
def face_within() -> str:
    """The declaration for a page that is a file of its own: it contains the whole font, 80 kB."""
    text = base64.b64encode((FONTS / FONT).read_bytes()).decode()
    return face(f"data:font/woff2;base64,{text}")
