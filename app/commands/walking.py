"""The walk through a moment as a film: of a machine that stands as it is loaded, or of a recording's first instant."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

import dynamics as dyn
from app.commands.filming import FORMS, RECORDING, drawn, must_be_there, must_encode, names_in
from app.commands.forms import writable
from app.commands.machines import machine
from app.commands.report import Told
from scenes.reel.slides import pictures_of


def film(
    name: str, floating: bool, seconds: float | None, dt: float | None, out: str, each: float,
    size: tuple[int, int], rate: float, speed: float, layers: str | None, camera: tuple[float, ...] | None, theme: Any,
) -> Told:  # fmt: skip
    """Draws it, and tells what has been written; what is stopped on the way is not written at all.

    Args:
        name: of a machine, or the path of its file, or of a recording, whose first instant is walked through.
        each: s, how long a half-step is shown.

    Raises:
        UsageError: for what is no machine and no recording, or an option of a motion.
        ClickException: where the encoder is not installed.
        StateError, ModelError: for what cannot be computed, drawn or written.
    """
    writable(out, FORMS)
    if seconds or dt or speed != 1.0:
        raise click.UsageError("--seconds, --dt and --speed are of a motion; --walk shows one moment.")
    must_encode()
    recording = _moment(name, floating)
    extra = names_in(layers or "")
    steps = drawn(recording, out, camera, size=size, rate=rate, layers=extra, theme=theme, walk=each)
    count = pictures_of(steps, each, rate)
    return {"file": out, "pictures": count, "size": list(size), "lasts": count / rate, "steps": steps}


def _moment(name: str, floating: bool) -> dyn.Recording:
    """A recording that begins there."""
    if Path(name).suffix.lower() != RECORDING:
        return dyn.Simulation(*machine(name, floating)).recording
    must_be_there(name)
    return dyn.load_recording(name)


def in_words(report: Told) -> Iterator[str]:
    """The same for a person."""
    wide, high = report["size"]
    yield f"{report['file']}: {report['steps']} half-steps, {wide} x {high}, {report['lasts']:g} s"
