"""Which line of the text is being written, what has been typed, and which lines are right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial

import param

import dynamics as dyn
from app.state.arrangement import read_typed, typed_text
from app.state.outcome import checks_of
from app.state.session import Session
from dynamics.check import Check
from dynamics.reading import Attempt, Exercise, Reading, attempt, exercises, has_rotors, stage_difference

FIRST = "inward_filter.correction.D"
MOST_TYPED = 2000  # Characters of a line that are kept; the rest is cut off. The mechanics reads fewer
MOST_KEPT = 200  # Most kept lines that a browser may report; the text has some seventy
WHOLE = "/all"
SWEEPS: Mapping[str, str] = {
    "inward_filter": "Inward filter",
    "outward_smoother": "Outward smoother",
    "bias": "Bias of velocity and weight",
    "costate_covariance": "Mobility",
    "object_bias": "The object",
    "contact_prediction": "Contact, predicted",
    "contact_forces": "Contact forces, and the gain",
    "filter_correction": "Correction of the filter",
    "dual_filter": "Dual filter",
    "both_filters": "Both filters together",
}
"""The ladder: the text's sweeps, the first one to write first; a machine offers those that it has."""


@dataclass(frozen=True, eq=False)
class WrittenOutcome:
    """What the text with the user's typed lines computes at an instant."""

    lines: tuple[tuple[str, str], ...]  # the typed text, by key
    reading: Reading | None = None  # of that text
    checks: tuple[Check, ...] = ()  # which identities it satisfies
    # of every stage from the published text's; infinite if not a number. What cancels up to rounding, as innovations
    # at rest do, is compared with the terms that cancel: spelling may differ
    difference: float = float("inf")
    failure: str = ""  # why it cannot be run; then there is nothing else


def written_at(whole: Reading, lines: tuple[tuple[str, str], ...]) -> WrittenOutcome:
    """The text with typed lines at the instant of a reading of the published one; runs in a worker thread."""
    true = whole.solution
    try:
        reading = dyn.read_textbook(true.system, true.state, true.tau, whole.wrench, typed=dict(lines))
    except (dyn.ModelError, dyn.StateError) as error:
        return WrittenOutcome(lines, failure=str(error))
    checks = checks_of(reading.solution, reading, whole.wrench)
    return WrittenOutcome(lines, reading, checks, stage_difference(reading.solution, true).relative)


def passed(lines: Iterable[tuple[str, str]], whole: Reading) -> dict[str, str]:
    """Those of the lines, by key, that are right, the last of each; runs in a worker thread."""
    own = {each.key for each in exercises(whole.system)}
    return {key: text for key, text in lines if key in own and attempt(whole, key, text).verdict == "right"}


def key_of(said: str) -> str:
    """The key of the line that a session or a link names; the first line if it names none."""
    return (said or FIRST).removesuffix(WHOLE)


class Writing(param.Parameterized):
    """One line is written at a time: the only blank of its sweep, or with all the others of the sweep blank, too."""

    right: param.ClassSelector = param.ClassSelector(
        class_=frozenset, default=frozenset(), doc="Keys of lines whose typed text is right."
    )
    hints = param.Integer(default=0, bounds=(0, None), doc="How many hints have been asked for at this line.")
    given = param.Integer(default=0, bounds=(0, None), doc="How often a link has said what is typed.")

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._known: tuple[dyn.System | None, tuple[Exercise, ...]] = (None, ())
        self.typed: dict[str, str] = {}
        self.done: dict[str, str] = {}
        self._shown: set[str] = set()
        self._kept: dict[str, str] = {}
        self._linked: dict[str, str] = {}
        session.param.watch(self._follow, ["write", "typed"])
        session.param.watch(self._forget_motion, "motion")
        self._job = session.jobs.new("the lines that this browser has kept cannot be read")
        self._judged_for: dyn.System | None = None
        if session.typed:
            self._take_linked()

    @property
    def key(self) -> str:
        """Key of the written line, as the session has it; another machine may lack it."""
        return key_of(self._session.write)

    @property
    def whole(self) -> bool:
        """Whether every line of its sweep is blank."""
        return bool(self._session.write.endswith(WHOLE))

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        """The lines of the machine at the cursor, in the order of the ladder."""
        system = self._session.system_here
        if self._known[0] is not system:
            order = list(SWEEPS)
            self._known = (system, tuple(sorted(exercises(system), key=lambda each: order.index(each.sweep))))
        return self._known[1]

    @property
    def has_rotors(self) -> bool:
        return has_rotors(self._session.system_here)

    @property
    def exercise(self) -> Exercise:
        """The written line; the first one if another machine lacks it."""
        own = {each.key: each for each in self.exercises}
        return own.get(self.key) or own.get(FIRST) or self.exercises[0]

    @property
    def own(self) -> tuple[Exercise, ...]:
        sweep = self.exercise.sweep
        return tuple(each for each in self.exercises if each.sweep == sweep)

    @property
    def text(self) -> str:
        return self.typed.get(self.exercise.key, "")

    @property
    def blank(self) -> tuple[Exercise, ...]:
        """The lines to be written: this line, or all of its sweep."""
        return self.own if self.whole else (self.exercise,)

    @property
    def lines(self) -> tuple[tuple[str, str], ...]:
        """The typed lines that replace those of the published text."""
        return tuple((each.key, self.typed[each.key]) for each in self.blank if self.typed.get(each.key, "").strip())

    @property
    def is_done(self) -> bool:
        return all(each.key in self.right for each in self.own)

    def choose(self, key: str) -> None:
        """Chooses another line; ignores one that the machine does not run."""
        if key != self.key and any(each.key == key for each in self.exercises):
            left = self.exercise.key
            if left in self.done:  # the right version stands in the text and is run, whatever was tried afterwards
                self.typed[left] = self.done[left]
            self._open(key, self.whole)

    def _open(self, key: str, whole: bool) -> None:
        self.hide_motion()
        said = key + (WHOLE if whole else "")
        self._session.write = "" if said == FIRST else said

    def choose_sweep(self, sweep: str) -> None:
        """Chooses the first line of a sweep that is not written yet."""
        found = [each for each in self.exercises if each.sweep == sweep]
        if found and sweep != self.exercise.sweep:
            self.choose(next((each for each in found if each.key not in self.right), found[0]).key)

    def choose_whole(self, whole: bool) -> None:
        if whole != self.whole:
            self._open(self.key, whole)

    def go_on(self) -> None:
        """Goes to the next line that is not written yet: of this sweep, or of the next ones."""
        keys = [each.key for each in self.exercises]
        at = keys.index(self.exercise.key)
        rest = [key for key in keys[at + 1 :] + keys[:at] if key not in self.right]
        if rest:
            self.choose(rest[0])

    def write(self, text: str) -> Attempt:
        """Sets the line's typed text, and judges it at the cursor's instant."""
        self.put(text)
        return self.judge()

    def put(self, text: str) -> None:
        """Sets the line's typed text; a ghost that moves by another text is removed."""
        text = text[:MOST_TYPED]
        if text != self.exercise.right:
            self._shown.discard(self.exercise.key)
        if text != self.text:
            self.typed[self.exercise.key] = text
            self.hide_motion()
            self._say()

    def show_line(self) -> str:
        """Returns the published line; this does not count as writing it."""
        self._shown.add(self.exercise.key)
        return self.exercise.right

    def judge(self) -> Attempt:
        """Judges the typed text; a line that was shown counts once it has been blank and is written again."""
        found = attempt(self._session.whole_reading(), self.exercise.key, self.text)
        if found.verdict == "right" and found.key not in self._shown:
            self._count({found.key: found.text})
        return found

    def _count(self, lines: Mapping[str, str]) -> None:
        """Counts a line as written once it was right, whatever is tried afterwards."""
        self.done |= lines
        self.right = frozenset(self.done)

    def keep(self, lines: Mapping[str, str]) -> None:
        """Takes lines kept by a browser: right ones count, and each fills its line if nothing is typed there."""
        self._kept = dict(lines)
        self._judged_for = None
        self.draw()

    def forget(self) -> None:
        """Blanks every line, whatever is being judged."""
        self.hide_motion()
        self._job.cancel()
        self.typed, self.done, self._kept, self._linked = {}, {}, {}, {}
        self.param.update(right=frozenset(), hints=0)
        self._say()

    def draw(self) -> None:
        """Judges the lines that a browser has kept or a link contains, once for each machine."""
        system, lines = self._session.system_here, (*self._kept.items(), *self._linked.items())
        if self._judged_for is not system and lines and not self._job.busy:
            self._judged_for = system
            self._job.start(partial(passed, lines, self._session.whole_reading()), self._take_passed)

    def _take_passed(self, found: Mapping[str, str]) -> None:
        self.typed = {**found, **self.typed}
        self._count(found)
        self._say()

    def show_motion(self) -> None:
        """Shows the arm as the typed lines move it, as a ghost beside the true one."""
        self._session.written = self.lines

    def hide_motion(self) -> None:
        if self._session.written:
            self._session.motion = None

    def _forget_motion(self, event: param.parameterized.Event) -> None:
        if event.new is None:
            self._session.written = ()

    def _follow(self, *changes: param.parameterized.Event) -> None:
        """A line was chosen, or the typed text was set elsewhere; the address contains no text of other lines."""
        for change in changes:
            if change.name == "write" and key_of(change.old) != key_of(change.new):
                self.hints = 0
        if self._session.typed != self._said_typed:
            if any(change.name == "typed" for change in changes):
                self._take_linked()
            else:
                self._say()

    def _take_linked(self) -> None:
        """Puts the typed text of a link into the blank lines, and nothing else there."""
        self._linked = read_typed(self._session.typed)
        self._judged_for = None
        self.typed |= {each.key: "" for each in self.blank} | self._linked
        if self._session.written != self.lines:
            self.hide_motion()
        self.given += 1

    def _say(self) -> None:
        self._session.typed = self._said_typed

    @property
    def _said_typed(self) -> str:
        """The typed text as a link gives it: that of the current field first, as there may not be room for all."""
        return typed_text(sorted(self.lines, key=lambda line: line[0] != self.exercise.key))
