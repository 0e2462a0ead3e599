"""Motions that many pages begin: whoever opens the same link, or the same example, shares what is known of it."""

from __future__ import annotations

import threading

from app.motion.run import Course, Run
from app.motion.setup import Setup

MOST = 16
"""Courses that are remembered; of each one at most a minute of motion."""

_lock = threading.Lock()
_known: list[tuple[Setup, Course]] = []
"""The one that was opened last comes last."""


def common_run(setup: Setup) -> Run:
    """The run of a setup that others may open, too: computed once for all of them, as far as it goes by itself.

    What somebody's own file or editing has made, nobody else begins: that is a run of its own, and forgotten with it.

    Raises:
        ModelError, StateError, SingularConfigurationError: for values that cannot be.
    """
    if setup.machine.file is not None or setup.machine.origin is not None:
        return setup.run()
    course = _found(setup)
    if course is None:
        leg, actuation = setup.first_leg()
        course = _remembered(setup, Course(leg, actuation, setup.duration))
    return course.begun(setup.interventions)


def _found(setup: Setup) -> Course | None:
    with _lock:
        at = next((at for at, (known, _) in enumerate(_known) if known == setup), None)
        if at is None:
            return None
        _known.append(_known.pop(at))
        return _known[-1][1]


def _remembered(setup: Setup, course: Course) -> Course:
    """The course, or that of another thread which was quicker."""
    if (quicker := _found(setup)) is not None:
        return quicker
    with _lock:
        _known.append((setup, course))
        del _known[: max(len(_known) - MOST, 0)]
    return course
