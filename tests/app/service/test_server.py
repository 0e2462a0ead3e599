"""What the server answers: health, counters, visitors too many, documentation."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from bokeh.embed.bundle import extension_dirs
from prometheus_client.parser import text_string_to_metric_families
from tornado.httpclient import AsyncHTTPClient, HTTPRequest, HTTPResponse

from app.service import routes
from app.service.limits import SettingError
from app.service.routes import (
    DOCUMENTATION,
    FIRST,
    NAME,
    QUANTITIES,
    documentation_address,
    documentation_folder,
    serve_documentation,
)
from app.service.sessions import sessions
from tests.app.service.conftest import Serve


@pytest.fixture(autouse=True)
def mounted() -> None:
    routes.add_routes(routes.ROUTES)
    routes.add_routes(routes.ROUTES)  # the hooks of an app run twice


async def get(address: str, **headers: str) -> HTTPResponse:
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    return await AsyncHTTPClient().fetch(HTTPRequest(address, headers=given), raise_error=False)


def figures(answer: HTTPResponse) -> dict[str, float]:
    return {
        sample.name + "".join(sample.labels.values()): sample.value
        for family in text_string_to_metric_families(answer.body.decode())
        for sample in family.samples
    }


async def test_health_makes_no_session_and_counters_count(serve: Serve) -> None:
    for prefix in ("", "/arms"):
        async with serve(prefix, sessions=1) as address:
            before = figures(await get(f"{address}/metrics"))
            ready = await get(f"{address}/health")
            assert (ready.code, json.loads(ready.body)) == (200, {"status": "ready", "sessions": 0})
            assert [(await get(f"{address}/app")).code for _ in range(2)] == [200, 503]
            full = await get(f"{address}/health")
            assert (full.code, json.loads(full.body)) == (503, {"status": "sessions", "sessions": 1})
            assert int(full.headers["Retry-After"]) > 0
            after = figures(await get(f"{address}/metrics"))
            for name in ("sessions_opened_total", "sessions_refused_totalsessions", "sessions_open"):
                assert after[f"armsweep_{name}"] - before.get(f"armsweep_{name}", 0.0) == 1, name
            sessions().is_ready = False
            assert json.loads((await get(f"{address}/health")).body)["status"] == "starting"


async def test_a_visitor_too_many_gets_a_page_that_tries_again(serve: Serve) -> None:
    async with serve(sessions=1) as address:
        first = await get(f"{address}/app?preset=panda")
        assert (first.code, first.headers["X-Content-Type-Options"]) == (200, "nosniff")
        assert first.headers["Referrer-Policy"] == "same-origin"
        assert first.headers["Content-Security-Policy"] == "frame-ancestors 'self'"
        page = await get(f"{address}/app?preset=%3Cscript%3E")
        assert page.code == 503
        assert int(page.headers["Retry-After"]) > 0
        assert "no-store" in page.headers["Cache-Control"]
        text = page.body.decode()
        assert "All places on this server are taken." in text
        assert "location.reload()" in text
        assert not re.findall(r"(?:src|href)=", text)  # one answer is all that it costs
        assert "{{" not in text
        assert "<script>" not in text.replace("<script>", "", 1)
        assert len(page.body) < 3000
        embedded = await get(f"{address}/app/autoload.js?bokeh-autoload-element=here")
        assert embedded.code == 503


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "pages"
    for page in (FIRST, QUANTITIES):
        (folder / page).parent.mkdir(parents=True, exist_ok=True)
        (folder / page).write_text(f"<h1>{page}</h1>")
    (tmp_path / "secret.html").write_text("secret")
    monkeypatch.setenv(DOCUMENTATION, str(folder))
    before = extension_dirs.pop(NAME, None)
    yield folder
    extension_dirs.pop(NAME, None)
    if before is not None:
        extension_dirs[NAME] = before


async def test_the_documentation_is_served_where_the_page_links_to_it(serve: Serve, built: Path) -> None:
    serve_documentation()
    for prefix in ("", "/arms"):
        async with serve(prefix) as address:
            for page in (FIRST, QUANTITIES):  # seen from .../app, as a browser does
                answer = await get(f"{address}/{documentation_address(page)}")
                assert (answer.code, answer.body.decode()) == (200, f"<h1>{page}</h1>")
            outside = await get(f"{address}/{documentation_address(FIRST)}/../../secret.html")
            assert outside.code in (403, 404)
    with pytest.raises(SettingError, match=rf"{DOCUMENTATION} is .*no {FIRST}"):
        documentation_folder({DOCUMENTATION: str(built.parent)})
