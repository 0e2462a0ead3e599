"""What a function's text names: whatever it says there decides what comes of the function, as much as the text does."""

from __future__ import annotations

import dis
import inspect
import sysconfig
from collections.abc import Iterator
from contextlib import suppress
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any


def named(function: FunctionType) -> dict[str, Any]:
    """Name -> value, of whatever stands at the top of a module: the function's own, or one that it names.

    Of a module each thing is there whose name the text has anywhere; none of a library's.
    """
    codes = list(_codes(function.__code__))
    names = {name for code in codes for name in code.co_names}
    own = {name: function.__globals__[name] for name in names & function.__globals__.keys()}
    found = {name: one for name, one in own.items() if not inspect.ismodule(one)}
    modules = [one for one in own.values() if inspect.ismodule(one)]
    package = function.__globals__.get("__package__") or None
    for code in codes:
        modules += _imported(code, package)
    seen: set[str] = set()
    while modules:
        module = modules.pop()
        if module.__name__ in seen or _is_library(module):
            continue
        seen.add(module.__name__)
        for name in names & vars(module).keys():
            value = vars(module)[name]
            if inspect.ismodule(value):
                modules.append(value)
            else:
                found[f"{module.__name__}.{name}"] = value
    return found


def methods_of(kind: type) -> dict[str, Any]:
    """Name -> function, of what a class defines itself."""
    found: dict[str, Any] = {}
    for name, one in vars(kind).items():
        plain = one.fget if isinstance(one, property) else getattr(one, "__func__", one)
        if inspect.isfunction(plain) and not is_of_a_library(plain):
            found[name] = plain
    return found


def is_of_a_library(value: Any) -> bool:
    """Whether a function or class is one of Python, of a package that is installed, or of this one: then its name says
    which, and those that it calls go on to the end of the world.
    """
    try:
        place = inspect.getsourcefile(inspect.unwrap(value))
    except TypeError:  # it is no Python at all
        return True
    return place is not None and _is_in_a_library(place)


def _is_library(module: ModuleType) -> bool:
    place = getattr(module, "__file__", None)
    return place is None or _is_in_a_library(place)


@lru_cache(maxsize=1024)
def _is_in_a_library(place: str) -> bool:
    return any(Path(place).resolve().is_relative_to(each) for each in _libraries())


@cache
def _libraries() -> tuple[Path, ...]:
    ours = Path(__file__).resolve().parents[1]
    return (ours, *(Path(sysconfig.get_paths()[name]).resolve() for name in ("stdlib", "purelib", "platlib")))


def _imported(code: CodeType, package: str | None) -> Iterator[ModuleType]:
    """Modules that a function imports when it is called: it will, so they may be imported now."""
    steps = list(dis.get_instructions(code))
    for at, step in enumerate(steps):
        if step.opname == "IMPORT_NAME":
            level, taken = steps[at - 2].argval, steps[at - 1].argval
            name = "." * level + step.argval
            for each in (name, *(f"{name}.{part}" if step.argval else f"{name}{part}" for part in taken or ())):
                with suppress(ImportError, TypeError):  # it will say so itself; or what is taken is no module
                    yield import_module(each, package)


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A function's, and those of functions that are written in it."""
    yield code
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _codes(one)
