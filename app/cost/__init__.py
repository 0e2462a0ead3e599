"""The instrument *Cost*: operations counted beside the papers' polynomials, two methods raced, longest chains drawn.

It may import: ``app.instruments``, ``app.views`` and what they may import.
Start with ``cost``: the instrument; ``counts`` and ``timing`` know nothing of the page.
"""
