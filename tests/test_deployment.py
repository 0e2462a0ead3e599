"""What ``docs/deployment.md`` says, followed to the letter: its files, two processes, and nginx in front of them.

Another host, other ports and other folders are put in; nothing else.
"""

import asyncio
import contextlib
import gzip
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urljoin

import pytest
from prometheus_client.parser import text_string_to_metric_families

from app.service.limits import Limits, read
from benchmarks.raw_session import opened, use
from tests.conftest import run_apart

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")
MAIN = """
{user}
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    include {folder}/conf.d/*.conf;
}}
"""
"""What Debian's own configuration has around ``conf.d``, in folders of the test's."""
START = 180.0
MOST_VISITS = 16
"""By chance all of them come to one process, once in thirty thousand times."""
pytestmark = [pytest.mark.full, pytest.mark.nginx, pytest.mark.compiled_only]


def block(language: str, containing: str) -> str:
    """A file of the page: the block in a language that has some words in it."""
    found = [text for text in re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.M | re.S) if containing in text]
    assert len(found) == 1, (language, containing)
    return found[0]


def settings() -> dict[str, str]:
    """The environment file."""
    lines = block("ini", "BOKEH_SECRET_KEY").splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass
class Deployment:
    """Two services and nginx.

    Attributes:
        address: where a browser finds it; ports: of the services.
    """

    folder: Path
    port: int = field(default_factory=free_port)
    ports: tuple[int, int] = field(default_factory=lambda: (free_port(), free_port()))
    running: dict[object, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, port: int) -> None:
        """One service, as its unit says."""
        (command,) = re.findall(r"^ExecStart=(.*)$", block("ini", "ExecStart="), re.M)
        program, *arguments = shlex.split(command.replace("%i", str(port)))
        assert program == "/opt/armsweep/venv/bin/python"
        own = {**settings(), "BOKEH_ALLOW_WS_ORIGIN": f"127.0.0.1:{self.port}"}
        del own["NUMBA_CACHE_DIR"]  # what the tests have compiled serves here, too
        with (self.folder / f"{port}.txt").open("ab") as log:
            self.running[port] = subprocess.Popen(
                [sys.executable, *arguments], cwd=ROOT, env={**os.environ, **own}, stdout=log, stderr=log
            )

    def front(self) -> None:
        """nginx, with the page's file in its folder."""
        text = block("nginx", "upstream armsweep")
        for said, here in (("5006", str(self.ports[0])), ("5007", str(self.ports[1])),
                           ("listen 80;", f"listen 127.0.0.1:{self.port};"),
                           ("root /srv/armsweep;", f"root {self.folder}/srv;")):  # fmt: skip
            assert said in text
            text = text.replace(said, here)
        (self.folder / "conf.d").mkdir()
        (self.folder / "conf.d" / "armsweep.conf").write_text(text)
        main = self.folder / "nginx.conf"
        # Root's nginx would read as another user, who may not look into the folders of root's tests.
        main.write_text(MAIN.format(folder=self.folder, user="" if os.geteuid() else "user root;"))
        nginx = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
        assert nginx
        self.running["nginx"] = subprocess.Popen([nginx, "-c", str(main), "-e", str(self.folder / "error.log")])

    def wait(self, address: str) -> None:
        due = time.monotonic() + START
        while status(address) != 200:
            assert time.monotonic() < due, [path.read_text()[-2000:] for path in self.folder.glob("*.txt")]
            assert not [name for name, one in self.running.items() if one.poll() is not None]
            time.sleep(0.1)

    def counted(self, name: str) -> dict[int, float]:
        """What each service counts, by its port."""
        found = {}
        for port in self.ports:
            with contextlib.suppress(OSError):
                text = fetched(f"http://127.0.0.1:{port}/arms/metrics").decode()
                samples = [one for family in text_string_to_metric_families(text) for one in family.samples]
                found[port] = sum(one.value for one in samples if one.name == name)
        return found

    def stop(self) -> None:
        for one in self.running.values():
            one.send_signal(signal.SIGTERM)
        for one in self.running.values():
            with contextlib.suppress(subprocess.TimeoutExpired):
                one.wait(10.0)
            one.kill()


def fetched(address: str, **headers: str) -> bytes:
    """What is handed out, once there is time for it: a service that is busy says 503 and means later."""
    due = time.monotonic() + START
    while True:
        try:
            with urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=60) as answer:
                body: bytes = answer.read()
                return gzip.decompress(body) if answer.headers["Content-Encoding"] == "gzip" else body
        except urllib.error.HTTPError as error:
            if error.code != 503 or time.monotonic() > due:
                raise
        time.sleep(0.5)


def status(address: str) -> int:
    try:
        with urllib.request.urlopen(address, timeout=10) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    whole = Deployment(tmp_path_factory.mktemp("deployed"))
    try:
        for port in whole.ports:
            whole.start(port)
        whole.front()
        for port in whole.ports:
            whole.wait(f"http://127.0.0.1:{port}/arms/health")
        whole.wait(f"{whole.address}/arms/health")
        yield whole
    finally:
        whole.stop()


def test_every_setting_of_the_page_is_one_of_the_program() -> None:
    named = re.findall(r"^\| `(ARMSWEEP_\w+)` \| `?([\w.]+)`? \|", PAGE, re.M)
    limits = {f"ARMSWEEP_{name.upper()}": f"{value:g}" for name, value in vars(Limits()).items()}
    own = {"ARMSWEEP_FRAMES": "self", "ARMSWEEP_LESSONS": "none", "ARMSWEEP_DOCUMENTATION": "none"}
    assert dict(named) == limits | own
    assert read(dict(named)) == Limits()
    assert settings().keys() >= {"BOKEH_SECRET_KEY", "BOKEH_ALLOW_WS_ORIGIN"}


def test_a_balancer_is_answered_and_counters_are_closed_to_visitors(deployed: Deployment) -> None:
    assert json.loads(fetched(f"{deployed.address}/arms/health"))["status"] == "ready"
    assert status(f"{deployed.address}/arms/metrics") == 403
    targets = re.findall(r'"127\.0\.0\.1:(\d+)"', block("yaml", "scrape_configs"))
    assert targets == ["5006", "5007"]
    assert deployed.counted("armsweep_sessions_opened_total").keys() == set(deployed.ports)


def test_all_resources_of_a_page_are_behind_the_prefix(deployed: Deployment) -> None:
    page = f"{deployed.address}/arms/app"
    text = fetched(page).decode()
    asked = {urljoin(page, name) for name in re.findall(r'(?:src|href)="([^"#]+)"', text)}
    assert len(asked) > 2
    assert {address: code for address in asked if (code := status(address)) != 200} == {}


def test_each_browser_is_led_to_one_process_and_a_class_to_all(deployed: Deployment) -> None:
    """One session a page: its websocket comes where its page was made, although all have one address."""
    before = deployed.counted("armsweep_sessions_opened_total")

    async def visit() -> int:
        async with opened(f"{deployed.address}/arms/app", "preset=planar_chain&play=1") as page:
            await use(page, 0.5)
            return page.pieces

    gained = {0.0}
    for visits in range(1, MOST_VISITS):
        assert run_apart(visit()) > 0
        after = deployed.counted("armsweep_sessions_opened_total")
        gained = {after[port] - before[port] for port in deployed.ports}
        assert sum(after.values()) - sum(before.values()) == visits
        if min(gained) > 0 and visits > 2:
            break
    assert min(gained) > 0


def test_another_process_replaces_a_killed_one(deployed: Deployment) -> None:
    """Its visitors are led to the other, with the token of the page that the first has sent, and back."""

    before = deployed.counted("armsweep_sessions_opened_total")  # pages of other tests may be open for a while

    async def live() -> None:
        pages = []
        async with contextlib.AsyncExitStack() as stack:
            for _ in range(3):
                pages.append(await stack.enter_async_context(opened(f"{deployed.address}/arms/app", "play=1")))
            now = deployed.counted("armsweep_sessions_opened_total")
            gone = max(now, key=lambda port: now[port] - before[port])
            deployed.running[gone].kill()
            deployed.running.pop(gone).wait()
            async with asyncio.timeout(START):
                while sum(page.closed for page in pages) < now[gone] - before[gone]:
                    await asyncio.sleep(0.05)
            for page in pages:
                await page.join_again()
                assert not page.closed
            deployed.start(gone)
            await asyncio.to_thread(deployed.wait, f"http://127.0.0.1:{gone}/arms/health")

    run_apart(live())
    assert fetched(f"{deployed.address}/arms/app")
