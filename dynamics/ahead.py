"""What a server does before it lets anybody in; nobody else needs what it imports."""

from __future__ import annotations


def compile_kernels(everything: bool = False) -> bool:
    """Compile ahead what would else be compiled when it is first called, into the cache on disk.

    Args:
        everything: whether what no session of the page calls is wanted, too.

    Returns:
        whether there was something to do.

    Cost: a quarter of a minute on two cores, once for each version and processor; a moment when the cache is full.
    """
    from dynamics.compilation import compile_kernels as fill_cache

    return fill_cache(everything)
