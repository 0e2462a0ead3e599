"""A run as a page that plays without a server: of a recording, or of a machine that is let move."""

from __future__ import annotations

import webbrowser

from app.commands.filming import recording_of
from app.commands.forms import told, writable
from app.commands.report import Told

FORMS = (".html",)


def replay(name: str, floating: bool, seconds: float | None, dt: float | None, out: str, show: bool) -> Told:
    """Writes it, and tells what has been written.

    Args:
        name: of a machine, or the path of its file, or of a recording.
        floating: whether the machine's base floats.
        seconds, dt: of a machine, how long it moves, and a step of it.
        out: the path of the page.
        show: whether it is opened in a browser then.

    Raises:
        UsageError: for what is no machine and no recording, or no page.
        StateError: for what cannot be replayed, or written.
    """
    path, _ = writable(out, FORMS)
    recording = recording_of(name, floating, seconds, dt)
    recording.to_html(path)
    if show:
        webbrowser.open(path.resolve().as_uri())
    return told(recording, out)
