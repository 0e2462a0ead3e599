"""The page, served by Panel's own command."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from panel.command import main

PAGE = Path(__file__).resolve().parents[1]


def serve(options: Sequence[str]) -> None:
    """What ``panel serve app`` does, with these options, wherever the package lies."""
    sys.argv = ["panel", "serve", str(PAGE), *options]  # Panel's command reads nothing else
    main()
