"""The first minute: a sentence on what the page is, and a challenge on the moving arm, for new visitors.

It may import: ``app.equations``, ``app.views`` and what they may import.
Start with ``welcome``: when the card opens, what it asks, when it closes; ``fall``: how the arm falls.
"""

from app.welcome.welcome import Welcome

__all__ = ["Welcome"]
