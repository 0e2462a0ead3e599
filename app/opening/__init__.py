"""What comes at once: a machine's first motion, drawn by the page's own view, while the page is on its way.

It may import: ``app.service`` and the names of presets; ``packing``, which writes the motions, ``app.replay`` as well.
Start with ``opening``: what an address begins with; its other half is ``opening.js``, in ``first.html``.
"""

from .handlers import serve_openings, show_first
from .opening import PAGE

__all__ = ["PAGE", "serve_openings", "show_first"]
