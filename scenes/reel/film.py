"""A recording as a film: pictures drawn off-screen one after the other, and encoded as they come."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scenes import palette
from scenes.layers import layers_of
from scenes.picture_server import PICTURE_LAYERS, PictureServer
from scenes.reel.encoder import Encoder, library
from scenes.reel.reel import Reel
from scenes.surroundings import Camera, looking

if TYPE_CHECKING:
    import dynamics as dyn

BY_THE_CURSOR = ("freed", "influence")
"""Layers that show something only at a cursor, which a recording does not have."""


def write_film(
    recording: dyn.Recording,
    path: Path,
    form: str,
    size: tuple[int, int],
    rate: float,
    speed: float,
    layers: Sequence[str] | None,
    camera: NDArray[np.float64] | None,
    theme: palette.Theme,
    progress: Callable[[int, int], object] | None,
) -> None:
    """Implements ``Recording.to_film``."""
    library()
    reel = Reel(recording, chosen(recording.segments[0].system, layers), theme)
    view = reel.camera(size) if camera is None else looking(reel.scene.system, *camera)
    times = instants(reel.begin, reel.end, rate, speed)
    with _drawing() as server, Encoder(path, form, size, rate) as film:
        for number, transforms in enumerate(reel.transforms(times), 1):
            film.add(_pixels(server, reel, transforms, view, size))
            if progress is not None:
                progress(number, len(times))


def instants(begin: float, end: float, rate: float, speed: float) -> NDArray[np.float64]:
    """(pictures,) s of the recording, as many as fill its duration at that speed, the first at its beginning."""
    count = max(round((end - begin) * rate / speed), 1)
    return np.minimum(begin + np.arange(count) * speed / rate, end)


def chosen(system: dyn.System, layers: Sequence[str] | None) -> Sequence[str]:
    """The layers that are asked for, or else a picture's default layers."""
    import dynamics

    known = [layer.name for layer in layers_of(system) if layer.name not in BY_THE_CURSOR]
    if layers is None:
        return [name for name in known if name in PICTURE_LAYERS]
    unknown = [name for name in layers if name not in known]
    if unknown:
        raise dynamics.StateError(f"layers: {unknown[0][:40]!r} is unknown here; expected among {', '.join(known)}.")
    return layers


def _drawing() -> PictureServer:
    import dynamics

    try:
        return PictureServer()
    except RuntimeError as error:
        raise dynamics.StateError(str(error)) from error


def _pixels(
    server: PictureServer, reel: Reel, transforms: NDArray[np.float32], camera: Camera, size: tuple[int, int]
) -> NDArray[np.uint8]:
    """(height, width, 3)."""
    import dynamics

    try:
        data = server.draw(reel.scene, transforms, camera, size, file_format="raw")
    except RuntimeError as error:
        raise dynamics.StateError(str(error)) from error
    return np.frombuffer(data, np.uint8).reshape(size[1], size[0], 3)
