"""What no linter looks at: ``python -m tests.style`` prints each fault of the sources and fails if there is one.

It checks that the mechanics uses only the public sides of numba and llvmlite, that messages quote values by ``brief``,
that rooms left out of the compiled code's digest lend kernels nothing, that Python calls no kernel without an entry for
it, that every test can fail, that files, functions and equations named in the documentation exist, and that the map of
the code names every folder.
"""

from __future__ import annotations

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
FAILING = {"raises", "warns", "fail", "expect", "limited"}
FAILING |= {"wait_for", "wait_for_function", "wait_for_selector", "wait_for_url"}
"""Calls that fail by themselves: pytest's, Playwright's, and ``tests.fuzz.attack``'s."""
EQUATIONS = {"R87": 86, "R88": 41, "JR": 56, "TML": 94, "JZ": 51}
"""How many numbered equations each paper has."""
NUMBER = r"\(((?:[\dA]+\.)?\d+)[a-z]?\)"  # (37), (8.3), (A.6), (3.5b)


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


def calls_without_entry() -> Iterator[str]:
    """Calls of ``inlined`` functions outside of kernels, which would end the process."""
    trees = {path: tree_of(path) for path in sources("dynamics", "app", "scenes", "tests", "benchmarks")}
    module = {path: ".".join(path.relative_to(ROOT).with_suffix("").parts) for path in trees}
    inlined = {
        (module[path], node.name) for path, tree in trees.items() for node in tree.body if is_kernel(node, {"inlined"})
    }
    for path, tree in trees.items():
        known = {name for place, name in inlined if place == module[path]}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                known |= {each.asname or each.name for each in node.names if (node.module, each.name) in inlined}
        waiting: list[ast.AST] = [tree] if known else []
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in known:
                yield f"{path}:{node.lineno}: {ast.unparse(node)} has no entry for Python: make it an inlined_entry"
            waiting += [each for each in ast.iter_child_nodes(node) if not is_kernel(each)]


def is_kernel(
    node: ast.AST, kinds: Collection[str] = ("kernel", "inlined", "inlined_entry", "part", "allocating")
) -> bool:
    decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
    return any(getattr(each, "id", "") in kinds for each in decorators)


def tests_that_cannot_fail() -> Iterator[str]:
    """Tests that neither assert, nor expect an error, nor call a function of the tests that does."""
    functions: dict[str, list[ast.AST]] = {}
    for path in sources("tests"):
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                functions.setdefault(node.name, []).append(node)
    failing = {name for name, nodes in functions.items() if any(map(fails_by_itself, nodes))}
    called = {name: {call for node in nodes for call in calls_of(node)} for name, nodes in functions.items()}
    while more := {name for name in functions if name not in failing and called[name] & failing}:
        failing |= more
    yield from (f"{name} cannot fail" for name in functions if name.startswith("test_") and name not in failing)


def fails_by_itself(function: ast.AST) -> bool:
    asserts = [node.test for node in ast.walk(function) if isinstance(node, ast.Assert)]
    asserts = [test for test in asserts if not isinstance(test, ast.Constant | ast.Tuple)]
    names = calls_of(function)
    return bool(asserts or names & FAILING) or any(name.startswith("assert_") for name in names)


def calls_of(function: ast.AST) -> set[str]:
    calls = [node.func for node in ast.walk(function) if isinstance(node, ast.Call)]
    return {call.attr if isinstance(call, ast.Attribute) else getattr(call, "id", "") for call in calls}


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
    for paper, section in re.findall(r"^## .*\((\w+)\)\n(.*?)(?=^## |\Z)", table(), re.MULTILINE | re.DOTALL):
        covered = set()
        for row in [line for line in section.splitlines() if line.startswith("|")][2:]:
            cells = row.strip("|").split("|")
            for first, last in re.findall(rf"{NUMBER}(?:\s*[-–]\s*{NUMBER})?", cells[0]):
                part, _, start = first.rpartition(".")
                covered |= {(part, k) for k in range(int(start), int((last or first).rpartition(".")[2]) + 1)}
            yield from (
                f"equations.md: no function {name}" for name in re.findall(r"`([\w.]+)`", cells[2]) if not find(name)
            )
            for file, test in re.findall(r"`([\w.]+)\.(test_\w+)`", cells[-1]):
                places = (Path("tests", room, *file.split(".")).with_suffix(".py") for room in ("dynamics", ""))
                if not any(f"def {test}(" in place.read_text(encoding="utf-8") for place in places if place.is_file()):
                    yield f"equations.md: no test {file}.{test}"
        if len(covered) != EQUATIONS.get(paper, len(covered)):
            yield f"equations.md: {paper} has {EQUATIONS[paper]} equations, the table {len(covered)}"
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
    checks = (public_sides, quoted_values, undigested_rooms, calls_without_entry, tests_that_cannot_fail, documentation)
    faults = [fault for check in checks for fault in check()]
    print(*faults, sep="\n")
    print(f"{len(faults)} faults")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
