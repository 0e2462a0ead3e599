"""Messages between server and browser about a run that the browser plays; the browser's side is ``src/player.js``."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

PIECE = 2**32 - 1
"""Replaces a frame's scene version to mark a piece of a run."""


@dataclass(frozen=True)
class Report:
    """The state of the browser's clock in the run that it plays.

    Attributes:
        moment: s.
        jump: the last `Play.jump` that it has received.
        held: whether the user holds the scrubber there.
        playing: whether the user wants it to play, if that is new.
        act: count of the user's actions; 0 if there is no new one.
    """

    moment: float
    jump: int
    held: bool
    playing: bool | None = None
    act: int = 0


@dataclass(frozen=True)
class Receipt:
    """Acknowledges a piece of a run: the number of its track, and its own."""

    track: int
    number: int


@dataclass(frozen=True)
class SceneReport:
    """Reports that the browser has drawn a new scene; after its first, its clock knows only what came with it."""

    first: bool


@dataclass(frozen=True)
class Play:
    """The target state of the browser's clock.

    Attributes:
        track: identifies the pieces to show; it changes with the run and its look.
        interval: s between two instants of a piece.
        jump: a new number moves the clock to `time`.
        time: s.
        playing, speed: whether and how fast it runs.
        known: s, up to which the run is computed; `complete`: whether that is all of it.
        duration: s of the timeline.
        live: the server leads: every state gives the time, and pictures are sent one by one.
        report: s between two reports while it plays.
        run: the run of the track; pictures of another run are no longer valid.
        act: the last action of the user that the server has received.
        whole: whether the browser has all instants that the track will have.
        begin: s, the oldest instant that is kept.
        window: s, length of a moving timeline, for a run without end; 0 if it shows the whole run.
        ruled: runs of meshes that the walk draws while the motion stands still: first and end of each.
    """

    track: int
    interval: float
    jump: int
    time: float
    playing: bool
    speed: float
    known: float
    complete: bool
    duration: float
    live: bool
    report: float
    run: int = 0
    act: int = 0
    whole: bool = False
    begin: float = 0.0
    window: float = 0.0
    ruled: tuple[int, ...] = ()


def read_player(message: Mapping[str, Any]) -> Report | Receipt | None:
    """Parses a message of the browser's clock; None if it is invalid."""
    try:
        if "taken" in message:
            return Receipt(int(message["taken"]), int(message["number"]))
        moment, jump, act = float(message["moment"]), int(message["jump"]), int(message.get("act", 0))
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    playing = message.get("playing")
    wish = playing if act and isinstance(playing, bool) else None
    return Report(moment, jump, message.get("held") is True, wish, act) if math.isfinite(moment) else None


def piece(
    version: int, track: int, number: int, first: int, stride: int, times: Sequence[float], transforms: np.ndarray
) -> bytes:
    """Several instants of a run, for `Viewer.hand_over`.

    Args:
        version: of the scene.
        track: the track to which they belong, as in `Play`.
        number: of the piece, with which the browser acknowledges it.
        first, stride: index of the first instant, and the increment to the next. Instant k of a track is
            `Play.interval` k s from its start; only the run's last may be earlier.
        times: s, of each.
        transforms: (instants, meshes, 12).
    """
    seen = transforms.any(axis=(0, 2))
    edges = edges_of_runs(seen)
    head = np.array([PIECE, version, track, number, first, stride, len(times), len(edges) // 2], np.uint32)
    rows = np.ascontiguousarray(transforms[:, seen], np.float32)
    return head.tobytes() + np.array(times, float).tobytes() + edges.tobytes() + rows.tobytes()


def edges_of_runs(seen: ArrayLike) -> np.ndarray:
    """First and end of each run of visible meshes, uint32."""
    return np.flatnonzero(np.diff(np.concatenate([[0], np.asarray(seen), [0]]).astype(np.int8))).astype(np.uint32)
