"""The mechanics uses of numba and llvmlite what their manuals describe, and nothing that they keep to themselves."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import dynamics

SOURCES = sorted(Path(dynamics.__file__).parent.rglob("*.py"))
DESCRIBED = {"numba", "numba.core", "numba.extending", "numba.types", "llvmlite", "llvmlite.binding"}
FROM_CORE = {"cgutils"}
"""The one part of ``numba.core`` that the chapter on extending numba imports."""
LEFT = {("compiled", "_nrt")}
"""What is private and stays, with figures in docs/compilation.md: file and option."""
IN_THE_MANUAL = {"_getvalue"}
"""Of a compiler's struct: the chapter on extending numba ends its example with it."""
OF_NAMED_TUPLES = {"_asdict", "_fields", "_make", "_replace"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_imports_are_of_described_modules(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
            if node.module == "numba.core":
                assert {name.name for name in node.names} <= FROM_CORE
        else:
            continue
        for name in names:
            assert name.partition(".")[0] not in ("numba", "llvmlite") or name in DESCRIBED


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_private_names_are_our_own(path: Path) -> None:
    """An attribute that starts with an underscore belongs to ``self``, to a named tuple, or to this package's class."""
    nodes = list(ast.walk(ast.parse(path.read_text())))
    own = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    own |= {
        node.attr for node in nodes if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("self", "cls")
    }
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
            assert node.attr in own | OF_NAMED_TUPLES | IN_THE_MANUAL, f"line {node.lineno}: {node.attr}"
        if isinstance(node, ast.keyword) and node.arg is not None:
            assert not node.arg.startswith("_") or (path.stem, node.arg) in LEFT, (
                f"line {node.value.lineno}: {node.arg}"
            )
