"""The benchmarks run, write what they found, and refuse to compare different work. No speed is asserted."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks import __main__ as benchmarks
from benchmarks import forward_dynamics_call, one_call, study_scaling
from benchmarks.contest import Claim, Contender, DisagreementError, compete

pytestmark = pytest.mark.compiled_only
CONTESTS = ["one_call", "long_chain", "two_arms_call", "every_link_inertia", "roofline"]


def contender(name: str, value: float, *, exact: bool = True) -> Contender:
    return Contender(name, lambda: None, lambda: np.array([value]), exact=exact)


@pytest.mark.slow
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


def test_each_part_of_a_study_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study_scaling, "task_seconds", lambda rounds, tasks: 1e-3)
    facts = study_scaling.contest(1).facts
    parts = ("draw", "close", "solve", "watch", "sum up", "write", "add up")
    each = [facts[f"us a state, to {part}"] for part in parts]
    assert min(each) > 0.0
    assert each[-1] < each[2]  # one process adds up: what takes it as long as solving would be lost at two


def test_different_work_is_refused() -> None:
    with pytest.raises(DisagreementError, match=r"sums: other is off by 0\.5"):
        compete("sums", [contender("ours", 1.0), contender("other", 1.5)], tolerance=1e-9, rounds=1)


def test_another_shape_is_refused() -> None:
    wide = Contender("wide", lambda: None, lambda: np.ones(2))
    with pytest.raises(DisagreementError, match="wide answers with"):
        compete("sums", [contender("ours", 1.0), wide], tolerance=1e-9, rounds=1)


def test_a_number_that_is_none_is_refused() -> None:
    with pytest.raises(DisagreementError):
        compete("sums", [contender("ours", 1.0), contender("other", np.nan)], tolerance=1e-9, rounds=1)


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_missing_peer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for peer in ("pin", "mujoco", "drake"):
        monkeypatch.setattr(forward_dynamics_call, peer, None)
    result = one_call.contest(1)
    assert len(result.lines) == 1
    assert [claim.verdict for claim in result.claims] == ["not measured: that peer is missing"]


def test_limits_hold_at_and_below() -> None:
    assert Claim("", 0.4, 0.4).verdict == "holds"
    assert Claim("", 0.41, 0.4).verdict == "DOES NOT HOLD"


def test_every_contest_is_found() -> None:
    found = benchmarks.contests()
    assert set(CONTESTS) < set(found)
    assert found["page"]
    assert found["compilation"]
    assert "peers" not in found
