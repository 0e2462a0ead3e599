"""What a page shows, and what its controls set; knows nothing of the views.

It may import: ``app.motion``, ``app.job``, ``app.number_text``, the scenes and the mechanics.
Start with ``session``: all that one open page shows, and the runs beside it, on top of ``editing``: the setup, its
changes, and the cursor in the run. ``arrangement`` is what is chosen in each instrument; ``machine_loader`` reads files
and links. ``walk`` is the order of the computation; ``manipulation`` pushes and poses.
"""

from app.state.session import Session
from app.state.walk import Cursor

__all__ = ["Cursor", "Session"]
