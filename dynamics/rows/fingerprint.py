"""What a question is, told in bytes that are the same wherever it is asked."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any

import numpy as np

from dynamics.rows.ranges import Law


def fingerprint_of(value: Any) -> str:
    """The same for the same value, in any process: 64 letters."""
    digest = hashlib.sha256()
    _told(digest.update, value)
    return digest.hexdigest()


def _told(tell: Callable[[bytes], object], value: Any, within: tuple[int, ...] = ()) -> None:
    """A value, all the way down, as bytes that say the same in any process.

    Args:
        within: the functions in which it was met: one may call itself.
    """
    tell(f"({type(value).__name__} ".encode())
    if isinstance(value, Law):
        # A name and its arguments are not all of a law that somebody has made.
        value = value.at(np.linspace(0.0, 1.0, 65))
    if isinstance(value, np.ndarray):
        tell(f"{value.dtype}{value.shape}".encode() + np.ascontiguousarray(value).tobytes())
    elif is_dataclass(value):
        for one in fields(value):
            tell(one.name.encode())
            _told(tell, getattr(value, one.name), within)
    elif isinstance(value, Mapping):
        for key in sorted(value):
            _told(tell, (key, value[key]), within)
    elif isinstance(value, list | tuple | frozenset):
        for part in sorted(value) if isinstance(value, frozenset) else value:
            _told(tell, part, within)
    elif callable(value):
        if id(value) not in within:
            _told_function(tell, value, (*within, id(value)))
    else:
        tell(repr(value).encode())
    tell(b")")


def _told_function(tell: Callable[[bytes], object], value: Any, within: tuple[int, ...]) -> None:
    """Of a function or what can be called as one: its text, and the values that the text alone leaves open."""
    if isinstance(value, partial):
        _told(tell, (value.func, value.args, value.keywords), within)
        return
    text: Any = value if inspect.isroutine(value) or inspect.isclass(value) else type(value)
    try:
        tell(inspect.getsource(text).encode())
    except (OSError, TypeError):
        tell(getattr(text, "__qualname__", type(text).__qualname__).encode())
    if inspect.isfunction(value):
        named = inspect.getclosurevars(value)
        plain = {name: one for name, one in named.globals.items() if not callable(one) and not inspect.ismodule(one)}
        _told(tell, (value.__defaults__ or (), value.__kwdefaults__ or {}, named.nonlocals, plain), within)
    elif inspect.ismethod(value):
        _told(tell, (value.__func__, value.__self__), within)
    elif text is not value:
        _told(tell, getattr(value, "__dict__", {}), within)
