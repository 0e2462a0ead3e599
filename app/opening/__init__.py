"""What a visitor sees at once: a machine's first motion, drawn by the page's own view while the page loads.

It may import: ``app.service`` and the names of presets; ``__main__``, which writes the motions, ``app.replay`` as well.
Start with ``opening``: the first document of an address; its other half is ``opening.js``, in ``first.html``.
``welcome`` is the card of the first minute: what the page is, and a challenge on the moving arm that ``fall`` drops.
"""

from .opening import PAGE, serve_openings, show_first

__all__ = ["PAGE", "serve_openings", "show_first"]
