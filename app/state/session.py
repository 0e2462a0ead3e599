"""Everything that one open page shows, and every change that its controls can make."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import param

import dynamics as dyn
from app.state.happenings import Happening, Released, Taken
from app.state.history import History
from app.state.job import Jobs
from app.state.masses import mass_of
from app.state.presets import MODE_OF_KIND, PRESETS, Mode, Preset, presets_of
from app.state.run import ERRORS, TIME_STEP, Run
from app.state.setup import Setup, machine_of_file, machine_of_preset
from app.state.walkable import Walkable
from scenes import CHOICES

STEP = 10 * TIME_STEP


@dataclass(frozen=True, eq=False)
class Ghost:
    """Another run that is seen beside the present one."""

    run: Run
    title: str


class Session(Walkable):
    """The system, its run, the cursor in it, and what the sliders say.

    A bad change raises nothing: it says in ``message`` what is wrong and leaves the running system as it was.
    """

    setup: Setup = param.ClassSelector(class_=Setup, doc="What was chosen; it decides the run.")  # type: ignore[assignment]
    history: History = param.ClassSelector(  # type: ignore[assignment]
        class_=History, default=History(), doc="What can be undone and made again."
    )
    scrubbing = param.Boolean(default=False, doc="Whether the user holds the cursor in hand, so that it must not run.")
    playing = param.Boolean(default=True, doc="Whether the cursor moves by itself.")
    speed = param.Number(default=1.0, bounds=(0.01, 10.0), doc="Seconds of motion per second of watching.")
    layers = param.ListSelector(
        default=[
            *("articulated_inertia", "contact_force", "predicted_contact_force", "corrected_contact_force"),
            *("freed", "push"),
        ],
        objects=list(CHOICES),
        doc="What the scene shows beside the machines, by the names of ``scenes.CHOICES``.",
    )
    block: param.Selector = param.Selector(
        default="translational",
        objects={"masses": "translational", "moments of inertia": "rotational"},
        doc="Which 3x3 block of a 6x6 matrix its ellipsoid shows.",
    )
    around: param.Selector = param.Selector(
        default="all",
        objects={"every link": "all", "this arm": "arm", "this link": "link"},
        doc="Whose ellipsoids and arrows are shown; this is where the cursor stands.",
    )
    kept: param.ClassSelector = param.ClassSelector(
        class_=Ghost, allow_None=True, doc="A run kept as A while B changes."
    )
    broken: param.ClassSelector = param.ClassSelector(
        class_=Ghost, allow_None=True, doc="A run of the algorithm broken on purpose; while it is shown, A waits."
    )
    projector = param.Boolean(default=False, doc="Large type and few controls, for the back row.")
    pull = param.Parameter(default=None, doc="The force of the user's hand, a ``Pull``, or None.")
    aim = param.Parameter(default=None, doc="Where the user's hand leads the start posture, an ``Aim``, or None.")
    message = param.String(default="", doc="What went wrong, in words; empty when nothing did.")

    def __init__(self, preset: str) -> None:
        super().__init__()
        self._solved: tuple[object, dyn.Solution] | None = None
        self.jobs = Jobs(self._tell)
        self._open(Setup(machine_of_preset(PRESETS[preset])))

    def _tell(self, words: str) -> None:
        self.message = words

    @property
    def title(self) -> str:
        """What is moving, as the preset menu calls it."""
        return self.preset.title

    @property
    def system(self) -> dyn.System:
        """The system at the start of the run."""
        return self.run.drive.system

    @property
    def torques(self) -> dict[str, float]:
        """Joint name -> torque or force of its slider, N m or N."""
        return {name: self.setup.torques.get(name, 0.0) for name in self.system.joint_names}

    @property
    def mass(self) -> float:
        """Of the object, or of the tip link where there is none, kg."""
        return mass_of(self.system)

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to take back."""
        return bool(self.history.past)

    @property
    def can_redo(self) -> bool:
        """Whether there is a change to make again."""
        return bool(self.history.future)

    @property
    def ghost(self) -> Ghost | None:
        """What is seen beside the run: the broken algorithm's motion, else the run that was kept."""
        return self.kept if self.broken is None else self.broken

    @property
    def mode(self) -> Mode:
        return MODE_OF_KIND[self.system.kind]

    @property
    def preset(self) -> Preset:
        return self.setup.machine.preset

    @property
    def loaded(self) -> dyn.System:
        """The system as it was loaded, whatever the sliders have made of it: it looks the same."""
        return self.setup.machine.system

    def solution(self) -> dyn.Solution:
        """The complete solution at the cursor; computed once for all views of an instant."""
        moment = (self.run, len(self.run.segments), self.time)
        if self._solved is None or self._solved[0] != moment:
            self._solved = (moment, self.run.solution_at(self.time))
        return self._solved[1]

    @contextlib.contextmanager
    def _in_words(self) -> Iterator[None]:
        """An error of the mechanics becomes the message; whatever was running runs on."""
        try:
            yield
        except ERRORS as error:
            self.message = str(error)

    def open_mode(self, mode: str) -> None:
        """Opens the first preset of a mode."""
        self.open_preset(presets_of(mode)[0].name)

    def open_preset(self, name: str) -> None:
        """Opens a packaged example and plays it."""
        with self._in_words():
            self._leave(Setup(machine_of_preset(PRESETS[name])))

    def open_robot(self, text: bytes, name: str) -> None:
        """Opens a robot description as a single arm, or says why it cannot be."""
        with self._in_words():
            self._leave(Setup(machine_of_file(text, name)))

    def show(self, setup: Setup, cursor: Mapping[str, Any], other: Mapping[str, Any]) -> None:
        """Shows another setup at a moment of it.

        Args:
            cursor, other: values of the cursor's and of the session's own parameters.

        Raises:
            ModelError, StateError, SingularConfigurationError: for values that cannot be.
        """
        self._open(setup)
        self.cursor.param.update(**cursor)
        self.param.update(**other)

    def _leave(self, setup: Setup) -> None:
        """Opens another machine, or this one as it was loaded; the way back is kept."""
        before = self.setup
        self._open(setup)
        self.history = self.history.left(before)

    def _open(self, setup: Setup) -> None:
        self._start(setup)
        self.cursor.param.update(time=0.0, arm=0, link=middle_link(self.system), stage="filter", half=0)
        self.playing = True

    def _start(self, setup: Setup) -> None:
        """Runs a setup from its beginning; nothing has changed if it raises."""
        leg, drive = setup.first_leg()
        run = Run(leg, drive, setup.machine.preset.duration, setup.happenings)
        self._show(setup, run)

    def _show(self, setup: Setup, run: Run) -> None:
        self.param.update(setup=setup, run=run, message="")

    def set_torque(self, joint: str, value: float) -> None:
        """Sets one slider's torque (N m) or force (N) and runs again."""
        torques = {**self.setup.torques, joint: value}
        self.change(f"torque {joint}", torques=MappingProxyType({name: tau for name, tau in torques.items() if tau}))

    def set_mass(self, value: float) -> None:
        """Sets the mass (kg) of the object, or of the tip link where there is none, and runs again."""
        self.change("mass", mass=value)

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
            before = self.setup
            self._start(dataclasses.replace(before, **fields))
            self.history = self.history.left(before, control, gesture)
            if self.playing:
                self.cursor.time = 0.0
            done = True
        return done

    def happen(self, happening: Happening, control: str = "", gesture: bool = False) -> bool:
        """The same past, and from the happening's time on another future; or says why it cannot be.

        Args:
            control, gesture: as for ``change``.

        Returns:
            whether it could be.
        """
        done = False
        with self._in_words():
            before = self.setup
            earlier = tuple(other for other in before.happenings if other.time <= happening.time)
            self._rewrite((*earlier, happening))
            self.history = self.history.left(before, control, gesture)
            self.playing = True
            done = True
        return done

    def _rewrite(self, happenings: tuple[Happening, ...]) -> None:
        """The run with other happenings; what it was before the first of them that differs, it stays."""
        old = self.setup.happenings
        same = next((k for k, (a, b) in enumerate(zip(old, happenings, strict=False)) if a is not b), None)
        same = min(len(old), len(happenings)) if same is None else same
        due = [other.time for other in (*old[same:], *happenings[same:])]
        if due:
            run = self.run.branch(min(due), happenings)
            self._show(dataclasses.replace(self.setup, happenings=happenings), run)

    def undo(self) -> None:
        """Takes the last change back."""
        if self.can_undo:
            self._restore(*self.history.undone(self.setup))

    def redo(self) -> None:
        """Makes the change again that was taken back last."""
        if self.can_redo:
            self._restore(*self.history.redone(self.setup))

    def _restore(self, setup: Setup, history: History) -> None:
        before = self.setup
        if setup.machine is not before.machine:
            self._open(setup)
        elif dataclasses.replace(setup, happenings=before.happenings) == before:
            self._rewrite(setup.happenings)
        else:
            self._start(setup)
        self.history = history

    @property
    def is_held(self) -> bool:
        """Whether the object is held at the cursor."""
        return self.system_here.is_held

    def release(self) -> None:
        """Drops the object at the cursor: the arms go free, the object flies on."""
        self.happen(Released(self.time))

    def grasp(self) -> None:
        """Takes the object again at the cursor: where the tips touch it, or put back between them if it is away."""
        self.happen(Taken(self.time))

    def keep(self) -> None:
        """Keeps the present run as A, to be seen beside whatever comes next."""
        self.param.update(kept=Ghost(self.run, self.title), broken=None)

    def drop_kept(self) -> None:
        """Forgets the run that was kept."""
        self.kept = None

    def keep_or_drop(self) -> None:
        """Keeps the present run, or takes away the one that is seen beside it."""
        if self.broken is not None:
            self.broken = None
        elif self.kept is None:
            self.keep()
        else:
            self.drop_kept()

    def reset(self) -> None:
        """Back to the start of what was loaded: time, torques, mass, posture and object."""
        with self._in_words():
            self._leave(self.setup.plain())

    def step(self, count: int) -> None:
        """Moves the cursor by ``count`` hundredths of a second and stops playing."""
        self.playing = False
        self.seek(self.time + count * STEP)

    def seek(self, time: float) -> None:
        """Moves the cursor to an instant of the timeline."""
        self.cursor.time = min(max(time, 0.0), self.run.duration)


def middle_link(system: dyn.System) -> int:
    """The link half-way along the first arm, where every quantity of the filter has something to show."""
    return int(np.count_nonzero(system.arm_of_link[: system.n_joints] == 0) // 2)
