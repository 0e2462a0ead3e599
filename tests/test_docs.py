"""The README and the notebooks run; built pages ask no other host, hold every public name, and can be searched.

``python -m docs.papers`` writes a folder that says what ``dynamics`` finds.
"""

import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import parse_qsl

import nbformat
import pytest
from nbclient import NotebookClient

pytest.importorskip("matplotlib", reason="the extra docs is not installed")

import dynamics as dyn
from app.instruments.papers import addresses
from docs import papers
from docs.examples import PAGES, PAPERS, Page
from docs.three_studies import write
from dynamics.papers import reproduce
from tests.dynamics.public_docstrings import exported

ROOT = Path(__file__).resolve().parents[1]
BOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
PATIENCE = 240
ASKED = ["r87_fig_1", "r87_table_2", "r87_fig_4", "tml_table_5", "jz_table_1"]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages, built once."""
    pytest.importorskip("sphinx", reason="the extra docs is not installed")
    pytest.importorskip("myst_parser", reason="the extra docs is not installed")
    from docs.__main__ import build

    folder = tmp_path_factory.mktemp("built")
    assert build(folder) == 0
    return folder


@pytest.mark.full
def test_pages_ask_no_other_host(built: Path) -> None:
    for name in (*PAGES, "index", "equations"):
        html = (built / f"{name}.html").read_text(encoding="utf-8")
        fetched = re.findall(r"<(?:script|img|link|iframe)[^>]*(?:src|href)=\"([^\"]*)\"", html)
        assert not [address for address in fetched if re.match(r"(https?:)?//", address)]
        if name in PAPERS:
            assert "<math" in html
            assert 'class="output' in html
            text = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
            assert ("plt." in text) is ("data:image/svg+xml" in html)
        embedded = re.findall(r'<iframe src="([^"]*)"', html)
        assert embedded or name not in ("first_hour", "rodriguez_1987", "rodriguez_1988", "jain_rodriguez")
        for file in embedded:
            assert (built / file).stat().st_size > 1e6
    assert not [path for path in built.iterdir() if path.name == ".doctrees"]  # a server gives away all that is there


@pytest.mark.full
def test_every_public_name_has_its_place(built: Path) -> None:
    html = "".join(path.read_text(encoding="utf-8") for path in (built / "reference").glob("*.html"))
    places = set(re.findall(r'id="([^"]+)"', html))
    assert {f"dynamics.{name}" for name in dir(dyn)} <= places
    ends = {place.removeprefix("dynamics.") for place in places} | {place.split(".", 2)[-1] for place in places}
    assert {public.name for public in exported()} <= ends


@pytest.mark.full
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


def test_the_readme_runs_and_shows_its_pictures() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert blocks
    for code in blocks:
        Page("README").run(code)
    for file in re.findall(r"\]\((?!https?:)([^)]+)\)", text):
        assert (ROOT / file).is_file(), file


@pytest.mark.full
@pytest.mark.compiled_only
@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_what_it_ends_with_shows_itself(path: Path, tmp_path: Path) -> None:
    book = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    cells = [cell for cell in book.cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in cells)
    NotebookClient(book, timeout=PATIENCE, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [
        "".join(out.data["text/html"]) for cell in cells for out in cell.outputs if "text/html" in out.get("data", {})
    ]
    assert any("<table" in text for text in shown)
    assert not list(tmp_path.iterdir())


def test_a_folder_holds_every_number_and_figure(tmp_path: Path) -> None:
    assert papers.main([str(tmp_path), *ASKED]) == 0
    page = (tmp_path / "index.md").read_text(encoding="utf-8")
    parts = re.split(r"^## ", page, flags=re.MULTILINE)[1:]
    assert len(parts) == len(ASKED)
    for name, part in zip(ASKED, parts, strict=True):
        found = reproduce(name)
        assert part.startswith(f"{addresses.PAPERS[found.result.paper]}, {found.result.place}: ")
        rows = re.findall(r"^\| (.*?) \| (.*?) \| (\S+) \| (\S+) \| (.*?)\s*\|$", part, re.MULTILINE)
        assert len(rows) == len(found.numbers)
        for (row, column, printed, ours, note), number in zip(rows, found.numbers, strict=True):
            assert (row, column.partition(",")[0]) == (number.row, number.column.partition(",")[0])
            assert [float(text.replace("−", "-")) for text in (printed, ours)] == pytest.approx(
                [number.published, number.ours], rel=1e-6
            )
            assert note.startswith("differs") is not number.agrees
        assert dict(parse_qsl(re.search(r"`\?(.*?)`", part)[1])) == addresses.ADDRESSES[name]
        for number in found.numbers:
            assert number.reason[1:] in part
        picture = tmp_path / f"{name}.svg"
        assert picture.exists() is (found.figure is not None)
        if found.figure is not None:
            assert picture.read_bytes().startswith(b"<?xml")


@pytest.mark.full
def test_a_study_may_be_asked_alone_and_is_written(tmp_path: Path) -> None:
    write(tmp_path, ["tip"], full=False)
    assert "standard deviations" in (tmp_path / "tip.txt").read_text()
    assert (tmp_path / "tip.svg").read_bytes().startswith(b"<?xml")
