"""The map of the code, drawn from its own imports: ``python -m docs.architecture`` renews picture and table.

A room is a folder with code. It stands above every room that it imports; arrows that follow from others are left out.
"""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parents[1]
PAGE, PICTURE = ROOT / "docs" / "architecture.md", ROOT / "docs" / "pictures" / "architecture.svg"
BEGIN, END = "<!-- rooms: begin -->", "<!-- rooms: end -->"
PACKAGES = ("app", "scenes", "dynamics")
SINGLE = (
    "dynamics.errors",
    "dynamics.checks",
    "dynamics.public",
    "dynamics.record",
    "dynamics.latest",
    "app.binding",
    "app.component",
    "app.copying",
    "app.job",
    "app.number_text",
    "app.unit_text",
    "app.pace",
    "app.wording",
)
"""Files beside the rooms that rooms stand on. The other files beside them stand above: the front of their package."""
WIDTH, HEIGHT, ACROSS, DOWN, MARGIN = 132, 44, 22, 40, 20


@dataclass(frozen=True)
class Room:
    """A folder: ``app.state``. ``says`` is the first line of its docstring."""

    name: str
    says: str
    files: tuple[str, ...]
    imports: frozenset[str]


def rooms() -> dict[str, Room]:
    """Every room by name, what stands highest first."""
    files: dict[str, list[Path]] = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "node_modules" not in path.parts:
                files.setdefault(".".join(path.relative_to(ROOT).parts[:2]).removesuffix(".py"), []).append(path)
    named = {name: paths for name, paths in files.items() if name in SINGLE or (ROOT / name.replace(".", "/")).is_dir()}
    for name, paths in files.items():
        if name not in named:
            named.setdefault(name.partition(".")[0], []).extend(paths)
    found = {name: _room(name, paths, set(named)) for name, paths in named.items()}
    height: dict[str, int] = {}
    for name in _upward(found):
        height[name] = 1 + max((height[each] for each in found[name].imports), default=-1)
    return {name: found[name] for name in sorted(found, key=lambda name: (-height[name], name))}


def _room(name: str, paths: list[Path], names: set[str]) -> Room:
    imports = set()
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                imports |= {_owner(f"{node.module}.{alias.name}", names) for alias in node.names}
            elif isinstance(node, ast.Import):
                imports |= {_owner(alias.name, names) for alias in node.names}
    front = next((path for path in paths if path.stem == "__init__"), paths[0])
    says = (ast.get_docstring(ast.parse(front.read_text(encoding="utf-8"))) or "").partition("\n")[0]
    folder = ROOT / name.replace(".", "/")
    own = tuple(
        path.stem if path.parent == folder or not folder.is_dir() else f"{path.parent.name}/{path.stem}"
        for path in paths
        if path.stem != "__init__"
    )
    return Room(name, says, own, frozenset(imports - {name, ""}))


def _owner(module: str, names: set[str]) -> str:
    """The room that a module lies in, "" for another project's."""
    parts = module.split(".")
    if parts[0] not in PACKAGES:
        return ""
    return next((name for n in (2, 1) if (name := ".".join(parts[:n])) in names), "")


def _upward(found: dict[str, Room]) -> tuple[str, ...]:
    """Every room after those that it imports."""
    try:
        return tuple(TopologicalSorter({name: room.imports for name, room in found.items()}).static_order())
    except CycleError as circle:
        raise SystemExit(f"a circle of imports: {' -> '.join(circle.args[1])}") from None


def below(found: dict[str, Room]) -> dict[str, set[str]]:
    """Of each room, every room that it stands on, directly or not."""
    reached: dict[str, set[str]] = {}
    for name in _upward(found):
        reached[name] = set(found[name].imports).union(*(reached[each] for each in found[name].imports))
    return reached


def drawn(found: dict[str, Room]) -> str:
    """The rooms as boxes, floor upon floor, as SVG."""
    floor: dict[str, int] = {}  # as high as those allow that import it, so that lines are short
    for name in found:
        floor[name] = min((floor[each] for each in found if name in found[each].imports), default=len(found)) - 1
    lowest = min(floor.values())
    floors: dict[int, list[str]] = {}
    for name in found:
        floors.setdefault(floor[name] - lowest, []).append(name)
    top = max(floors)
    widest = max(len(names) for names in floors.values())
    whole = 2 * MARGIN + widest * (WIDTH + ACROSS) - ACROSS
    place = {
        name: (
            whole / 2 + (i - (len(names) - 1) / 2) * (WIDTH + ACROSS),
            MARGIN + (top - floor) * (HEIGHT + DOWN) + HEIGHT / 2,
        )
        for floor, names in floors.items()
        for i, name in enumerate(names)
    }
    lines, reached = [], below(found)
    for name, room in found.items():
        through = {far for near in room.imports for far in reached[near]}
        for other in sorted(room.imports - through):
            (x1, y1), (x2, y2) = place[name], place[other]
            bend = (y2 - y1) / 2
            lines.append(
                f'<path d="M{x1:.0f} {y1 + HEIGHT / 2:.0f} C{x1:.0f} {y1 + bend:.0f} {x2:.0f} {y2 - bend:.0f} '
                f'{x2:.0f} {y2 - HEIGHT / 2:.0f}"/>'
            )
    boxes = [
        f'<rect x="{x - WIDTH / 2:.0f}" y="{y - HEIGHT / 2:.0f}" width="{WIDTH}" height="{HEIGHT}" rx="6" '
        f'class="{name.partition(".")[0]}"/><text x="{x:.0f}" y="{y - 2:.0f}">{escape(name.replace("dynamics.", ""))}'
        f'</text><text x="{x:.0f}" y="{y + 14:.0f}" class="count">{_count(found[name])}</text>'
        for name, (x, y) in place.items()
    ]
    high = 2 * MARGIN + (top + 1) * (HEIGHT + DOWN) - DOWN
    style = (
        "text{font:600 13px sans-serif;text-anchor:middle;fill:#1b1f24}.count{font-weight:400;font-size:11px}"
        "rect{stroke:#57606a}.app{fill:#dbe9ff}.scenes{fill:#e9e0ff}.dynamics{fill:#fff3d1}"
        "path{fill:none;stroke:#8c959f}"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole:.0f} {high}" role="img" '
        f'aria-label="Rooms of the code, each above what it imports"><style>{style}</style>'
        f'<rect width="{whole:.0f}" height="{high}" style="fill:#fff;stroke:none"/>{"".join(lines)}{"".join(boxes)}'
        "</svg>\n"
    )


def _count(room: Room) -> str:
    return f"{len(room.files)} file{'' if len(room.files) == 1 else 's'}"


def table(found: dict[str, Room]) -> str:
    """The rooms in words."""
    rows = [f"| `{name}` | {room.says} | {', '.join(room.files)} |" for name, room in found.items()]
    return "\n".join(["| room | what lives there | files |", "|---|---|---|", *rows])


def page(text: str, found: dict[str, Room]) -> str:
    """The page with its table renewed."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table(found)}\n{END}{after}"


if __name__ == "__main__":
    all_rooms = rooms()
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), all_rooms), encoding="utf-8")
    PICTURE.write_text(drawn(all_rooms), encoding="utf-8")
    sys.exit(0)
