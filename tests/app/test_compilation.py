"""Compilation happens at the server's start: whatever a session does afterwards finds its code ready."""

from __future__ import annotations

import subprocess
import sys

import pytest

USE_EVERYTHING = """
from numba.core import event

from app.compilation import compile_mechanics
from app.state import Session
from app.state.presets import PRESETS
from app.views.badge import compare

compile_mechanics()


class Late(event.Listener):
    def on_start(self, started):
        print("LATE", started.data["dispatcher"].__name__)

    def on_end(self, ended):
        pass


event.register("numba:compile", Late())
for name in PRESETS:
    session = Session(name)
    for action in (
        lambda: session.set_torque(session.system.joint_names[0], 1.0),
        lambda: session.set_mass(2.0 * session.mass),
        lambda: session.release() if session.is_held else None,
        lambda: session.grasp() if session.system.is_held else None,
        session.reset,
    ):
        action()
        session.run.accept(session.run.compute())
        session.seek(0.123)
        compare(session.solution(), None)
        assert not session.message, (name, session.message)
print("USED", len(PRESETS))
"""


@pytest.mark.compiled_only
def test_no_session_compiles_anything() -> None:
    ran = subprocess.run([sys.executable, "-c", USE_EVERYTHING], capture_output=True, text=True, timeout=280)
    assert ran.returncode == 0, ran.stderr
    assert "USED" in ran.stdout
    late = sorted({line for line in ran.stdout.splitlines() if line.startswith("LATE")})
    assert not late, late
