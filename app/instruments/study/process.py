"""The process beside a page: reads one question from standard input, and reports on standard output.

It ends with its work, or when the input closes, as its result is not needed then. ``Course`` is the page's side of it.
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
from math import prod
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol

from numba.core.event import Listener, install_listener

import dynamics as dyn
from app.instruments.study.question import CONDITION
from app.instruments.study.summary import StudySummary, look_at, step_of
from app.job import Jobs
from app.service.limits import StudyPlaces, study_places

ENOUGH, MOST_TRIED = 0.1, 65_536  # least s of a trial run that gives the time per row, and its most rows
PROGRESS_EVERY, LOOKED_EVERY = 0.5, 2.0
"""s between two progress reports, and between two looks, which are costly for this and other pages."""
SEED = 16
SEARCHES, FEWEST, MOST = 20.0, 300, 20_000
"""s for a search, within these limits of the number of states that it solves."""
LAST = 19  # lowest priority of a process under Linux
BESIDE = {"agreement": (CONDITION,), "identity": (CONDITION,)}
"""What is watched in addition, to plot against it: whether rounding errors follow the condition number."""
SendMessage = Callable[[str, Any], None]


class ProcessQuestion(Protocol):
    """A question for the process: it is sent pickled, and computes its own answer."""

    can_wait: ClassVar[bool]  # whether all other work of the machine has priority

    def answer(self, send: SendMessage) -> None:
        """Reports progress and results; an error of the mechanics is a refusal."""


@dataclass(frozen=True)
class Question:
    """A study, an estimate of its time, or a search beyond one of its extremes; names as in ``dyn.study``."""

    can_wait: ClassVar[bool] = True

    system: dyn.System
    state: dyn.State
    over: dict[str, Any]
    find: str
    count: int
    duration: float | None = None
    dt: float = 1e-3
    wanted: Literal["study", "estimate", "largest", "smallest"] = "study"  # which of these is wanted

    @property
    def size(self) -> int:
        return self.count * prod(len(values) for values in self.over.values() if isinstance(values, list))

    @property
    def _how(self) -> dict[str, Any]:
        return {"state": self.state, "seed": SEED, "duration": self.duration, "dt": self.dt}

    def asked(self, over: Mapping[str, Any], count: int, **options: Any) -> dyn.Study:
        find = (self.find, *BESIDE.get(self.find, ()))
        return dyn.study(self.system, over, find, count, **self._how, **options)

    def answer(self, send: SendMessage) -> None:
        """Reports the ``estimate`` in s, then ``progress`` in rows and now and then a ``look``, or the ``answer``."""
        seconds = seconds_of(self.asked, self.over, self.count)
        if self.wanted in ("largest", "smallest"):
            evaluations = min(max(int(SEARCHES * self.size / seconds), FEWEST), MOST)
            send("estimate", seconds / self.size * evaluations)
            send("answer", dyn.worst_case(self.system, self.over, self.find, self.wanted, evaluations, **self._how))
            return
        send("estimate", seconds)
        if self.wanted == "study":
            self._study(send)

    def _study(self, send: SendMessage) -> None:
        steps: tuple[tuple[float, ...], ...] = ()
        sent = looked = -LOOKED_EVERY

        def progress(done: int, _: int) -> None:
            nonlocal sent
            if time.monotonic() > sent + PROGRESS_EVERY:
                sent = time.monotonic()
                send("progress", done)

        def look(study: dyn.Study) -> None:
            nonlocal steps, looked
            steps = (*steps, step_of(study))
            if study.size == self.size or time.monotonic() > looked + LOOKED_EVERY:
                looked = time.monotonic()
                send("look", look_at(study, self.size, steps))

        look(self.asked(self.over, self.count, progress=progress, look=look))


def seconds_of(asked: Callable[[Mapping[str, Any], int], object], over: Mapping[str, Any], count: int) -> float:
    """Time in s for all rows, from a trial run with a few; kernels that need it are compiled first.

    One value of each list is tried; for step sizes, one that takes the mean time of all.
    """
    lists = {name: values for name, values in over.items() if isinstance(values, list) and values}
    middle = {name: [values[len(values) // 2]] for name, values in lists.items()}
    if "dt" in lists and all(isinstance(step, int | float) and step > 0.0 for step in lists["dt"]):
        middle["dt"] = [len(lists["dt"]) / sum(1.0 / step for step in lists["dt"])]

    def tried(few: int) -> float:
        begun = time.perf_counter()
        with contextlib.suppress(dyn.StateError):  # possibly all of a few are refused
            asked({**over, **middle}, few)
        return time.perf_counter() - begun

    few = 1
    tried(few)
    while (took := tried(few)) < ENOUGH and few < min(count, MOST_TRIED):
        few *= 4
    return took / few * count * prod(map(len, lists.values()))


def stand_behind() -> None:
    """Lets this process work only when nothing else does: any other process takes the processor from it at once.

    With any other policy Linux lets a process continue for some milliseconds, and a page beside it draws fewer frames.
    Linux first divides the processors among sessions, so the priority of this one counts, too.
    """
    with contextlib.suppress(OSError, AttributeError):  # exists only in Linux
        os.setpriority(os.PRIO_PROCESS, 0, LAST)
        Path("/proc/self/autogroup").write_text(str(LAST))
        for thread in Path("/proc/self/task").iterdir():
            os.sched_setscheduler(int(thread.name), os.SCHED_IDLE, os.sched_param(0))


class Compiler(Listener):  # type: ignore[misc]
    """Reports when Numba begins to compile; loading from its cache is not reported."""

    def __init__(self, send: SendMessage) -> None:
        self._send, self._is_sent = send, False

    def on_start(self, event: object) -> None:
        if not self._is_sent:
            self._is_sent = True
            self._send("compiling", None)

    def on_end(self, event: object) -> None:
        """The end of a single compilation is not reported."""


def main() -> None:
    """Answers one question. Output of libraries goes to standard error, never between the answers."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a server that is interrupted ends it by closing its input
    requests = sys.stdin.buffer

    def send(kind: str, what: Any) -> None:
        pickle.dump((kind, what), answers, protocol=pickle.HIGHEST_PROTOCOL)
        answers.flush()

    question: ProcessQuestion = pickle.load(requests)

    def end_with_input() -> None:
        requests.read()
        os._exit(0)

    threading.Thread(target=end_with_input, daemon=True).start()
    if question.can_wait:
        stand_behind()
    try:
        with install_listener("numba:compile", Compiler(send)):
            question.answer(send)
    except (dyn.ModelError, dyn.StateError, dyn.SingularConfigurationError) as error:
        send("refused", str(error))
    else:
        send("done", None)


FULL = "This server is already computing as many studies as it can. Try again in a minute."
LOST = "The background process has ended unexpectedly; what was found by then remains."
Messages = deque[tuple[str, Any]]


class Course:
    """Runs at most one process at a time, which ends with the session.

    Attributes:
        estimate: s that all rows take; None while unknown.
        done: number of solved rows.
        look: the last one; None before the first.
        answer: of a question that has one answer; None before.
        words: why it ended early; empty if it did not.
    """

    running: asyncio.Future[Any] | None = None
    """No part of it runs in a thread of the session."""

    def __init__(self, jobs: Jobs, places: StudyPlaces | None = None) -> None:
        self._jobs, self._places = jobs, places or study_places()
        self._messages = Messages()
        self._child: subprocess.Popen[bytes] | None = None
        self._place = object()
        self._stopped = False
        self.forget()
        jobs.add(self)

    @property
    def busy(self) -> bool:
        return self._child is not None

    @property
    def most_seconds(self) -> float:
        return self._places.seconds

    def seconds_left(self, size: int) -> float:
        """As estimated from a few rows, until rows are done: then by their pace, s."""
        if not self.done:
            return self.estimate or 0.0
        return (time.monotonic() - self._began) * (size / self.done - 1.0)

    def forget(self) -> None:
        """Ends the current process, and discards earlier results."""
        self.cancel()
        self.compiles, self.done, self.words, self._began = False, 0, "", time.monotonic()
        self.estimate: float | None = None
        self.look: StudySummary | None = None
        self.answer: object = None

    def start(self, question: ProcessQuestion) -> None:
        """Starts a question and discards earlier results. Called from the session's event loop."""
        self.forget()
        if self._stopped:
            return
        self._place = place = object()
        if not self._places.take(place):
            self.words = FULL
            return
        self._child, self._messages = child, messages = begun(), Messages()
        loop = asyncio.get_running_loop()

        def report(kind: str, what: Any = None) -> None:
            messages.append((kind, what))
            with contextlib.suppress(RuntimeError):  # the loop is closed, so there is nothing to wake
                loop.call_soon_threadsafe(self._jobs.on_done)

        def hear() -> None:
            """Sends the question, and receives reports until the end or the time limit."""
            assert child.stdin is not None and child.stdout is not None
            patience = threading.Timer(self.most_seconds, child.kill)
            patience.daemon = True
            patience.start()
            try:
                pickle.dump(question, child.stdin, protocol=pickle.HIGHEST_PROTOCOL)
                child.stdin.flush()
                kind = ""
                while kind not in ("done", "refused"):
                    kind, what = pickle.load(child.stdout)
                    report(kind, what)
            except (OSError, EOFError, pickle.UnpicklingError):  # it was killed, or has died
                late = f"It has taken the {self.most_seconds:g} s that a study may take here."
                report("refused", LOST if patience.is_alive() else late)
            finally:
                patience.cancel()
                child.kill()
                with contextlib.suppress(OSError):  # the pipe may be broken already
                    child.communicate()
                self._places.leave(place)
                report("ended")

        threading.Thread(target=hear, name="study", daemon=True).start()

    def attend(self) -> None:
        while self._messages:
            kind, what = self._messages.popleft()
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
            elif kind == "estimate":
                self.estimate, self._began = what, time.monotonic()
            elif kind == "answer":
                self.answer = what

    def cancel(self) -> None:
        child, self._child, self._messages = self._child, None, Messages()
        if child is not None:
            child.kill()
        self._places.leave(self._place)

    def stop(self) -> None:
        self._stopped = True
        self.cancel()


def begun() -> subprocess.Popen[bytes]:
    """A process that waits for its question, in a session of its own, so that it can lower its priority."""
    path = os.pathsep.join(filter(None, [str(Path(__file__).resolve().parents[3]), os.environ.get("PYTHONPATH")]))
    own = {"PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    return subprocess.Popen(
        [sys.executable, "-m", "app.instruments.study.process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | own,
        start_new_session=True,
    )


if __name__ == "__main__":
    main()
