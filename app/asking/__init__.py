"""A question to the class: asked while one presents, answered on followers' devices, counted, shown, and revealed.

It may import: ``app.unit_text``, ``app.views`` and what they may import.
Start with ``asked``: what a question is, and what counts as an answer; ``ballot`` gathers answers, ``tally`` counts
them, ``asking`` is the lecturer's side, ``answer.js`` a follower's.
"""

from .asked import Asked, Chosen, Drawn, Ordered, Tried, Typed
from .asking import Asking

__all__ = ["Asked", "Asking", "Chosen", "Drawn", "Ordered", "Tried", "Typed"]
