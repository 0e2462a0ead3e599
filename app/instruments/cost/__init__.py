"""The instrument *Cost*: operation counts beside the papers' polynomials, races of methods, and longest chains.

It may import: ``app.instruments``, ``app.views`` and what they may import.
Start with ``cost``: the instrument; ``counts`` and ``timing`` are independent of the page.
"""
