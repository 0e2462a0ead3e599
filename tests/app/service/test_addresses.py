"""What a load balancer, Prometheus and a visitor too many are answered."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Coroutine
from types import SimpleNamespace
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from tornado.httpclient import AsyncHTTPClient, HTTPRequest, HTTPResponse

from app.service import addresses
from app.service.addresses import address_of, mount
from app.service.gate import gate
from tests.app.service.conftest import Serve

Run = Callable[[Coroutine[Any, Any, Any]], Any]


@pytest.fixture(autouse=True)
def mounted() -> None:
    mount()
    mount()  # the hooks of an app run twice


async def get(address: str, **headers: str) -> HTTPResponse:
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    return await AsyncHTTPClient().fetch(HTTPRequest(address, headers=given), raise_error=False)


def figures(answer: HTTPResponse) -> dict[str, float]:
    """Every sample by its name and labels."""
    return {
        sample.name + "".join(sample.labels.values()): sample.value
        for family in text_string_to_metric_families(answer.body.decode())
        for sample in family.samples
    }


@pytest.mark.parametrize("prefix", ["", "/arms"])
def test_health_makes_no_session_and_says_when_nobody_should_come(serve: Serve, run_async: Run, prefix: str) -> None:
    async def live() -> None:
        async with serve(prefix, sessions=1) as address:
            ready = await get(f"{address}/health")
            assert (ready.code, json.loads(ready.body)) == (200, {"status": "ready", "sessions": 0})
            assert (await get(f"{address}/app")).code == 200
            full = await get(f"{address}/health")
            assert (full.code, json.loads(full.body)) == (503, {"status": "sessions", "sessions": 1})
            assert int(full.headers["Retry-After"]) > 0
            gate().lag.stop()
            assert json.loads((await get(f"{address}/health")).body)["status"] == "starting"

    run_async(live())


def test_a_visitor_too_many_gets_a_page_that_tries_again(serve: Serve, run_async: Run) -> None:
    async def live() -> None:
        async with serve(sessions=1) as address:
            assert (await get(f"{address}/app?preset=panda")).code == 200
            page = await get(f"{address}/app?preset=%3Cscript%3E")
            assert page.code == 503
            assert int(page.headers["Retry-After"]) > 0
            assert "no-store" in page.headers["Cache-Control"]
            text = page.body.decode()
            assert "All places of this server are taken." in text
            assert "location.reload()" in text
            assert not re.findall(r"(?:src|href)=", text)  # one answer is all that it costs
            assert "{" + "after}" not in text
            assert "<script>" not in text.replace("<script>", "", 1)
            assert len(page.body) < 3000
            embedded = await get(f"{address}/app/autoload.js?bokeh-autoload-element=here")
            assert embedded.code == 503

    run_async(live())


def test_a_place_is_taken_by_nothing_but_a_page(serve: Serve, run_async: Run) -> None:
    async def live() -> None:
        async with serve(sessions=1) as address:
            for method, rest in (("HEAD", ""), ("OPTIONS", "/autoload.js"), ("GET", "?bokeh-session-id=mine")):
                asked = HTTPRequest(f"{address}/app{rest}", method=method)
                assert (await AsyncHTTPClient().fetch(asked, raise_error=False)).code != 503
            assert (await get(f"{address}/health")).code == 200
            assert (await get(f"{address}/app")).code == 200

    run_async(live())


def test_counters_are_read_by_prometheus(serve: Serve, run_async: Run) -> None:
    async def live() -> None:
        async with serve("/arms", sessions=1) as address:
            before = figures(await get(f"{address}/metrics"))
            for _ in range(2):
                await get(f"{address}/app")
            after = figures(await get(f"{address}/metrics"))
            grown = {name: after[name] - before.get(name, 0.0) for name in after if name.startswith("armsweep_")}
            assert grown["armsweep_sessions_opened_total"] == 1
            assert grown["armsweep_sessions_refused_totalsessions"] == 1
            assert grown["armsweep_sessions_open"] == 1
            gate().closed(*gate()._guests)

    run_async(live())


def test_counters_are_this_machines_own(serve: Serve, run_async: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    async def live() -> None:
        async with serve() as address:
            assert (await get(f"{address}/metrics")).code == 200
            refused = await get(f"{address}/metrics", X_Forwarded_For="192.0.2.1")
            assert refused.code == 403
            assert "armsweep_" not in refused.body.decode()
            monkeypatch.setenv("ARMSWEEP_METRICS", "anyone")
            assert (await get(f"{address}/metrics", X_Forwarded_For="192.0.2.1")).code == 200
        monkeypatch.delenv("ARMSWEEP_METRICS")
        async with serve(use_xheaders=True) as address:
            assert (await get(f"{address}/metrics", X_Real_Ip="192.0.2.1")).code == 403

    run_async(live())


@pytest.mark.parametrize(("believed", "codes"), [(False, [200, 503]), (True, [200, 200])])
def test_who_stands_behind_a_proxy_is_believed_only_where_the_server_is_told_to(
    serve: Serve, run_async: Run, believed: bool, codes: list[int]
) -> None:
    async def live() -> None:
        async with serve(use_xheaders=believed, sessions_per_address=1) as address:
            found = [(await get(f"{address}/app", X_Forwarded_For=f"192.0.2.{k}")).code for k in (1, 2)]
            assert found == codes

    run_async(live())


@pytest.mark.parametrize(
    ("given", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("0.0.0.0", "0.0.0.0"),
        ("", ""),
        ("unix:", ""),
    ],
)
def test_an_address_is_counted_once_however_it_is_written(given: str, counted: str) -> None:
    assert address_of(SimpleNamespace(remote_ip=given)) == counted  # type: ignore[arg-type]


@pytest.mark.slow
def test_several_processes_are_summed_by_any_of_them() -> None:
    """As ``panel serve --num-procs`` makes them: the counters are there before the processes part."""
    import os
    import subprocess
    import sys
    import tempfile

    script = """
import os
from app.service import counters
children = [os.fork() for _ in range(2)]
counters.pieces.inc()
counters.sessions_open.inc()
if 0 in children:
    import time; time.sleep(1.0); os._exit(0)
import time; time.sleep(0.3)
print(counters.as_text().decode())
"""
    with tempfile.TemporaryDirectory() as folder:
        own = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": folder}
        done = subprocess.run([sys.executable, "-c", script], env=own, capture_output=True, text=True, check=True)
    assert "armsweep_pieces_total 4.0" in done.stdout
    assert "armsweep_sessions_open 4.0" in done.stdout


def test_the_page_that_waits_stands_beside_its_code() -> None:
    assert "{words}" in addresses._waiting()
