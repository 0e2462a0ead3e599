"""A server compiles before its first page, says so where it cannot, and ends when it is asked to."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from bokeh.application import Application
from panel.io.handlers import ScriptHandler
from panel.io.session import generate_session

from app import app_hooks
from app.app_hooks import end_with
from tests.conftest import run_apart

LISTEN = """
from numba.core import event


class Late(event.Listener):
    def on_start(self, started):
        print("LATE", started.data["dispatcher"].__name__, started.data["args"])

    def on_end(self, ended):
        pass
"""
USE_EVERYTHING = """
from app.startup import compile_first, compile_rest
from app.state import Session
from app.motion.world import ADAPTIVE, Numerics
from app.motion.presets import PRESETS
from app.state.breakage import Breakage
from app.views.check_tables import compare

compile_first()
compile_rest()
event.register("numba:compile", Late())
unbroken = {preset.mode for preset in PRESETS.values()}
for name in PRESETS:
    session = Session(name)
    actions = (
        lambda: session.set_torque(session.system.joint_names[0], 1.0),
        lambda: session.set_mass(2.0 * session.mass),
        lambda: session.change("", numerics=Numerics("euler", 5e-4), gravity=(0.0, 0.1, -1.0), damping=0.01),
        *(lambda name=name: session.change("", numerics=Numerics(name)) for name in ADAPTIVE),
        lambda: session.change("", numerics=Numerics()),
        lambda: session.release() if session.is_held else None,
        lambda: session.grasp() if session.system.is_held else None,
        session.reset,
    )
    compared = actions[0], actions[-3]  # as it begins, and let go
    for action in actions:
        action()
        session.run.accept(session.run.compute())
        session.seek(0.123)
        assert not session.message, (name, session.message)
        if action in compared:
            compare(session.solution(), None, None, True)
    session.reading()
    if session.setup.machine.preset.mode in unbroken:  # a broken text is plain NumPy, and takes its time
        unbroken.remove(session.setup.machine.preset.mode)
        breakage = Breakage(session)
        session.breaks = frozenset({next(each.key for line in breakage.lines for each in line.breaks)})
        breakage.show_motion()
        while breakage.shown is None:  # it gets the torques of the true motion, which goes on meanwhile
            session.run.accept(session.run.compute())
            breakage.draw()
        breakage.shown.accept(breakage.shown.compute())
        assert breakage.shown.solution_at(session.motion + 0.01).method == "textbook"
assert not unbroken
print("USED", len(PRESETS))
"""


@pytest.mark.full
@pytest.mark.compiled_only
def test_no_session_compiles_anything() -> None:
    program = [sys.executable, "-c", LISTEN + USE_EVERYTHING]
    ran = subprocess.run(program, capture_output=True, text=True, timeout=280)
    assert ran.returncode == 0, ran.stderr
    assert "USED" in ran.stdout
    assert [line for line in ran.stdout.splitlines() if line.startswith("LATE")] == []


def test_a_server_that_warms_up_builds_no_page_before_it_has_a_loop() -> None:
    """``--autoreload`` and ``--warm`` run the page once, before any visitor comes."""
    handler = ScriptHandler(filename=Path(app_hooks.__file__).with_name("main.py"))
    with ThreadPoolExecutor(1) as apart:
        session = apart.submit(generate_session, Application(handler)).result()
    assert handler.error is None
    assert not session.document.roots


def test_a_server_that_cannot_keep_what_it_compiles_says_so_and_ends(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(progress: Callable[[float], None]) -> None:
        raise OSError(28, "No space left on device")

    async def live() -> None:
        app_hooks.start(asyncio.get_running_loop())
        await asyncio.sleep(10.0)

    monkeypatch.setattr("app.startup.compile_first", fails)
    with pytest.raises(SystemExit):
        run_apart(live())
    assert "No space left on device" in caplog.text
    assert not app_hooks.sessions().is_ready


def status_of(work: Callable[[], object]) -> int:
    """How a process of its own ends that does this, and then sleeps."""
    process = os.fork()
    if process == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # as for the first process of a container
        work()
        time.sleep(60.0)
    due = time.monotonic() + 5.0
    while not (done := os.waitpid(process, os.WNOHANG))[0]:
        if time.monotonic() > due:
            os.kill(process, signal.SIGKILL)
        time.sleep(0.01)
    return os.waitstatus_to_exitcode(done[1])


def test_a_serving_process_ends_with_the_one_that_started_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app_hooks, "LOOKS", 0.05)

    def orphan(parent: int) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        end_with(parent)
        time.sleep(0.3)
        os._exit(7)

    assert status_of(lambda: orphan(os.getppid() + 1)) == -signal.SIGTERM
    assert status_of(lambda: orphan(os.getppid())) == 7


PROGRAM = """
import sys
import app.app_hooks
print(sorted({"dynamics", "scenes", "scipy", "pyvista", "numba"} & set(sys.modules)))
"""


def test_what_a_server_loads_before_its_port_opens_is_light() -> None:
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, timeout=120)
    assert ran.stdout.strip() == "[]"
