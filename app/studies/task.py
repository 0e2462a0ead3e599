"""A question under way: its process, what it has told so far, and its end, whichever comes first."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.job import Jobs
from app.service.limits import Place, StudyPlaces, study_places
from app.studies.process import Asks
from app.studies.summary import Look

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
        self._place: Place | None = None
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
        self._place = place = self._places.take()
        if place is None:
            self.words = FULL
            return
        self._child, self._told = begun(), Told()
        loop = asyncio.get_running_loop()

        def stir() -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens any more
                loop.call_soon_threadsafe(self._jobs.stir)

        args = (self._child, question, self._told, self.most_seconds, place, stir)
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
        if self._place is not None:
            self._place.leave()

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
    child: subprocess.Popen[bytes], question: Asks, told: Told, most: float, place: Place, stir: Callable[[], None]
) -> None:
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
        place.leave()
        told.append(("ended", None))
        stir()
