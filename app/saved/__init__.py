"""A session as one file: the parameters of its link, the robots' own texts, and the kept runs.

It may import: ``app.upload`` and what it may import.
Start with ``session_file``: the content of a file, how it becomes a session again, without trust, and the buttons.
"""

from app.saved.session_file import SessionFile

__all__ = ["SessionFile"]
