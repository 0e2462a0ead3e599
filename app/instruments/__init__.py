"""The instruments of *Understand* beside the walk: each shows one result of the papers at the cursor, to be explored.

It may import: ``app.walker``, ``app.views``, ``app.draws`` and what they may import.
Start with ``influence``; the other files are named after the rail's instruments.
"""
