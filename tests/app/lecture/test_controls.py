"""What is set in an instrument is part of a moment: at another moment it is as that has it, and it comes back."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from app.controls.change import Change
from app.formulations.methods import Methods
from app.instruments.contact import ContactStage
from app.instruments.estimation import Estimation
from app.lecture import Lecture
from app.lecture.read import Reading
from app.lecture.written import written as file_of
from app.state import Session
from app.state.arrangement import FORMS
from app.state.auto_walk import AutoWalk
from app.state.manipulation import Manipulation
from app.views.show import Show
from app.walker.walker import Walker
from tests.app.lecture.telling import computed, gone

Run = Callable[[Coroutine[Any, Any, None]], None]
Made = Callable[[Session], Any]


def change_of(group: str) -> Made:
    """*Change* with one of its groups open, as a lecturer opens it."""

    def make(session: Session) -> Change:
        view = Change(session, Manipulation(session))
        view._group.value = group
        view.draw()
        return view

    return make


def set_up(part: Callable[[Any], Any], value: object, name: str = "value") -> Callable[[Any], None]:
    """Sets a control as a user does."""
    return lambda view: setattr(part(view), name, value)


def matrices(session: Session) -> Walker:
    session.sheet = "Matrices"
    return Walker(session, AutoWalk(session))


def inverse(session: Session) -> Methods:
    session.formulation = "inverse_dynamics"
    return Methods(session)


PUSHES = change_of("Push")
CONTROLS: dict[str, tuple[str, Made, Callable[[Any], None], Callable[[Any], object]]] = {
    "object": ("two_arms_and_box", ContactStage, set_up(lambda v: v._decade, 1.25), lambda v: v._decade.value),
    "weight": ("two_arms_and_box", ContactStage, set_up(lambda v: v._gravity, False), lambda v: v._gravity.value),
    "form": ("two_arms_and_box", ContactStage, lambda v: v._go("form inertia"), lambda v: v._form),
    "draws": ("puma560", Estimation, set_up(lambda v: v.draws._count, 100), lambda v: v.draws._count.value),
    "whiteness": ("puma560", Estimation, lambda v: v._go("see 1"), lambda v: v._seen),
    "matrix": ("puma560", matrices, set_up(lambda v: v._matrix._choice, "P⁺(k), joint free"),
               lambda v: v._matrix._choice.value),
    "wanted": ("puma560", inverse, lambda v: v._wanted._ask(1, 2.5), lambda v: v._wanted._fields[1].widget.value),
    "group": ("puma560", change_of("Drive"), set_up(lambda v: v._group, "Physics"), lambda v: v._group.value),
    "body": ("puma560", change_of("Bodies"), set_up(lambda v: v._bodies.body, 3), lambda v: v._bodies.body.value),
    "direction": ("puma560", PUSHES, set_up(lambda v: v._push._direction, "−y"), lambda v: v._push._direction.value),
    "newtons": ("puma560", PUSHES, lambda v: v._push._choose_size(0.125), lambda v: v._push._size.slider.value),
    "pushed": ("two_arms_and_box", PUSHES, lambda v: v._push._choose(v._push._names.index("object")),
               lambda v: v._push._body.value),
    "shadow": ("puma560", lambda session: Show(session, dict), set_up(lambda v: v._shadow, False),
               lambda v: v._shadow.value),
}  # fmt: skip
"""Of each control: a machine that has it, the instrument, what a user does, and what stands there."""


@pytest.mark.slow
@pytest.mark.compiled_only
@pytest.mark.parametrize("name", CONTROLS)
def test_it_comes_back(name: str, run_async: Run) -> None:
    preset, make, act, read = CONTROLS[name]

    async def live() -> None:
        session = Session(preset)
        lecture = Lecture(session, "Lecture")
        session.playing = False
        computed(session)
        view = make(session)
        view.draw()
        plain, first = lecture.keep(), read(view)
        act(view)
        view.draw()
        changed, second = lecture.keep(), read(view)
        assert second != first
        assert plain is not None
        assert changed is not None
        for _ in Reading(file_of(lecture).encode(), Session("planar_chain")).pieces():
            pass  # nothing of it is refused
        for moment, wanted in ((plain, first), (changed, second)):
            await gone(lecture, session, moment.number)
            assert lecture.word == ""
            view.draw()
            assert read(view) == wanted
        assert file_of(lecture).count('"preset"') == 2

    run_async(live())


def test_the_run_that_differences_are_told_from_comes_back(run_async: Run) -> None:
    async def live() -> None:
        session = Session("planar_chain")
        lecture = Lecture(session, "Lecture")
        session.playing = False
        for torque in (0.0, 0.1):
            session.set_torque(session.system.joint_names[0], torque)
            session.keep()
        session.compared = "B"
        moment = lecture.keep()
        assert moment is not None
        session.compared = "A"
        await gone(lecture, session, moment.number)
        assert [each.letter for each in session.ghosts_compared] == ["B", "A"]

    run_async(live())


def test_whatever_an_address_says_has_its_own_name_in_the_session() -> None:
    session = Session("puma560")
    assert [name for name in FORMS if getattr(session, name) != ""] == []
