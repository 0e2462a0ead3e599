"""Everything that one open page shows, and every change that its controls can make."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator, Mapping

import numpy as np
import param

import dynamics as dyn
from app.state import walk
from app.state.cursor import Cursor
from app.state.drive import controller_for
from app.state.masses import mass_of, with_mass
from app.state.presets import MODE_OF_KIND, PRESETS, Mode, Preset, presets_of
from app.state.regrasp import Regrasp
from app.state.run import TIME_STEP, Run, on_step

STEP = 10 * TIME_STEP
MOST_JOINTS = 150
"""Of a file of the user's own: the page is drawn by the same process for everybody."""
MOST_SHAPES = 500
ERRORS = (dyn.ModelError, dyn.StateError, dyn.SingularConfigurationError)


class Session(param.Parameterized):
    """The system, its run, the cursor in it, and what the sliders say.

    A bad change raises nothing: it says in ``message`` what is wrong and leaves the running system as it was.
    """

    title = param.String(doc="What is moving, as the preset menu calls it.")
    system = param.Parameter(doc="The system at the start of the run.")
    run = param.ClassSelector(class_=Run, doc="The motion, as far as it is computed.")
    scrubbing = param.Boolean(default=False, doc="Whether the user holds the cursor in hand, so that it must not run.")
    playing = param.Boolean(default=True, doc="Whether the cursor moves by itself.")
    speed = param.Number(default=1.0, bounds=(0.01, 10.0), doc="Seconds of motion per second of watching.")
    torques = param.Dict(default={}, doc="Joint name -> torque or force of its slider, N m or N.")
    mass = param.Number(default=1.0, bounds=(1e-6, None), doc="Mass of the object, or of the tip link, kg.")
    layers = param.ListSelector(
        default=["ellipsoids", "contact_forces"],
        objects={"Ellipsoids of P(k)": "ellipsoids", "Contact forces": "contact_forces", "Joint axes": "axes"},
        doc="What the scene shows beside the machines.",
    )
    message = param.String(default="", doc="What went wrong, in words; empty when nothing did.")

    def __init__(self, preset: str) -> None:
        super().__init__()
        self.cursor = Cursor()
        self.preset: Preset = PRESETS[preset]
        self._as_loaded: tuple[dyn.System, dyn.State]
        self.open_preset(preset)

    @property
    def mode(self) -> Mode:
        return MODE_OF_KIND[self.system.kind]

    @property
    def loaded(self) -> dyn.System:
        """The system as it was loaded, whatever the sliders have made of it: it looks the same."""
        return self._as_loaded[0]

    @property
    def time(self) -> float:
        """The instant that is shown: the cursor's, as soon as the run has come that far."""
        return min(on_step(self.cursor.time), self.run.end)

    def solution(self) -> dyn.Solution:
        """The complete solution at the cursor."""
        return self.run.solution_at(self.time)

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
            preset = PRESETS[name]
            system, state = dyn.example(preset.example)
            if preset.drive == "reach":
                # Joints that start at rest do not jerk against their springs.
                state = dataclasses.replace(state, qd=np.zeros(system.n_joints))
            self._open(preset, system, state)

    def open_robot(self, text: bytes, name: str) -> None:
        """Opens a robot description as a single arm, or says why it cannot be."""
        with self._in_words():
            robot = dyn.load_urdf_text(text, name)
            check_size(robot)
            system = dyn.single_arm(robot)
            self._open(Preset("", name, "Single arm", ""), system, system.home())

    def _open(self, preset: Preset, system: dyn.System, state: dyn.State) -> None:
        torques = dict.fromkeys(system.joint_names, 0.0)
        run = Run(system, state, controller_for(preset, system, state, torques), preset.duration)
        self.preset = preset
        self._as_loaded = (system, state)
        self.cursor.param.update(time=0.0, arm=0, link=middle_link(system), stage="filter", half=0)
        self.param.update(
            title=preset.title, system=system, run=run, torques=torques, mass=mass_of(system), playing=True, message=""
        )

    def set_torque(self, joint: str, value: float) -> None:
        """Sets one slider's torque (N m) or force (N) and runs again."""
        self._rerun({**self.torques, joint: value}, self.mass)

    def set_mass(self, value: float) -> None:
        """Sets the mass (kg) of the object, or of the tip link where there is none, and runs again."""
        self._rerun(self.torques, value)

    def _rerun(self, torques: Mapping[str, float], mass: float) -> None:
        with self._in_words():
            loaded, state = self._as_loaded
            system = with_mass(loaded, mass)
            run = Run(system, state, controller_for(self.preset, system, state, torques), self.preset.duration)
            self.param.update(system=system, run=run, torques=dict(torques), mass=mass, message="")
            if self.playing:
                self.cursor.time = 0.0

    @property
    def is_held(self) -> bool:
        """Whether the object is held at the cursor."""
        return self.run.system_at(self.time).is_held

    def release(self) -> None:
        """Drops the object at the cursor: the arms go free, the object flies on."""
        self._branch(dyn.Release(self.time))

    def grasp(self) -> None:
        """Takes the object again at the cursor: where the tips touch it, or put back between them if it is away."""
        self._branch(Regrasp(self.time, self.system))

    def _branch(self, event: dyn.Release | Regrasp) -> None:
        """The same past, and from the cursor on the future that begins with an event."""
        with self._in_words():
            time = self.time
            now = self.run.solution_at(time)
            system, state, word = event.apply(now.system, now.state)
            controller = controller_for(self.preset, system, state, self.torques)
            self.param.update(run=self.run.branch(time, system, state, controller, word), playing=True, message="")

    def select_arm(self, arm: int) -> None:
        """Moves the cursor to the tip link of another arm."""
        self.cursor.param.update(arm=arm, link=self.system.tips[arm].link)

    def select_link(self, link: int) -> None:
        """Moves the cursor to a link and to the arm that it belongs to."""
        self.cursor.param.update(link=link, arm=int(self.system.arm_of_link[link]))

    def select_stage(self, stage: str) -> None:
        """Moves the cursor to another stage of the algorithm, at its first half-step."""
        self.cursor.param.update(stage=stage, half=0)

    def walk_link(self, count: int) -> None:
        """Moves the cursor ``count`` links on in the direction in which its stage runs."""
        self.walk_to(walk.walk_link(self._system_here, self.cursor, count))

    def walk_stage(self, count: int) -> None:
        """Moves the cursor ``count`` stages on."""
        self.walk_to(walk.walk_stage(self._system_here, self.cursor, count))

    def walk_arm(self, count: int) -> None:
        """Moves the cursor to the same step of another arm."""
        self.walk_to(walk.walk_arm(self._system_here, self.cursor, count))

    def walk_half(self, count: int) -> None:
        """Moves the cursor ``count`` half-steps on in the order of the computation, from stage to stage."""
        self.walk_to(walk.walk_half(self._system_here, self.cursor, count))

    def walk_to(self, place: walk.Place) -> None:
        """Moves the cursor to a place of the computation; its time stays."""
        self.cursor.param.update(stage=place.stage, arm=place.arm, link=place.link, half=place.half)

    def walk_to_start(self) -> None:
        """Moves the cursor to the first half-step of the computation."""
        self.walk_to(walk.whole_walk(self._system_here)[0])

    @property
    def place(self) -> walk.Place:
        """Where in the computation the cursor is, in the system of its instant."""
        return walk.nearest(self._system_here, self.cursor)

    @property
    def at_end_of_walk(self) -> bool:
        """Whether the cursor is at the last half-step of the computation."""
        return self.place == walk.whole_walk(self._system_here)[-1]

    @property
    def _system_here(self) -> dyn.System:
        """The system at the cursor's instant: with the object held, or without."""
        return self.run.system_at(self.time)

    def reset(self) -> None:
        """Back to the start of what was loaded: time, torques, mass and object."""
        self._open(self.preset, *self._as_loaded)

    def step(self, count: int) -> None:
        """Moves the cursor by ``count`` hundredths of a second and stops playing."""
        self.playing = False
        self.seek(self.time + count * STEP)

    def seek(self, time: float) -> None:
        """Moves the cursor to an instant of the timeline."""
        self.cursor.time = min(max(time, 0.0), self.run.duration)


def check_size(robot: dyn.Robot) -> None:
    """Refuses what would take the page seconds to draw.

    Raises:
        ModelError: for too many joints or shapes.
    """
    shapes = sum(len(link.geometry) for link in (*robot.links, robot.root))
    for count, most, what in ((len(robot.joints), MOST_JOINTS, "joints"), (shapes, MOST_SHAPES, "shapes")):
        if count > most:
            raise dyn.ModelError(
                f"robot {robot.name!r} has {count} {what}; this page shows up to {most}. "
                "Open a smaller one here, or compute this one in Python with the package dynamics."
            )


def middle_link(system: dyn.System) -> int:
    """The link half-way along the first arm, where every quantity of the filter has something to show."""
    return int(np.count_nonzero(system.arm_of_link[: system.n_joints] == 0) // 2)
