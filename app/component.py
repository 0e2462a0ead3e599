"""The base of the page's own components: the script of each is a file that the browser caches, not part of the page."""

from __future__ import annotations

import atexit
import hashlib
import inspect
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

from panel.custom import JSComponent

NAME = "armsweep-scripts"
"""Name of their folder in addresses."""
BUNDLE = Path(__file__).parent / "viewer" / "bundle" / "viewer.bundle.js"
"""The browser's half of the 3D view; its folder holds nothing else and is served as it is."""


@cache
def scripts() -> Path:
    """Their folder, which lasts as long as the process that first asked for it; forked processes use it too."""
    folder, owner = Path(tempfile.mkdtemp(prefix=f"{NAME}-")), os.getpid()

    def remove() -> None:
        if os.getpid() == owner:
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    return folder


class Component(JSComponent):
    """A component that its own script draws."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "_esm" in vars(cls):
            cls._bundle = _file_of(cls)


def _file_of(component: type[Component]) -> Path:
    """Writes the script to a file whose name contains the digest of its text, so that another text is another file."""
    text = str(component._esm)
    if text.endswith(".js"):
        text = Path(inspect.getfile(component)).with_name(text).read_text("utf-8")
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    file = scripts() / f"{component.__name__}.{digest}.js"
    if not file.exists():
        new = file.with_suffix(f".{os.getpid()}")
        new.write_text(text, "utf-8")
        new.replace(file)
    return file
