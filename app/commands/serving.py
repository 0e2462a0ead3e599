"""The page, served by Panel's own command."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from panel.command import main

from app.commands.ending import end_at_once

PAGE = Path(__file__).resolve().parents[1]


def serve(options: Sequence[str]) -> None:
    """What ``panel serve app`` does, with these options, wherever the package lies."""
    end_at_once()
    sys.argv = ["panel", "serve", str(PAGE), *options]  # Panel's command reads nothing else
    main()
