"""The page on any screen: its layout, type size and theme, and projector mode.

It may import: ``app.controls``, ``app.equations``, ``app.views`` and what they may import.
Start with ``layout``: where everything is placed, and what only the browser knows of its screen and user.
"""
