"""What a question is, told in bytes that are the same wherever it is asked."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any

import numpy as np

from dynamics.rows.named import is_of_a_library, methods_of, named
from dynamics.rows.ranges import Law

Met = dict[int, tuple[int, Any]]
"""By its place in memory, which is its own while it is here: which one in a row, and the thing itself."""


def fingerprint_of(value: Any) -> str:
    """The same for the same value, in any process: 64 letters."""
    digest = hashlib.sha256()
    _told(digest.update, value, {})
    return digest.hexdigest()


def _told(tell: Callable[[bytes], object], value: Any, met: Met) -> None:
    """A value, all the way down, as bytes that say the same in any process.

    Args:
        met: the functions and objects that were told before: each is told once, as one may call itself.
    """
    tell(f"({type(value).__name__} ".encode())
    if not is_of_a_library(type(value)):  # what it does, beside what it has
        _told(tell, type(value), met)
    if isinstance(value, Law):
        # A name and its arguments are not all of a law that somebody has made.
        value = value.at(np.linspace(0.0, 1.0, 65))
    if isinstance(value, np.ndarray):
        tell(f"{value.dtype}{value.shape}".encode() + np.ascontiguousarray(value).tobytes())
    elif is_dataclass(value) and not inspect.isclass(value):
        for one in fields(value):
            tell(one.name.encode())
            _told(tell, getattr(value, one.name), met)
    elif isinstance(value, Mapping):
        for key in sorted(value, key=repr):
            _told(tell, (key, value[key]), met)
    elif isinstance(value, list | tuple | set | frozenset):
        for part in sorted(value, key=repr) if isinstance(value, set | frozenset) else value:
            _told(tell, part, met)
    elif callable(value) or type(value).__repr__ is object.__repr__:
        if id(value) in met:
            tell(f"{met[id(value)][0]}".encode())
        else:
            met[id(value)] = len(met), value
            (_told_function if callable(value) else _told_object)(tell, value, met)
    else:
        tell(repr(value).encode())
    tell(b")")


def _told_function(tell: Callable[[bytes], object], value: Any, met: Met) -> None:
    """Of a function or what can be called as one: its text, and the values that the text alone leaves open."""
    if isinstance(value, partial):
        _told(tell, (value.func, value.args, value.keywords), met)
        return
    if inspect.ismethod(value):
        _told(tell, (value.__func__, value.__self__), met)
        return
    is_text = inspect.isroutine(value) or inspect.isclass(value)
    if is_text and is_of_a_library(value):
        tell(f"{value.__module__}.{value.__qualname__}".encode())
        return
    if not is_text and hasattr(value, "__wrapped__"):  # compiled, or one that keeps its answers
        _told(tell, (type(value).__qualname__, value.__wrapped__), met)
        return
    if not is_text:
        _told_object(tell, value, met)
        return
    try:
        tell(inspect.getsource(value).encode())
    except (OSError, TypeError):
        tell(getattr(value, "__name__", "").encode())
    if inspect.isfunction(value):
        closed = inspect.getclosurevars(value).nonlocals
        _told(tell, (value.__defaults__ or (), value.__kwdefaults__ or {}, closed, named(value)), met)
    elif inspect.isclass(value):
        _told(tell, [one for one in value.__bases__ if one is not object], met)
        _told(tell, methods_of(value), met)


def _told_object(tell: Callable[[bytes], object], value: Any, met: Met) -> None:
    """Of an object that says of itself only where in memory it is, or can be called: its name, and what it has."""
    tell(getattr(value, "__name__", "").encode())
    _told(tell, getattr(value, "__dict__", {}), met)
