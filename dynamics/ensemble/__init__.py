"""Questions asked of many states at once: what comes of them, which state was worst, and who computes it.

It may import: ``rows`` and what it may import.
Start with ``study``: the call; ``running``: who computes it; ``worst_case``: searched instead of drawn.
"""
