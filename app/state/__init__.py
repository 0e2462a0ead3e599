"""What a page shows and what its controls set, independent of the views.

It may import: ``app.motion``, ``app.job``, ``app.number_text``, the scenes and the mechanics.
Start with ``session``: everything that one open page shows, every change of it, and the kept runs (``kept_run``).
``arrangement`` holds the choices made in each instrument; ``address`` is the content of a link; ``machine_loader``
opens files and links. ``walk`` is the order of the computation; ``manipulation`` handles pushes and poses.
"""

from app.state.session import Session
from app.state.walk import Cursor

__all__ = ["Cursor", "Session"]
