"""Pictures of the scene for a browser without WebGL, drawn in a thread one at a time."""

from __future__ import annotations

import asyncio
import logging
import threading

import numpy as np
from numpy.typing import NDArray

import scenes

SIZE = (960, 600)
log = logging.getLogger(__name__)


class Pictures:
    """One picture in the making at most; the child process that draws them starts with the first."""

    def __init__(self) -> None:
        self._server: scenes.PictureServer | None = None
        self._picture: asyncio.Future[bytes | None] | None = None
        self._failed = False

    @property
    def busy(self) -> bool:
        return self._failed or (self._picture is not None and not self._picture.done())

    @property
    def newest(self) -> bytes | None:
        """The picture that was asked for last, once it is there."""
        if self._picture is None or not self._picture.done():
            return None
        picture, self._picture = self._picture.result(), None
        return picture

    def forget(self) -> None:
        """Drops the picture in the making: the scene it shows is no longer there."""
        if self._picture is not None:
            self._picture.cancel()
            self._picture = None

    def ask(self, scene: scenes.Scene, transforms: NDArray[np.float32]) -> None:
        """Has a moment drawn."""
        self._picture = asyncio.get_running_loop().run_in_executor(None, self._draw, scene, transforms)

    def _draw(self, scene: scenes.Scene, transforms: NDArray[np.float32]) -> bytes | None:
        try:
            if self._server is None:
                self._server = scenes.PictureServer()
            return self._server.draw(scene, transforms, size=SIZE)
        except RuntimeError as error:
            self._failed = True
            log.warning("no WebGL in the browser and no pictures from the server: %s", error)
            return None

    def stop(self) -> None:
        """Ends the child process."""
        if self._picture is not None:
            self._picture.cancel()
        if self._server is not None:
            # It waits for the child, and the event loop must not.
            threading.Thread(target=self._server.close, daemon=True).start()
