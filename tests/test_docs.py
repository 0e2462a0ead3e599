"""The pages of docs: their examples run, they build without another host, and the table of equations is true."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("matplotlib", reason="the extra docs is not installed")

import dynamics as dyn
from app.equations.meanings import anchors
from app.equations.reference import anchor
from app.present.present import HERE
from docs.examples import PAGES, PAPERS, Page, outputs
from tests.dynamics.public_docstrings import exported

pytestmark = pytest.mark.slow  # most read the pages, which take a minute to make
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


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages, built once."""
    pytest.importorskip("sphinx", reason="the extra docs is not installed")
    pytest.importorskip("myst_parser", reason="the extra docs is not installed")
    from docs.__main__ import build

    folder = tmp_path_factory.mktemp("built")
    assert build(folder) == 0
    return folder


def test_pages_ask_no_other_host(built: Path) -> None:
    for name in (*PAGES, "index", "equations"):
        html = (built / f"{name}.html").read_text(encoding="utf-8")
        fetched = re.findall(r"<(?:script|img|link|iframe)[^>]*(?:src|href)=\"([^\"]*)\"", html)
        assert not [address for address in fetched if re.match(r"(https?:)?//", address)]
        if name in PAPERS:
            assert "<math" in html
            assert 'class="output' in html
            assert "data:image/svg+xml" in html
        embedded = re.findall(r'<iframe src="([^"]*)"', html)
        assert embedded or name not in ("first_hour", "rodriguez_1987", "rodriguez_1988", "jain_rodriguez")
        for file in embedded:
            assert (built / file).stat().st_size > 1e6
    assert not [path for path in built.iterdir() if path.name == ".doctrees"]  # a server gives away all that is there


def test_the_front_page_has_four_parts_with_every_page_in_one(built: Path) -> None:
    text = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    parts = dict(re.findall(r"^:caption: (\S+)\n:maxdepth: 1\n\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    assert list(parts) == ["Tutorial", "How-to", "Reference", "Theory"]
    listed = [name for names in parts.values() for name in names.split()]
    written = {path.stem for path in (ROOT / "docs").glob("*.md")} - {"index"}
    assert sorted(listed) == sorted(written | {"reference/index", "reference/quantities"})
    assert parts["Theory"].split() == list(PAPERS)


def test_every_public_name_has_its_place(built: Path) -> None:
    html = "".join(path.read_text(encoding="utf-8") for path in (built / "reference").glob("*.html"))
    places = set(re.findall(r'id="([^"]+)"', html))
    assert {f"dynamics.{name}" for name in dyn.__all__} <= places
    methods = {f"dynamics.{public.name}" for public in exported() if public.owner is not None}
    assert methods <= places


def test_every_quantity_has_its_place_with_all_that_is_known_of_it(built: Path) -> None:
    html = (built / "reference" / "quantities.html").read_text(encoding="utf-8")
    entries = re.findall(r'<section id="([^"]+)">\s*<span id="([^"]+)"></span><h3>(.*?)</section>', html, re.DOTALL)
    parts = {place: text for *places, text in entries for place in places}
    for (stage, name), quantity in dyn.registry.items():
        text = unescape(re.sub("<[^>]+>", "", parts[anchor(stage, name)])).replace("’", "'")
        told = (quantity.estimation_name, quantity.mechanics_name, quantity.shape, quantity.equation, name, stage)
        assert not [words for words in (*told, quantity.equation_at_base) if words not in text]
    assert set(anchors().values()) <= set(parts)


@pytest.mark.browser
def test_search_answers_from_a_disk(built: Path) -> None:
    sync_api = pytest.importorskip("playwright.sync_api", reason="the Python package playwright is not installed")
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("chromium is not installed: apt-get install chromium")
    wanted = {
        "Kalman gain": "filter-kalman-gain",
        "kalman_gain": "filter-kalman-gain",
        "innovation": "filter-innovation",
        "innovations covariance": "filter-joint-inertia",
        "Λ": "smoother-costate-covariance",
        "Lambda": "smoother-costate-covariance",
    }
    complaints: list[str] = []

    def ask() -> None:
        with sync_api.sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
            page = browser.new_page()
            page.on("pageerror", lambda error: complaints.append(str(error)))
            for asked, place in wanted.items():
                page.goto(f"{(built / 'search.html').as_uri()}?q={asked}")
                page.locator(f"#search-results a[href$='reference/quantities.html#{place}']").first.wait_for()
                if asked != "Lambda":  # of which there are several, and none by that name alone
                    first = page.locator("#search-results li a").first.get_attribute("href")
                    assert str(first).endswith(f"reference/quantities.html#{place}"), asked
            page.goto(f"{(built / 'search.html').as_uri()}?q=forward_dynamics")
            page.locator("#search-results a[href$='#dynamics.forward_dynamics']").wait_for()
            browser.close()

    with ThreadPoolExecutor(1) as apart:  # a process that drives a browser has its driver's loop in this thread
        apart.submit(ask).result()
    assert complaints == []


def test_every_picture_of_a_page_is_there_and_is_one_of_the_scripts() -> None:
    pytest.importorskip("playwright", reason="the Python package playwright is not installed")
    from docs.page_pictures import NAME, TABLE

    assert not HERE.match(f"http://{NAME}/app"), "the page would warn that nobody else can open this address"
    shown = set()
    for page in (ROOT / "docs").glob("*.md"):
        found = re.findall(r"!\[([^\]]*)\]\(pictures/(\w+)\.webp\)", page.read_text(encoding="utf-8"))
        assert found or page.stem not in PAPERS, f"{page.name} shows nothing of the page"
        for words, name in found:
            assert len(words) > 40, f"{page.name}: {name} says too little to whoever does not see it"
            shown.add(name)
    kept = {path.stem: path.stat().st_size for path in (ROOT / "docs" / "pictures").glob("*.webp")}
    assert shown == set(TABLE) == set(kept)
    assert sum(kept.values()) < 38_000 * len(kept)


def test_built_pages_show_their_pictures(built: Path) -> None:
    html = (built / "first_hour.html").read_text(encoding="utf-8")
    pictures = re.findall(r'<img alt="([^"]+)" src="([^"]+\.webp)"', html)
    assert len(pictures) >= 5
    for words, file in pictures:
        assert words
        assert (built / file).is_file()


def test_formulas_are_set_in_the_font_that_is_built_in(built: Path) -> None:
    """Not all devices have one for mathematics, and without it an index stands on the line."""
    sheet = (built / "_static" / "custom.css").read_text("utf-8")
    assert re.search(r'^math \{ font-family: "Armsweep Math", math;', sheet, re.MULTILINE)
    (address,) = re.findall(r'@font-face \{ font-family: "Armsweep Math"; [^}]*url\("([^"]+)"\)', sheet)
    assert (built / "_static" / address).read_bytes()[:4] == b"wOF2"


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
