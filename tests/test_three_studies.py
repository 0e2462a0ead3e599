"""``python -m docs.three_studies``: the page's own text, at another size."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs.three_studies import write


@pytest.mark.full
def test_each_may_be_asked_alone_and_is_written(tmp_path: Path) -> None:
    write(tmp_path, ["tip"], full=False)
    assert "standard deviations" in (tmp_path / "tip.txt").read_text()
    assert (tmp_path / "tip.svg").read_bytes().startswith(b"<?xml")
