"""Studies: rows that are drawn, a machine and a state for each, numbers that are watched, and how these are spread.

It may import: ``papers`` (the staggered step), ``check``, ``motion``, ``batch`` and what they may import.
Start with ``study``: the call; ``rows``: what a row is and how it is solved; ``variables``, ``watched``: the names.
"""
