"""*Papers*: the five papers' tables and figures, recomputed by a click, with links to try each on the page.

It may import: ``app.instruments``, ``app.views`` and what they may import.
Start with ``papers``; the printed and recomputed numbers come from ``dynamics.papers.reproduce``.
"""
