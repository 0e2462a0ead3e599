"""A recording in another form."""

from __future__ import annotations

import dynamics as dyn
from app.commands.forms import told, writer
from app.commands.report import Told


def convert(recording: str, out: str, long: bool) -> Told:
    """Reads one and writes it.

    Raises:
        UsageError: for what is no form of a file.
        StateError: for a file that is no recording, or cannot be written.
    """
    write = writer(out, long)
    found = dyn.load_recording(recording)
    write(found)
    return told(found, out)
