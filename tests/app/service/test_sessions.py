"""Visitors are admitted within limits, and send files within theirs."""

import pytest

from app.service.limits import Allowance, Limits, SettingError, choice, read
from app.service.sessions import FULL, STARTING, Sessions


def ready(**limits: int) -> Sessions:
    made = Sessions(Limits(**limits))
    made.is_ready = True
    return made


def test_a_full_server_refuses_and_a_place_that_is_left_is_taken() -> None:
    sessions = ready(sessions=2)
    for session in ("a", "b"):
        assert sessions.admit() is None
        sessions.opened(session)
    assert sessions.admit() is FULL
    sessions.closed("a")
    sessions.closed("a")  # twice is once
    sessions.closed("never opened")
    assert (len(sessions), sessions.admit()) == (1, None)
    assert Sessions(Limits()).admit() is STARTING


def test_a_page_takes_so_many_files_a_minute() -> None:
    now = 0.0
    page = Allowance(2.0, lambda: now)
    assert [page.takes_upload() for _ in range(3)] == [True, True, False]
    now = 60.0
    assert page.takes_upload()


def test_limits_come_from_the_environment_and_nonsense_is_refused_by_name() -> None:
    assert read({}) == Limits()
    assert Limits().sessions >= 100  # a class comes in
    found = read({"ARMSWEEP_SESSIONS": "3", "ARMSWEEP_STUDYING": "0.25", "OTHER": "x"})
    assert found == Limits(sessions=3, studying=0.25)
    for name, value in (
        *(("SESSIONS", wrong) for wrong in ("many", "2.5", "0")),
        *(("STUDYING", "-1"), ("STUDYING", "nan"), ("STUDYING", "inf"), ("UPLOADS", "")),
    ):
        with pytest.raises(SettingError, match=rf"ARMSWEEP_{name} is '{value}'; it is to be a"):
            read({f"ARMSWEEP_{name}": value})
    assert choice({}, "FORM", ("text", "json")) == "text"
    with pytest.raises(SettingError, match="FORM is 'xml'; it is to be text or json"):
        choice({"FORM": "xml"}, "FORM", ("text", "json"))
