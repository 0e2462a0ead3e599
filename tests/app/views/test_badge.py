"""What the badge says holds for what one sees: a machine that begins to move is no longer said to rest."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from app.state import Session
from app.state.breakage import Breakage
from app.views import badge
from app.views.badge import AT_REST, PERIOD, Badge
from app.views.comparison import Comparison, compare


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The badge's own time, and methods that find rest before 0.2 s of the run."""
    now = SimpleNamespace(time=100.0, rests_until=0.2)

    def compare(solution: object, *_: object) -> Comparison:
        scale = 0.0 if session_time() < now.rests_until else 1.0
        return Comparison(solution, SimpleNamespace(scale=scale, worst=1e-14), ())  # type: ignore[arg-type]

    def session_time() -> float:
        return float(now.session.time)

    monkeypatch.setattr(badge, "compare", compare)
    monkeypatch.setattr(badge, "time", SimpleNamespace(monotonic=lambda: now.time))
    now.session = Session("puma560")
    while now.session.run.end < 2.0:
        now.session.run.accept(now.session.run.compute())
    now.session.has_player = now.session.playing = True
    return now


class Prompt:
    """Work that is done at once."""

    busy = False

    def start(self, work: Callable[[], Comparison], done: Callable[[Comparison], None]) -> None:
        done(work())


@pytest.fixture
def chip(clock: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> Badge:
    made = Badge(clock.session)
    monkeypatch.setattr(made, "_job", Prompt())
    return made


def shown(clock: SimpleNamespace, chip: Badge, at: float, later: float) -> str:
    """What it says at an instant of the run that is looked at ``later`` s after the last."""
    clock.time += later
    clock.session.seek(at)
    clock.session.playing = True
    chip.draw()
    return str(chip._chip.label)


def test_what_rests_at_first_and_then_moves_is_not_said_to_rest(clock: SimpleNamespace, chip: Badge) -> None:
    assert shown(clock, chip, 0.0, 0.0) == "checking", "it plays, and nobody knows yet whether it rests"
    assert shown(clock, chip, 0.6, 1.2 * PERIOD) == "methods agree to 1e-14"


def test_a_moment_that_stands_still_is_said_to_rest_at_once(clock: SimpleNamespace, chip: Badge) -> None:
    clock.session.seek(0.0)
    clock.session.playing = False
    chip.draw()
    assert chip._chip.label == AT_REST


def test_without_an_answer_nothing_is_said_of_a_moment_that_has_passed(clock: SimpleNamespace, chip: Badge) -> None:
    shown(clock, chip, 0.0, 0.0)
    assert shown(clock, chip, 0.1, 1.2 * PERIOD) == AT_REST
    chip._job.busy = True  # type: ignore[misc]
    clock.session.seek(0.6)
    clock.session.playing = True
    clock.time += 2.5 * PERIOD
    chip.draw()
    assert chip._chip.label == "checking"


def test_what_rests_all_the_time_is_said_to_rest_all_the_time(clock: SimpleNamespace, chip: Badge) -> None:
    clock.rests_until = 99.0
    shown(clock, chip, 0.0, 0.0)
    for at in (0.3, 0.6, 1.2, 1.8):
        assert shown(clock, chip, at, 1.2 * PERIOD) == AT_REST


@pytest.mark.compiled_only
def test_what_its_click_opens_is_told_with_the_largest_difference() -> None:
    session = Session("puma560")
    session.run.accept(session.run.compute())
    session.playing = False
    made = Badge(session)
    assert made.in_words == "Check is open: checking."
    found = compare(session.run.solution_at(0.2), None, None, False)
    made._show(found)
    assert found.agreement is not None
    assert re.fullmatch(
        r"Check is open: methods agree to \de-1\d; .+ and .+ differ most, by [\d.]+e-1\d in joint accelerations\.",
        made.in_words,
    )
    assert f"{found.agreement.worst:.1e}" in made.in_words


def test_beside_a_broken_text_it_says_that_it_speaks_of_the_true_run(clock: SimpleNamespace, chip: Badge) -> None:
    assert shown(clock, chip, 0.6, 0.0) == "methods agree to 1e-14"
    breakage = Breakage(clock.session)
    breakage.toggle(breakage.line.breaks[0].key)
    assert shown(clock, chip, 0.6, 0.01) == "true run: 1e-14"  # at once, before anything is compared anew
    shown(clock, chip, 0.1, 6.0)
    assert shown(clock, chip, 0.15, 6.0) == "true run: at rest"
    assert shown(clock, chip, 0.8, 6.0) == "true run: 1e-14"
    breakage.mend_all()
    assert shown(clock, chip, 0.8, 0.01) == "methods agree to 1e-14"


def test_methods_without_any_difference_agree_exactly(clock: SimpleNamespace, chip: Badge) -> None:
    chip._show(Comparison(clock.session.solution(), SimpleNamespace(scale=1.0, worst=0.0), ()))  # type: ignore[arg-type]
    assert chip._chip.label == "methods agree exactly"
