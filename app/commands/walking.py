"""The walk through a moment as a film: of a machine that stands as it is loaded, or of a recording's first instant."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import numpy as np

import dynamics as dyn
from app.commands.filming import FORMS, RECORDING, must_be_there, must_encode, names_in
from app.commands.forms import writable
from app.commands.machines import machine
from app.commands.report import Told, bar
from app.walker.film import slides_of
from scenes.reel.slides import Slides

SMALLEST, LARGEST = 16, 4096


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
        ClickException: where the encoder or OpenGL is not installed, or the system has something against the file.
        StateError, ModelError: for what cannot be computed.
    """
    writable(out, FORMS)
    if seconds or dt or speed != 1.0:
        raise click.UsageError("--seconds, --dt and --speed are of a motion; --walk shows one moment.")
    if any(pixels % 2 or not SMALLEST <= pixels <= LARGEST for pixels in size):
        raise click.UsageError(f"--size: expected two even numbers of pixels, {SMALLEST} to {LARGEST}.")
    must_encode()
    solution, tau = _moment(name, floating)
    extra = names_in(layers or "")
    view = None if camera is None else np.array([camera[:3], camera[3:]])
    shown = Slides(solution, slides_of(solution, tau, extra), size, view, theme)
    count = _write(shown, Path(out), rate, each)
    return {"file": out, "pictures": count, "size": list(size), "lasts": count / rate, "steps": len(shown.slides)}


def _moment(name: str, floating: bool) -> tuple[dyn.Solution, np.ndarray[Any, Any]]:
    if Path(name).suffix.lower() != RECORDING:
        system, state = machine(name, floating)
        return dyn.forward_dynamics(system, state), np.zeros(system.n_joints)
    must_be_there(name)
    recording = dyn.load_recording(name)
    solution = recording.solution_at(float(recording.times[0]))
    return solution, np.asarray(solution.tau)


def _write(shown: Slides, target: Path, rate: float, each: float) -> int:
    """Under another name until it is whole."""
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with bar(len(shown.slides), target.name) as told:
            count = shown.write(beside, target.suffix.lower(), rate, each, lambda done, _: told.update(done - told.pos))
        beside.replace(target)
    except (OSError, RuntimeError) as error:
        raise click.ClickException(f"{target.name} cannot be written: {error}") from error
    finally:
        beside.unlink(missing_ok=True)
    return count


def in_words(report: Told) -> Iterator[str]:
    """The same for a person."""
    wide, high = report["size"]
    yield f"{report['file']}: {report['steps']} half-steps, {wide} x {high}, {report['lasts']:g} s"
