"""The built documentation is given to anybody where there is some; the page leads to it there, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from bokeh.embed.bundle import extension_dirs
from tornado.httpclient import AsyncHTTPClient

import dynamics as dyn
from app.equations.meanings import documentation_html, meanings
from app.equations.reference import anchor
from app.sampling.quantities import catalogue
from app.service import documentation
from app.service.documentation import FIRST, NAME, QUANTITIES, VARIABLE, address_of, folder_of, serve_documentation
from app.service.limits import SettingError
from app.views.plots.quantity_list import QuantityList, items_of
from tests.app.service.conftest import Serve

Run = Callable[[Coroutine[Any, Any, Any]], Any]


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that looks like the built pages, named by the environment."""
    folder = tmp_path / "pages"
    for page in (FIRST, QUANTITIES):
        (folder / page).parent.mkdir(parents=True, exist_ok=True)
        (folder / page).write_text(f"<h1>{page}</h1>")
    (tmp_path / "secret.html").write_text("secret")
    monkeypatch.setenv(VARIABLE, str(folder))
    before = extension_dirs.pop(NAME, None)
    yield folder
    extension_dirs.pop(NAME, None)
    if before is not None:
        extension_dirs[NAME] = before


@pytest.mark.parametrize("prefix", ["", "/arms"])
def test_a_link_of_the_page_leads_to_what_is_served(serve: Serve, run_async: Run, built: Path, prefix: str) -> None:
    serve_documentation()

    async def live() -> None:
        async with serve(prefix) as address:
            fetch = AsyncHTTPClient().fetch
            for page in (FIRST, QUANTITIES):  # seen from .../app, as a browser does
                answer = await fetch(f"{address}/{address_of(page)}", raise_error=False)
                assert (answer.code, answer.body.decode()) == (200, f"<h1>{page}</h1>")
            outside = await fetch(f"{address}/{address_of(FIRST)}/../../secret.html", raise_error=False)
            assert outside.code in (403, 404)

    run_async(live())


def test_letters_and_the_help_sheet_lead_there(built: Path) -> None:
    serve_documentation()
    answer = meanings("letters")
    assert answer is not None
    assert answer["reference"] == f"static/extensions/{NAME}/{QUANTITIES}"
    assert answer["anchors"]["G"] == "filter-kalman-gain"
    assert answer["anchors"]["smoother_final alpha"] == "smoother-final-acceleration"
    assert answer["anchors"]["M"] == "given-capital-m" != answer["anchors"]["m"]
    assert set(answer["anchors"]) <= set(answer["letters"])
    assert f"href='{address_of(FIRST)}' target='_blank'" in documentation_html()
    assert QuantityList(lambda _: None).reference == answer["reference"]


def test_without_built_pages_there_is_no_link(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, built: Path) -> None:
    monkeypatch.delenv(VARIABLE)
    monkeypatch.setattr(documentation, "OWN", tmp_path / "nowhere")
    serve_documentation()
    assert NAME not in extension_dirs
    assert meanings("letters").keys() == {"letters"}  # type: ignore[union-attr]
    assert documentation_html() == address_of(FIRST) == QuantityList(lambda _: None).reference == ""


def test_a_folder_without_pages_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=rf"{VARIABLE} is .*no {FIRST}"):
        folder_of({VARIABLE: str(tmp_path)})


def test_each_plotted_quantity_of_the_registry_has_its_own_place() -> None:
    found = {item["key"]: item["anchor"] for item in items_of(catalogue(dyn.forward_dynamics(*dyn.example("puma560"))))}
    assert found["filter/articulated_inertia/trace"] == found["filter/articulated_inertia"]
    assert found["filter/kalman_gain"] == anchor("filter", "kalman_gain")
    assert found["motion/q"] == ""
    places = [anchor(*key) for key in dyn.registry]
    assert len(set(places)) == len(places)
