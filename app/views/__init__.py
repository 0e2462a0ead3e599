"""Views of the session. A view reads the state, computes no mechanics, and sends only what changed.

It may import: ``app.equations``, ``app.motion``, ``app.viewer``, ``app.binding``, ``app.number_text`` and what they
may import.
Start with ``show``: the options of the 3D view; ``scene_view``: its motion; ``break_it``, ``check``: instruments.
"""
