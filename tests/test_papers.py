"""``python -m docs.papers``: the folder that it writes says what ``dynamics`` finds."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from app.papers.addresses import ADDRESSES, PAPERS
from docs import papers
from docs.three_studies import write
from dynamics.papers import reproduce

pytest.importorskip("matplotlib", reason="the extra docs is not installed")


ASKED = ["r87_fig_1", "r87_table_2", "r87_fig_4", "tml_table_5", "jz_table_1"]


def test_a_folder_holds_every_number_and_figure(tmp_path: Path) -> None:
    assert papers.main([str(tmp_path), *ASKED]) == 0
    page = (tmp_path / "index.md").read_text(encoding="utf-8")
    parts = re.split(r"^## ", page, flags=re.MULTILINE)[1:]
    assert len(parts) == len(ASKED)
    for name, part in zip(ASKED, parts, strict=True):
        found = reproduce(name)
        assert part.startswith(f"{PAPERS[found.result.paper]}, {found.result.place}: ")
        rows = re.findall(r"^\| (.*?) \| (.*?) \| (\S+) \| (\S+) \| (.*?)\s*\|$", part, re.MULTILINE)
        assert len(rows) == len(found.numbers)
        for (row, column, printed, ours, note), number in zip(rows, found.numbers, strict=True):
            assert (row, column.partition(",")[0]) == (number.row, number.column.partition(",")[0])
            assert [float(text.replace("−", "-")) for text in (printed, ours)] == pytest.approx(
                [number.published, number.ours], rel=1e-6
            )
            assert note.startswith("differs") is not number.agrees
        assert dict(parse_qsl(re.search(r"`\?(.*?)`", part)[1])) == ADDRESSES[name]
        for number in found.numbers:
            assert number.reason[1:] in part
        picture = tmp_path / f"{name}.svg"
        assert picture.exists() is (found.figure is not None)
        if found.figure is not None:
            assert picture.read_bytes().startswith(b"<?xml")


@pytest.mark.full
def test_each_may_be_asked_alone_and_is_written(tmp_path: Path) -> None:
    write(tmp_path, ["tip"], full=False)
    assert "standard deviations" in (tmp_path / "tip.txt").read_text()
    assert (tmp_path / "tip.svg").read_bytes().startswith(b"<?xml")
