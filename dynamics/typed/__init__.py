"""A typed line of the text: parsed into a tree with few kinds of nodes, and evaluated node by node.

Python never executes typed text. ``grammar`` parses it, within limits, refuses any other kind of node by name, and
recognizes the notation of other languages. ``interpreter`` evaluates the tree with the letters of a place, and says
which shapes do not fit.

It may import: ``textbook``.
Start with ``grammar``: the language; ``interpreter``: the value of a line.
"""
