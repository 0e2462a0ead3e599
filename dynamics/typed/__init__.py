"""A typed line of the text: parsed into a tree of few kinds of nodes, and evaluated node by node.

Python never runs typed text. ``grammar`` parses it, within bounds, refuses by name any other kind of node, and knows
the notation of other languages. ``interpreter`` evaluates the tree with the letters of a place; ``arithmetic`` is what
it computes with, and says which shapes do not fit.

It may import: ``textbook``.
Start with ``grammar``: the language; ``interpreter``: the value of a line.
"""
