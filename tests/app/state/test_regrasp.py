"""Taking the object again: where it still is, or put back into the hand."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from app.motion.landing import LANDS
from app.state import Session


def at(session: Session, time: float) -> None:
    while session.run.end < time:
        session.run.accept(session.run.compute())
    session.seek(time)


@pytest.mark.parametrize(("wait", "word"), [(0.02, "grasped"), (1.0, "put back")])
def test_the_object_comes_back_into_the_hands(wait: float, word: str) -> None:
    session = Session("two_arms_and_box")
    at(session, 0.5)
    session.release()
    at(session, 0.5 + wait)
    assert not session.is_held
    session.grasp()
    assert session.message == ""
    assert session.is_held
    at(session, 0.5 + wait + 0.25)
    solution = session.solution()
    what = [told.partition(":")[0] for _, told in session.run.events]
    assert what == ["released", *([LANDS] if wait == 1.0 else []), word]
    for contact in solution.system.contacts:
        tip = solution.link_pose[contact.link] @ contact.tip_pose
        assert solution.state.object_pose is not None
        place = solution.state.object_pose @ contact.object_pose
        assert np.max(np.abs(tip - place)) < 1e-6
        hand = solution.link_pose[contact.link] @ solution.system.tips[contact.tip].pose
        assert np.linalg.norm(hand[:3, 3] - place[:3, 3]) < 0.06  # no holding from afar
    assert dyn.agreement(solution.system, solution.state, solution.tau).worst < 1e-9


def test_a_branch_forgets_the_future() -> None:
    session = Session("two_arms_and_box")
    at(session, 1.0)
    session.seek(0.3)
    session.release()
    past = session.run.legs[0].recording
    assert past.times[-1] == pytest.approx(0.3)
    assert np.array_equal(session.run.solution_at(0.2).tau, past.solution_at(0.2).tau)
