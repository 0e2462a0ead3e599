"""Sphinx extension: writes the motions that a page embeds, as files that play by themselves."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import dynamics as dyn

SECONDS = 2.0
MOTIONS: Mapping[str, str] = MappingProxyType(
    {
        "puma560": "A PUMA 560, motors off",
        "two_arms_and_box": "Two arms let their box sink, motors off",
        "free_flyer": "A satellite and its arm, motors off",
    }
)
"""Example -> what moves."""


def write(folder: Path) -> None:
    """Each motion as a file named after its example."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, title in MOTIONS.items():
        system, state = dyn.example(name)
        dyn.simulate(system, state, duration=SECONDS).to_html(folder / f"{name}.html", title=title)


def finish(app: Any, fault: Exception | None) -> None:
    if fault is None and app.builder.format == "html":
        write(Path(app.outdir) / "_static" / "replays")


def setup(app: Any) -> dict[str, bool]:
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True}
