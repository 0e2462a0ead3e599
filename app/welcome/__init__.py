"""The first minute: what the page is, in one sentence, and one challenge on the moving arm, for who was never here.

It may import: ``app.equations``, ``app.views`` and what they may import.
Start with ``welcome``: when it comes, what is asked, when it leaves; ``falling``: what is true of the arm.
"""

from app.welcome.welcome import Welcome

__all__ = ["Welcome"]
