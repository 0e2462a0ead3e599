"""A machine that moves with its motors off, or a recording, written as numbers, a page, a film or a 3D scene."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from itertools import pairwise
from math import ceil
from pathlib import Path
from reprlib import repr as brief

import click

import dynamics as dyn
from app.commands.report import Report, aside, bar
from app.motion.assembly import closed_start
from scenes.reel.slides import pictures_of

RECORDING = ".recording"
FORMS: Mapping[str, Callable[..., None]] = {
    RECORDING: dyn.Recording.save, ".csv": dyn.Recording.to_csv, ".parquet": dyn.Recording.to_parquet,
    ".npz": dyn.Recording.to_npz, ".mat": dyn.Recording.to_mat, ".html": dyn.Recording.to_html,
    ".glb": dyn.Recording.to_gltf,
}  # fmt: skip
FILMS = (".mp4", ".webm")
SECONDS, DT = 1.0, 1e-3
PIECES, LONGEST = 100, 10_000
"""A run is computed in this number of pieces, of limited length in steps, so that it can be stopped between them."""
MOST_STEPS = 10_000_000


def machine(name: str, floating: bool, remarks: bool = True) -> tuple[dyn.System, dyn.State]:
    """A system and its first state.

    Args:
        name: of an example or of a packaged robot, or the path of a URDF file or a MuJoCo model.
        floating: whether the robot's base floats.
        remarks: whether to print remarks on the file.

    Raises:
        UsageError: for a name that is neither a machine nor a file.
        ModelError: for an error in the file.
        SingularConfigurationError: for loops that no posture closes.
    """
    if name not in machine_names() and not os.path.exists(name):
        known = ", ".join(machine_names())
        raise click.UsageError(f"there is no machine and no file {brief(name)}; machines are {known}.")
    if name in dyn.examples() and not floating:
        return dyn.example(name)
    if name in dyn.examples() and name not in dyn.robot_names():
        raise click.UsageError(f"--floating: {name} cannot be made to float; give the name or the file of a robot.")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # they repeat the remarks
        robot = dyn.load(name)
    for remark in robot.remarks if remarks else ():
        aside(f"{name}: {remark}")
    system = dyn.free_flyer(robot) if floating else dyn.single_arm(robot)
    state, words = closed_start(system, system.home())
    if words:
        aside(f"{name}: {words}")
    return system, state


def machine_names() -> list[str]:
    return sorted({*dyn.examples(), *dyn.robot_names()})


def recording_of(name: str, floating: bool, seconds: float | None, dt: float | None) -> dyn.Recording:
    """The recording in a file, or of a machine that moves with its motors off, computed piece by piece.

    Raises:
        UsageError: for a name that is no machine or recording, too many steps, or options that a recording lacks.
        StateError: for a file that is not a recording, or a run that cannot be computed.
    """
    if Path(name).suffix.lower() == RECORDING:
        if not os.path.exists(name):
            raise click.UsageError(f"there is no recording {brief(name)}.")
        if floating or seconds or dt:
            raise click.UsageError("--floating, --seconds and --dt are for a machine; a recording is as it is.")
        return dyn.load_recording(name)
    duration, step = seconds or SECONDS, dt or DT
    system, state = machine(name, floating)
    if duration / step > MOST_STEPS:
        raise click.UsageError(f"{duration:g} s in steps of {step:g} s are more than {MOST_STEPS:,} steps.")
    steps = max(round(duration / step), 1)  # equal steps that end with the run, as in one piece
    step = duration / steps
    simulation = dyn.Simulation(system, state, dt=step)
    ends = [step * k for k in range(0, steps, min(ceil(steps / PIECES), LONGEST))]
    with bar(name) as advance:
        for done, (start, end) in enumerate(pairwise([*ends, duration]), 1):
            simulation.advance(end - start)
            advance(done, len(ends))
    return simulation.recording


def run(
    name: str, floating: bool, seconds: float | None, dt: float | None, out: str, forms: Iterable[str] = FORMS
) -> Report:
    """Write a run or a recording in the format given by the file's suffix. Arguments are checked first.

    Raises:
        UsageError: as ``recording_of``, and for a file of another format, or in a folder that does not exist.
        ClickException: if the writer of the format is not installed.
        StateError: for a run that cannot be computed, or a file that cannot be written.
    """
    path = output_path(out, forms)
    form = path.suffix.lower()
    if form == ".parquet" and find_spec("pyarrow") is None:
        raise click.ClickException("Parquet files need pyarrow: pip install armsweep[files].")
    recording = recording_of(name, floating, seconds, dt)
    FORMS[form](recording, path)
    return report_of(recording, out)


def output_path(out: str, forms: Iterable[str]) -> Path:
    """The path of a file in one of the given formats, in a folder that exists.

    Raises:
        UsageError: for any other path.
    """
    path = Path(out)
    if path.suffix.lower() not in forms:
        raise click.UsageError(
            f"{brief(out)} ends in {brief(path.suffix.lower())}; expected one of {', '.join(forms)}."
        )
    if os.path.isdir(path) or not os.access(path.parent, os.W_OK):
        raise click.UsageError(f"{brief(out)} cannot be written: give a file in a folder that is there and yours.")
    return path


def report_of(recording: dyn.Recording, out: str) -> Report:
    return {
        "file": out,
        "samples": len(recording.t),
        "seconds": recording.duration,
        "columns": len(recording.columns()),
        "events": [{"time": time, "what": what} for time, what in recording.events],
        "stopped": recording.stopped,
        "doubtful_from": recording.doubtful_from,
    }


def film(
    name: str, floating: bool, seconds: float | None, dt: float | None, out: str, walk: float | None,
    size: tuple[int, int], rate: float, speed: float, layers: str | None, camera: Sequence[float] | None, theme: str,
) -> Report:  # fmt: skip
    """Draw a run, or the walk through its first instant.

    Args:
        walk: s for which each half-step of the walk is shown; None for the motion.
        layers: names separated by commas.
        camera: six numbers, its position and the point at which it looks.

    The others are those of ``run`` and of ``Recording.to_film``.

    Raises:
        UsageError: as ``run``, and for options that a walk does not have.
        ClickException: if the encoder is not installed.
        StateError: if it cannot be drawn or written.
    """
    path = output_path(out, FILMS)
    if walk is not None and (seconds or dt or speed != 1.0):
        raise click.UsageError("--seconds, --dt and --speed are for a motion; --walk shows one moment.")
    if find_spec("av") is None:
        raise click.ClickException("films need PyAV, which brings their encoder: pip install armsweep[film].")
    if walk is not None and Path(name).suffix.lower() != RECORDING:
        recording = dyn.Simulation(*machine(name, floating)).recording  # its first instant is enough
    else:
        recording = recording_of(name, floating, seconds, dt)
    chosen = None if layers is None else [one.strip() for one in layers.split(",") if one.strip()]
    view = None if camera is None else [camera[:3], camera[3:]]
    count = 0
    with bar(path.name) as advance:

        def drawn(done: int, pictures: int) -> None:
            nonlocal count
            count = pictures
            advance(done, pictures)

        recording.to_film(path, size, rate, speed, chosen, view, theme, drawn, walk)
    report = report_of(recording, out)
    del report["samples"], report["columns"]
    if walk is not None:
        report["half_steps"], count = count, pictures_of(count, walk, rate)
    return report | {"pictures": count, "size": list(size), "lasts": count / rate}


def run_in_words(report: Report) -> Iterator[str]:
    yield f"{report['file']}: {report['samples']} samples of {report['columns']} columns, {report['seconds']:g} s"
    yield from _events(report)


def film_in_words(report: Report) -> Iterator[str]:
    wide, high = report["size"]
    steps = f"{report['half_steps']} half-steps, " if "half_steps" in report else ""
    yield f"{report['file']}: {steps}{report['pictures']} pictures of {wide} x {high}, {report['lasts']:g} s"
    yield from _events(report)


def _events(report: Report) -> Iterator[str]:
    yield from (f"at {event['time']:g} s: {event['what']}" for event in report["events"])
    if report["stopped"] is not None:
        yield "It ended early; the file holds what there is of it."
    if report["doubtful_from"] is not None:
        yield f"From {report['doubtful_from']:g} s on, its energy is not explained: take a shorter step."
