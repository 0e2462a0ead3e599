"""What is seen before the page has come: its first motion, drawn by the page's own view, while the rest is on its way.

It may import: ``app.replay`` and what that may import.
Start with ``opening``: what a page begins with; its other half is ``page.html``, and ``opening.js`` in it.
"""

from .handlers import serve_openings, show_start
from .opening import template, variable

__all__ = ["serve_openings", "show_start", "template", "variable"]
