"""Memory stays with a worker from one batch to the next."""

from __future__ import annotations

import ctypes
from contextlib import suppress
from functools import cache

TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
"""What ``mallopt`` calls them."""
LARGE = 32 << 20
"""Bytes: the most that glibc comes to by itself for what it gives back at once."""


@cache
def keep_memory() -> None:
    """What is freed is at hand for the next batch.

    glibc does so by itself, unless somebody has told it otherwise, as Dask does in its workers: then each array of a
    batch is given back, and the system empties its pages anew. That takes half as long again as a batch.
    """
    with suppress(AttributeError, OSError, TypeError):  # other systems' libraries
        tell = ctypes.CDLL(None).mallopt
        tell(MMAP_THRESHOLD, LARGE)
        tell(TRIM_THRESHOLD, 2 * LARGE)
