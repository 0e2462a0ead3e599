"""Names of files of machine code that no two processes give."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from numba.core.caching import IndexDataCacheFile


class OwnNames(IndexDataCacheFile):  # type: ignore[misc]
    """Where numba keeps one function, each signature in a file that nobody else writes.

    Numba numbers these by the index that it has read. Two processes that compile two signatures of one function at the
    same time give both one number, and the index may then name a file for one in which the other is: whoever comes
    next runs the wrong code. So named, at worst the index lacks one of them, which is compiled again.
    """

    def _data_name(self, number: int) -> str:
        name: str = super()._data_name(number)
        return f"{name.removesuffix(f'.{number}.nbc')}.{uuid4().hex[:16]}.nbc"


def name_apart(dispatcher: Any) -> None:
    """Have a function that numba keeps so named."""
    dispatcher._cache._cache_file.__class__ = OwnNames
