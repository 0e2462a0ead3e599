"""A run as a film: of a recording, or of a machine that is let move."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from reprlib import repr as brief
from typing import Any

import click

import dynamics as dyn
from app.commands.forms import told, writable
from app.commands.report import Told, bar
from app.commands.running import how_it_went, moved

FORMS = (".mp4", ".webm")
RECORDING = ".recording"
SECONDS, DT = 1.0, 1e-3


def film(
    name: str, floating: bool, seconds: float | None, dt: float | None, out: str,
    size: tuple[int, int], rate: float, layers: str | None, camera: tuple[float, ...] | None, **options: Any,
) -> Told:  # fmt: skip
    """Draws it, and tells what has been written.

    Args:
        name: of a machine, or the path of its file, or of a recording.
        floating: whether the machine's base floats.
        seconds, dt: of a machine, how long it moves, and a step of it.
        out: the path of the film.
        size, rate: in pixels, and in pictures a second.
        layers: names with commas between.
        camera: six numbers, where it stands and what it looks at.
        options: of ``Recording.to_film``, as the others.

    Raises:
        UsageError: for what is no machine and no recording, or no form of a film.
        ClickException: where the encoder is not installed.
        StateError: for what cannot be drawn, or written.
    """
    writable(out, FORMS)
    must_encode()
    recording = recording_of(name, floating, seconds, dt)
    chosen = None if layers is None else names_in(layers)
    pictures = drawn(recording, out, camera, size=size, rate=rate, layers=chosen, **options)
    report = told(recording, out)
    del report["samples"], report["columns"]
    return report | {"pictures": pictures, "size": list(size), "lasts": pictures / rate}


def drawn(recording: dyn.Recording, out: str, camera: tuple[float, ...] | None, **options: Any) -> int:
    """A film of it, while a bar says how far it is; of how many parts that told: pictures, or steps of a walk."""
    view = None if camera is None else [camera[:3], camera[3:]]
    with bar(1, Path(out).name) as shown:

        def progress(done: int, size: int) -> None:
            shown.length = size
            shown.update(done - shown.pos)

        recording.to_film(out, camera=view, progress=progress, **options)
        return int(shown.length)


def must_encode() -> None:
    """Whether films can be packed here.

    Raises:
        ClickException: where the encoder is not installed.
    """
    if find_spec("av") is None:
        raise click.ClickException("films need PyAV, which brings their encoder: pip install armsweep[film].")


def must_be_there(name: str) -> None:
    """Whether there is such a recording.

    Raises:
        UsageError: if not.
    """
    if not os.path.exists(name):
        raise click.UsageError(f"there is no recording {brief(name)}.")


def names_in(words: str) -> list[str]:
    """Names with commas between."""
    return [one.strip() for one in words.split(",") if one.strip()]


def recording_of(name: str, floating: bool, seconds: float | None, dt: float | None) -> dyn.Recording:
    """The recording in a file of that form, or of a machine that is let move.

    Raises:
        UsageError: for what is no machine and no recording, or what is asked of a recording and is of a machine.
        StateError: for a file that is no recording, or a run that cannot be computed.
    """
    if Path(name).suffix.lower() != RECORDING:
        return moved(name, floating, seconds or SECONDS, dt or DT)
    must_be_there(name)
    if floating or seconds or dt:
        raise click.UsageError("--floating, --seconds and --dt are of a machine; a recording is as it is.")
    return dyn.load_recording(name)


def in_words(report: Told) -> Iterator[str]:
    """The same for a person."""
    wide, high = report["size"]
    yield f"{report['file']}: {report['pictures']} pictures of {wide} x {high}, {report['lasts']:g} s"
    yield from how_it_went(report)
