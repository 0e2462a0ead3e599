"""The instrument *Cost*: operations counted beside the papers' polynomials, two methods raced, longest chains drawn.

It may import: ``app.instruments``, ``app.measures`` and what they may import.
Start with ``cost``: the instrument; other files are named as its parts.
"""
