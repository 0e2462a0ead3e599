"""The instrument *Lecture*: moments that somebody has kept, stepped through, saved as a file, printed as a handout.

It may import: ``app.saved``, ``app.instruments``, ``app.lessons`` and what they may import.
Start with ``lecture``: the moments and what is done with them; ``moment`` is one of them, ``written`` and ``read`` are
their file, ``handout`` their print; ``prompter`` is the browser's part, ``panel`` the list that one sees, and
``caption`` what a projector says of a moment.
"""

from app.lecture.caption import Caption
from app.lecture.lecture import Lecture
from app.lecture.panel import NAME, LecturePanel
from app.lecture.prompter import Prompter

__all__ = ["NAME", "Caption", "Lecture", "LecturePanel", "Prompter"]
