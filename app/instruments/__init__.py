"""The instruments beside the world: files and folders are named after the rail's.

It may import: ``app.controls``, ``app.views``, ``app.equations`` and what they may import.
Start with ``influence``: one result of the papers at the cursor, to be explored.
"""
