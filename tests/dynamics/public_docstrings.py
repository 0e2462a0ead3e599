"""Everything that ``dynamics`` exports, its docstrings taken apart, and what a linter says of them.

``python -m tests.dynamics.public_docstrings`` prints what is missing.
"""

import ast
import builtins
import importlib
import inspect
import os
import pkgutil
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import dynamics as dyn

ROOT = Path(dyn.__file__).parents[1]
ERRORS = ("ModelError", "StateError", "SingularConfigurationError")
CHECKING = ("numbers", "pose")
"""They raise the error that they are given, or ``StateError``."""
# Rooms whose functions compute something that a paper, or a law, says.
BY_THE_PAPERS = ("check", "operators", "papers", "posture", "recursion", "solve", "witness")
SOURCE = re.compile(r"\b(R87|R88|JR|JZ|TML|MATH)\b|\b[Ll]aw\b|damped least squares|Newton's steps")
UNIT = re.compile(r"(?<!\w)(m|rad|kg|N|N m|s|J|SI|W|kg m\^2|m/s|rad/s)(?!\w)|units?\b|joint-acceleration")
FRAME = re.compile(r"\b(axes|frame|frames|axis)\b|<-|tip to base|base to tip|joint by joint|packed")


@dataclass(frozen=True)
class Public:
    """A function, method, property's getter or class that a user can call, by the name that a user writes."""

    name: str
    thing: Any
    owner: type | None = None
    is_property: bool = False

    @property
    def is_class(self) -> bool:
        return inspect.isclass(self.thing)

    @cached_property
    def doc(self) -> str:
        return inspect.getdoc(self.thing) or "" if self.thing.__doc__ else ""

    @cached_property
    def parameters(self) -> tuple[inspect.Parameter, ...]:
        found = inspect.signature(self.thing).parameters.values()
        return tuple(p for p in found if p.name not in ("self", "cls"))

    @cached_property
    def sections(self) -> dict[str, str]:
        """The text under each heading, its indent removed; ``Cost`` is a heading within a line."""
        found: dict[str, str] = {}
        for title, body in re.findall(r"^(\w+):\n((?:[ ]{4,}.*\n?|\n)+)", self.doc, re.MULTILINE):
            found[title] = textwrap.dedent(body)
        return found

    def entries(self, title: str) -> set[str]:
        """The names that a section explains: ``a:``, each on a line of its own."""
        return set(re.findall(r"^\*{0,2}(\w+):[ \n]", self.sections.get(title, ""), re.MULTILINE))


@cache
def public_names() -> dict[str, Any]:
    """Every public name and what it means: the package's own, and those that its rooms export."""
    modules = [dyn, *(importlib.import_module(f"dynamics.{room.name}") for room in pkgutil.iter_modules(dyn.__path__))]
    return {name: getattr(module, name) for module in modules for name in getattr(module, "__all__", ())}


def exported() -> Iterator[Public]:
    """Every exported function and class, with the public methods and properties of the classes."""
    for name, thing in public_names().items():
        if inspect.isclass(thing):
            yield Public(name, thing)
            for key, member in vars(thing).items():
                if key.startswith("_"):
                    continue
                if isinstance(member, property | cached_property):
                    getter = member.fget if isinstance(member, property) else member.func
                    yield Public(f"{name}.{key}", getter, thing, is_property=True)
                elif inspect.isfunction(inspect.unwrap(getattr(member, "__func__", member))):
                    yield Public(f"{name}.{key}", getattr(member, "__func__", member), thing)
        elif inspect.isfunction(inspect.unwrap(thing)):
            yield Public(name, inspect.unwrap(thing))


def missing(public: Public) -> list[str]:
    doc = public.doc
    if not doc.strip():
        return ["no docstring"]
    found = []
    if not re.match(r"\S.*[.:;)]$", doc.split("\n\n")[0].replace("\n", " ")):
        found.append("no summary that is a sentence")
    if public.is_property or issubclass(public.thing if public.is_class else int, Exception):
        return found
    if public.is_class:
        return found + _missing_of_class(public)
    names = [p.name for p in public.parameters]
    found += [f"Args lacks {name}" for name in names if name not in public.entries("Args")]
    returns = str(inspect.signature(public.thing).return_annotation).strip("'\"")
    if returns != "None" and not public.sections.get("Returns", "").strip():
        found.append("no Returns")
    found += [f"Raises lacks {one}" for one in sorted(raised_by(public.thing, public.owner) - public.entries("Raises"))]
    if not re.search(r"^Cost: \S", doc, re.MULTILINE):
        found.append("no Cost")
    annotations = " ".join(str(p.annotation) for p in public.parameters) + returns
    if re.search(r"Array(?!\w)|ArrayLike|Forces", annotations):
        found += [f"no {what}" for what, words in (("unit", UNIT), ("frame or axes", FRAME)) if not words.search(doc)]
    room = public.thing.__module__.removeprefix("dynamics.").partition(".")[0]
    if room in BY_THE_PAPERS and public.owner is None and not SOURCE.search(doc):
        found.append("no equation, paper or law")
    return found


def _missing_of_class(public: Public) -> list[str]:
    """A record explains its fields; what is made by a call explains the call."""
    thing = public.thing
    if is_dataclass(thing):
        names = [field.name for field in fields(thing) if not field.name.startswith("_")]
        explained = public.entries("Attributes")
        if "__init__" in vars(thing) and vars(thing)["__init__"].__doc__:
            explained |= Public("", vars(thing)["__init__"]).entries("Args")
        return [f"Attributes lacks {name}" for name in names if name not in explained]
    if issubclass(thing, tuple):
        return [f"Attributes lacks {name}" for name in thing._fields if name not in public.entries("Attributes")]
    if getattr(thing, "_is_protocol", False):
        return []
    init = Public("", thing.__init__)
    explained = init.entries("Args") | public.entries("Args")
    return [f"Args lacks {p.name}" for p in init.parameters if p.name not in explained]


@cache
def raised_by(function: Callable[..., object], owner: type | None = None) -> frozenset[str]:
    """The named errors that a function raises, itself or by the functions that it calls by their names."""
    return frozenset(_raised(function, owner, set()))


def _raised(function: Callable[..., object], owner: type | None, seen: set[object]) -> set[str]:
    function = inspect.unwrap(function)
    if function in seen or not inspect.isfunction(function) or not function.__module__.startswith("dynamics"):
        return set()
    seen.add(function)
    names = function.__globals__
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and isinstance(node.exc.func, ast.Name):
            made = node.exc.func.id  # the error itself, or a function that words it
            found |= {made, str(getattr(names.get(made), "__annotations__", {}).get("return"))} & set(ERRORS)
        if not isinstance(node, ast.Call):
            continue
        told = {a.id for a in [*node.args, *(k.value for k in node.keywords)] if isinstance(a, ast.Name)} & set(ERRORS)
        called = node.func
        if isinstance(called, ast.Name) and called.id in CHECKING:
            found |= told or {"StateError"}
        elif isinstance(called, ast.Name) and not hasattr(builtins, called.id) and called.id in names:
            found |= _raised(names[called.id], None, seen)
        elif isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
            held = names.get(called.value.id)
            if called.value.id == "self" and owner is not None:
                found |= _raised(getattr(owner, called.attr, None), owner, seen)
            elif inspect.ismodule(held):
                found |= _raised(getattr(held, called.attr, None), None, seen)
    return found


def linted() -> list[str]:
    """What pydoclint says of exported names, with the settings of pyproject.toml."""
    public = {}
    for one in exported():
        thing = inspect.unwrap(one.thing)
        if one.is_property:
            continue  # it is read like an attribute, and its one line says what it is
        if thing.__module__.startswith("dynamics"):
            public[str(Path(inspect.getsourcefile(thing) or "")), one.name] = one
            if one.is_class:
                public[str(Path(inspect.getsourcefile(thing) or "")), f"{one.name}.__init__"] = one
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
    faults = [f"{public.name}: {', '.join(lacks)}" for public in exported() if (lacks := missing(public))]
    faults += linted()
    print(*faults, sep="\n")
    print(f"{len(list(exported()))} public names, {len(faults)} faults")
    return min(len(faults), 100)


if __name__ == "__main__":
    sys.exit(main())
