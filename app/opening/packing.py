"""The first motion of a packaged machine, for everybody who opens it: the pictures of its run, and nothing else."""

from __future__ import annotations

from app.motion.presets import PRESETS
from app.replay import Parcel, Pictures, instants
from app.state import Session

INTERVAL = 0.05
"""Seconds between two pictures; the browser goes from one to the next."""

GRAIN = 2.0**-14
"""m: a twentieth of a millimetre, which nobody sees move; the rest of each number would be most of what is sent."""


def packed_opening(preset: str) -> bytes:
    """A machine's motion as the page opens it, by gzip: what its file holds.

    Raises:
        KeyError: for no preset.
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
