"""Every test can fail: it asserts what is no constant, expects an error, or waits for what may never happen."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
FAILING_CALLS = {"raises", "warns", "fail", "expect"}
"""What fails by itself where something is not as told: pytest's, and Playwright's ``expect``."""
FAILING_WAITS = {"wait_for", "wait_for_function", "wait_for_selector", "wait_for_url"}
"""Playwright's: they fail when their time is up."""


Name = tuple[str, str]
"""A module's dotted name, and a function's in it."""


def functions(tree: ast.Module) -> dict[str, ast.AST]:
    """Those of a module and those of its classes, by name; a name that stands twice is one of them."""
    found = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return {node.name: node for node in found}


def imported(tree: ast.Module) -> dict[str, Name]:
    """What a module's names mean that it has from another."""
    statements = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    return {one.asname or one.name: (node.module or "", one.name) for node in statements for one in node.names}


def fails_by_itself(function: ast.AST) -> bool:
    asserts = (node.test for node in ast.walk(function) if isinstance(node, ast.Assert))
    if any(not isinstance(test, ast.Constant | ast.Tuple) for test in asserts):
        return True
    calls = [node.func for node in ast.walk(function) if isinstance(node, ast.Call)]
    names = {call.attr if isinstance(call, ast.Attribute) else getattr(call, "id", "") for call in calls}
    return bool(names & (FAILING_CALLS | FAILING_WAITS)) or any(name.startswith("assert_") for name in names)


def cannot_fail(sources: dict[str, str]) -> list[str]:
    """Tests of these modules (dotted name -> text) that neither fail by themselves nor call a function that does."""
    trees = {module: ast.parse(text) for module, text in sources.items()}
    known = {(module, name): function for module, tree in trees.items() for name, function in functions(tree).items()}
    meaning = {module: imported(tree) for module, tree in trees.items()}
    failing = {name for name, function in known.items() if fails_by_itself(function)}

    def calls_one(name: Name) -> bool:
        module, function = name[0], known[name]
        calls = {getattr(node.func, "id", "") for node in ast.walk(function) if isinstance(node, ast.Call)}
        return any(meaning[module].get(call, (module, call)) in failing for call in calls)

    while more := {name for name in known if name not in failing and calls_one(name)}:
        failing |= more
    return [f"{module}.{name}" for module, name in known if name.startswith("test_") and (module, name) not in failing]


@pytest.mark.slow
def test_every_test_can_fail() -> None:
    paths = sorted(FOLDER.rglob("*.py"))
    sources = {
        ".".join(path.relative_to(FOLDER.parent).with_suffix("").parts): path.read_text("utf-8") for path in paths
    }
    assert len(sources) > 50
    assert cannot_fail(sources) == []


@pytest.mark.parametrize(
    ("body", "can"),
    [
        ("run()", False),
        ("assert True", False),
        ("assert (run(), 'a pair is always true')", False),
        ("assert run()", True),
        ("with pytest.raises(ValueError): run()", True),
        ("np.testing.assert_allclose(run(), 1.0)", True),
        ("checked()", True),
        ("checked_by_another()", True),
        ("page.locator('canvas').wait_for()", True),
        ("page.wait_for_timeout(100)", False),
    ],
)
def test_what_can_fail_is_told_from_what_cannot(body: str, can: bool) -> None:
    text = f"from others import checked, checked_by_another\ndef test_it():\n    {body}\n"
    others = "def checked():\n    assert run()\ndef checked_by_another():\n    checked()\n"
    assert cannot_fail({"one": text, "others": others}) == ([] if can else ["one.test_it"])
