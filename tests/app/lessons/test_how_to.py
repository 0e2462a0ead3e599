"""The lecturer's how-to, followed literally: its files in a new folder are a new lesson on the page. No code."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

import dynamics as dyn
from app.asking import Asking
from app.lessons.__main__ import main
from app.lessons.folder import VARIABLE
from app.lessons.lesson import KINDS
from app.lessons.lessons import Lessons
from app.lessons.quantities import EACH, LETTERS, WHOLE
from app.lessons.values import CONSTANTS, FUNCTIONS
from app.state import Session

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "lessons.md").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What the page tells to write, where it tells to."""
    lesson, head = re.search(r"Make a folder `([\w/]+)`, and in it a file `([\w.]+)`", PAGE).groups()  # type: ignore[union-attr]
    step = re.search(r"write\s+`(\w+\.md)`", PAGE).group(1)  # type: ignore[union-attr]
    toml, markdown = (re.search(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL).group(1) for kind in ("toml", "markdown"))  # type: ignore[union-attr]
    (tmp_path / lesson).mkdir(parents=True)
    (tmp_path / lesson / head).write_text(toml)
    (tmp_path / lesson / step).write_text(markdown)
    return tmp_path


def test_a_fault_is_printed_as_it_is(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    step = folder / "my_lessons" / "heavy_hand" / "01_double.md"
    step.write_text(step.read_text() + "\n[there](http://x/y)\n")
    assert main(["check", str(folder / "my_lessons")]) == 1
    line = len(step.read_text().splitlines())
    assert f"heavy_hand/01_double.md:{line}: " in capsys.readouterr().out
    assert main(["check", str(step.parent)]) == 1
    assert "'[there](http://x/y)'." in capsys.readouterr().out


def commands() -> list[str]:
    return [block.strip() for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)]


def check(folder: Path) -> subprocess.CompletedProcess[str]:
    words = commands()[0].split()
    assert words[0] == "python"
    own = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, *words[1:]], cwd=folder, env=own, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_it_is_checked_and_a_wrong_number_is_told(folder: Path) -> None:
    told = check(folder)
    assert (told.returncode, told.stdout.strip()) == (0, "my_lessons/heavy_hand: can be taught")
    step = folder / "my_lessons" / "heavy_hand" / "01_double.md"
    step.write_text(step.read_text().replace("stated = 0.0602", "stated = 0.0702"))
    told = check(folder)
    assert told.returncode == 1
    line = 1 + step.read_text().splitlines().index("stated = 0.0702")
    assert told.stdout.startswith(
        f"my_lessons/heavy_hand/01_double.md:{line}: it states 0.0702, and the live state gives"
    )


def test_it_is_on_the_page(
    folder: Path, monkeypatch: pytest.MonkeyPatch, run_async: Callable[[Coroutine[Any, Any, Any]], Any]
) -> None:
    variable, value = re.match(r"(\w+)=(\S+) panel serve app", commands()[1]).groups()  # type: ignore[union-attr]
    assert variable == VARIABLE
    monkeypatch.chdir(folder)
    monkeypatch.setenv(variable, value)

    async def live() -> None:
        session = Session("puma560")
        panel = Lessons(session, Asking(session, lambda: None))
        panel._go(f"open {len(panel._lessons) - 1}")
        while session.jobs.running:
            await asyncio.wait(session.jobs.running)
            session.jobs.attend()
        assert "Twice the mass at the tip" in panel._sheet.html
        panel._answer("0.0301")
        assert "That is what it was before." in panel._sheet.html
        panel._answer("0.0602")
        assert "twice the mass, twice the inertia" in panel._sheet.html
        session.jobs.stop()

    run_async(live())


def test_the_page_lists_all_that_a_lesson_can_name() -> None:
    named = set(re.findall(r"`([a-z_]+)(?:\([^`]*\))?`", PAGE))
    assert {*FUNCTIONS, *CONSTANTS, *KINDS, *EACH, *WHOLE, *LETTERS} - named == set()
    assert "articulated_inertia" in {name for _, name in dyn.registry}


@pytest.mark.slow
def test_the_command_says_how_it_is_used(tmp_path: Path) -> None:
    own = {**os.environ, "PYTHONPATH": str(ROOT)}
    for words, code, said in (
        ([], 2, "usage"),
        (["check"], 2, "usage"),
        (["check", "nowhere"], 2, "no such folder"),
        (["check", "."], 2, "no lesson in it"),
    ):
        told = subprocess.run(
            [sys.executable, "-m", "app.lessons", *words],
            cwd=tmp_path,
            env=own,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (told.returncode, said in told.stderr) == (code, True), told
