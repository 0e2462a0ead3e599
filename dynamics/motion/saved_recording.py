"""A recording in one file, saved and loaded bit for bit."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from dynamics.checks import Array, brief, flag, number, numbers, text
from dynamics.errors import StateError
from dynamics.motion.events import LimitEvent
from dynamics.motion.recording import Recording
from dynamics.motion.recording_file import RecordReader, read_recording
from dynamics.motion.segment import Segment
from dynamics.public import public
from dynamics.system.system import System

UNIT = 1e-6
"""How far a quaternion's length may be from one."""


@public
def load_recording(path: str | Path) -> Recording:
    """Loads a recording that ``Recording.save`` has written, with its systems, events and samples.

    Nothing in the file is executed or trusted: robots, contacts and samples are checked as if they had
    been typed.

    Args:
        path: the file.

    Returns:
        The recording, bit for bit; mesh files are looked up at their original paths.

    Raises:
        StateError: if it cannot be read, is not a recording, is truncated, or does not fit its own system.

    Cost: the time to read it; some milliseconds for each robot.
    """
    tree, arrays = read_recording(path)
    try:
        return _recording(tree, RecordReader(tree["records"], arrays))
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        raise StateError(f"{brief(str(path))} is not a recording: {error}") from None


def _recording(tree: Any, reader: RecordReader) -> Recording:
    segments: list[Segment] = []
    for one in tree["segments"]:
        segments.append(_segment(reader, one))
        if len(segments) > 1 and segments[-1].times[0] < segments[-2].times[-1]:
            raise StateError("one of its parts begins before the preceding one ends.")
    if not segments:
        raise StateError("it contains no samples.")
    events = tuple(
        (number(t, "time of an event", "s"), text(word, "an event")) for t, word in reader.value(tree["events"])
    )
    met = tuple(
        LimitEvent(number(t, "time of a limit", "s"), text(joint, "a joint"), text(limit, "a limit"))
        for t, joint, limit in tree.get("limits_met", ())  # older files have none
    )
    stopped = tree["stopped"]
    return Recording(tuple(segments), events, None if stopped is None else text(stopped, "stopped"), met)


def _segment(reader: RecordReader, entry: Any) -> Segment:
    has = {field.name: reader.value(entry[field.name]) for field in fields(Segment)}
    system = has["system"]
    if not isinstance(system, System):
        raise StateError(f"{brief(system)} is not a system.")
    count = len(has["times"])
    times = numbers(has["times"], (count,), "times")
    if not count or np.any(np.diff(times) < 0.0):
        raise StateError("times: expected at least one, ascending.")
    shapes = {
        "x": (count, system.n_configuration),
        "v": (count, system.n_velocity),
        "acceleration": (count, system.n_velocity),
        "tau": (count, system.n_joints),
        "drift": (count, 2),
        "wrench": (count,) * (np.ndim(has["wrench"]) == 3) + (system.n_links + 1, 6),
    }
    own: dict[str, Array] = {name: numbers(has[name], shape, name) for name, shape in shapes.items()}
    turns = own["x"][:, system.n_joints :].reshape(count, -1, 7)[..., 3:]
    if np.any(np.abs(np.linalg.norm(turns, axis=-1) - 1.0) > UNIT):
        raise StateError("x: one of its quaternions does not have length one.")
    return Segment(system, times, **own, every_step=flag(has["every_step"], "every_step"))
