"""``panel serve app`` as a separate process, which may be killed and started again."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psutil
from prometheus_client.parser import text_string_to_metric_families

ROOT = Path(__file__).resolve().parents[1]
KEY = "a key that outlives a process"
START = 180.0
"""Seconds in which a server must be ready, including cold compilation."""


class Serving:
    """One server on one port.

    Attributes:
        address: of the page; port: on which it listens.
        process: the server; a new one after each start.
    """

    def __init__(self, options: tuple[str, ...] = (), settings: Mapping[str, str] | None = None) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self._options = options
        self._own = {**os.environ, "BOKEH_SECRET_KEY": KEY, **(settings or {})}
        self._log = Path(tempfile.mkdtemp()) / "server.txt"
        self._root = f"http://127.0.0.1:{self.port}"
        self.address = f"{self._root}/app"
        self.process: psutil.Process
        self.start()

    def start(self) -> None:
        """Starts the server, and waits until it is ready."""
        command = [sys.executable, "-m", "panel", "serve", "app", "--port", str(self.port), "--address", "127.0.0.1"]
        command += ["--allow-websocket-origin", f"127.0.0.1:{self.port}", *self._options]
        with self._log.open("a") as log:
            process = subprocess.Popen(command, cwd=ROOT, env=self._own, stdout=log, stderr=log, start_new_session=True)
        self.process = psutil.Process(process.pid)
        self._popen = process
        due = time.monotonic() + START
        while not self.is_ready():
            if process.poll() is not None or time.monotonic() > due:
                raise RuntimeError(f"panel serve app does not answer:\n{self._log.read_text()[-2000:]}")
            time.sleep(0.05)

    def is_ready(self) -> bool:
        """Whether it reports that it is healthy."""
        try:
            with urllib.request.urlopen(f"{self._root}/health", timeout=5):
                return True
        except (urllib.error.URLError, OSError):
            return False

    def kill(self) -> None:
        """Kills it without warning."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.wait()

    def figures(self) -> dict[str, float]:
        """Its counters, by name; those with labels summed."""
        with urllib.request.urlopen(f"{self._root}/metrics", timeout=30) as answer:
            text = answer.read().decode()
        found: dict[str, float] = {}
        for family in text_string_to_metric_families(text):
            for sample in family.samples:
                found[sample.name] = found.get(sample.name, 0.0) + sample.value
        return found


@contextmanager
def serving(*options: str, **settings: str) -> Iterator[Serving]:
    """A server until the end of the block."""
    server = Serving(options, settings)
    try:
        yield server
    finally:
        server.kill()
