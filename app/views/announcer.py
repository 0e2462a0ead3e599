"""Announces the last action to screen readers in one short sentence: once, and when it has come to rest."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from dataclasses import dataclass

import param

from app.motion.interventions import GripChange, Intervention, ObjectRelease, Regrasp, words_of
from app.motion.setup import Setup
from app.motion.world import body_of, place_of
from app.state import Session
from app.state.history import Choice, History

REST = 0.7
"""Seconds without another change before an announcement: a moving slider says nothing. The clock stays awake longer."""
FIRST_STEP = "This is the first step of the computation: → goes on."
LAST_STEP = "This is the last step of the computation: W walks through it again, ← goes back."


@dataclass(frozen=True)
class PageState:
    """The state of the page, as far as it is announced."""

    choice: Choice
    history: History
    playing: bool

    @property
    def setup(self) -> Setup:
        return self.choice.setup


class Announcer:
    """Announces play, pause, changes of machine and world, undo, redo, release and grasp.

    Also announces the instant after steps in time, and the end of a walk: nothing else on the page would say so.

    Args:
        say: announces a sentence after the current one.
        now: s.
    """

    def __init__(self, session: Session, say: Callable[[str], None], now: Callable[[], float] = time.monotonic) -> None:
        self._session, self._say, self._now = session, say, now
        self._announced = self._seen = self._present
        self._changed_at = now()
        self._awaited = session.opening.awaits_link
        self._stepped = False
        session.param.watch(self._follow_step, "stepped")
        session.param.watch(lambda _: say(LAST_STEP if session.at_end_of_walk else FIRST_STEP), "at_an_end")
        session.param.watch(self._pass_on, "whispered")

    def _follow_step(self, _: object) -> None:
        self._stepped, self._changed_at = True, self._now()

    def _pass_on(self, event: param.parameterized.Event) -> None:
        if event.new:
            self._say(event.new)
            self._session.whispered = ""  # the same words may be announced again

    @property
    def _present(self) -> PageState:
        return PageState(self._session.choice, self._session.history, self._session.playing)

    def draw(self) -> None:
        session, now, present = self._session, self._now(), self._present
        if session.opening.awaits_link or self._awaited:  # the user has done nothing yet
            self.forget()
        self._awaited = session.opening.awaits_link
        if not same(present, self._seen):
            self._seen, self._changed_at = present, now
        is_held = session.scrubbing or session.point_force is not None or session.aim is not None
        has_rested = now - self._changed_at >= REST
        rests = has_rested or (is_unchanged(present, self._announced) and not self._stepped)
        if is_held or not rests or (same(present, self._announced) and not self._stepped):
            return
        before, self._announced = self._announced, present
        stepped, self._stepped = self._stepped and not session.playing, False
        if words := sentence(before, present, session.time) or (f"At {session.time:.2f} s." if stepped else ""):
            self._say(words)

    def forget(self) -> None:
        """Takes the present state as announced, because no user action led to it."""
        self._announced = self._seen = self._present
        self._stepped = False


def same(one: PageState, other: PageState) -> bool:
    """Whether nothing was done between the two."""
    return is_unchanged(one, other) and one.playing is other.playing


def is_unchanged(one: PageState, other: PageState) -> bool:
    """Whether the setup is the same object, not only equal, and the same breaks apply to the texts."""
    return one.setup is other.setup and one.choice.breaks == other.choice.breaks


def sentence(before: PageState, after: PageState, at: float) -> str:
    """What was done, at an instant (s) of the run; empty if the user sees it in the control being used."""
    what = "" if is_unchanged(before, after) else change_words(before, after)
    if after.playing is not before.playing:
        motion = "playing" if after.playing else f"paused at {at:.2f} s"
        what = f"{what}, {motion}" if what else motion
    return f"{what[0].upper()}{what[1:]}." if what else ""


def change_words(before: PageState, after: PageState) -> str:
    """How the choice has changed; *Break it* itself announces breaks, except on undo and redo."""
    is_back = len(after.history.future) > len(before.history.future)
    differs = difference_words(before.setup, after.setup, is_back)
    if is_back or after.choice in before.history.future:
        return ": ".join(filter(None, ["undone" if is_back else "redone", differs or text_words(before, after)]))
    if after.setup is before.setup:
        return ""
    return "reset" if is_reset(before.setup, after.setup, after.history.control) else differs


def text_words(before: PageState, after: PageState) -> str:
    """The state of the breakable texts, if that has changed."""
    was, now = before.choice.breaks, after.choice.breaks
    if was == now:
        return ""
    places = "one place" if len(now) == 1 else f"{len(now)} places"
    return f"broken in {places}" if now else "nothing is broken"


def is_reset(before: Setup, after: Setup, control: str) -> bool:
    """Whether one action restored the loaded state, and not a control's own change."""
    if control or after.machine is not before.machine or after != after.plain():
        return False
    return before == after or dataclasses.replace(before, drive=after.drive) != after


def difference_words(before: Setup, after: Setup, is_back: bool = False) -> str:
    """The changed parts of a setup, with their new values; ``is_back`` if they had these values before."""
    to, named = (" back to ", " back to ") if is_back else (" ", ": ")
    system, machine = after.machine.system, after.machine
    if machine is not before.machine:
        return f"{'back to ' if is_back else ''}{machine.preset.mode}: {machine.preset.title}"
    found = []
    joints = [name for name in system.joint_names if before.torques.get(name, 0.0) != after.torques.get(name, 0.0)]
    if len(joints) == 1:
        turns = system.joint_models[system.joint_names.index(joints[0])].kind == "revolute"
        value = after.torques.get(joints[0], 0.0)
        found.append(f"{'torque' if turns else 'force'} of {joints[0]}{to}{value:.4g} {'N m' if turns else 'N'}")
    elif joints:
        found.append(f"{len(joints)} torques changed")
    bodies = [k for k in {**before.bodies, **after.bodies} if before.bodies.get(k) != after.bodies.get(k)]
    if len(bodies) == 1:
        name = [*system.link_names, "object"][bodies[0]]
        weighs, weighed = (setup.bodies.get(bodies[0]) or body_of(system, bodies[0]) for setup in (after, before))
        along = ", its inertia in proportion" if weighs == weighed.scaled(weighs.mass or 1.0) else ""
        found.append(
            f"mass of {name}{to}{weighs.mass:.4g} kg{along}" if weighs.mass != weighed.mass else f"{name} changed"
        )
    elif bodies:
        found.append(f"{len(bodies)} bodies changed")
    if after.posture != before.posture:
        found.append("start posed" if after.posture is not None else "start as loaded")
    if after.driven is not before.driven:
        found.append(f"drive{named}{after.driven.title}")
    if after.gravity != before.gravity:
        found.append("gravity as loaded" if after.gravity is None else f"gravity{named}{place_of(after.gravity)}")
    if after.damping != before.damping:
        found.append(f"damping{to}{after.damping:g}")
    if after.numerics != before.numerics:
        found.append(f"integrator{named}{after.numerics.words}")
    return ", ".join([*found, *happening(before.interventions, after.interventions)])


def happening(before: tuple[Intervention, ...], after: tuple[Intervention, ...]) -> list[str]:
    """The interventions added or removed; pushes are left out, because the tether shows them."""
    for some, others, but in ((after, before, ""), (before, after, "not ")):
        spoken = [one for one in some if _word(one) and not any(one is other for other in others)]
        if spoken:
            return [f"{but}{_word(spoken[-1])} at {spoken[-1].time:.2f} s"]
    return []


def _word(one: Intervention) -> str:
    if isinstance(one, GripChange):
        return f"held as {words_of(one.kind)}" if one.kind != "rigid" else "held rigidly"
    return {ObjectRelease: "released", Regrasp: "grasped"}.get(type(one), "")
