"""What no linter looks at: ``python -m tests.style`` prints each fault of the sources and fails if there is one.

It checks that the mechanics uses only the public sides of numba and llvmlite, that messages quote values by ``brief``,
that rooms left out of the compiled code's digest lend kernels nothing, that files, functions and tests named in the
documentation exist, and that the map of the code names every folder.
"""

import ast
import importlib
import importlib.util
import re
import sys
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from dynamics.compiler import kernels

ROOT = Path(__file__).resolve().parents[1]
PUBLIC = {"numba", "numba.core", "numba.extending", "numba.types", "llvmlite", "llvmlite.binding"}
PRIVATE = {"_getvalue", "_nrt", "_asdict", "_fields", "_make", "_replace"}
"""Private names that manuals describe, or that docs/compilation.md explains."""


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def sources(*packages: str) -> list[Path]:
    return sorted(path for package in packages for path in (ROOT / package).rglob("*.py") if "node" not in str(path))


def public_sides() -> Iterator[str]:
    """Imports and private names of other libraries, in the mechanics."""
    for path in sources("dynamics"):
        nodes = list(ast.walk(tree_of(path)))
        own = {node.name for node in nodes if isinstance(node, ast.FunctionDef)} | PRIVATE
        own |= {each.attr for each in nodes if isinstance(each, ast.Attribute) and ast.unparse(each.value) == "self"}
        own |= {each.attr for each in nodes if isinstance(each, ast.Attribute) and ast.unparse(each.value) == "cls"}
        for node in nodes:
            imported = [name.name for name in node.names] if isinstance(node, ast.Import) else []
            imported += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            named = node.attr if isinstance(node, ast.Attribute) else node.arg if isinstance(node, ast.keyword) else ""
            if named and re.match("_[^_]", named) and named not in own:
                yield f"{path}:{getattr(node, 'lineno', 0)}: private {named}"
            for name in imported:
                if name.partition(".")[0] in ("numba", "llvmlite") and name not in PUBLIC:
                    yield f"{path}:{node.lineno}: {name} is not public"


def quoted_values() -> Iterator[str]:
    """Messages around a whole value of any length."""
    for path in sources("dynamics"):
        for raised in (node for node in ast.walk(tree_of(path)) if isinstance(node, ast.Raise)):
            for part in ast.walk(raised):
                if isinstance(part, ast.FormattedValue) and part.conversion == ord("r"):
                    yield f"{path}:{part.lineno}: !r in a message; use brief"


def undigested_rooms() -> Iterator[str]:
    """Rooms outside the digest from which a kernel, or a constant that one uses, takes a name: code would be stale."""
    waiting, seen = [path for path in sources("dynamics") if any(map(is_kernel, tree_of(path).body))], set[Path]()
    while waiting:
        path = waiting.pop()
        if path in seen or not path.is_file():
            continue
        seen.add(path)
        if path.relative_to(kernels.PACKAGE).parts[0] in kernels.WITHOUT_KERNELS:
            yield f"{path}: lends a kernel something and is left out of the digest"
        using = [node for node in tree_of(path).body if is_kernel(node) or isinstance(node, ast.Assign | ast.AnnAssign)]
        names = {inner.id for node in using for inner in ast.walk(node) if isinstance(inner, ast.Name)}
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("dynamics"):
                place = kernels.PACKAGE.joinpath(*str(node.module).split(".")[1:])
                taken = [each.name for each in node.names if (each.asname or each.name) in names]
                waiting += [place / f"{name}.py" for name in taken] + [place.with_suffix(".py")] * bool(taken)


def is_kernel(
    node: ast.AST, kinds: Collection[str] = ("kernel", "inlined", "inlined_entry", "part", "allocating")
) -> bool:
    decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
    return any(getattr(each, "id", "") in kinds for each in decorators)


def documentation() -> Iterator[str]:
    """Files, functions and equations that the pages name; the map of the code."""
    for path in sorted((*(ROOT / "docs").glob("*.md"), *ROOT.glob("*.md"))):
        folder, text = ROOT, path.read_text(encoding="utf-8")
        for name in re.findall(r"`((?:app|scenes|dynamics|docs|tests|benchmarks)/[\w/]+\.(?:py|js|md)|\w+\.py)`", text):
            folder = (ROOT / name).parent if "/" in name else folder  # a bare name lies beside the one before it
            if not any((each / name.rpartition("/")[2]).is_file() for each in (folder, ROOT, ROOT / "docs")):
                yield f"{path.name}: there is no file {name}"
        for link in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", text):
            if link.startswith("reference/") or not (path.parent / link).is_file():
                yield f"{path.name}: a checkout has no file {link}"
    for row in [line for line in table().splitlines() if line.startswith("|")]:
        cells = row.strip("|").split("|")
        for name in re.findall(r"`([\w.]+)`", cells[2] if len(cells) > 2 else ""):
            if not find(name):
                yield f"equations.md: no function {name}"
        for file, test in re.findall(r"`([\w.]+)\.(test_\w+)`", cells[-1]):
            places = (Path("tests", room, *file.split(".")).with_suffix(".py") for room in ("dynamics", ""))
            if not any(f"def {test}(" in place.read_text(encoding="utf-8") for place in places if place.is_file()):
                yield f"equations.md: no test {file}.{test}"
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for front in sorted(file for package in ("app", "dynamics") for file in (ROOT / package).glob("*/__init__.py")):
        if f"`{front.parent.name}`" not in text:
            yield f"architecture.md: no word about {front.parent.relative_to(ROOT)}"


def table() -> str:
    return (ROOT / "docs" / "equations.md").read_text(encoding="utf-8")


def find(path: str) -> Any:
    """What a dotted path of the mechanics names, or None."""
    found: Any = importlib.import_module("dynamics")
    for name in path.split("."):
        if hasattr(found, "__path__") and importlib.util.find_spec(f"{found.__name__}.{name}"):
            found = importlib.import_module(f"{found.__name__}.{name}")
        else:
            found = getattr(found, name, None)
    return found


def main() -> int:
    checks = (public_sides, quoted_values, undigested_rooms, documentation)
    faults = [fault for check in checks for fault in check()]
    print(*faults, sep="\n")
    print(f"{len(faults)} faults")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
