"""Compilation ahead of the first call, for servers and tests; nobody else needs what it imports."""

from __future__ import annotations

from collections.abc import Callable

from dynamics.public import public_as_computed


@public_as_computed
def compile_kernels(
    everything: bool = False,
    told: Callable[[str], None] = lambda words: None,
    progress: Callable[[float], None] = lambda share: None,
) -> bool:
    """Compile ahead what would else be compiled when it is first called, into the cache on disk.

    What the disk has no room for, although it had when this package was imported, is compiled in memory.

    Args:
        everything: whether what a page can do without at first is wanted, too.
        told: called with words that say how far it is.
        progress: called with the share of the kernels that are compiled.

    Returns:
        whether there was something to do.

    Cost: half a minute on two cores, once for each version and processor; a moment when the cache is full; minutes
        where what is compiled cannot be kept.
    """
    from dynamics.compilation import compile_kernels as fill_cache

    def tell(words: str, share: float) -> None:
        told(words)
        progress(share)

    return fill_cache(everything, tell)
