"""What a room's docstring says of its neighbors and of where to start is so."""

from __future__ import annotations

import ast
import importlib
import re
import tomllib
from pathlib import Path

import grimp
import pytest

import dynamics as dyn

FOLDER = Path(dyn.__file__).parent
ROOMS = sorted(path.parent.name for path in FOLDER.glob("*/__init__.py"))
BELOW_ALL = {"checks", "public", "errors", "record", "latest"}


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("dynamics")


@pytest.fixture(scope="module")
def order() -> list[set[str]]:
    """The contract's lines, lowest first."""
    settings = tomllib.loads((FOLDER.parent / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract.get("containers") == ["dynamics"])
    return [set(re.findall(r"\w+", line)) for line in reversed(layers)]


def said(room: str, pattern: str) -> set[str]:
    """The names in double backticks after a phrase, as far as its sentence goes."""
    words = re.search(
        pattern + r"(.*?)\.(?:\s|$)", importlib.import_module(f"dynamics.{room}").__doc__ or "", re.DOTALL
    )
    return set(re.findall(r"``(\w+)``", words[1])) if words else set()


def allowed(room: str) -> set[str]:
    """The rooms that it names and, in turn, what these may import."""
    found: set[str] = set()
    waiting = said(room, r"It (?:may )?imports?")
    while waiting:
        found |= waiting
        waiting = {deeper for name in waiting & set(ROOMS) for deeper in said(name, r"It (?:may )?imports?")} - found
    return found


def test_rooms_are_found() -> None:
    assert {"robot", "system", "recursion", "witness", "check"} <= set(ROOMS)
    assert allowed("witness") >= {"system", "robot", "numbers", "compiler"}
    assert "recursion" not in allowed("witness") | allowed("system")


def test_tests_stand_in_the_rooms_that_they_mirror() -> None:
    assert sorted(path.parent.name for path in Path(__file__).parent.glob("*/__init__.py")) == ROOMS


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_what_it_says(graph: grimp.ImportGraph, order: list[set[str]], room: str) -> None:
    modules = graph.find_descendants(f"dynamics.{room}") | {f"dynamics.{room}"}
    reached = {found.split(".")[1] for m in modules for found in graph.find_modules_directly_imported_by(m)}
    assert reached - {room} - BELOW_ALL <= allowed(room)
    height = next(i for i, line in enumerate(order) if room in line)
    assert allowed(room) <= set().union(*order[:height])


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_says_where_to_start(room: str) -> None:
    text = importlib.import_module(f"dynamics.{room}").__doc__ or ""
    start = set(re.findall(r"(?:Start with|;)\s``(\w+)``", text[text.index("Start with") :]))
    assert start
    assert start <= {path.stem for path in (FOLDER / room).glob("*.py")}


@pytest.mark.parametrize("room", ["recursion", "lanes"])
def test_each_compiled_text_says_which_row_of_the_benchmarks_needs_it(room: str) -> None:
    """By its name in double backticks, or by that of a neighbor that says it."""
    rows = {path.stem for path in (FOLDER.parent / "benchmarks").glob("*.py") if "def contest(" in path.read_text()}
    heads = {
        path.stem: set(re.findall(r"``(\w+)``", ast.get_docstring(ast.parse(path.read_text())) or ""))
        for path in (FOLDER / room).glob("*.py")
        if re.search(r"^@(kernel|inlined|part)$", path.read_text(), re.MULTILINE)
    }
    said = {name for name, named in heads.items() if named & rows}
    for _ in heads:
        said |= {name for name, named in heads.items() if named & said}
    assert len(heads) > 7
    assert heads.keys() - said == set()
