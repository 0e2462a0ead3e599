"""A session as one file: what a link says, the robot's own text, and the runs that are kept.

It may import: ``app.upload`` and what it may import.
Start with ``written``: what a file holds; ``read``: how it becomes a session again, trusting nothing; ``session_file``:
the buttons.
"""

from app.saved.session_file import SessionFile

__all__ = ["SessionFile"]
