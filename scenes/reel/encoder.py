"""Pictures encoded one after the other as a film in MP4 (H.264) or WebM (VP9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

BT709, LIMITED = 1, 1
"""Color space and range, as the files number them: high-definition (BT.709) colors, from 16 to 235."""


@dataclass(frozen=True)
class Codec:
    """How a film is encoded: container, encoder, and its quality settings."""

    container: str
    name: str
    options: Mapping[str, str]


CODECS: Mapping[str, Codec] = MappingProxyType(
    {
        ".mp4": Codec("mp4", "libx264", {"crf": "16", "preset": "medium"}),
        ".webm": Codec("webm", "libvpx-vp9", {"crf": "20", "b": "0", "row-mt": "1", "cpu-used": "4"}),
    }
)


def library() -> Any:
    """The module ``av``.

    Raises:
        StateError: if it is missing; the message has the command that installs it.
    """
    import dynamics

    try:
        return import_module("av")
    except ImportError as cause:
        raise dynamics.StateError("films need PyAV, which brings their encoder: pip install armsweep[film].") from cause


class Encoder:
    """A film that is being written; a context manager that writes the remaining frames when it ends.

    Args:
        path: the file.
        form: ``.mp4`` or ``.webm``.
        size: width and height in pixels, even numbers.
        rate: pictures a second.
    """

    def __init__(self, path: Path, form: str, size: tuple[int, int], rate: float) -> None:
        self._av, codec = library(), CODECS[form]
        pace = Fraction(rate).limit_denominator(1001)
        head = {"movflags": "faststart"} if form == ".mp4" else {}  # it plays before it is fully downloaded
        self._file = self._av.open(str(path), "w", format=codec.container, options=head)
        stream = self._file.add_stream(codec.name, rate=pace, options=dict(codec.options))
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"  # supported by every player
        context = stream.codec_context
        context.time_base = 1 / pace
        context.colorspace = context.color_primaries = context.color_trc = BT709
        context.color_range = LIMITED
        self._stream, self._tick, self._count = stream, 1 / pace, 0

    def add(self, pixels: NDArray[np.uint8]) -> None:
        """Adds a picture: (height, width, 3)."""
        frame = self._av.VideoFrame.from_ndarray(pixels, format="rgb24")
        frame = frame.reformat(format="yuv420p", dst_colorspace=BT709, dst_color_range=LIMITED)
        frame.pts, frame.time_base = self._count, self._tick  # the stream's own has become the container's by now
        self._count += 1
        self._file.mux(self._stream.encode(frame))

    def __enter__(self) -> Encoder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._file.mux(self._stream.encode(None))
        finally:
            self._file.close()
