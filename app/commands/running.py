"""A run, computed piece by piece, so that one sees how far it is and can stop it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import ceil

import click

import dynamics as dyn
from app.commands.forms import told, writer
from app.commands.machines import machine
from app.commands.report import Told, bar

PIECES = 100
LONGEST = 10_000
"""Steps of a piece at most: so long one waits for it to stop."""
MOST_STEPS = 10_000_000


def run(name: str, floating: bool, seconds: float, dt: float, out: str, long: bool) -> Told:
    """Computes a run with the motors off, and writes it; what is stopped on the way is not written at all.

    Raises:
        UsageError: for what is no machine, no form of a file, or too many steps.
        StateError: if it cannot be computed or written.
    """
    write = writer(out, long)
    recording = moved(name, floating, seconds, dt)
    write(recording)
    return told(recording, out)


def moved(name: str, floating: bool, seconds: float, dt: float) -> dyn.Recording:
    """A machine that moves from where it starts, with its motors off.

    Raises:
        UsageError: for what is no machine, or too many steps.
        StateError: if it cannot be computed.
    """
    system, state = machine(name, floating)
    if seconds / dt > MOST_STEPS:
        raise click.UsageError(f"{seconds:g} s in steps of {dt:g} s are more than {MOST_STEPS:,} steps.")
    steps = max(round(seconds / dt), 1)  # as many as a run in one piece makes, and as long
    step = seconds / steps
    simulation = dyn.Simulation(system, state, dt=step)
    ends = [step * k for k in range(0, steps, min(ceil(steps / PIECES), LONGEST))]
    with bar(len(ends), name) as shown:
        for start, end in pairwise([*ends, seconds]):
            simulation.advance(end - start)
            shown.update(1)
    return simulation.recording


def in_words(report: Told) -> Iterator[str]:
    """The same for a person."""
    yield f"{report['file']}: {report['samples']} samples of {report['columns']} columns, {report['seconds']:g} s"
    yield from how_it_went(report)


def how_it_went(report: Told) -> Iterator[str]:
    """What happened on the way, and what may be wrong with it."""
    yield from (f"at {event['time']:g} s: {event['what']}" for event in report["events"])
    if report["stopped"] is not None:
        yield "It ended early; the file holds what there is of it."
    if report["doubtful_from"] is not None:
        yield f"From {report['doubtful_from']:g} s on its energy is not explained: take a shorter step."
