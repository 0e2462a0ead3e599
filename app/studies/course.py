"""A study under way: its process, what it has told so far, and its end, whichever comes first."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import pickle
import select
import subprocess
import sys
import threading
from collections import deque
from pathlib import Path
from typing import Any

from app.job import Jobs
from app.service.studies import Place, StudyPlaces, study_places
from app.studies.behind import LAST, LOADING, stand_behind
from app.studies.look import Look
from app.studies.process import Asks

log = logging.getLogger(__name__)
FULL = "As many studies as this server computes at once are under way. Try again in a minute."
LOADED_WITHIN = 5.0
"""s that a process may take to load where only what nobody else wants of the processors is its own."""
LOST = "The process beside the page has ended by itself; what was found by then stands."


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
        self._told: deque[tuple[str, Any]] = deque()
        self._child: subprocess.Popen[bytes] | None = None
        self._changing = threading.Lock()
        self._place: Place | None = None
        self._stopped = False
        self.compiles = False
        self.estimate: float | None = None
        self.done = 0
        self.look: Look | None = None
        self.answer: object = None
        self.words = ""
        jobs.add(self)

    @property
    def busy(self) -> bool:
        """Whether a process is at work."""
        return self._child is not None

    @property
    def most_seconds(self) -> float:
        """That a study may take here."""
        return self._places.seconds

    def start(self, question: Asks) -> None:
        """Begins; what was found before is forgotten. From the session's event loop."""
        self.cancel()
        self.estimate, self.done, self.look, self.answer, self.words, self.compiles = None, 0, None, None, "", False
        if self._stopped:
            return
        self._place = place = self._places.take()
        if place is None:
            self.words = FULL
            return
        self._child = first = _begun(LAST if question.can_wait else None)
        self._told = told = deque[tuple[str, Any]]()
        loop = asyncio.get_running_loop()

        def hear() -> None:
            child = first if not question.can_wait or _speaks(first, LOADED_WITHIN) else self._hastened(first)
            if child is None:
                return
            patience = threading.Timer(self._places.seconds, child.kill)
            patience.daemon = True
            patience.start()
            try:
                _converse(child, question, told, lambda: _call(loop, self._jobs.stir))
            finally:
                is_late = not patience.is_alive()
                patience.cancel()
                _end(child)
                place.leave()
                told.append(("ended", is_late))
                _call(loop, self._jobs.stir)

        threading.Thread(target=hear, name="study", daemon=True).start()

    def _hastened(self, late: subprocess.Popen[bytes]) -> subprocess.Popen[bytes] | None:
        """One that is not all the way behind while it loads, in place of one that gets nowhere; None if it was ended.

        A process that has no rights to speak of cannot come forward again.
        """
        child = _begun(LOADING)
        with self._changing:
            goes_on = self._child is late
            if goes_on:
                self._child = child
        _end(late)
        if goes_on:
            return child
        _end(child)
        return None

    def attend(self) -> None:
        """Takes in what the process has told."""
        while self._told:
            kind, what = self._told.popleft()
            if kind == "compiling":
                self.compiles = True
            elif kind == "estimate":
                self.estimate = what
            elif kind == "progress":
                self.done = what
            elif kind == "look":
                self.look, self.done = what, what.study.size
            elif kind == "answer":
                self.answer = what
            elif kind == "refused":
                self.words = what
            elif kind == "ended":
                self._child = None
                if what:
                    self.words = f"It has taken the {self.most_seconds:g} s that a study may take here."
            elif kind == "lost":
                self.words = LOST

    def cancel(self) -> None:
        """Ends the process, if there is one; what was found stands."""
        with self._changing:
            child, self._child = self._child, None
        self._told = deque()
        if child is not None:
            child.kill()
        if self._place is not None:
            self._place.leave()

    def stop(self) -> None:
        """The session is over."""
        self._stopped = True
        self.cancel()


def _begun(rank: int | None) -> subprocess.Popen[bytes]:
    """A process that waits for its question.

    Args:
        rank: how far behind the rest of the machine, before the process loads anything; None for not at all.
    """
    root = str(Path(__file__).resolve().parents[2])
    path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    own = {"PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    child = subprocess.Popen(
        [sys.executable, "-m", "app.studies.process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | own,
        start_new_session=rank is not None,
    )
    if rank is not None:
        stand_behind(rank, child.pid)
    return child


def _speaks(child: subprocess.Popen[bytes], within: float) -> bool:
    """Whether it has said that it has loaded, within so many s, or has ended."""
    if not hasattr(os, "SCHED_IDLE"):  # then no rank keeps it from getting on; nor could a pipe be waited for
        return True
    assert child.stdout is not None
    return bool(select.select([child.stdout], [], [], within)[0])


def _converse(child: subprocess.Popen[bytes], question: Asks, told: deque[tuple[str, Any]], stir: Any) -> None:
    """Asks, and hears until there is nothing more to hear."""
    assert child.stdin is not None
    assert child.stdout is not None
    try:
        pickle.dump(question, child.stdin, protocol=pickle.HIGHEST_PROTOCOL)
        child.stdin.flush()
        while True:
            kind, what = pickle.load(child.stdout)
            if kind == "loaded":
                continue
            if kind == "done":
                return
            told.append((kind, what))
            stir()
            if kind == "refused":
                return
    except (OSError, EOFError, pickle.UnpicklingError):  # it was killed, or has died
        told.append(("lost", None))


def _end(child: subprocess.Popen[bytes]) -> None:
    for stream in (child.stdin, child.stdout):
        with contextlib.suppress(OSError):  # the pipe may be broken already
            if stream is not None:
                stream.close()
    child.kill()
    child.wait()


def _call(loop: asyncio.AbstractEventLoop, what: Any) -> None:
    with contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens any more
        loop.call_soon_threadsafe(what)
