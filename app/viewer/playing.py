"""What server and browser tell each other of a run that the browser plays; the browser's side is ``src/player.js``."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

PIECE = 2**32 - 1
"""Stands in the place of a frame's scene version: this is a piece of a run."""


@dataclass(frozen=True)
class Report:
    """Where the browser's clock is in the run that it plays.

    Attributes:
        moment: s.
        jump: the last `Play.jump` that it has heard of.
        held: whether the user holds the scrubber there.
        playing: whether the user wants it to play, where that is new.
        act: how often the user has wanted something; 0 where nothing is new.
    """

    moment: float
    jump: int
    held: bool
    playing: bool | None = None
    act: int = 0


@dataclass(frozen=True)
class Receipt:
    """A piece of a run has arrived: which track's, and its number."""

    track: int
    number: int


@dataclass(frozen=True)
class Drawn:
    """The browser has drawn a new scene; whether it is its first, so that its clock knows only what came with that."""

    first: bool


@dataclass(frozen=True)
class Play:
    """What the browser's clock is to do.

    Attributes:
        track: which pieces it shows; another number, another run or another look of it.
        interval: s between two instants of a piece.
        jump: another number than before moves it to `time`.
        time: s.
        playing, speed: whether and how fast it runs.
        known: s, how far the run is known; `complete`: whether that is all of it.
        duration: s of the timeline.
        live: the server leads: every state says the time, and pictures come one by one.
        report: s between two reports while it plays.
        run: which run the track is of: what it shows of another is no longer true.
        act: the last wish of the user's that has been heard.
        whole: whether it has all instants of the track that there will be.
        begin: s, the oldest instant that is kept.
        window: s of a timeline that goes along with the clock, of a run without an end; 0 where it shows the whole run.
        ruled: runs of the meshes that the walk draws while the motion stands still: first and end of each.
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
    """What the browser's clock says, or None if it makes no sense."""
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
        track: to which they belong, as in `Play`.
        number: of the piece, by which the browser says that it has come.
        first, stride: index of the first instant, and how many from one to the next. Instant k of a track is
            `Play.interval` k s from its start; only the run's last may come sooner.
        times: s, of each.
        transforms: (instants, meshes, 12).
    """
    seen = transforms.any(axis=(0, 2))
    edges = edges_of_runs(seen)
    head = np.array([PIECE, version, track, number, first, stride, len(times), len(edges) // 2], np.uint32)
    rows = np.ascontiguousarray(transforms[:, seen], np.float32)
    return head.tobytes() + np.array(times, float).tobytes() + edges.tobytes() + rows.tobytes()


def edges_of_runs(seen: ArrayLike) -> np.ndarray:
    """First and end of each run of meshes that are seen, uint32."""
    return np.flatnonzero(np.diff(np.concatenate([[0], np.asarray(seen), [0]]).astype(np.int8))).astype(np.uint32)
