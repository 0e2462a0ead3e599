"""The web page: one clock, session state, views of it and controls over it.

It may import: all of its folders, the scenes and the mechanics.
Start with ``page``: the layout and the keys; ``clock``: the one task that advances a session.
"""
