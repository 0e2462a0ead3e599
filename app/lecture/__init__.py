"""The instrument *Lecture*: moments that somebody has kept, stepped through, saved as a file, printed as a handout.

It may import: ``app.saved``, ``app.instruments`` and what they may import.
Start with ``lecture``: the moments and what is done with them; ``moment`` is one of them, ``written`` and ``read`` are
their file, ``handout`` their print; ``prompter`` is the browser's part, ``panel`` the list that one sees.
"""

from app.lecture.lecture import Lecture
from app.lecture.panel import NAME, LecturePanel
from app.lecture.prompter import Prompter

__all__ = ["NAME", "Lecture", "LecturePanel", "Prompter"]
