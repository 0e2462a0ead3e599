"""Sphinx extension: writes the pages of the reference, from docstrings and from the registry, before pages are read.

``docs/reference`` is made anew by every build and kept by no one.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import dynamics as dyn
from app.equations.formula import UNITS
from app.equations.meanings import GIVEN, anchor
from app.equations.words import STAGE_TITLES
from app.views.plots.panels import GREEK, plain, spelled
from dynamics.reading import textbook_letters
from dynamics.system.registry import Quantity

ROOMS: Mapping[str, str] = MappingProxyType(
    {
        "robot": "Robots, and robots edited",
        "robot_files": "Robots from files",
        "system": "Systems, states, solutions",
        "solve": "Forward and inverse dynamics, operators, postures, many states",
        "motion": "Motion",
        "studies": "Studies of many states",
        "check": "Checks",
        "comparison": "Your code beside ours",
        "reading": "The text, read and written",
        "papers": "The papers' results, and operations counted",
        "witness": "Another witness",
        "errors": "Errors",
        "compilation": "Compiling ahead",
    }
)
"""Room of ``dynamics`` -> what its page is called, in the order in which one needs them."""


FIRST_FOUND = 0
"""As Sphinx counts what its search shows first."""


def public_names() -> dict[str, list[str]]:
    """The public names of each room, as they are imported: ``dynamics.load``, ``dynamics.robot.with_joint``.

    Raises:
        KeyError: for a name of a room that has no page.
    """
    found: dict[str, list[str]] = {room: [] for room in ROOMS}
    for name in dyn.__all__:
        if name != "registry":
            found[getattr(dyn, name).__module__.split(".")[1]].append(f"dynamics.{name}")
    for room, names in found.items():
        own = getattr(importlib.import_module(f"dynamics.{room}"), "__all__", ())
        names += [f"dynamics.{room}.{name}" for name in own if name not in dyn.__all__]
    return found


def named(path: str) -> Any:
    """What a public name stands for."""
    room, _, name = path.rpartition(".")
    return getattr(importlib.import_module(room), name)


def headed(title: str, sign: str) -> list[str]:
    """A heading of reStructuredText."""
    return [title, sign * len(title), ""]


def room_page(room: str, names: list[str]) -> str:
    """Functions and classes of a room, from their docstrings."""
    says = (importlib.import_module(f"dynamics.{room}").__doc__ or "").partition("\n")[0]
    lines = [*headed(ROOMS[room], "="), says, "", ".. py:currentmodule:: dynamics", ""]
    for name in names:
        value = named(name)
        kind = "function" if not inspect.isclass(value) else "exception" if issubclass(value, Exception) else "class"
        lines += [f".. auto{kind}:: {name}", *(["   :members:"] if kind == "class" else []), ""]
    return "\n".join(lines)


def index_page() -> str:
    """All names at a glance, and the pages."""
    lines = headed("dynamics: every public name", "=")
    lines += [
        "Most after ``import dynamics as dyn``, the rest from a room: ``from dynamics.robot import with_joint``.",
        "",
        ".. py:module:: dynamics",
        "",
    ]
    for room, names in public_names().items():
        roles = ", ".join(f":py:obj:`~{name}`" for name in names)
        lines += [f":doc:`{room}`", f"   {roles}", ""]
    lines += [".. py:data:: registry", "", "   Every :doc:`quantity <quantities>` of a solution's stages: a mapping of"]
    lines += ["   (stage, name) to :py:class:`~dynamics.Quantity`, which is not to be changed.", ""]
    lines += [".. toctree::", "   :hidden:", "", *(f"   {room}" for room in ROOMS), ""]
    return "\n".join(lines)


def letters() -> Iterator[tuple[str, str, Quantity, list[str]]]:
    """Stage, name, quantity and letters in the text of all that the text computes or is given."""
    found: dict[tuple[str, str], tuple[Quantity, list[str]]] = {
        key: (quantity, []) for key, quantity in dyn.registry.items()
    }
    for letter in textbook_letters():
        if letter.quantity.mechanics_name in ("zero", "identity"):
            continue
        if letter.stage in STAGE_TITLES or not letter.stage:
            key = letter.stage or GIVEN, letter.quantity_name or letter.name
            found.setdefault(key, (letter.quantity, []))[1].append(letter.name)
    for (stage, name), (quantity, names) in found.items():
        yield stage, name, quantity, list(dict.fromkeys(names))


def entry(stage: str, name: str, quantity: Quantity, names: list[str]) -> list[str]:
    """A quantity: its anchor, words by which it is found, and what the registry says of it."""
    mechanics, estimation = quantity.mechanics_name, quantity.estimation_name
    lines = [f".. _{anchor(stage, name)}:", "", *headed(f"{mechanics[:1].upper()}{mechanics[1:]}", "~")]
    if (stage, name) in dyn.registry:
        read = f'``solution.stages["{stage}"]["{name}"]``'
    elif stage == GIVEN:
        read = "what the text is given"
    else:
        read = f"``{name}``, on the way: :py:func:`~dynamics.read_textbook` has it, a solution has not"
    number = quantity.equation
    if quantity.equation_at_base:
        number += f"; of a base that floats {quantity.equation_at_base}"
    rows = {
        "symbol": f":math:`{quantity.symbol}`",
        "an estimator says": estimation,
        "a mechanic says": mechanics,
        "unit": UNITS.get(quantity.unit, quantity.unit).replace("^2", "²"),
        "shape": f"``{quantity.shape}``",
        "axes": quantity.frame.replace("O_k", ":math:`O_k`"),
        "equation": f":doc:`{number} <../equations>`" if number else "",
        "in Python": read,
        "in the text": ", ".join(f"``{each}``" for each in names),
    }
    return [*lines, *(f":{row}: {words}" for row, words in rows.items() if words), ""]


def quantities_page() -> str:
    """Every quantity, stage by stage."""
    lines = headed("Every quantity", "=")
    lines += ["What the stages of a solution hold, what the text computes between, and what it is given. Each has a",
              "name in either language, a unit, axes, and the number of the equation that defines it.", "",
              ".. contents::", "   :local:", "   :depth: 1",
              "   :backlinks: none", ""]  # fmt: skip
    stage = ""
    for each, name, quantity, names in sorted(letters(), key=lambda one: [*STAGE_TITLES, GIVEN].index(one[0])):
        if each != stage:
            stage = each
            lines += headed("Given" if stage == GIVEN else STAGE_TITLES[stage], "-")
        lines += entry(stage, name, quantity, names)
    return "\n".join(lines)


def write(folder: Path) -> None:
    """All pages of the reference; what is as it was is left alone, what belongs to none is taken away."""
    pages = {room: room_page(room, names) for room, names in public_names().items()}
    pages |= {"index": index_page(), "quantities": quantities_page()}
    folder.mkdir(exist_ok=True)
    for path in folder.glob("*.rst"):
        if path.stem not in pages:
            path.unlink()
    for name, text in pages.items():
        path = folder / f"{name}.rst"
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def with_norms(app: Any, what: str, name: str, value: object, options: object, lines: list[str]) -> None:
    """Has the bars of a norm, |x|, stand for themselves; within a literal they do anyway."""
    for k, line in enumerate(lines):
        parts = line.split("``")
        lines[k] = "``".join(part if at % 2 else part.replace("|", r"\|") for at, part in enumerate(parts))


def with_short_types(app: Any, what: str, name: str, value: object, options: object, signature: str | None,
                     returned: str | None) -> tuple[str | None, str | None]:  # fmt: skip
    """Has an array be an array; what its numbers are, and which axes they have, is in the docstring."""
    short: list[str | None] = [
        text and re.sub(r"(?:numpy\.)?ndarray\[tuple\[Any, \.\.\.\], (?:numpy\.)?dtype\[[\w.]+\]\]", "ndarray", text)
        for text in (signature, returned)
    ]
    return short[0], short[1]


def found_by_search(app: Any, environment: Any) -> None:
    """Every quantity is an object that the search knows: by its name, by both fields' words, by its symbol alone."""
    domain = environment.get_domain("std")
    domain.object_types["quantity"].attrs["searchprio"] = FIRST_FOUND
    known = domain.objects
    for stage, name, quantity, _ in letters():
        place = "reference/quantities", anchor(stage, name)
        symbol = plain(quantity.symbol)
        greek = " ".join(word for word in spelled(quantity.symbol).split() if word in GREEK)
        told = [f"{quantity.mechanics_name}: {quantity.estimation_name}", f"{symbol} {greek}".strip(), name]
        words = f"{', '.join(told)} ({STAGE_TITLES.get(stage, GIVEN)})"
        known["quantity", words.replace(".", "").replace("'", "’")] = place
        known.setdefault(("quantity", symbol.partition("(")[0]), place)


def begin(app: Any) -> None:
    write(Path(app.srcdir) / "reference")


def setup(app: Any) -> dict[str, bool]:
    app.connect("builder-inited", begin)
    app.connect("autodoc-process-docstring", with_norms)
    app.connect("autodoc-process-signature", with_short_types)
    app.connect("env-updated", found_by_search)
    app.add_object_type("quantity", "quantity", objname="quantity")
    return {"parallel_read_safe": True}
