"""``python -m docs.three_studies``: the page's own text, at another size."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs.three_studies import NAMES, SIZE, main, texts, write


def test_the_command_runs_the_text_of_the_page_at_another_size(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small, full = texts(full=False), texts(full=True)
    sizes = {name: [int(number) for _, number in SIZE.findall(code)] for name, code in small.items()}
    assert sizes == {"agreement": [1000], "radius": [60], "tip": [10_000]}
    assert all(SIZE.sub(r"\1\2", small[name]) == full[name] != small[name] for name in NAMES)
    with pytest.raises(SystemExit):
        main([str(tmp_path), "squeeze"])
    assert "squeeze" in capsys.readouterr().err


@pytest.mark.full
def test_each_may_be_asked_alone_and_is_written(tmp_path: Path) -> None:
    write(tmp_path, ["tip"], full=False)
    assert "standard deviations" in (tmp_path / "tip.txt").read_text()
    assert (tmp_path / "tip.svg").read_bytes().startswith(b"<?xml")
