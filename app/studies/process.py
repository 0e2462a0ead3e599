"""The process of a study: takes one question from standard input, and tells on standard output how it goes.

It ends with its work, or when the input ends: whoever asked is gone then.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dynamics as dyn
from app.studies.look import look_at

FEW, ENOUGH = 64, 0.1
"""Rows of a first try; s that a try takes from which a row's time is read."""
MOST_TRIED = 65_536
MOST_DRAWN = 20_000_000
"""Numbers that are drawn for a look, which takes some 24 bytes for each."""
TOLD_EVERY = 0.1
"""s between two words of progress."""
BEHIND = 19
"""How far its work stands behind whatever else the machine does: all the way."""
SEED = 16
Tell = Callable[[str, Any], None]


@dataclass(frozen=True)
class Question:
    """What is asked of the process; ``over`` and ``find`` as of ``dyn.study``, ``estimate`` for its time alone."""

    system: dyn.System
    state: dyn.State
    over: dict[str, Any]
    find: str
    count: int
    estimate: bool


def seconds_of(question: Question) -> float:
    """What all rows take, s, by a try of a few; kernels that are not compiled yet are compiled first."""
    count = FEW
    check_size(question, _tried(question, 1))
    while True:
        begun = time.perf_counter()
        _tried(question, count)
        took = time.perf_counter() - begun
        if took > ENOUGH or count >= min(question.count, MOST_TRIED):
            return took / count * question.count
        count *= 4


def _tried(question: Question, count: int) -> dyn.Study | None:
    """Some rows; None, as what a try of a few refuses all of them may not."""
    with contextlib.suppress(dyn.StateError):
        return dyn.study(question.system, question.over, question.find, count, state=question.state, seed=SEED)
    return None


def check_size(question: Question, tried: dyn.Study | None) -> None:
    """Whether all that varies can be looked at, which is drawn at once.

    Raises:
        ModelError: where it is too much.
    """
    many = question.system.n_joints if tried is None else len(tried.problem.variables)
    if many * question.count > MOST_DRAWN:
        raise dyn.ModelError(
            f"{question.count:,} states in which {many} numbers vary are more than a study here looks at. "
            f"Choose at most {MOST_DRAWN // many:,}, or let fewer things vary."
        )


def answer(question: Question, tell: Tell) -> None:
    """Estimates, and answers: ``estimate`` in s, ``progress`` in rows, a ``look`` from time to time, then ``done``."""
    tell("estimate", seconds_of(question))
    if question.estimate:
        return
    steps: tuple[tuple[float, ...], ...] = ()
    told = 0.0

    def progress(done: int, _: int) -> None:
        nonlocal told
        if time.monotonic() > told + TOLD_EVERY:
            told = time.monotonic()
            tell("progress", done)

    def look(study: dyn.Study) -> None:
        nonlocal steps
        seen = look_at(study, question.count, steps)
        steps = seen.steps
        tell("look", seen)

    asked = question
    look(
        dyn.study(
            asked.system,
            asked.over,
            asked.find,
            asked.count,
            state=asked.state,
            seed=SEED,
            progress=progress,
            look=look,
        )
    )


def stand_behind() -> None:
    """Leaves the processors to whatever else the machine does, the server and the browser of one who works alone.

    Linux may share them among sessions first and look at ranks within each: as one of the server's session a study
    takes as much as the browser, whatever its rank. So it has a session of its own, which stands behind the others.
    """
    with contextlib.suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, 0, BEHIND)
        os.setsid()
        Path("/proc/self/autogroup").write_text(str(BEHIND))


def main() -> None:
    """Serves one question. What libraries print goes to standard error, never between the answers."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a server that is stopped ends it by closing its input
    stand_behind()
    requests = sys.stdin.buffer
    question = pickle.load(requests)

    def end_with_input() -> None:
        requests.read()
        os._exit(0)

    threading.Thread(target=end_with_input, daemon=True).start()

    def tell(kind: str, what: Any) -> None:
        pickle.dump((kind, what), answers, protocol=pickle.HIGHEST_PROTOCOL)
        answers.flush()

    try:
        answer(question, tell)
    except (dyn.ModelError, dyn.StateError, dyn.SingularConfigurationError) as error:
        tell("refused", str(error))
    else:
        tell("done", None)


if __name__ == "__main__":
    main()
