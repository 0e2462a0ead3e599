"""The papers' own examples.

It may import: ``motion``, ``witness`` and what they may import.
Start with ``jazidie_examples``: printed tables reproduced.
"""
