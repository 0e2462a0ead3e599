"""Pictures of a moment, drawn off-screen by a child process."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scenes import palette
from scenes.render_process import receive, send
from scenes.scene import Scene
from scenes.surroundings import Camera

if TYPE_CHECKING:
    import dynamics as dyn

PATIENCE = 60.0  # seconds
# Tried in this order where there is a choice: EGL needs no screen, OSMesa not even a driver.
WINDOWS = ("vtkEGLRenderWindow", "vtkOSOpenGLRenderWindow") if sys.platform.startswith("linux") else (None,)
PACKAGES = (
    "no OpenGL to draw with off-screen: neither EGL nor OSMesa works here. On Debian or Ubuntu: "
    "apt-get install libegl1 libgl1-mesa-dri libx11-6 (or libosmesa6)."
)
PICTURE_LAYERS = (
    *("ground", "links", "object", "articulated_inertia"),
    *("contact_force", "predicted_contact_force", "corrected_contact_force"),
)


class PictureServer:
    """One child process that draws one scene after another; close it, or use it as a context manager.

    VTK without OpenGL ends its process instead of raising, so it never runs in ours. Calls may come from any
    thread and are answered one at a time. A child that has ended is restarted by the next call.

    Raises:
        RuntimeError: if there is no OpenGL; the message names the packages.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._child: subprocess.Popen[bytes] | None = None
        self._scene: weakref.ref[Scene] | None = None
        self._closed = False
        self._finalizer: weakref.finalize | None = None
        with self._lock:
            self._start()

    def __enter__(self) -> PictureServer:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the child and waits for it; a picture in progress is finished first."""
        with self._lock:
            self._closed = True
            self._end()

    def draw(
        self,
        scene: Scene,
        transforms: NDArray[np.float32],
        camera: Camera | None = None,
        size: tuple[int, int] = (640, 400),
        background: str | tuple[str, str] | None = None,
        file_format: str = "jpeg",
        smooth: int = 1,
    ) -> bytes:
        """One moment of a scene as a picture file.

        Args:
            scene: sent to the child only if it is not the last one that the child drew.
            transforms: from ``scene.transforms``.
            camera: default the scene's own suggestion.
            size: width and height in pixels.
            background: one color, or the bottom and the top one, ``#rrggbb``; default the theme's.
            file_format: ``jpeg`` or ``png``; ``raw`` for the pixels alone, row by row, red, green and blue a byte each.
            smooth: 2 draws twice as large and averages, for print.
        """
        if background is None:
            background = (palette.HORIZON[scene.theme], palette.BACKGROUND[scene.theme])
        request = {
            "transforms": np.asarray(transforms, np.float32),
            "camera": asdict(scene.camera if camera is None else camera),
            "size": (int(size[0]), int(size[1])),
            "background": (background, background) if isinstance(background, str) else background,
            "file_format": file_format,
            "smooth": int(smooth),
        }
        with self._lock:
            if self._closed:
                raise RuntimeError("this PictureServer is closed; make another one.")
            if self._child is None or self._child.poll() is not None:
                self._start()
            if self._scene is None or self._scene() is not scene:
                self._ask(
                    "load",
                    {
                        "meshes": [mesh.arrays() for mesh in scene.meshes],
                        "floor": scene.floor,
                        "shadow": palette.SHADOW[scene.theme],
                    },
                )
                self._scene = weakref.ref(scene)
            return self._ask("picture", request)

    def _ask(self, word: str, arguments: dict[str, Any]) -> Any:
        assert self._child is not None
        to_child, from_child = _pipes(self._child)
        try:
            with _killed_when_late(self._child):
                send(to_child, (word, arguments))
                kind, answer = receive(from_child)
        except (OSError, EOFError) as lost:
            self._end()
            raise RuntimeError("the render process ended while it was drawing.") from lost
        if kind == "error":
            raise RuntimeError(f"the render process failed:\n{answer}")
        return answer

    def _start(self) -> None:
        """Starts a child with the first kind of window that works."""
        self._end()
        said = ""
        for window in WINDOWS:
            with tempfile.TemporaryFile() as log:
                child = _spawn(window, log)
                said = _failure(child, log)
            if not said:
                self._child, self._scene = child, None
                self._finalizer = weakref.finalize(self, _stop, child)
                return
        raise RuntimeError(f"{PACKAGES}\n{said}" if sys.platform.startswith("linux") else said)

    def _end(self) -> None:
        if self._finalizer is not None:
            self._finalizer()
        self._child, self._scene, self._finalizer = None, None, None


def _spawn(window: str | None, log: IO[bytes]) -> subprocess.Popen[bytes]:
    """A child that draws into the given kind of window and prints into ``log``."""
    environment = dict(os.environ)
    environment.pop("DISPLAY", None)
    if window is not None:
        environment["VTK_DEFAULT_OPENGL_WINDOW"] = window
    root = str(Path(__file__).resolve().parent.parent)
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, [root, environment.get("PYTHONPATH")]))
    return subprocess.Popen(
        [sys.executable, "-m", "scenes.render_process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        env=environment,
    )


def _pipes(child: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    """The pipes to the child and from it."""
    assert child.stdin is not None
    assert child.stdout is not None
    return child.stdin, child.stdout


def _failure(child: subprocess.Popen[bytes], log: IO[bytes]) -> str:
    """Waits until a new child is ready; returns its output if it never is, else an empty string."""
    try:
        with _killed_when_late(child):
            receive(_pipes(child)[1])
    except EOFError:
        _stop(child)
        log.seek(0)
        said = log.read().decode(errors="replace").strip().splitlines()
        return "\n".join(said[-6:]) or f"the render process ended with status {child.returncode}."
    return ""


@contextlib.contextmanager
def _killed_when_late(child: subprocess.Popen[bytes]) -> Iterator[None]:
    """Kills a child that takes far too long, which ends the wait for it, so that no call blocks forever."""
    patience = threading.Timer(PATIENCE, child.kill)
    patience.daemon = True
    patience.start()
    try:
        yield
    finally:
        patience.cancel()


def _stop(child: subprocess.Popen[bytes]) -> None:
    """Closes the child's input, which ends it, and waits; one that hangs is killed."""
    for stream in _pipes(child):
        with contextlib.suppress(OSError):  # the pipe is broken if the child has already ended
            stream.close()
    try:
        child.wait(5.0)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def picture(
    system: dyn.System,
    solution: dyn.Solution,
    path: str | os.PathLike[str] | None = None,
    size: tuple[int, int] = (1280, 720),
    camera: Camera | None = None,
    background: str | tuple[str, str] | None = None,
    visible: Iterable[str] | None = None,
    theme: palette.Theme = "light",
) -> bytes:
    """A PNG file of one moment, also written to ``path`` if one is given.

    Starts a process for this one picture, which takes a second or two; a ``PictureServer`` draws many.

    Args:
        visible: names of the layers to show; default the bodies, P(k) and the contact forces.
        background, camera, size: as in ``PictureServer.draw``.

    Raises:
        RuntimeError: if there is no OpenGL; the message names the packages.
    """
    scene = Scene(system, solution, theme)
    transforms = scene.transforms(solution, PICTURE_LAYERS if visible is None else visible)
    with PictureServer() as server:
        data = server.draw(scene, transforms, camera, size, background, file_format="png", smooth=2)
    if path is not None:
        Path(path).write_bytes(data)
    return data
