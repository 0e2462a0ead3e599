"""What was chosen, the run that follows from it with the cursor in it, and every change of these."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import param

import dynamics as dyn
from app.messages import in_words
from app.motion.built_machine import is_alike
from app.motion.errors import ERRORS
from app.motion.interventions import Gripped, Intervention, Released, Taken
from app.motion.presets import MODE_OF_KIND, PRESETS, Mode, Preset
from app.motion.run import Run
from app.motion.setup import Setup, common_run, machine_of_preset
from app.motion.world import Body, body_of, heavier, main_body
from app.state import walk
from app.state.history import Choice, History
from app.state.walk import Cursor
from dynamics.system import with_object_center


class Editing(param.Parameterized):
    """Changes the setup and runs it again; each change can be undone.

    A bad change raises nothing: it says in ``message`` what is wrong and leaves the running system as it was.
    """

    run: Run = param.ClassSelector(class_=Run, doc="The motion, as far as it is computed.")  # type: ignore[assignment]
    playing = param.Boolean(default=True, doc="Whether the cursor moves by itself.")
    walked = param.Boolean(
        default=False, doc="Whether somebody walks through this machine's computation, at whatever instant."
    )

    at_an_end = param.Event(doc="Somebody wants to walk on from the first or the last half-step of the computation.")
    setup: Setup = param.ClassSelector(class_=Setup, doc="What was chosen; it decides the run.")  # type: ignore[assignment]
    history: History = param.ClassSelector(  # type: ignore[assignment]
        class_=History, default=History(), doc="What can be undone and made again."
    )
    breaks: frozenset[str] = param.ClassSelector(  # type: ignore[assignment]
        class_=frozenset, default=frozenset(), doc="What is broken on purpose, by the keys of the texts."
    )
    wish = param.Boolean(
        default=None, allow_None=True, doc="Whether the user wants it to move, until the next tick obeys; else None."
    )
    endless = param.Boolean(default=False, doc="Whether the run goes on as long as one watches; else it begins anew.")
    message = param.String(default="", doc="What went wrong, in words; empty when nothing did.")
    whispered = param.String(default="", doc="Words that stand where they belong, for who hears the page.")
    _moved: tuple[dyn.System, tuple[float, ...], dyn.System] | None = None

    def __init__(self, **params: object) -> None:
        super().__init__(**params)
        self.cursor = Cursor()

    @property
    def time(self) -> float:
        """The instant that is shown: the cursor's, as soon as the run has come that far."""
        return min(max(self.run.on_step(self.cursor.time), self.run.begin), self.run.end)

    @property
    def system_here(self) -> dyn.System:
        """The system at the cursor's instant: with the object held, or without."""
        return self.run.system_at(self.time)

    def select_arm(self, arm: int) -> None:
        """Moves the cursor to the tip link of another arm."""
        self.cursor.param.update(arm=arm, link=self.system_here.tips[arm].link)

    def select_link(self, link: int) -> None:
        """Moves the cursor to a link and to the arm that it belongs to."""
        self.cursor.param.update(link=link, arm=int(self.system_here.arm_of_link[link]))

    def select_stage(self, stage: str) -> None:
        """Moves the cursor to another stage of the algorithm, at its first half-step."""
        self.cursor.param.update(stage=stage, half=0)

    def walk_link(self, count: int) -> None:
        """Moves the cursor ``count`` links on in the direction in which its stage runs."""
        self.walk_to(walk.walk_link(self.system_here, self.cursor, count))

    def walk_stage(self, count: int) -> None:
        """Moves the cursor ``count`` stages on."""
        self.walk_to(walk.walk_stage(self.system_here, self.cursor, count))

    def walk_arm(self, count: int) -> None:
        """Moves the cursor to the same step of another arm."""
        self.walk_to(walk.walk_arm(self.system_here, self.cursor, count))

    def walk_half(self, count: int) -> None:
        """Moves the cursor ``count`` half-steps on in the order of the computation, from stage to stage."""
        before = self.place
        self.walk_to(after := walk.walk_half(self.system_here, self.cursor, count))
        if after == before:
            self.at_an_end = True

    def walk_to(self, place: walk.Place) -> None:
        """Moves the cursor to a place of the computation; its time stays, and so does the motion.

        Only where it stands can the world show what the step does; whoever plays on sees the step's numbers move.
        """
        self.param.update(walked=True, playing=False)
        self.cursor.param.update(stage=place.stage, arm=place.arm, link=place.link, half=place.half)

    def walk_to_start(self) -> None:
        """Moves the cursor to the first half-step of the computation."""
        self.walk_to(walk.whole_walk(self.system_here)[0])

    @property
    def place(self) -> walk.Place:
        """Where in the computation the cursor is, in the system of its instant."""
        return walk.nearest(self.system_here, self.cursor)

    def place_in(self, stage: str) -> walk.Place:
        """Where a stage of the instant's system visits the cursor's link, or else another near it."""
        return walk.at_link(self.system_here, walk.Place(stage, 0, 0, 0), self.cursor.link)

    @property
    def at_end_of_walk(self) -> bool:
        """Whether the cursor is at the last half-step of the computation."""
        return walk.is_last(self.system_here, self.place)

    @property
    def title(self) -> str:
        """What is moving, as the preset menu calls it, and briefly what of it was changed."""
        return ", ".join([self.preset.title, *self.setup.changes])

    @property
    def will_play(self) -> bool:
        """Whether it moves, or stands, as the user sees it in the browser: there a wish holds at once."""
        return bool(self.playing if self.wish is None else self.wish)

    @property
    def system(self) -> dyn.System:
        """The system at the start of the run."""
        return self.run.actuation.system

    @property
    def torques(self) -> dict[str, float]:
        """Joint name -> torque or force of its slider, N m or N."""
        return {name: self.setup.torques.get(name, 0.0) for name in self.system.joint_names}

    @property
    def mass(self) -> float:
        """Of the object, or of the tip link where there is none, kg."""
        return body_of(self.system, main_body(self.system)).mass

    @property
    def choice(self) -> Choice:
        """What a change leaves, to be led back to."""
        return Choice(self.setup, self.breaks)

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to take back."""
        return bool(self.history.past)

    @property
    def can_redo(self) -> bool:
        """Whether there is a change to make again."""
        return bool(self.history.future)

    @property
    def mode(self) -> Mode:
        return MODE_OF_KIND[self.system.kind]

    @property
    def preset(self) -> Preset:
        return self.setup.machine.preset

    @property
    def loaded(self) -> dyn.System:
        """The system as it was loaded, whatever the sliders have made of it."""
        return self.setup.machine.system

    @property
    def drawn(self) -> dyn.System:
        """The system as it is drawn: as loaded, in the present one's frames."""
        loaded, center = self.loaded, self.setup.object_center
        if not any(center):
            return loaded
        if self._moved is None or self._moved[0] is not loaded or self._moved[1] != center:
            self._moved = loaded, center, with_object_center(loaded, center)
        return self._moved[2]

    @contextlib.contextmanager
    def _in_words(self) -> Iterator[None]:
        """An error of the mechanics becomes the message; whatever was running runs on."""
        try:
            yield
        except ERRORS as error:
            self.message = in_words(error)

    def open_preset(self, name: str) -> None:
        """Opens a packaged example at its start; what stood still stands still."""
        with self._in_words():
            self._leave(Setup(machine_of_preset(PRESETS[name])))

    def show(self, setup: Setup, cursor: Mapping[str, Any], other: Mapping[str, Any], run: Run | None = None) -> None:
        """Shows another setup at a moment of it.

        Args:
            cursor, other: values of the cursor's and of the session's own parameters.
            run: of the setup, if it has begun already.

        Raises:
            ModelError, StateError, SingularConfigurationError: for values that cannot be.
        """
        run = run or setup.run()
        if setup == self.setup and run.course is not None and run.course is self.run.course and not self.run.endless:
            setup, run = self.setup, self.run  # the same motion: what shows it need not begin anew
        self._open(setup, run)
        self.cursor.param.update(**cursor)
        self.param.update(**other)

    def way_back(self) -> Callable[[], None]:
        """What shows the present moment again, as it is now."""
        held = {name: value for name, value in self.param.values().items() if name not in ("name", "message")}
        cursor = {name: value for name, value in self.cursor.param.values().items() if name != "name"}

        def back() -> None:
            self.param.update(**held)
            self.cursor.param.update(**cursor)

        return back

    def _leave(self, setup: Setup) -> None:
        """Opens another machine, or this one as it was loaded; the way back is kept."""
        before = self.choice
        self._open_quietly(setup)
        self.history = self.history.left(before)

    def exchange(self, setup: Setup) -> None:
        """Shows a machine that was made of this one, in one step that can be undone.

        Raises:
            ModelError, StateError, SingularConfigurationError: for what cannot be shown; then nothing is changed.
        """
        before = self.choice
        self._exchange(setup)
        self.history = self.history.left(before)

    def _exchange(self, setup: Setup) -> None:
        """With the cursor where it was, as far as that means the same there."""
        if not is_alike(setup.machine, self.setup.machine):
            self._open_quietly(setup)
            return
        self._show(setup, setup.run())
        if self.playing:
            self.cursor.time = 0.0

    def _open_quietly(self, setup: Setup) -> None:
        """The same without a beginning: who has paused a motion wants to look at the next one's start, too."""
        playing = self.playing
        self._open(setup, common_run(setup))
        self.playing = playing

    def _open(self, setup: Setup, run: Run) -> None:
        self._show(setup, run)
        self.cursor.param.update(time=0.0, arm=0, link=0, stage="filter", half=0)
        self.param.update(playing=True, walked=False)

    def _show(self, setup: Setup, run: Run) -> None:
        run.endless = self.endless
        if self.endless:
            run.duration = max(run.duration, run.end)
        self.param.update(setup=setup, run=run, message="")
        if self.cursor.time > run.duration:
            self.cursor.time = run.duration

    def set_torque(self, joint: str, value: float) -> None:
        """Sets one slider's torque (N m) or force (N) and runs again."""
        torques = {**self.setup.torques, joint: value}
        self.change(f"torque {joint}", torques=MappingProxyType({name: tau for name, tau in torques.items() if tau}))

    def set_mass(self, value: float) -> None:
        """Sets the mass (kg) of the object, or of the tip link where there is none, and runs again."""
        self.set_body_mass(main_body(self.system), value)

    def set_body_mass(self, body: int, value: float) -> None:
        """Sets the mass (kg) of a body, its inertia in proportion, and runs again."""
        with self._in_words():
            self.set_body(body, heavier(body_of(self.loaded, body), self.setup.body(body), value), f"mass {body}")

    def set_body(self, body: int, weighs: Body | None, control: str = "") -> bool:
        """Sets what a body weighs, or as it was loaded, and runs again; or says why that cannot be."""
        others = {k: other for k, other in self.setup.bodies.items() if k != body}
        if weighs is not None and weighs != body_of(self.loaded, body):
            others[body] = weighs
        return self.change(control, bodies=MappingProxyType(dict(sorted(others.items()))))

    def set_gravity(self, pull: tuple[float, ...]) -> None:
        """Sets gravity (m/s^2, inertial axes) and runs again."""
        self.change("gravity", gravity=None if pull == tuple(self.loaded.gravity.tolist()) else pull)

    def set_damping(self, value: float) -> None:
        """Damps every joint by so much more (N m s/rad or N s/m), and runs again."""
        self.change("damping", damping=value)

    def set_drive(self, name: str) -> None:
        """Has one of ``DRIVES`` drive the joints, and shows what comes of it; or says why that cannot be."""
        if self.change("", drive="" if name == self.preset.actuation else name):
            self.playing = True

    def change(self, control: str = "", gesture: bool = False, **fields: Any) -> bool:
        """Changes the setup in one step that can be undone, and runs again; or says why it cannot be.

        Args:
            control: which control did it: its changes in quick succession are one step back.
            gesture: all its changes in a row are, however long it takes.
            fields: of ``Setup``.

        Returns:
            whether it could be.
        """
        done = False
        with self._in_words():
            before = self.choice
            after = dataclasses.replace(before.setup, **fields)
            self._show(after, after.run())
            self.history = self.history.left(before, control, gesture)
            if self.playing:
                self.cursor.time = 0.0
            done = True
        return done

    def intervene(self, intervention: Intervention, control: str = "", gesture: bool = False) -> bool:
        """The same past, and from the intervention's time on another future; or says why it cannot be.

        Args:
            control, gesture: as for ``change``.

        Returns:
            whether it could be.
        """
        done = False
        with self._in_words():
            before = self.choice
            earlier = tuple(other for other in before.setup.interventions if other.time <= intervention.time)
            self._rewrite((*earlier, intervention))
            self.history = self.history.left(before, control, gesture)
            self.playing = True
            done = True
        return done

    def _rewrite(self, interventions: tuple[Intervention, ...]) -> None:
        """The run with other interventions; what it was before the first of them that differs, it stays."""
        old = self.setup.interventions
        same = next((k for k, (a, b) in enumerate(zip(old, interventions, strict=False)) if a is not b), None)
        same = min(len(old), len(interventions)) if same is None else same
        due = [other.time for other in (*old[same:], *interventions[same:])]
        if due:
            setup = dataclasses.replace(self.setup, interventions=interventions)
            if min(due) < self.run.begin:  # the past that is to be another is forgotten
                self._anew(setup)
            else:
                self._show(setup, self.run.branch(min(due), interventions, setup.duration))

    def _anew(self, setup: Setup) -> None:
        """Begins at the start, whatever has been seen since."""
        self.cursor.time = 0.0
        self._show(setup, setup.run())

    def to_start(self) -> None:
        """Moves the cursor to the start of the run, which is computed again if it is forgotten."""
        if self.run.begin > 0.0:
            self._anew(self.setup)
        self.cursor.time = 0.0

    @param.depends("endless", watch=True)
    def _go_on(self) -> None:
        """Without an end the same run goes on; with one it is as long as its setup says again."""
        run = self.run
        if self.endless:
            run.endless = True
            run.duration = max(run.end, self.setup.duration)
        elif run.ends_by(self.setup.duration):
            return
        elif self.cursor.time <= self.setup.duration:
            self._show(self.setup, self.setup.run())
        else:
            self._anew(self.setup)

    def break_texts(self, breaks: frozenset[str]) -> None:
        """Has just this broken in the texts, or nothing, as a step that can be undone; the run stays as it is."""
        if breaks != self.breaks:
            before = self.choice
            self.breaks = breaks
            self.history = self.history.left(before)

    def undo(self) -> None:
        """Takes the last change back."""
        if self.can_undo:
            self._restore(*self.history.undone(self.choice))

    def redo(self) -> None:
        """Makes the change again that was taken back last."""
        if self.can_redo:
            self._restore(*self.history.redone(self.choice))

    def _restore(self, choice: Choice, history: History) -> None:
        before, setup = self.setup, choice.setup
        if setup.machine is not before.machine:
            self._exchange(setup)
        elif dataclasses.replace(setup, interventions=before.interventions) == before:
            self._rewrite(setup.interventions)
        else:
            self._show(setup, setup.run())
        self.param.update(breaks=choice.breaks, history=history)

    @property
    def is_held(self) -> bool:
        """Whether the object is held at the cursor."""
        return self.system_here.is_held

    def release(self) -> None:
        """Drops the object at the cursor: the arms go free, the object flies on."""
        self.intervene(Released(self.time))

    def grasp(self) -> None:
        """Takes the object again at the cursor: where the tips touch it, or put back between them if it is away."""
        self.intervene(Taken(self.time))

    def grip(self, tip: int, kind: str) -> None:
        """Lets a tip hold the object in another way from the cursor on."""
        self.intervene(Gripped(self.time, tip, kind))

    def reset(self) -> None:
        """Back to the start of what was loaded: time, torques, bodies, posture and object."""
        with self._in_words():
            self._leave(self.setup.plain())
