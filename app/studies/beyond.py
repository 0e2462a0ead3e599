"""A worse state than chance has met: either end of what is watched, by search, in a process of its own."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import dynamics as dyn
from app.job import Jobs
from app.service.studies import StudyPlaces
from app.studies.course import Course
from app.studies.process import SEED, Question, Tell, seconds_of
from app.studies.watched import Watch
from app.studies.words import action, seconds_words, with_unit

End = Literal["largest", "smallest"]
ENDS: tuple[End, ...] = get_args(End)
LASTS = 20.0
"""s that a search takes, if so many states are solved in that time."""
FEWEST, MOST = 300, 20_000
"""States that are solved, however long that takes."""


@dataclass(frozen=True)
class Search:
    """What the process is asked.

    Attributes:
        question: the study that it goes beyond.
        end: of what is watched.
    """

    can_wait: ClassVar[bool] = True

    question: Question
    end: End

    def answer(self, tell: Tell) -> None:
        """Tells how long it takes, s, then the ``answer``."""
        asked = self.question
        each = seconds_of(asked) / asked.size
        evaluations = min(max(int(LASTS / each), FEWEST), MOST)
        tell("estimate", each * evaluations)
        motion = asked.motion
        how: dict[str, Any] = {} if motion is None else {"duration": motion.duration, "dt": motion.numerics.step}
        found = dyn.worst_case(
            asked.system, asked.over, asked.find, self.end, evaluations, state=asked.state, seed=SEED, **how
        )
        tell("answer", found)


class Beyond:
    """A search at a time, and what those of this study have found.

    Attributes:
        course: of the one under way.
        found: end -> the worst state there.
    """

    def __init__(self, jobs: Jobs, places: StudyPlaces | None = None) -> None:
        self.course = Course(jobs, places)
        self.found: dict[End, dyn.WorstCase] = {}
        self._end: End = ENDS[0]

    def start(self, question: Question, end: End) -> None:
        """Searches one end; from the session's event loop."""
        self._end = end
        self.course.start(Search(question, end))

    def stop(self) -> None:
        """Ends the one under way; what was found stands."""
        self.course.cancel()
        self.course.answer = None

    def forget(self) -> None:
        """Another study is asked."""
        self.stop()
        self.course.words = ""
        self.found = {}

    def follow(self) -> tuple[object, ...]:
        """Takes in what was found; what is to be seen of it all, to be compared."""
        if isinstance(self.course.answer, dyn.WorstCase):
            self.found = {**self.found, self._end: self.course.answer}
            self.course.answer = None
        return self.course.busy, self.course.estimate, self.course.words, tuple(self.found.items())

    def html(self, watch: Watch, drawn: Mapping[End, float]) -> dict[str, str]:
        """Of either end: a button that searches, how long it takes, or what it has found beside what was drawn."""
        return {end: self._html(end, watch, drawn[end]) for end in ENDS}

    def _html(self, end: End, watch: Watch, drawn: float) -> str:
        course, found = self.course, self.found.get(end)
        if found is None and course.busy and self._end == end:
            lasts = "" if course.estimate is None else f", {seconds_words(course.estimate)}"
            return f"Searching{lasts} … {action('halt', 'Stop')}"
        if found is None:
            words = html.escape(course.words) if self._end == end else ""
            return f"{words} {'' if course.busy else action(f'search {end}', 'Search')}"
        value, states = html.escape(with_unit(found.value, watch)), f"{found.evaluations:,} states"
        is_worse = found.value > drawn if end == "largest" else found.value < drawn
        told = f"By search, of {states}: {action(f'worst {end}', value, f'Open what was found by search: {value}')}"
        if not is_worse and found.value != drawn:
            told += ", which chance has done better"
        return f"{told}{_surety(found, watch)}."


def _surety(found: dyn.WorstCase, watch: Watch) -> str:
    """What is known of anything worse."""
    if found.bound is not None:
        return f"; nothing is beyond {html.escape(with_unit(found.bound, watch))}: {html.escape(found.because)}"
    return "; another way led there, too" if found.settled else "; there may be worse"
