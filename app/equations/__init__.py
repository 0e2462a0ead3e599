"""The textbook's lines on the page: formulas, listings with values, words, and drawings.

It may import: ``app.state``, ``app.clipboard``, the scenes and the mechanics.
Start with ``listing``: a half-step's lines with their values; ``equation_html``: an equation with a link's numbers;
``words``: what a half-step does.
"""
