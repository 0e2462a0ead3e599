"""The process beside a page: takes one question from standard input, and tells on standard output how it goes.

It ends with its work, or when the input ends: whoever asked is gone then. The page's own side of it is ``Course``.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from math import prod
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol

from numba.core.event import Listener, install_listener

import dynamics as dyn
from app.job import Jobs
from app.service.limits import StudyPlaces, study_places
from app.studies.question import CONDITION
from app.studies.summary import Look, look_at, step_of

ENOUGH, MOST_TRIED = 0.1, 65_536  # s that a try takes from which a row's time is read, and rows that it has at most
TOLD_EVERY, LOOKED_EVERY = 0.5, 2.0
"""s between two words of progress, and between two looks, which a page draws and other pages wait for."""
SEED = 16
SEARCHES, FEWEST, MOST = 20.0, 300, 20_000
"""s that a search takes, if so many states are solved in that time; and how many they are in any case."""
LAST = 19  # how far behind all others Linux lets a process stand
BESIDE = {"agreement": (CONDITION,), "identity": (CONDITION,)}
"""What is watched along with something, to show it against that, too: whether rounding follows the condition number."""
Tell = Callable[[str, Any], None]


class Asks(Protocol):
    """What the process can be asked: it comes pickled, and answers by itself."""

    can_wait: ClassVar[bool]  # whether everything else that the machine does comes first

    def answer(self, tell: Tell) -> None:
        """Tells how it goes, and what comes of it; an error of the mechanics is a refusal."""


@dataclass(frozen=True)
class Question:
    """A study, how long it takes, or a search beyond one of its ends; named as ``dyn.study`` names it."""

    can_wait: ClassVar[bool] = True

    system: dyn.System
    state: dyn.State
    over: dict[str, Any]
    find: str
    count: int
    duration: float | None = None
    dt: float = 1e-3
    wanted: Literal["study", "estimate", "largest", "smallest"] = "study"  # which of these

    @property
    def size(self) -> int:
        """Rows: every state that is drawn, with each of what is listed."""
        return self.count * prod(len(values) for values in self.over.values() if isinstance(values, list))

    @property
    def _how(self) -> dict[str, Any]:
        return {"state": self.state, "seed": SEED, "duration": self.duration, "dt": self.dt}

    def asked(self, over: Mapping[str, Any], count: int, **options: Any) -> dyn.Study:
        """The answer, of so many states."""
        find = (self.find, *BESIDE.get(self.find, ()))
        return dyn.study(self.system, over, find, count, **self._how, **options)

    def answer(self, tell: Tell) -> None:
        """Tells the ``estimate`` in s, then ``progress`` in rows, a ``look`` from time to time, or the ``answer``."""
        seconds = seconds_of(self.asked, self.over, self.count)
        if self.wanted == "estimate":
            tell("estimate", seconds)
            return
        if self.wanted == "study":
            tell("estimate", seconds)
            self._study(tell)
            return
        evaluations = min(max(int(SEARCHES * self.size / seconds), FEWEST), MOST)
        tell("estimate", seconds / self.size * evaluations)
        found = dyn.worst_case(self.system, self.over, self.find, self.wanted, evaluations, **self._how)
        tell("answer", found)

    def _study(self, tell: Tell) -> None:
        steps: tuple[tuple[float, ...], ...] = ()
        told = looked = -LOOKED_EVERY

        def progress(done: int, _: int) -> None:
            nonlocal told
            if time.monotonic() > told + TOLD_EVERY:
                told = time.monotonic()
                tell("progress", done)

        def look(study: dyn.Study) -> None:
            nonlocal steps, looked
            steps = (*steps, step_of(study))
            if study.size == self.size or time.monotonic() > looked + LOOKED_EVERY:
                looked = time.monotonic()
                tell("look", look_at(study, self.size, steps))

        look(self.asked(self.over, self.count, progress=progress, look=look))


def seconds_of(asked: Callable[[Mapping[str, Any], int], object], over: Mapping[str, Any], count: int) -> float:
    """s that all rows take, by a try of a few; kernels that are not compiled yet are compiled first.

    Of each list one value is tried: of steps the one that takes as long as all do in the mean.
    """
    lists = {name: values for name, values in over.items() if isinstance(values, list) and values}
    middle = {name: [values[len(values) // 2]] for name, values in lists.items()}
    if "dt" in lists and all(isinstance(step, int | float) and step > 0.0 for step in lists["dt"]):
        middle["dt"] = [len(lists["dt"]) / sum(1.0 / step for step in lists["dt"])]

    def tried(few: int) -> float:
        begun = time.perf_counter()
        with contextlib.suppress(dyn.StateError):  # a few may all be refused
            asked({**over, **middle}, few)
        return time.perf_counter() - begun

    few = 1
    tried(few)
    while (took := tried(few)) < ENOUGH and few < min(count, MOST_TRIED):
        few *= 4
    return took / few * count * prod(map(len, lists.values()))


def stand_behind() -> None:
    """This process works when nothing else does: whatever else wakes takes the processor from it at once.

    Of any other policy Linux lets a process go on for some milliseconds, and a page beside it draws fewer pictures. It
    shares the processors among sessions first, so that the rank of this one counts, too.
    """
    with contextlib.suppress(OSError, AttributeError):  # it is Linux's
        os.setpriority(os.PRIO_PROCESS, 0, LAST)
        Path("/proc/self/autogroup").write_text(str(LAST))
        for thread in Path("/proc/self/task").iterdir():
            os.sched_setscheduler(int(thread.name), os.SCHED_IDLE, os.sched_param(0))


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

    question: Asks = pickle.load(requests)

    def end_with_input() -> None:
        requests.read()
        os._exit(0)

    threading.Thread(target=end_with_input, daemon=True).start()
    if question.can_wait:
        stand_behind()
    try:
        with install_listener("numba:compile", Compiler(tell)):
            question.answer(tell)
    except (dyn.ModelError, dyn.StateError, dyn.SingularConfigurationError) as error:
        tell("refused", str(error))
    else:
        tell("done", None)


FULL = "As many studies as this server computes at once are under way. Try again in a minute."
LOST = "The process beside the page has ended by itself; what was found by then stands."
Told = deque[tuple[str, Any]]


class Course:
    """At most one process at a time, which ends with the session.

    Attributes:
        compiles: whether that takes so long because kernels are compiled first.
        estimate: s that all rows take; None before that is known.
        done: rows that are solved.
        look: the last one; None before the first.
        answer: of a question that has one answer; None before.
        words: why it ended before all was done; empty if it did not.
    """

    running: asyncio.Future[Any] | None = None
    """Nothing of it is in a thread of the session's."""

    def __init__(self, jobs: Jobs, places: StudyPlaces | None = None) -> None:
        self._jobs, self._places = jobs, places or study_places()
        self._told = Told()
        self._child: subprocess.Popen[bytes] | None = None
        self._place = object()
        self._stopped = False
        self.forget()
        jobs.add(self)

    @property
    def busy(self) -> bool:
        """Whether a process is at work."""
        return self._child is not None

    @property
    def most_seconds(self) -> float:
        """That a study may take here."""
        return self._places.seconds

    def forget(self) -> None:
        """Ends what is under way, and what was found before."""
        self.cancel()
        self.compiles, self.done, self.words = False, 0, ""
        self.estimate: float | None = None
        self.look: Look | None = None
        self.answer: object = None

    def start(self, question: Asks) -> None:
        """Begins; what was found before is forgotten. From the session's event loop."""
        self.forget()
        if self._stopped:
            return
        self._place = place = object()
        if not self._places.take(place):
            self.words = FULL
            return
        self._child, self._told = begun(), Told()
        loop = asyncio.get_running_loop()

        def stir() -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens any more
                loop.call_soon_threadsafe(self._jobs.stir)

        leave = partial(self._places.leave, place)
        args = (self._child, question, self._told, self.most_seconds, leave, stir)
        threading.Thread(target=_hear, args=args, name="study", daemon=True).start()

    def attend(self) -> None:
        """Takes in what the process has told."""
        while self._told:
            kind, what = self._told.popleft()
            if kind == "compiling":
                self.compiles = True
            elif kind == "progress":
                self.done = what
            elif kind == "look":
                self.look, self.done = what, what.study.size
            elif kind == "refused":
                self.words = what
            elif kind == "ended":
                self._child = None
            elif kind in ("estimate", "answer"):
                setattr(self, kind, what)

    def cancel(self) -> None:
        """Ends the process, if there is one; what was found stands."""
        child, self._child, self._told = self._child, None, Told()
        if child is not None:
            child.kill()
        self._places.leave(self._place)

    def stop(self) -> None:
        """The session is over."""
        self._stopped = True
        self.cancel()


def begun() -> subprocess.Popen[bytes]:
    """A process that waits for its question, in a session of its own, which it may put behind all others."""
    path = os.pathsep.join(filter(None, [str(Path(__file__).resolve().parents[2]), os.environ.get("PYTHONPATH")]))
    own = {"PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    return subprocess.Popen(
        [sys.executable, "-m", "app.studies.process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | own,
        start_new_session=True,
    )


def _hear(
    child: subprocess.Popen[bytes], question: Asks, told: Told, most: float, leave: Callable[[], None],
    stir: Callable[[], None],
) -> None:  # fmt: skip
    """Asks, and hears until there is nothing more to hear, or it has taken as long as it may."""
    assert child.stdin is not None and child.stdout is not None
    patience = threading.Timer(most, child.kill)
    patience.daemon = True
    patience.start()
    try:
        pickle.dump(question, child.stdin, protocol=pickle.HIGHEST_PROTOCOL)
        child.stdin.flush()
        kind = ""
        while kind not in ("done", "refused"):
            kind, what = pickle.load(child.stdout)
            told.append((kind, what))
            stir()
    except (OSError, EOFError, pickle.UnpicklingError):  # it was killed, or has died
        is_late = not patience.is_alive()
        told.append(("refused", f"It has taken the {most:g} s that a study may take here." if is_late else LOST))
    finally:
        patience.cancel()
        for stream in (child.stdin, child.stdout):
            with contextlib.suppress(OSError):  # the pipe may be broken already
                stream.close()
        child.kill()
        child.wait()
        leave()
        told.append(("ended", None))
        stir()


if __name__ == "__main__":
    main()
