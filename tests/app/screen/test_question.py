"""What an instrument shows can be checked and broken from there; what a break does not change says so."""

from __future__ import annotations

import re

import pytest

import dynamics as dyn
from app.screen.question import ASKS, CHECK, SHOW_TRUTH, Questions
from app.state import Session

PRESETS = ("puma560", "two_arms_and_box", "free_flyer", "point_contact", "two_arm_flyer")


def asked(session: Session, name: str) -> tuple[Questions, list[str]]:
    opened: list[str] = []
    questions = Questions(session, name, opened.append)
    questions.draw()
    return questions, opened


@pytest.mark.parametrize("preset", PRESETS)
def test_each_way_leads_to_a_row_or_a_line_that_is_there(preset: str) -> None:
    session = Session(preset)
    system, solution = session.system_here, session.solution()
    reading = session.reading()
    rows = {f"{check.stage}/{check.identity.key}" for check in dyn.identities(solution)}
    rows |= {f"{check.stage}/{check.identity.key}" for check in dyn.text_identities(reading)}
    rows |= {f"sum/{each.title}" for each in dyn.paper_sums(solution)}
    lines = {f"{line.stage}/{line.key}/0" for line in dyn.textbook_lines(system)}
    for name in ASKS:
        if (name == "Contact") != system.is_held and name in ("Contact", "Two filters"):
            continue
        questions, opened = asked(session, name)
        ways = re.findall(r"data-go='(check|break) ([^']*)'", questions.below.html)
        assert ways
        shown = re.findall(r"role='button' aria-label='[^']*'>(.*?)</span>", questions.below.html)
        assert len(shown) == len(set(shown))  # each once
        for kind, what in ways:
            assert what in (rows if kind == CHECK.lower() else lines), what
            questions._go(f"{kind} {what}")
            assert (session.checked if kind == "check" else session.line) == what
            assert session.beside == name
        assert len(opened) == len(ways)
        questions._go("break filter/nothing.at.all/0")
        assert len(opened) == len(ways)


def test_the_true_runs_numbers_say_so_while_the_text_is_broken() -> None:
    session = Session("two_arms_and_box")
    for name in sorted(SHOW_TRUTH):
        questions, _ = asked(session, name)
        assert not questions.above.visible
        session.breaks = frozenset({"contact_forces.alpha_new~alpha_b~drop"})
        questions.draw()
        assert "the true run's" in questions.above.html
        session.breaks = frozenset({"constrained.multipliers.L~C-bracket-C~drop"})  # which only *Methods* shows
        questions.draw()
        assert questions.above.html == ""
        session.breaks = frozenset()


def test_numbers_that_change_ask_nothing_new(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever moves a slider does not wait for it; another stage, another machine and a break are asked of anew."""
    session = Session("two_arms_and_box")
    questions, _ = asked(session, "Contact")
    read: list[dyn.System] = []
    monkeypatch.setattr("app.screen.question.Questions._html", lambda _, system: read.append(system) or "")
    session.set_mass(2.0 * session.mass)
    questions.draw()
    assert not read
    session.run.accept(session.run.compute())
    session.seek(0.1)
    session.release()
    questions.draw()
    assert read == [session.system_here]
    assert not session.system_here.is_held
    session.open_preset("four_arms_and_box")
    questions.draw()
    assert len(read) == 2
