"""What a page shows, and what its controls set; knows nothing of the views.

It may import: ``app.motion``, ``app.job``, ``app.number_text``, the scenes and the mechanics.
Start with ``session``: all that one open page shows, every change of it, and the runs kept beside it (``kept_run``).
``arrangement`` is what is chosen in each instrument; ``address`` what a link says; ``machine_loader`` opens files and
links. ``walk`` is the order of the computation; ``manipulation`` pushes and poses.
"""

from app.state.session import Session
from app.state.walk import Cursor

__all__ = ["Cursor", "Session"]
