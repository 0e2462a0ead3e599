"""What shows the session. A view reads the state, computes no mechanics, and sends only what changed.

It may import: ``app.equations``, ``app.sampling``, ``app.viewer``, ``app.binding``, ``app.number_text`` and what they
may import.
Start with ``show``: what the 3D view offers; ``scene_view``: how it moves; ``break_it``, ``check``: beside it.
"""
