"""The process beside a page: takes one question from standard input, and tells on standard output how it goes.

It ends with its work, or when the input ends: whoever asked is gone then.
"""

from __future__ import annotations

import contextlib
import math
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Protocol

from numba.core.event import Listener, install_listener

import dynamics as dyn
from app.studies.behind import LAST, stand_behind
from app.studies.estimate import seconds_each
from app.studies.look import look_at, step_of
from app.studies.motion import Motion, evaluations
from app.studies.watched import CONDITION

FEW = 64
"""Rows of a first try."""
MOST_DRAWN = 500_000_000
"""Numbers that are drawn for a look, some 20 ns for each."""
TOLD_EVERY = 0.5
"""s between two words of progress."""
LOOKED_EVERY = 2.0
"""s between two looks: each is drawn by a page, which other pages on the same machine wait for."""
SEED = 16
BESIDE = {"agreement": (CONDITION,), "residual": (CONDITION,)}
"""What is watched along with something, to show it against that, too: whether rounding follows the condition number."""
Tell = Callable[[str, Any], None]


class Asks(Protocol):
    """What the process can be asked: it comes pickled, and answers by itself.

    Attributes:
        can_wait: whether everything else that the machine does comes first.
    """

    can_wait: ClassVar[bool]

    def answer(self, tell: Tell) -> None:
        """Tells how it goes, and what comes of it.

        Raises:
            ModelError, StateError, SingularConfigurationError: for what cannot be answered.
        """


@dataclass(frozen=True)
class Question:
    """What is asked of the process; ``over`` and ``find`` as of ``dyn.study``, ``estimate`` for its time alone.

    Attributes:
        count: states that are drawn.
        motion: how each goes on; None where states are looked at alone.
    """

    can_wait: ClassVar[bool] = True

    system: dyn.System
    state: dyn.State
    over: dict[str, Any]
    find: str
    count: int
    estimate: bool
    motion: Motion | None = None

    @property
    def size(self) -> int:
        """Rows: every state that is drawn, with each of what is listed."""
        return self.count * math.prod(len(values) for values in self.over.values() if isinstance(values, list))

    def asked(self, count: int, **options: Any) -> dyn.Study:
        """The answer, of so many states."""
        motion = self.motion
        how: dict[str, Any] = {} if motion is None else {"duration": motion.duration, "dt": motion.numerics.step}
        find = (self.find, *BESIDE.get(self.find, ()))
        return dyn.study(self.system, self.over, find, count, state=self.state, seed=SEED, **how, **options)

    def answer(self, tell: Tell) -> None:
        """See ``answer`` below."""
        answer(self, tell)

    def probe(self) -> tuple[Question, float]:
        """The same of one middling step and one integrator, and how many times the work all of them are."""
        motion = self.motion
        if motion is None:
            return self, 1.0
        steps = self.over.get("dt", [motion.numerics.step])
        one = motion.in_steps(steps[len(steps) // 2])
        drawn = {name: values for name, values in self.over.items() if not isinstance(values, list)}
        own = [motion.numerics.method]
        work = evaluations(steps, self.over.get("method", own)) / evaluations([one.numerics.step], own)
        return replace(self, over=drawn or {"dt": [one.numerics.step]}, motion=one), work


def seconds_of(question: Question) -> float:
    """What all rows take, s, by a try of a few; kernels that are not compiled yet are compiled first."""
    probe, work = question.probe()
    count = FEW if question.motion is None else 1
    check_size(question, _tried(probe, 1))
    return seconds_each(partial(_tried, probe), count, question.count) * question.count * work


def _tried(question: Question, count: int) -> dyn.Study | None:
    """Some rows; None, as what a try of a few refuses all of them may not."""
    with contextlib.suppress(dyn.StateError):
        return question.asked(count)
    return None


def check_size(question: Question, tried: dyn.Study | None) -> None:
    """Whether all that varies can be looked at, which is drawn for each look.

    Raises:
        ModelError: where it is too much.
    """
    many = question.system.n_joints if tried is None else len(tried.problem.variables)
    each = question.size // question.count
    if many * question.size > MOST_DRAWN:
        raise dyn.ModelError(
            f"{question.count:,} states in which {many} numbers vary are more than a study here looks at. "
            f"Choose at most {MOST_DRAWN // (many * each):,}, or let fewer things vary."
        )


def answer(question: Question, tell: Tell) -> None:
    """Estimates, and answers: ``estimate`` in s, ``progress`` in rows, a ``look`` from time to time, then ``done``."""
    tell("estimate", seconds_of(question))
    if question.estimate:
        return
    steps: tuple[tuple[float, ...], ...] = ()
    told = looked = -math.inf

    def progress(done: int, _: int) -> None:
        nonlocal told
        if time.monotonic() > told + TOLD_EVERY:
            told = time.monotonic()
            tell("progress", done)

    def look(study: dyn.Study) -> None:
        nonlocal steps, looked
        if study.size == question.size or time.monotonic() > looked + LOOKED_EVERY:
            looked = time.monotonic()
            seen = look_at(study, question.size, steps)
            steps = seen.steps
            tell("look", seen)
        else:
            steps = (*steps, step_of(study))

    look(question.asked(question.count, progress=progress, look=look))


class Compiler(Listener):  # type: ignore[misc]
    """Numba, which says when it begins to compile; loading what it has kept is nothing to be told."""

    def __init__(self, tell: Tell) -> None:
        self._tell, self._is_told = tell, False

    def on_start(self, event: object) -> None:
        """Tells it once."""
        if not self._is_told:
            self._is_told = True
            self._tell("compiling", None)

    def on_end(self, event: object) -> None:
        """Nobody waits for a single one."""


def main() -> None:
    """Serves one question. What libraries print goes to standard error, never between the answers."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a server that is stopped ends it by closing its input
    requests = sys.stdin.buffer

    def tell(kind: str, what: Any) -> None:
        pickle.dump((kind, what), answers, protocol=pickle.HIGHEST_PROTOCOL)
        answers.flush()

    tell("loaded", None)
    question: Asks = pickle.load(requests)
    if question.can_wait:
        stand_behind(LAST)

    def end_with_input() -> None:
        requests.read()
        os._exit(0)

    threading.Thread(target=end_with_input, daemon=True).start()
    try:
        with install_listener("numba:compile", Compiler(tell)):
            question.answer(tell)
    except (dyn.ModelError, dyn.StateError, dyn.SingularConfigurationError) as error:
        tell("refused", str(error))
    else:
        tell("done", None)


if __name__ == "__main__":
    main()
