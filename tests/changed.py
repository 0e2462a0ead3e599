"""``pytest --changed``: runs the test files that a change reaches by the import graph, which ruff reads.

A file that takes a name from the front of ``dynamics`` or ``scenes`` depends on the module that defines the name, not
on all that the package offers. A file that is not Python (a script, a style sheet, a robot) is used by the Python files
that mention its name; so is a text of the method, which is read as text. Journeys in a browser import nothing of what
they drive: only those that changed run.
"""

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = "app", "assets", "benchmarks", "docs", "dynamics", "scenes", "tests"
FRONTS = {"dynamics/__init__.py": r"\b(?:dyn|dynamics)", "scenes/__init__.py": r"\bscenes"}
"""Packages whose front passes on the names of all their modules, and how their users call them."""
REACH_ALL = {"tests/conftest.py", "tests/changed.py", "pyproject.toml"}


def changed_files(since: str = "HEAD", root: Path = ROOT) -> list[str]:
    """Files that differ from a revision, those included that are deleted, or new and not ignored."""
    commands = ["git", "diff", "--name-only", since], ["git", "ls-files", "--others", "--exclude-standard"]
    told = [subprocess.run(each, cwd=root, check=True, capture_output=True, text=True).stdout for each in commands]
    return "".join(told).splitlines()


def reached_tests(changed: Iterable[str], root: Path = ROOT) -> set[str]:
    """The test files that a change of these files may turn red; paths are relative to the checkout."""
    imports = read_imports(root)
    tests = {path for path in imports if path.startswith("tests/") and Path(path).name.startswith("test_")}
    users = defaultdict[str, set[str]](set)
    for path, used in imports.items():
        for each in used:
            users[each].add(path)
    reached, left = set(changed), list(changed)
    if reached & REACH_ALL:
        return tests
    while left:
        path = left.pop()
        found = set(users[path]) or mentioning(path, imports, root)
        if path.endswith("conftest.py"):
            found |= {test for test in tests if Path(test).is_relative_to(Path(path).parent)}
        left += found - reached
        reached |= found
    return tests & reached


def read_imports(root: Path) -> dict[str, set[str]]:
    """Which files of the project each of its Python files uses."""
    options = ["--quiet", "--detect-string-imports", "--no-type-checking-imports"]
    command = [sys.executable, "-m", "ruff", "analyze", "graph", *options, *FOLDERS]
    told = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout
    imports = {path: set(used) for path, used in json.loads(told).items()}
    for front, called in FRONTS.items():
        defined = defining_modules(root / front)
        for path, used in imports.items():
            if front in used:
                text = (root / path).read_text(encoding="utf-8")
                names = set(re.findall(rf"{called}\.(\w+)", text)) | imported_names(text, Path(front).parts[0])
                used |= {module for name in names for module in defined.get(name, ()) if module in imports}
        imports[front] = set()  # whoever takes a name has its module's edge
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for form, writer in project["entry-points"]["armsweep.recordings"].items():
        place = writer.partition(":")[0].replace(".", "/")
        for path, used in imports.items():
            if f".to_{form}(" in (root / path).read_text(encoding="utf-8"):
                used |= {f"{place}.py", f"{place}/__init__.py"} & imports.keys()
    return imports


def defining_modules(front: Path) -> dict[str, tuple[str, ...]]:
    """Where each name of a package's front comes from: a module, or a package's own front."""
    return {
        each.asname or each.name: (f"{place}.py", f"{place}/__init__.py", f"{place}/{each.name}.py")
        for node in ast.parse(front.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ImportFrom) and node.module
        for place in [node.module.replace(".", "/")]
        for each in node.names
    }


def imported_names(text: str, package: str) -> set[str]:
    """Names that a source imports from a package's front."""
    found = re.findall(rf"^\s*from {package} import (\([^)]*\)|.*)$", text, re.MULTILINE)
    return {name for names in found for name in re.findall(r"\w+", names)}


def mentioning(path: str, imports: Iterable[str], root: Path) -> set[str]:
    """Python files that name a file in quotes, or a text of the method by its stem, or else the file's folder."""
    sources = {each: (root / each).read_text(encoding="utf-8") for each in imports}
    place = Path(path)
    if place.suffix == ".py" and place.parts[0] != "dynamics":
        return set()
    for name in (place.stem if place.suffix == ".py" else place.name, place.parent.name):
        quoted = re.compile(rf"""["'/]{re.escape(name)}["']""")
        if found := {each for each, text in sources.items() if quoted.search(text)}:
            return found
    return set()
