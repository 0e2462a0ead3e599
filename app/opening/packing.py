"""The first motion of a packaged machine, for everyone who opens it: the pictures of its run, and nothing else."""

from __future__ import annotations

from app.motion.presets import PRESETS
from app.replay import Parcel, Pictures, instants
from app.state import Session

INTERVAL = 0.05
"""Seconds between two pictures; the browser interpolates."""

GRAIN = 2.0**-14
"""Rounding in m, 0.06 mm, which is invisible; the remaining digits would be most of the data."""


def packed_opening(preset: str) -> bytes:
    """A machine's motion as the page opens it, gzipped: the content of its file.

    Raises:
        KeyError: if there is no such preset.
    """
    session = Session(PRESETS[preset].name)
    run = session.run
    while not run.complete:
        run.accept(run.compute())
    pictures = Pictures(session, instants(run.end, INTERVAL), session.layers, GRAIN)
    for _ in pictures.draw():
        pass
    parcel = Parcel()
    layers, seen = list(session.layers), pictures.data(parcel)
    data = {"duration": run.end, "interval": INTERVAL, "layers": layers, "pictures": seen}
    return parcel.compressed(data)
