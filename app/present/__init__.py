"""A lecturer presents: whoever opens a short address sees the run, and the lecturer's time, step, layers and camera.

It may import: ``app.asking``, ``app.lecture``, ``app.replay``, whose page followers get, and what they may import.
Start with ``present``, the button; ``lead`` is what a session tells, ``presentation`` whom, ``handout`` the run itself;
``handlers`` are the server's addresses, ``follow.js`` the other end of them.
"""

from .handlers import serve_followers
from .present import Present

__all__ = ["Present", "serve_followers"]
