"""The style of the sheets in both themes."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path

from scenes import palette

BAD: Mapping[str, str] = {"light": "#B3261E", "dark": "#FF8A80"}
"""Color of a broken line."""
SIGNS: Mapping[str, tuple[str, str]] = {"light": ("#1C5A9C", "#B45309"), "dark": ("#7AB8F5", "#F5A55A")}
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
