"""``python -m app.opening [PRESET ...]``: packs the first motions of these or all presets into assets/openings.

A file holds the pictures of the machine's run, for everyone who opens it, and nothing else.
"""

from __future__ import annotations

import sys

from app.motion.presets import PRESETS
from app.opening.opening import FILES
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


if __name__ == "__main__":
    FILES.mkdir(exist_ok=True)
    for preset in sys.argv[1:] or PRESETS:
        (FILES / f"{preset}.gz").write_bytes(packed_opening(preset))
        print(preset)
