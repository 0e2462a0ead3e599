"""Which files of ``dynamics`` are texts of a recursion: the compiled ones, and those that cite a paper's equations."""

from __future__ import annotations

import ast
import re
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "dynamics"
ELSEWHERE = {"check", "compiler", "counting"}
"""Rooms of what compares, compiles or counts: no recursion's own text."""
EXAMPLES = {f"papers/{name}" for name in ("jazidie_examples", "planar_arms", "redundant_coordinates", "staggered_step")}
"""What retells an example of a paper: likewise."""
COMPILING = {"kernel", "inlined", "part"}
PAPER = r"\b(R87|R88|JR|TML|JZ)\b"
EQUATION = re.compile(rf"\S.*# .*{PAPER}")
NUMBERED = re.compile(rf"{PAPER} .*\(.*\).*:")
WITNESS = "witness/kkt"
"""No recursion, but what all of them are held against."""


def recursions() -> list[str]:
    """As room/name, in the order of the rooms."""
    files = (path for path in sorted(PACKAGE.glob("*/*.py")) if path.parent.name not in ELSEWHERE)
    names = {f"{path.parent.name}/{path.stem}": path.read_text(encoding="utf-8") for path in files}
    texts = {name: text for name, text in names.items() if name not in EXAMPLES}
    return [name for name, text in texts.items() if name == WITNESS or is_recursion(text)]


def is_recursion(text: str) -> bool:
    """Whether a function of it is compiled, a line of it ends in an equation's number, or some first words give one."""
    tree = ast.parse(text)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    decorators = {getattr(one, "id", "") for function in functions for one in function.decorator_list}
    return bool(decorators & COMPILING) or bool(
        EQUATION.search(text)
        or re.search(PAPER, ast.get_docstring(tree) or "")
        or any(NUMBERED.match(ast.get_docstring(function) or "") for function in functions)
    )
