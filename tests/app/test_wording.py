"""A message carries its kind, whatever it says."""

import pytest

from app.state import Session
from app.views.status import Status
from app.wording import Kind, Message, file_stem, kind_of


@pytest.mark.parametrize("kind", Kind)
def test_a_message_is_as_grave_as_its_caller_says(kind: Kind) -> None:
    """Not as its words say: those may be a file's own."""
    session = Session("puma560")
    alert = Status(session)._alert
    session.message = Message(kind, "The run ends early: This link's posture is beyond the stops")
    assert (alert.severity, alert.title) == kind.value


def test_plain_words_tell_of_a_failure() -> None:
    assert kind_of("what somebody says") is Kind.FAILURE


def test_the_name_of_a_file_is_plain_whatever_it_is_about() -> None:
    assert (
        file_stem("PUMA 560, reaching", "Joint inertia D(k)", "at 0.500 s")
        == "puma_560_reaching_joint_inertia_d_k_at_0.500_s"
    )
    assert file_stem("../../etc/passwd\n", "机器人") == "etc_passwd"
    assert len(file_stem("x" * 1000)) == 60
