"""Runs that are kept beside the present one: what they are called, what they take, and how far they are from it.

It may import: ``app.motion``, ``app.messages`` and the mechanics.
Start with ``kept_run``: the list of them, and what one is called; ``differences``: how far two runs are apart.
"""

from app.kept.kept_run import Ghost, Kept

__all__ = ["Ghost", "Kept"]
