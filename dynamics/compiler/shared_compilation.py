"""Two processes that compile the same tree of calls: each kernel is compiled by whoever comes to it first.

The other waits for it and takes it from the cache on disk. Kernels do not call themselves, so whoever is waited for
goes on; if it dies, the kernel is free for whoever waits.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache

try:
    import fcntl
except ImportError:  # Windows, where each process compiles whatever it needs
    fcntl = None  # type: ignore[assignment]

SUFFIX = ".claim"


def share_compilation() -> None:
    """Let this process share with all that have called this, from now on."""
    load, save = FunctionCache.load_overload, FunctionCache.save_overload
    claims: dict[Path, Any] = {}

    def load_or_claim(cache: Any, signature: Any, context: Any) -> Any:
        found, claim = load(cache, signature, context), _claim(cache)
        if found is not None or claim in claims:
            return found
        file = claim.open("w")
        fcntl.flock(file, fcntl.LOCK_EX)
        found = load(cache, signature, context)
        if found is None:
            claims[claim] = file
        else:
            file.close()
        return found

    def save_and_release(cache: Any, signature: Any, compiled: Any) -> None:
        save(cache, signature, compiled)
        file = claims.pop(_claim(cache), None)
        if file is not None:
            file.close()

    if fcntl is not None:
        cache_class: Any = FunctionCache
        cache_class.load_overload, cache_class.save_overload = load_or_claim, save_and_release


def _claim(cache: Any) -> Path:
    """A file for each kernel, whatever types it is compiled for: its entries in the cache share one list."""
    return Path(cache.cache_path) / (cache._impl.filename_base + SUFFIX)
