"""The textbook's lines on the page: formulas, listings with values, words, and drawings.

It may import: ``app.state``, ``app.clipboard``, the scenes and the mechanics.
Start with ``equation_html``: a half-step's lines as equations with a link's numbers, and listed; ``words``: what a
half-step does.
"""
