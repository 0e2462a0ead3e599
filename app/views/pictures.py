"""Pictures of the scene for a browser without WebGL, drawn in a thread one at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

import scenes
from app.job import Job, Jobs

SIZE = (960, 600)


class Pictures:
    """One picture in the making at most; the child process that draws them starts with the first.

    Args:
        show: given each picture.
    """

    def __init__(self, jobs: Jobs, show: Callable[[bytes], None]) -> None:
        self._job: Job[bytes] = jobs.new("this browser has no WebGL, and the server draws no pictures either")
        self._show = show
        self._server: scenes.PictureServer | None = None
        self._failed = False

    @property
    def busy(self) -> bool:
        """Whether no picture can be asked for now, or ever."""
        return self._failed or self._job.busy

    def forget(self) -> None:
        """Drops the picture in the making: the scene it shows is no longer there."""
        self._job.cancel()

    def ask(self, scene: scenes.Scene, transforms: NDArray[np.float32]) -> None:
        """Has a moment drawn."""
        self._job.start(partial(self._draw, scene, transforms), self._show)

    def _draw(self, scene: scenes.Scene, transforms: NDArray[np.float32]) -> bytes:
        try:
            if self._server is None:
                self._server = scenes.PictureServer()
            return self._server.draw(scene, transforms, size=SIZE)
        except RuntimeError:
            self._failed = True
            raise

    def stop(self) -> None:
        """Ends the child process."""
        if self._server is not None:
            # It waits for the child, and the event loop must not.
            threading.Thread(target=self._server.close, daemon=True).start()
