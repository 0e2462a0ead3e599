"""Everything that ``dynamics`` exports, and what a linter says of its docstrings.

``python -m tests.dynamics.public_docstrings`` prints what is missing.
"""

import importlib
import inspect
import os
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import dynamics as dyn

ROOT = Path(dyn.__file__).parents[1]


@dataclass(frozen=True)
class PublicName:
    """A function, method, property's getter or class that a user can call, by the name that a user writes."""

    name: str
    value: Any
    is_property: bool = False


@cache
def public_names() -> dict[str, Any]:
    """Every public name and what it means: the package's own, and those that its rooms export."""
    modules = [dyn, *(importlib.import_module(f"dynamics.{room.name}") for room in pkgutil.iter_modules(dyn.__path__))]
    return {name: getattr(module, name) for module in modules for name in getattr(module, "__all__", ())}


def exported() -> Iterator[PublicName]:
    """Every exported function and class, with the public methods and properties of the classes."""
    for name, value in public_names().items():
        if inspect.isclass(value):
            yield PublicName(name, value)
            for key, member in vars(value).items():
                if key.startswith("_"):
                    continue
                if isinstance(member, property | cached_property):
                    getter = member.fget if isinstance(member, property) else member.func
                    yield PublicName(f"{name}.{key}", getter, is_property=True)
                elif inspect.isfunction(inspect.unwrap(getattr(member, "__func__", member))):
                    yield PublicName(f"{name}.{key}", getattr(member, "__func__", member))
        elif inspect.isfunction(inspect.unwrap(value)):
            yield PublicName(name, inspect.unwrap(value))


def linted() -> list[str]:
    """What pydoclint says of exported names, with the settings of pyproject.toml."""
    public = set()
    for one in exported():
        value = inspect.unwrap(one.value)
        if not one.is_property and value.__module__.startswith("dynamics"):  # a property reads like an attribute
            file = str(Path(inspect.getsourcefile(value) or ""))
            public |= {(file, one.name), (file, f"{one.name}.__init__")}
    files = sorted({file for file, _ in public})
    # An environment of its own: its parser and another library's have files of the same name.
    linter = os.environ.get("PYDOCLINT_PYTHON", sys.executable)
    command = [linter, "-m", "pydoclint.main", "--config", str(ROOT / "pyproject.toml"), *files]
    told = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False).stderr
    if "pydoclint.main" in told or not re.search(r"No violations|DOC\d+", told):
        raise RuntimeError(f"pydoclint did not run: {told[:500]}")
    found, file = [], ""
    for line in told.splitlines():
        if line.endswith(".py"):
            file = str((ROOT / line.strip()).resolve())
        match = re.match(r"\s+\d+: (DOC\d+): (?:Function|Method|Class) `([\w.]+)`:? (.*)", line)
        if match and (file, match[2]) in public:
            found.append(f"{match[2]}: {match[1]}: {match[3]}")
    return found


def main() -> int:
    """Print what is missing; the number of faults is the exit status, at most 100."""
    faults = [f"{public.name}: no docstring" for public in exported() if not public.value.__doc__] + linted()
    print(*faults, sep="\n")
    print(f"{len(list(exported()))} public names, {len(faults)} faults")
    return min(len(faults), 100)


if __name__ == "__main__":
    sys.exit(main())
