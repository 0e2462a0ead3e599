"""The map of the code is the code's: its picture, its table, and every file that it sends a reader to."""

from __future__ import annotations

import ast
import re

import pytest

from docs.architecture import PAGE, PICTURE, ROOT, Room, below, drawn, page, rooms

MOST_FILES = 16
"""Of a room of the mechanics: about fifteen."""


@pytest.fixture(scope="module")
def found() -> dict[str, Room]:
    return rooms()


@pytest.mark.slow
def test_the_map_is_drawn_from_the_imports_as_they_are(found: dict[str, Room]) -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert page(text, found) == text, "run python -m docs.architecture"
    assert drawn(found) == PICTURE.read_text(encoding="utf-8"), "run python -m docs.architecture"


def test_the_map_knows_what_imports_what(found: dict[str, Room]) -> None:
    assert "dynamics" in found["scenes"].imports
    assert "dynamics.system" in found["dynamics.textbook"].imports
    assert not any(name.startswith("dynamics.") for name in found["app.walker"].imports)


def test_every_file_on_the_page_exists() -> None:
    folder = ROOT
    named = re.findall(r"`([\w/]+\.py|[\w/]+\.js)`", PAGE.read_text(encoding="utf-8"))
    assert len(named) > 30
    for name in named:
        folder = (ROOT / name).parent if "/" in name else folder  # a bare name lies beside the one before it
        assert (folder / name.rpartition("/")[2]).is_file(), name


def test_a_room_of_the_page_imports_what_it_says(found: dict[str, Room]) -> None:
    """Those of the mechanics are held to it by ``lint-imports``."""
    checked, reached = 0, below(found)
    for name, room in found.items():
        front = ROOT / name.replace(".", "/") / "__init__.py"
        if name.startswith("dynamics") or not front.is_file():
            continue
        may, start = re.search(
            r"It may import: (.*)\nStart with (.*)", front.read_text(encoding="utf-8"), re.DOTALL
        ).groups()
        named = set(re.findall(r"``((?:app|scenes)\.\w+)``", may))
        named |= {
            package for package, word in (("scenes", "scenes"), ("dynamics", "mechanics")) if f"the {word}" in may
        }
        assert room.imports <= named.union(*(reached[each] for each in named), {"app.views"} & {name}), name
        starts = re.findall(r"``([\w]+)``", start)
        assert any((front.parent / f"{each}.py").is_file() for each in starts), name
        checked += 1
    assert checked > 8


def test_a_room_of_the_mechanics_is_a_room_and_no_hall(found: dict[str, Room]) -> None:
    own = [room for name, room in found.items() if name.startswith("dynamics.")]
    assert len(own) > 12
    for room in own:
        assert len(room.files) <= MOST_FILES, room.name
        assert room.says, room.name


@pytest.mark.slow
def test_who_watches_several_parameters_takes_several_events() -> None:
    """``param`` hands over all that changed together; a watcher of one event fails only then."""
    narrow = []
    for path in sorted((ROOT / "app").rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call) or getattr(call.func, "attr", "") != "watch" or len(call.args) < 2:
                continue
            watcher, names = call.args[:2]
            takes_one = isinstance(watcher, ast.Lambda) and watcher.args.vararg is None
            if takes_one and isinstance(names, ast.List) and len(names.elts) > 1:
                narrow.append(f"{path.relative_to(ROOT)}:{call.lineno}")
    assert not narrow
