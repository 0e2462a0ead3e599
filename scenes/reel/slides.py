"""One moment shown in several ways, each for some seconds with a caption below: a film of slides."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from scenes import palette
from scenes.layers import AUTOMATIC
from scenes.options import Look
from scenes.picture_server import PictureServer
from scenes.reel.encoder import Encoder, library
from scenes.scene import Scene
from scenes.surroundings import Camera, looking

if TYPE_CHECKING:
    import dynamics as dyn

STRIP = 0.24
"""Share of a picture's height that the caption takes."""
LINES = 5.5
"""Lines of text that fit into it."""


@dataclass(frozen=True, eq=False)
class Slide:
    """One way to look at the moment.

    Attributes:
        layers: the visible layers.
        look: what else the picture depends on.
        words: the caption, one entry per line.
    """

    layers: Sequence[str]
    look: Look
    words: Sequence[str]


@dataclass(frozen=True, eq=False)
class Slides:
    """A moment and its slides.

    Attributes:
        solution: the moment.
        slides: in the order of the film.
        size: of a picture, in pixels.
        camera: (2, 3), its position and focal point, m; None for the scene's own.
        theme: of the colors.
    """

    solution: dyn.Solution
    slides: Sequence[Slide]
    size: tuple[int, int]
    camera: NDArray[np.float64] | None = None
    theme: palette.Theme = "light"

    @property
    def view_size(self) -> tuple[int, int]:
        """In pixels: the part of a picture that shows the machine."""
        return self.size[0], self.size[1] - self.strip

    @property
    def strip(self) -> int:
        """In pixels: the height of the caption."""
        return max(round(STRIP * self.size[1]), 1)

    def scene(self) -> Scene:
        """The scene in which all slides are drawn."""
        return Scene(self.solution.system, self.solution, self.theme)

    def seen(self, scene: Scene) -> Camera:
        """The camera of all slides."""
        if self.camera is not None:
            return looking(scene.system, *self.camera)
        bodies = scene.transforms(self.solution, ("links", "object"))[None]
        return scene.camera_on(bodies, self.view_size[0] / self.view_size[1])

    def write(
        self, path: Path, form: str, rate: float, seconds: float, progress: Callable[[int, int], object] | None = None
    ) -> None:
        """Writes the film, each slide for some seconds.

        Raises:
            StateError: if PyAV is missing.
            RuntimeError: if there is no OpenGL.
        """
        library()
        scene, count = self.scene(), 0
        camera = self.seen(scene)
        with PictureServer() as server, Encoder(path, form, self.size, rate) as film:
            for number, slide in enumerate(self.slides, 1):
                pixels = self._drawn(server, scene, camera, slide)
                until = pictures_of(number, seconds, rate)
                for _ in range(until - count):
                    film.add(pixels)
                count = until
                if progress is not None:
                    progress(number, len(self.slides))

    def _drawn(self, server: PictureServer, scene: Scene, camera: Camera, slide: Slide) -> NDArray[np.uint8]:
        transforms = scene.transforms(self.solution, (*AUTOMATIC, *slide.layers), slide.look)
        data = server.draw(scene, transforms, camera, self.view_size, file_format="raw")
        wide, high = self.view_size
        view = np.frombuffer(data, np.uint8).reshape(high, wide, 3)
        return np.concatenate([view, self._written(slide.words)])

    def _written(self, words: Sequence[str]) -> NDArray[np.uint8]:
        """(strip, width, 3): the caption, line by line, as far as it fits."""
        picture = Image.new("RGB", (self.size[0], self.strip), palette.BACKGROUND[self.theme])
        pen, height = ImageDraw.Draw(picture), self.strip / LINES
        letters = io.BytesIO((files("assets") / "fonts" / "math.woff2").read_bytes())
        font = ImageFont.truetype(letters, max(round(0.8 * height), 4))
        margin = 0.5 * height
        lines = [line for each in words for line in _wrapped(each, font, self.size[0] - 2.0 * margin)]
        for at, line in enumerate(lines):
            pen.text((margin, 0.5 * margin + at * height), line, fill=palette.INK[self.theme], font=font)
        return np.asarray(picture)


def pictures_of(slides: int, seconds: float, rate: float) -> int:
    """Number of pictures that show each slide for some seconds, at least one per slide."""
    return max(round(slides * seconds * rate), slides)


def _wrapped(words: str, font: ImageFont.FreeTypeFont, width: float) -> list[str]:
    """Lines no wider than ``width``, except a single word that is wider."""
    lines: list[str] = []
    for word in words.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and font.getlength(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
