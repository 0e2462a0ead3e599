"""The example that the page saves: a whole lesson, explained line by line, that opens as it is."""

from __future__ import annotations

import re
import tomllib
import zipfile
from pathlib import Path

import pytest

from app.lessons.__main__ import main
from app.lessons.example import EXAMPLE, FILE, example_zip
from app.lessons.folder import lesson_in, packaged
from app.lessons.lesson import Choice, Number, Task
from app.lessons.own_lesson import PAGE, SAVE, about_html, read_whole
from app.service import documentation
from app.state import Session
from tests.app.lessons.test_how_to import PAGE as HOW_TO


def test_it_is_whole_and_passes_the_check_once_unpacked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with zipfile.ZipFile(example_zip()) as archive:
        archive.extractall(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [EXAMPLE.name]
    assert main(["check", str(tmp_path / EXAMPLE.name)]) == 0, capsys.readouterr().out
    lesson = lesson_in(tmp_path / EXAMPLE.name)
    assert 3 <= len(lesson.steps) <= 4
    kinds = {type(step.question): step for step in lesson.steps}
    assert {Choice, Number, Task} <= set(kinds)
    assert all(step.hints and step.reveal.text for step in lesson.steps if step.question)
    number = kinds[Number].question
    assert isinstance(number, Number)
    assert number.relative
    assert number.unit == "kg m^2"
    assert lesson.name not in {each.name for each in packaged()}


def test_it_opens_unchanged(session: Session) -> None:
    lesson, faults = read_whole(example_zip().read(), FILE, session)
    assert faults == []
    assert lesson is not None
    assert lesson.name == EXAMPLE.name


def test_every_key_of_it_is_explained() -> None:
    """By a comment on its line or above it, where it stands first."""
    seen = set[str]()
    for path in sorted(EXAMPLE.iterdir()):
        text = path.read_text(encoding="utf-8")
        table = text if path.suffix == ".toml" else text.split("+++")[1]
        tomllib.loads(table)
        blocks = [line for line in table.splitlines() if line]
        assert any(line.startswith("#") for line in blocks), path.name
        seen |= set(re.findall(r"^(\w+) =", table, re.MULTILINE))
    assert {"show", "then", "tolerance", "unit", "stated", "until", "right", "say", "rank"} <= seen


def test_the_page_says_what_it_is_and_links_where_there_is_something(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert "python -m app.lessons check FOLDER" in about_html()
    monkeypatch.delitem(documentation.extension_dirs, documentation.NAME, raising=False)
    assert "<a" not in about_html()
    (tmp_path / PAGE).write_text("x")
    monkeypatch.setitem(documentation.extension_dirs, documentation.NAME, tmp_path)
    assert f"href='static/extensions/{documentation.NAME}/{PAGE}'" in about_html()


def test_the_how_to_names_it() -> None:
    assert SAVE in HOW_TO
