"""*Papers*: the five papers' tables and figures, recomputed by a click, and where on the page each can be tried.

It may import: ``app.instruments``, ``app.views`` and what they may import.
Start with ``papers``; what is printed and what comes out is ``reproduce``'s.
"""
