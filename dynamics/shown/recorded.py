"""A recording as plots: where the joints are, how they move, what moves them, and what the energy leaves open."""

from __future__ import annotations

import html
from collections.abc import Sequence

import numpy as np

from dynamics.checks import Array
from dynamics.motion.recording import Recording
from dynamics.record import shown
from dynamics.shown.parts import counted, number, page

WIDTH, HEIGHT, LEFT, LOW = 340.0, 150.0, 58.0, 18.0
MOST_POINTS = 400
"""Of a line: more than its pixels."""
MOST_LINES = 40
COLORS = "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f"
UNITS = {"revolute": ("rad", "rad/s", "N m"), "prismatic": ("m", "m/s", "N")}
DASHES = "none", "5 3", "2 2"


@shown.register
def recording_html(recording: Recording) -> str:
    """What a notebook shows of it."""
    system = recording.segments[0].system
    n, names = system.n_joints, system.joint_names
    words = (
        f"{number(recording.duration)} s",
        counted(len(recording.times), "sample"),
        *(f"{words} at {number(time)} s" for time, words in recording.events),
        recording.stopped or "",
        "" if recording.doubtful_from is None else f"doubtful from {number(recording.doubtful_from)} s",
    )
    kinds = sorted({joint.kind for joint in system.joint_models}, reverse=True)
    place, rate, torque = (" or ".join(UNITS[kind][k] for kind in kinds) for k in range(3))
    plots = (
        plot(f"joint displacements, {place}", recording.times, recording.x[:, :n], names),
        plot(f"joint rates, {rate}", recording.times, recording.v[:, :n], names),
        plot(f"motor torques, {torque}", recording.times, recording.tau, names),
        plot("unexplained energy, J", recording.times, recording.unexplained_energy[:, None], ("energy",)),
    )
    return page(f"A run of {counted(n, 'joint')}", words, '<div style="display:flex;flex-wrap:wrap">', *plots, "</div>")


def plot(title: str, times: Array, values: Array, names: Sequence[str]) -> str:
    """Lines over time as SVG; each is named where the pointer rests on it.

    Args:
        times: (samples,) s, ascending.
        values: (samples, lines).
    """
    kept = np.unique(np.linspace(0, len(times) - 1, min(len(times), MOST_POINTS)).astype(int))
    low, high = _ends(values)
    across = LEFT + (WIDTH - LEFT - 8.0) * (times[kept] - times[0]) / max(times[-1] - times[0], np.finfo(float).tiny)
    up = LOW + (HEIGHT - 2.0 * LOW) * (high - values[kept]) / (high - low)
    lines = [
        f'<polyline fill="none" stroke="{COLORS[k % len(COLORS)]}" stroke-width="1.5" '
        f'stroke-dasharray="{DASHES[k // len(COLORS) % len(DASHES)]}" '
        f'points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in zip(across, up[:, k], strict=True))}">'
        f"<title>{html.escape(name)}</title></polyline>"
        for k, name in enumerate(names[:MOST_LINES])
    ]
    words = [
        _text(LEFT, 12.0, title),
        _text(LEFT - 4.0, LOW + 8.0, number(high), "end"),
        _text(LEFT - 4.0, HEIGHT - LOW, number(low), "end"),
        _text(LEFT, HEIGHT - 5.0, number(float(times[0]))),
        _text(WIDTH - 8.0, HEIGHT - 5.0, f"{number(float(times[-1]))} s", "end"),
    ]
    frame = (
        f'<path d="M{LEFT},{LOW} V{HEIGHT - LOW} H{WIDTH - 8.0}" fill="none" stroke="currentColor" stroke-width="1"/>'
    )
    return (
        f'<svg role="img" aria-label="{html.escape(title)}" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" width="{WIDTH:g}" '
        f'height="{HEIGHT:g}" style="font:11px sans-serif">{"".join((frame, *lines, *words))}</svg>'
    )


def _ends(values: Array) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    room = max(1.0, abs(low)) if low == high else 0.0  # 1 beside 1e17 is nothing
    return low - room, high + room


def _text(x: float, y: float, words: str, anchor: str = "start") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="currentColor">{html.escape(words)}</text>'
