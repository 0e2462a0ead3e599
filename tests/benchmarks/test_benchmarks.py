"""The benchmarks run, write what they found, and refuse to compare different work. No speed is asserted."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks import __main__ as benchmarks
from benchmarks import one_call
from benchmarks.contest import Claim, Contender, DisagreementError, compete

pytestmark = pytest.mark.compiled_only
CONTESTS = ["one_call", "long_chain", "two_arms_call", "every_link_inertia", "roofline"]


def contender(name: str, value: float, *, exact: bool = True) -> Contender:
    return Contender(name, lambda: None, lambda: np.array([value]), exact=exact)


@pytest.mark.full
def test_the_quick_form_writes_every_contest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written = tmp_path / "found.json"
    assert benchmarks.main(["--quick", "--json", str(written), *CONTESTS]) == 0
    found = json.loads(written.read_text())
    assert len(found["contests"]) == len(CONTESTS)
    assert found["quick"] is True
    assert found["refused"] == {}
    assert found["circumstances"]["numba"]
    for contest in found["contests"]:
        assert contest["lines"] or contest["facts"]
        assert all(line["median_seconds"] > 0.0 for line in contest["lines"])
        # Named as missing, or measured; nothing in between.
        assert all((claim["value"] is None) == ("missing" in claim["verdict"]) for claim in contest["claims"])
    said = capsys.readouterr().out
    assert "limit 0.4" in said
    assert "Unfair to a peer" in said


def test_different_work_is_refused() -> None:
    wide = Contender("wide", lambda: None, lambda: np.ones(2))
    for other, words in (
        (contender("other", 1.5), r"sums: other is off by 0\.5"),
        (wide, "wide answers with"),
        (contender("other", np.nan), "other"),
    ):
        with pytest.raises(DisagreementError, match=words):
            compete("sums", [contender("ours", 1.0), other], tolerance=1e-9, rounds=1)


def test_other_work_is_shown_and_not_compared() -> None:
    result = compete("sums", [contender("ours", 1.0), contender("soft", 1.5, exact=False)], tolerance=1e-9, rounds=1)
    assert [line.distance for line in result.lines] == [0.0, 0.5]
    assert result.claims == ()


def test_a_refusal_is_told_and_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def disagree(rounds: int) -> None:
        raise DisagreementError("they differ")

    monkeypatch.setattr(one_call, "contest", disagree)
    written = tmp_path / "found.json"
    assert benchmarks.main(["--quick", "--json", str(written), "one_call"]) == 1
    assert "one_call: REFUSED, not the same work. they differ" in capsys.readouterr().out
    assert json.loads(written.read_text())["refused"] == {"one_call": "they differ"}


def test_limits_hold_at_and_below() -> None:
    assert Claim("", 0.4, 0.4).verdict == "holds"
    assert Claim("", 0.41, 0.4).verdict == "DOES NOT HOLD"
