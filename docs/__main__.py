"""Builds the pages into docs/_build, running every example on the way: ``python -m docs``."""

import sys
import tempfile
from pathlib import Path

from sphinx.cmd.build import build_main

HERE = Path(__file__).parent


def build(target: Path = HERE / "_build") -> int:
    """HTML of all pages; a failing example or a broken link is an error. Returns the exit status."""
    with tempfile.TemporaryDirectory() as notes:  # beside the pages, a server would give them to anybody
        return build_main(["-q", "-E", "-W", "--keep-going", "-d", notes, "-b", "html", str(HERE), str(target)])


if __name__ == "__main__":
    status = build()
    if status == 0:
        print("open docs/_build/index.html")
    sys.exit(status)
