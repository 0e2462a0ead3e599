"""A session as one file: what a link says, the robot's own text, and the runs that are kept.

It may import: ``app.upload`` and what it may import.
Start with ``read``: what a file holds, and how it becomes a session again, trusting nothing; ``session_file``: the
buttons.
"""

from app.saved.session_file import SessionFile

__all__ = ["SessionFile"]
