"""Everything that one open page shows, and every change that its controls can make."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import param

import dynamics as dyn
from app.job import Jobs
from app.messages import in_words
from app.motion.build import Build
from app.motion.built_machine import build_of, is_alike, preset_of
from app.motion.errors import ERRORS
from app.motion.interventions import GripChange, Intervention, ObjectRelease, Regrasp
from app.motion.presets import FIRST, KIND_OF_MODE, MODE_OF_KIND, PRESETS, Mode, Preset, presets_of
from app.motion.run import TIME_STEP, Run
from app.motion.setup import Setup, common_run, machine_of_preset
from app.motion.world import Body, body_of, heavier, main_body
from app.state import walk
from app.state.arrangement import ChangeView, ContactTrial, CostView, EstimationView, InfluenceView, Line, MethodStep
from app.state.history import Choice, History
from app.state.kept_run import LETTERS, Ghost, KeptRun, described, name_of, told_apart, why_not_kept
from app.state.machine_loader import MachineLoader
from app.state.walk import Cursor
from dynamics.reading import Reading, textbook_breaks
from dynamics.system import with_object_center
from scenes import CHOICES

STEP = 10 * TIME_STEP
EDIT = "Edit"  # The instrument in which the robot's numbers are edited
PATIENCE = 0.3
"""Seconds in which a new run usually reaches a cursor at rest. Work for that instant comes first, as a user who
moves a slider soon requests the next run."""
SERIES = 1.8  # Seconds within which a change belongs to the same series as the one before
RHYTHM = 1.25  # A series is over when no change follows within this many times its longest pause


class Session(param.Parameterized):
    """The system, its run, the cursor in the run, and how they are shown.

    A change of the setup runs it again and can be undone. An invalid change raises nothing: ``message`` says what is
    wrong, and the running system stays as it was.
    """

    run: Run = param.ClassSelector(class_=Run, doc="The motion, as far as it is computed.")  # type: ignore[assignment]
    playing = param.Boolean(default=True, doc="Whether the cursor moves by itself.")
    walked = param.Boolean(default=False, doc="Whether the user walks through the computation, at any instant.")

    at_an_end = param.Event(doc="A step beyond the first or the last half-step of the computation was requested.")
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
    endless = param.Boolean(default=False, doc="Whether the run goes on as long as it is watched; else it begins anew.")
    message = param.String(default="", doc="What went wrong, in words; empty when nothing did.")
    whispered = param.String(default="", doc="Words already shown in their place, for screen readers alone.")
    kept: tuple[KeptRun, ...] = param.ClassSelector(  # type: ignore[assignment]
        class_=tuple, default=(), doc="Runs that are kept beside the present one, in the order of their letters."
    )
    compared = param.String(default="", doc="Letter of the kept run that differences are from; empty: the first.")
    broken: param.ClassSelector = param.ClassSelector(
        class_=Ghost, allow_None=True, doc="A run of the algorithm broken on purpose; while it is shown, others wait."
    )
    has_player = param.Boolean(default=False, doc="Whether the browser's own clock moves the cursor while it plays.")
    stepped = param.Event(doc="Somebody has moved the cursor by hundredths of a second.")
    scrubbing = param.Boolean(default=False, doc="Whether the user holds the scrubber: then the cursor does not run.")
    speed = param.Number(default=1.0, bounds=(0.01, 10.0), doc="Seconds of motion per second of watching.")
    layers = param.ListSelector(
        default=[
            *("articulated_inertia", "contact_force", "predicted_contact_force", "corrected_contact_force"),
            *("freed", "push", "inertial_axes", "start"),
        ],
        objects=list(CHOICES),
        doc="What the scene shows beside the machines, by the names of ``scenes.CHOICES``.",
    )
    follows_walk = param.Boolean(default=True, doc="Whether the walk chooses what is drawn, at a standstill.")
    plots_follow = param.Boolean(default=True, doc="Whether the walk opens its stage's plots, if none is chosen.")
    shadow = param.Boolean(default=True, doc="Whether machines throw a shadow on the floor.")
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
    motion = param.Number(
        default=None, allow_None=True, bounds=(0.0, None), doc="s, from where on a broken text moves a ghost, or None."
    )
    tab = param.String(default="", doc="The open instrument; empty for the one that a page opens with.")
    beside = param.String(default="", doc="The instrument that stands beside it on a wide screen; empty for none.")
    sheet = param.String(default="", doc="The open sheet of the walk; empty for the step.")
    plots = param.String(default="", doc="The open set of plots, likewise.")
    panels = param.String(default="", doc="The sets that are not as they open: see ``app.views.plots.panels``.")
    zoom = param.String(default="", doc="The stretch of time that the plots show, ``1.5-3`` in s; empty for all.")
    line: Line = param.ClassSelector(class_=Line, default=Line())  # type: ignore[assignment]
    contact: ContactTrial = param.ClassSelector(class_=ContactTrial, default=ContactTrial())  # type: ignore[assignment]
    influence: InfluenceView = param.ClassSelector(class_=InfluenceView, default=InfluenceView())  # type: ignore[assignment]
    estimation: EstimationView = param.ClassSelector(  # type: ignore[assignment]
        class_=EstimationView, default=EstimationView()
    )
    methods: MethodStep = param.ClassSelector(class_=MethodStep, default=MethodStep())  # type: ignore[assignment]
    cost: CostView = param.ClassSelector(class_=CostView, default=CostView())  # type: ignore[assignment]
    changing: ChangeView = param.ClassSelector(class_=ChangeView, default=ChangeView())  # type: ignore[assignment]
    write = param.String(default="", doc="The line that is written, with ``/all`` if all of its sweep is blank.")
    typed = param.String(default="", doc="What is typed in blank lines; see ``app.state.arrangement``.")
    written: param.ClassSelector = param.ClassSelector(
        class_=tuple, default=(), doc="Keys and texts of lines that somebody has typed, by which a ghost moves."
    )
    checked = param.String(default="", doc="The row of *Check* that is looked at: a key and a title.")
    result = param.String(default="", doc="The paper, or the result of it, that *Papers* shows; empty for the first.")
    lesson = param.String(default="", doc="The lesson that is open and its step: ``gain:3``; empty for their list.")
    clicks = param.Integer(default=0, bounds=(0, None), doc="How often a link was clicked in the world: the cursor's.")
    taught = param.String(default="", doc="That step's title, as its own panel has read it.")
    base = param.String(default="", doc="The link that *Two filters* counts from; empty for the machine's own base.")
    study = param.String(default="", doc="What *Study* varies and how far, what it watches, how many; or the first.")
    matrix = param.String(default="", doc="The matrix that the walk's *Matrices* show; empty: the first.")
    accelerations = param.String(default="", doc="What *Methods* is asked for: ``inverse_dynamics:1.0,0.5``.")
    torqued = param.Integer(default=0, bounds=(0, None), doc="The joint whose torque's influence is looked at.")
    projector = param.Boolean(default=False, doc="Large type and few controls, for the back row.")
    instead = param.Parameter(default=None, doc="An instrument, a moment, and the solution it would have at a pause.")
    point_force = param.Parameter(default=None, doc="What the user pushes with now, a ``PointForce``, or None.")
    aim = param.Parameter(default=None, doc="Where the user leads the start, an ``Aim``, or a base, a ``BaseAim``.")

    def __init__(self, preset: str = FIRST, setup: Setup | None = None, run: Run | None = None) -> None:
        super().__init__()
        self.cursor = Cursor()
        self.exchanged: tuple[tuple[Setup, tuple[KeptRun, ...]], tuple[Setup, tuple[KeptRun, ...]]] | None = None
        """A setup with its kept runs, and the same for the one that was last opened in its place."""
        self._with_center = lru_cache(1)(with_object_center)
        self._solved = lru_cache(1)(lambda run, legs, time: run.solution_at(time))
        self._read = lru_cache(2)(self._text)
        self._held: Build | None = None
        self._brought = ""  # the robot that was last assembled here
        self.jobs = Jobs(lambda words: self.param.update(message=words))
        self.opening = MachineLoader(self)
        setup = setup or Setup(machine_of_preset(PRESETS[preset]))
        self._open(setup, run or common_run(setup))
        self._new_at, self._pause = -math.inf, 0.0
        self.param.watch(self._begin, "run")

    @property
    def time(self) -> float:
        """The instant that is shown: the cursor's, as soon as the run has reached it."""
        return min(max(self.run.on_step(self.cursor.time), self.run.begin), self.run.end)

    @property
    def system_here(self) -> dyn.System:
        """The system at the cursor's instant: with the object held, or without."""
        return self.run.system_at(self.time)

    def select_arm(self, arm: int) -> None:
        self.cursor.param.update(arm=arm, link=self.system_here.tips[arm].link)

    def select_link(self, link: int) -> None:
        self.cursor.param.update(link=link, arm=int(self.system_here.arm_of_link[link]))

    def select_stage(self, stage: str) -> None:
        """Moves the cursor to another stage of the algorithm, at its first half-step."""
        self.cursor.param.update(stage=stage, half=0)

    def walk_by(self, step: walk.Step, count: int) -> None:
        """Moves the cursor by ``count`` links, stages or arms: ``walk.walk_link``, ``walk_stage``, ``walk_arm``."""
        self.walk_to(step(self.system_here, self.cursor, count))

    def walk_half(self, count: int) -> None:
        """Moves the cursor by ``count`` half-steps in the order of the computation, across stages."""
        before = self.place
        self.walk_to(after := walk.walk_half(self.system_here, self.cursor, count))
        if after == before:
            self.at_an_end = True

    def walk_to(self, place: walk.Place) -> None:
        """Moves the cursor to a place of the computation; its time stays and playback stops.

        The world can show what the step does only while the motion stands still; playing on shows its numbers change.
        """
        self.param.update(walked=True, playing=False)
        self.cursor.param.update(stage=place.stage, arm=place.arm, link=place.link, half=place.half)

    def walk_to_start(self) -> None:
        self.walk_to(walk.whole_walk(self.system_here)[0])

    @property
    def place(self) -> walk.Place:
        """Where in the computation the cursor is, in the system of its instant."""
        return walk.nearest(self.system_here, self.cursor)

    def place_in(self, stage: str) -> walk.Place:
        """The place where a stage of this instant's system visits the cursor's link, or the nearest one."""
        return walk.at_link(self.system_here, walk.Place(stage, 0, 0, 0), self.cursor.link)

    @property
    def at_end_of_walk(self) -> bool:
        return walk.is_last(self.system_here, self.place)

    @property
    def title(self) -> str:
        """What is moving, as the preset menu calls it, and briefly what was changed."""
        return ", ".join([self.preset.title, *self.setup.changes])

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
        """Mass in kg of the object, or of the tip link if there is no object."""
        return body_of(self.system, main_body(self.system)).mass

    @property
    def choice(self) -> Choice:
        """The choices to which an undo of the next change returns."""
        return Choice(self.setup, self.breaks)

    @property
    def can_undo(self) -> bool:
        return bool(self.history.past)

    @property
    def can_redo(self) -> bool:
        return bool(self.history.future)

    @property
    def mode(self) -> Mode:
        return MODE_OF_KIND[self.system.kind]

    @property
    def preset(self) -> Preset:
        return self.setup.machine.preset

    @property
    def loaded(self) -> dyn.System:
        """The system as it was loaded, before any slider changed it."""
        return self.setup.machine.system

    @property
    def drawn(self) -> dyn.System:
        """The system as it is drawn: as loaded, in the frames of the current one."""
        center = self.setup.object_center
        return self._with_center(self.loaded, center) if any(center) else self.loaded

    def _as_a_step(self, act: Callable[[], object], control: str = "", gesture: bool = False) -> bool:
        """Performs an action in one step that can be undone, and says whether it was possible.

        An error of the mechanics becomes the message, and the current run continues.
        """
        before = self.choice
        try:
            act()
        except ERRORS as error:
            self.message = in_words(error)
            return False
        self.history = self.history.left(before, control, gesture)
        return True

    def open_preset(self, name: str) -> None:
        """Opens a packaged example at its start; the motion plays or stands still as before."""
        self._as_a_step(lambda: self._open_quietly(Setup(machine_of_preset(PRESETS[name]))))

    def show(self, setup: Setup, cursor: Mapping[str, Any], other: Mapping[str, Any], run: Run | None = None) -> None:
        """Shows another setup at one of its moments, which values of the cursor's and the session's parameters give."""
        run = run or setup.run()
        if setup == self.setup and run.course is not None and run.course is self.run.course and not self.run.endless:
            setup, run = self.setup, self.run  # the same motion: its views need not begin anew
        self._open(setup, run)
        self.cursor.param.update(**cursor)
        self.param.update(**other)

    def way_back(self) -> Callable[[], None]:
        held = {name: value for name, value in self.param.values().items() if name not in ("name", "message")}
        cursor = {name: value for name, value in self.cursor.param.values().items() if name != "name"}

        def back() -> None:
            self.param.update(**held)
            self.cursor.param.update(**cursor)

        return back

    def exchange(self, make: Callable[[], Setup]) -> bool:
        """Shows a machine derived from this one in one step that can be undone, or says why that is not possible."""
        return self._as_a_step(lambda: self._exchange(make()))

    def _exchange(self, setup: Setup) -> None:
        """Keeps the cursor at its place, as far as the place means the same in the other machine."""
        if not is_alike(setup.machine, self.setup.machine):
            self._open_quietly(setup)
            return
        self._show(setup, setup.run())
        if self.playing:
            self.cursor.time = 0.0

    def _open_quietly(self, setup: Setup) -> None:
        """Opens a setup and leaves playback as it is: a user who paused wants to see the next start, too."""
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

    def set_mass(self, value: float, body: int | None = None) -> None:
        """Sets the mass (kg) of a body, or of the object or the tip link, its inertia in proportion, and runs again."""
        body = main_body(self.system) if body is None else body
        try:
            weighs = heavier(body_of(self.loaded, body), self.setup.body(body), value)
        except ERRORS as error:
            self.message = in_words(error)
        else:
            self.set_body(body, weighs, f"mass {body}")

    def set_body(self, body: int, weighs: Body | None, control: str = "") -> bool:
        """Sets a body's inertial parameters, None for those loaded, and runs again, or says why not."""
        others = {k: other for k, other in self.setup.bodies.items() if k != body}
        if weighs is not None and weighs != body_of(self.loaded, body):
            others[body] = weighs
        return self.change(control, bodies=MappingProxyType(dict(sorted(others.items()))))

    def set_gravity(self, pull: tuple[float, ...]) -> None:
        """Sets gravity (m/s^2, inertial axes) and runs again."""
        self.change("gravity", gravity=None if pull == tuple(self.loaded.gravity.tolist()) else pull)

    def set_damping(self, value: float) -> None:
        """Adds this damping to every joint (N m s/rad or N s/m), and runs again."""
        self.change("damping", damping=value)

    def set_drive(self, name: str) -> None:
        """Lets one of ``DRIVES`` drive the joints, and shows the result; or says why that is not possible."""
        if self.change("", drive="" if name == self.preset.actuation else name):
            self.playing = True

    def change(self, control: str = "", gesture: bool = False, **fields: Any) -> bool:
        """Changes fields of the setup in one step that can be undone, and runs again; or says why that is not possible.

        Changes by the same control in quick succession are one step, and all in a row that belong to one gesture.
        """

        def act() -> None:
            after = dataclasses.replace(self.setup, **fields)
            self._show(after, after.run())

        done = self._as_a_step(act, control, gesture)
        if done and self.playing:
            self.cursor.time = 0.0
        return done

    def intervene(self, intervention: Intervention, control: str = "", gesture: bool = False) -> bool:
        """Keeps the past and computes another future from the intervention's time on; otherwise like ``change``."""
        earlier = tuple(other for other in self.setup.interventions if other.time <= intervention.time)
        done = self._as_a_step(lambda: self._rewrite((*earlier, intervention)), control, gesture)
        self.playing = self.playing or done
        return done

    def _rewrite(self, interventions: tuple[Intervention, ...]) -> None:
        """Runs with other interventions; up to the first one that differs, the run stays as it was."""
        old = self.setup.interventions
        same = next((k for k, (a, b) in enumerate(zip(old, interventions, strict=False)) if a is not b), None)
        same = min(len(old), len(interventions)) if same is None else same
        due = [other.time for other in (*old[same:], *interventions[same:])]
        if due:
            setup = dataclasses.replace(self.setup, interventions=interventions)
            if min(due) < self.run.begin:  # the past that would change is forgotten
                self._anew(setup)
            else:
                self._show(setup, self.run.branch(min(due), interventions, setup.duration))

    def _anew(self, setup: Setup) -> None:
        self.cursor.time = 0.0
        self._show(setup, setup.run())

    def to_start(self) -> None:
        """Moves the cursor to the start of the run, which is computed again if it was forgotten."""
        if self.run.begin > 0.0:
            self._anew(self.setup)
        self.cursor.time = 0.0

    @param.depends("endless", watch=True)
    def _go_on(self) -> None:
        """Continues the same run without an end, or gives it and the kept runs the length of their setups again."""
        run = self.run
        if self.endless:
            run.endless = True
            run.duration = max(run.end, self.setup.duration)
            return
        if not run.ends_by(self.setup.duration):
            if self.cursor.time <= self.setup.duration:
                self._show(self.setup, self.setup.run())
            else:
                self._anew(self.setup)
        self.kept = tuple(
            each if each.run is self.run or each.run.ends_by(each.setup.duration)
            else dataclasses.replace(each, run=self.run if each.setup is self.setup else each.setup.run())
            for each in self.kept
        )  # fmt: skip

    def break_texts(self, breaks: frozenset[str]) -> None:
        """Sets the breaks of the texts, possibly none, as a step that can be undone; the run stays as it is."""
        if breaks != self.breaks:
            self._as_a_step(lambda: self.param.update(breaks=breaks))

    def undo(self) -> None:
        if self.can_undo:
            self._restore(*self.history.undone(self.choice))

    def redo(self) -> None:
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
        # Undoing or redoing the opening of a file also restores the runs that were kept at that time.
        for here, there in () if self.exchanged is None else (self.exchanged, self.exchanged[::-1]):
            if before is here[0] and setup is there[0] and self.kept == here[1]:
                self.param.update(kept=there[1], broken=None)
                return

    @property
    def is_held(self) -> bool:
        return self.system_here.is_held

    def release(self) -> None:
        """Drops the object at the cursor: the arms go free, the object flies on."""
        self.intervene(ObjectRelease(self.time))

    def grasp(self) -> None:
        """Grasps the object again at the cursor: where the tips touch it, or put back between them if it is away."""
        self.intervene(Regrasp(self.time))

    def grip(self, tip: int, kind: str) -> None:
        """Lets a tip hold the object in another way from the cursor on."""
        self.intervene(GripChange(self.time, tip, kind))

    def reset(self) -> None:
        """Returns to the start as loaded: time, torques, bodies, posture and object."""
        self._as_a_step(lambda: self._open_quietly(self.setup.plain()))

    def choose(self, instrument: str, **fields: object) -> None:
        """Sets choices of an instrument, by the fields of its dataclass; the other fields stay."""
        setattr(self, instrument, dataclasses.replace(getattr(self, instrument), **fields))

    def _begin(self, _: param.parameterized.Event) -> None:
        now = time.monotonic()
        since, self._new_at = now - self._new_at, now
        self._pause = max(self._pause, since) if since <= SERIES else 0.0

    def _is_new_within(self, seconds: float) -> bool:
        return not self.playing and time.monotonic() < self._new_at + seconds

    @property
    def is_asked(self) -> bool:
        """Whether the run was just replaced and the motion stands still: everything else can wait a little."""
        return self._is_new_within(PATIENCE)

    @property
    def is_restless(self) -> bool:
        """Whether another change is likely soon: what is not visible yet is computed after that.

        Otherwise a user who presses a slider's key repeatedly would wait, each time, for the results of the last press.
        """
        return self._is_new_within(max(PATIENCE, RHYTHM * self._pause))

    @property
    def build(self) -> Build | None:
        """The build of the machine, or of the one being assembled; None for one that was only recorded."""
        return self.opening.awaited or build_of(self.setup.machine)

    @property
    def mode_ahead(self) -> Mode:
        """The mode, or that of the machine being assembled."""
        awaited = self.opening.awaited
        return self.mode if awaited is None else MODE_OF_KIND[awaited.kind]

    def open_mode(self, mode: str) -> None:
        """Opens the mode's first motion; a robot of the user's own, or one assembled here, is held in another way."""
        build = self.build
        if build is None or (self.preset.name in PRESETS and build.robots[0] != self._brought):
            self.open_preset(presets_of(mode)[0].name)
            return
        if build.kind == "multi_arm":
            self._held = build
        wanted = build.of_kind(KIND_OF_MODE[mode])
        held = self._held
        if wanted.kind == "multi_arm" and held is not None and held.robots[0] == wanted.robots[0]:
            wanted = held
        self.put_together(wanted)

    def put_together(self, build: Build) -> None:
        """Shows the machine of a build, in a packaged motion if there is one; or says why that is not possible."""
        self._brought = build.robots[0]
        preset = preset_of(build)
        if preset is not None:
            self.opening.leave_build()
            self.open_preset(preset.name)
        else:
            self.opening.build(build)

    @property
    def torqued_here(self) -> int:
        """The joint whose torque's influence is shown, within this machine's range."""
        return min(self.torqued, self.system.n_joints - 1)

    @property
    def is_staged(self) -> bool:
        """Whether the scene shows what the walk has reached, rather than what the user has chosen."""
        return self.walked and self.follows_walk and not self.playing

    @property
    def moment(self) -> tuple[Run, int, float]:
        """Identifies what is at the cursor; changes when a leg that begins at this very time is computed later."""
        return self.run, len(self.run.legs), self.time

    def solution(self) -> dyn.Solution:
        """The complete solution at the cursor; computed once for all views of an instant."""
        found: dyn.Solution = self._solved(*self.moment)
        return found

    @property
    def tried_solution(self) -> dyn.Solution | None:
        """The solution that an open instrument tries at the cursor, while the motion stands still."""
        if self.instead is None or self.playing:
            return None
        name, moment, solution = self.instead
        return solution if name in (self.tab, self.beside) and moment == self.moment else None

    def pictured(self) -> dyn.Solution:
        """What the world shows at the cursor: the moment's own solution, unless an instrument tries another one."""
        tried = self.tried_solution
        return self.solution() if tried is None else tried

    def reading(self) -> Reading:
        return self._read(self.moment, self.textbook_breaks)

    def whole_reading(self) -> Reading:
        """The textbook at the cursor without any breaks."""
        return self._read(self.moment, frozenset())

    def _text(self, moment: tuple[Run, int, float], breaks: frozenset[str]) -> Reading:
        """Evaluates the text at the cursor, which is ``moment``."""
        shown, wrench = self.solution(), self.run.wrench_at(self.time)
        return dyn.read_textbook(shown.system, shown.state, shown.tau, wrench, breaks)

    @property
    def textbook_breaks(self) -> frozenset[str]:
        """The breaks in the filter and smoother themselves, without those in other formulations."""
        return textbook_breaks(self.breaks)

    def step(self, count: int) -> None:
        """Moves the cursor by ``count`` hundredths of a second and stops playing."""
        self.playing = False
        self.seek(self.time + count * STEP)
        self.stepped = True

    def seek(self, time: float) -> None:
        self.cursor.time = min(max(time, self.run.begin), self.run.duration)

    @property
    def ghosts(self) -> tuple[Ghost, ...]:
        """The runs drawn beside the current one: the broken algorithm's motion, else the shown kept runs."""
        return tuple(each for each in self.kept if each.shown) if self.broken is None else (self.broken,)

    @property
    def ghosts_compared(self) -> tuple[Ghost, ...]:
        """The same, with the one from which differences are reported first."""
        return tuple(sorted(self.ghosts, key=lambda each: each.letter != self.compared))

    def keep(self) -> KeptRun | None:
        """Keeps the current run, to be drawn beside later ones; None if there is no room for it."""
        if why_not_kept(self.kept, self.run):
            return None
        letter = next(each for each in LETTERS if self.at_letter(each) is None)
        title = told_apart(described(self.setup), [each.title for each in self.kept])
        kept = KeptRun(self.run, title, letter, setup=self.setup)
        self.param.update(kept=tuple(sorted((*self.kept, kept), key=lambda each: each.letter)), broken=None)
        return kept

    def keep_once(self) -> str:
        """Keeps the current run, or shows it if it is kept already; returns what was done, in words."""
        known = next((each for each in self.kept if each.run is self.run or each.setup == self.setup), None)
        if known is None:
            new = self.keep()
            return f"Kept as {new.letter}: {new.title}." if new else why_not_kept(self.kept, self.run)
        self.broken = None
        self.change_kept(known.letter, shown=True)
        return f"This run is kept already, as {known.letter}: {known.title}."

    def drop_kept(self, letter: str) -> None:
        self.kept = tuple(each for each in self.kept if each.letter != letter)

    def change_kept(self, letter: str, title: str | None = None, shown: bool | None = None) -> None:
        """Renames a kept run, or shows or hides it; an empty name restores the name that it had."""
        title, at = name_of(title or ""), self.at_letter(letter)
        if at is None:
            return
        changed = dataclasses.replace(at, title=title or at.title, shown=at.shown if shown is None else shown)
        if (changed.title, changed.shown) != (at.title, at.shown):
            self.kept = tuple(changed if each is at else each for each in self.kept)

    def open_kept(self, letter: str) -> None:
        """Makes a kept run the current one, as a step that can be undone; it stays kept."""
        at = self.at_letter(letter)
        if at is None or at.run is self.run:
            return
        show = self._show if at.setup.machine is self.setup.machine else self._open
        self._as_a_step(lambda: show(at.setup, at.run))

    def at_letter(self, letter: str) -> KeptRun | None:
        return next((each for each in self.kept if each.letter == letter), None)
