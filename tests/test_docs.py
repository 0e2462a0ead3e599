"""The pages of docs: their examples run, they build without another host, and the table of equations is true."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("matplotlib", reason="the extra docs is not installed")

from docs.examples import PAGES, PAPERS, Page, outputs

ROOT = Path(__file__).resolve().parents[1]
TABLE = (ROOT / "docs" / "equations.md").read_text(encoding="utf-8")
NUMBER = r"\(((?:[\dA]+\.)?\d+)[a-z]?\)"  # (37), (8.3), (A.6), (3.5b)
NUMBERED = {  # every numbered equation of each paper, by section
    "R87": {"": 86},
    "R88": {"3": 1, "4": 6, "5": 8, "7": 2, "8": 10, "9": 2, "10": 12},
    "JR": {"2": 13, "3": 13, "4": 11, "A": 19},
    "TML": {"1": 28, "2": 11, "3": 20, "4": 33, "5": 2},
    "JZ": {"": 51},
}


def rows(paper: str) -> list[list[str]]:
    section = re.search(rf"^## {paper}\n(.*?)(?=^## |\Z)", TABLE, re.MULTILINE | re.DOTALL)
    assert section is not None
    lines = [line for line in section.group(1).splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def find(path: str, package: str) -> object:
    """What a dotted path names: modules as far as there are any, then what the last of them has."""
    found: Any = importlib.import_module(package)
    for name in path.split("."):
        if hasattr(found, "__path__") and importlib.util.find_spec(f"{found.__name__}.{name}"):
            found = importlib.import_module(f"{found.__name__}.{name}")
        else:
            found = getattr(found, name)
    return found


def numbers(text: str) -> set[tuple[str, int]]:
    """(section, number) of each equation that a text names, ranges filled in."""
    named = set()
    for first, last in re.findall(rf"{NUMBER}(?:\s*[-–]\s*{NUMBER})?", text):
        section, _, start = first.rpartition(".")
        end = (last or first).rpartition(".")
        assert end[0] == section, text
        named |= {(section, k) for k in range(int(start), int(end[2]) + 1)}
    return named


def cited(path: str, paper: str) -> set[tuple[str, int]]:
    """The equations of a paper that a function or class, or the head of its file, names as its own.

    A number belongs to the paper named last before it, or to one that the head of the file names.
    """
    function: Any = find(path, "dynamics")
    plain = getattr(function, "py_func", function)
    module = inspect.getmodule(plain)
    assert module is not None
    head = module.__doc__ or ""
    found = set()
    for text in (inspect.getsource(plain), head):
        tag = None
        for part in re.split(rf"\b({'|'.join(NUMBERED)})\b", text):
            if part in NUMBERED:
                tag = part
            elif tag == paper or (tag is None and re.search(rf"\b{paper}\b", head)):
                found |= numbers(part)
    return found


@pytest.mark.parametrize("name", PAGES)
def test_the_examples_of_a_page_run(name: str) -> None:
    left = [output for _, output in outputs(name)]
    if name in PAPERS:
        assert len(left) >= 4
        assert any(output.text for output in left)
        assert any(output.figures for output in left)
    assert left
    for output in left:
        for title, svg in output.figures:
            assert title
            assert svg.startswith(b"<?xml")


@pytest.mark.parametrize("paper", NUMBERED)
def test_every_function_and_test_of_the_table_exists(paper: str) -> None:
    for _, _, functions, _, tests in rows(paper):
        named = re.findall(r"`([\w.]+)`", functions)
        tested = re.findall(r"`([\w.]+)`", tests)
        assert named
        assert tested
        for path in named:
            assert callable(find(path, "dynamics")), path
        for path in tested:
            assert callable(find(path, "tests.dynamics")), path
            assert path.split(".")[-1].startswith("test_")


@pytest.mark.parametrize("paper", NUMBERED)
def test_each_function_of_the_table_cites_what_it_computes(paper: str) -> None:
    """Every number of a row stands in the text of one of its functions; every function of it names one of them."""
    for equation, _, functions, _, _ in rows(paper):
        wanted = numbers(equation)
        if not wanted:
            continue
        own = {path: cited(path, paper) for path in re.findall(r"`([\w.]+)`", functions)}
        assert wanted <= set().union(*own.values()), (equation, wanted - set().union(*own.values()))
        for path, found in own.items():
            assert wanted & found, f"{paper} {equation}: {path} names none of these"


@pytest.mark.parametrize("paper", NUMBERED)
def test_no_equation_is_missing(paper: str) -> None:
    covered = set()
    for equation, *_ in rows(paper):
        covered |= numbers(equation)
    expected = {(section, k) for section, count in NUMBERED[paper].items() for k in range(1, count + 1)}
    assert covered == expected


def test_pages_build_and_ask_no_other_host(tmp_path: Path) -> None:
    pytest.importorskip("sphinx", reason="the extra docs is not installed")
    pytest.importorskip("myst_parser", reason="the extra docs is not installed")
    from docs.__main__ import build

    assert build(tmp_path) == 0
    for name in (*PAGES, "index", "equations"):
        html = (tmp_path / f"{name}.html").read_text(encoding="utf-8")
        fetched = re.findall(r"<(?:script|img|link|iframe)[^>]*(?:src|href)=\"([^\"]*)\"", html)
        assert not [address for address in fetched if re.match(r"(https?:)?//", address)]
        if name in PAPERS:
            assert "<math" in html
            assert 'class="output' in html
            assert "data:image/svg+xml" in html
        for embedded in re.findall(r'<iframe src="([^"]*)"', html):
            assert (tmp_path / embedded).stat().st_size > 1e6


def test_the_readme_runs_and_shows_its_pictures() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert blocks
    for code in blocks:
        Page("README").run(code)
    for file in re.findall(r"\]\((?!https?:)([^)]+)\)", text):
        assert (ROOT / file).is_file(), file
    for picture in (ROOT / "docs" / "pictures").iterdir():
        assert picture.stat().st_size < 300_000
