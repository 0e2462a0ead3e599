"""What a question is, told in bytes that are the same wherever it is asked."""

from __future__ import annotations

import hashlib
import inspect
import sysconfig
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache, partial
from pathlib import Path
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
        within: the functions and objects in which it was met: one may call itself.
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
        for key in sorted(value, key=repr):
            _told(tell, (key, value[key]), within)
    elif isinstance(value, list | tuple | set | frozenset):
        for part in sorted(value, key=repr) if isinstance(value, set | frozenset) else value:
            _told(tell, part, within)
    elif callable(value) or type(value).__repr__ is object.__repr__:
        if id(value) not in within:
            (_told_function if callable(value) else _told_object)(tell, value, (*within, id(value)))
    else:
        tell(repr(value).encode())
    tell(b")")


def _told_function(tell: Callable[[bytes], object], value: Any, within: tuple[int, ...]) -> None:
    """Of a function or what can be called as one: its text, and the values that the text alone leaves open."""
    if isinstance(value, partial):
        _told(tell, (value.func, value.args, value.keywords), within)
        return
    if inspect.ismethod(value):
        _told(tell, (value.__func__, value.__self__), within)
        return
    is_text = inspect.isroutine(value) or inspect.isclass(value)
    if is_text and _is_of_a_library(value):
        tell(f"{value.__module__}.{value.__qualname__}".encode())
        return
    if not is_text and hasattr(value, "__wrapped__"):  # compiled, or one that keeps its answers
        _told(tell, (type(value).__qualname__, value.__wrapped__), within)
        return
    text: Any = value if is_text else type(value)
    try:
        tell(inspect.getsource(text).encode())
    except (OSError, TypeError):
        tell(getattr(value, "__name__", text.__qualname__).encode())
    if inspect.isfunction(value):
        named = inspect.getclosurevars(value)
        there = {name: one for name, one in named.globals.items() if not inspect.ismodule(one)}
        _told(tell, (value.__defaults__ or (), value.__kwdefaults__ or {}, named.nonlocals, there), within)
    elif not is_text:
        _told(tell, getattr(value, "__dict__", {}), within)


def _told_object(tell: Callable[[bytes], object], value: Any, within: tuple[int, ...]) -> None:
    """Of an object that says of itself only where in memory it is: its class, and what it has."""
    tell(type(value).__qualname__.encode())
    _told(tell, getattr(value, "__dict__", {}), within)


def _is_of_a_library(value: Any) -> bool:
    """Whether a function or class is one of Python, of a package that is installed, or of this one: then its name says
    which, and those that it calls go on to the end of the world.
    """
    try:
        place = inspect.getsourcefile(inspect.unwrap(value))
    except TypeError:  # it is no Python at all
        return True
    return place is not None and any(Path(place).resolve().is_relative_to(each) for each in _libraries())


@cache
def _libraries() -> tuple[Path, ...]:
    ours = Path(__file__).resolve().parents[1]
    return (ours, *(Path(sysconfig.get_paths()[name]).resolve() for name in ("stdlib", "purelib", "platlib")))
