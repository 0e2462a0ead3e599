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
    for name in NAMES:
        changed = [
            pair for pair in zip(small[name].splitlines(), full[name].splitlines(), strict=True) if len(set(pair)) > 1
        ]
        assert [line.partition("#")[2].strip() for line, _ in changed] == [str(number) for number in sizes[name]]
        assert changed[0][1].endswith(str(sizes[name][0]))
    with pytest.raises(SystemExit):
        main([str(tmp_path), "squeeze"])
    assert "squeeze" in capsys.readouterr().err


@pytest.mark.full
def test_each_may_be_asked_alone_and_is_written(tmp_path: Path) -> None:
    write(tmp_path / "out", ["tip"], full=False)
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"tip.txt", "tip.svg"}
    assert "standard deviations" in (tmp_path / "out" / "tip.txt").read_text()
    assert (tmp_path / "out" / "tip.svg").read_bytes().startswith(b"<?xml")
