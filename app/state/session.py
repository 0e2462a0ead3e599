"""Everything that one open page shows, and every change that its controls can make."""

from __future__ import annotations

import dataclasses
import math
import time

import param

import dynamics as dyn
from app.assembly.build import Build
from app.job import Jobs
from app.motion.built_machine import build_of, preset_of
from app.motion.presets import KIND_OF_MODE, MODE_OF_KIND, PRESETS, Mode, presets_of
from app.motion.run import TIME_STEP, Run
from app.motion.setup import Setup, common_run, machine_of_preset
from app.state.arrangement import (
    ChangeView,
    ContactTrial,
    CostView,
    EstimationView,
    InfluenceView,
    Line,
    MethodStep,
)
from app.state.editing import Editing
from app.state.history import Choice, History
from app.state.kept_run import Ghost, Kept, described, free_letter, name_of, told_apart, why_not_kept
from app.state.machine_loader import Opening
from dynamics.reading import Reading, textbook_breaks
from scenes import CHOICES

STEP = 10 * TIME_STEP
EDIT = "Edit"
"""The instrument in which the robot's numbers are edited."""
PATIENCE = 0.3
"""Seconds in which a new run usually reaches a cursor that rests, and in which what is shown of it there comes first:
who moves a slider asks for the next run soon."""
SERIES = 1.8
"""Seconds within which another change belongs to the same series."""
RHYTHM = 1.25
"""Times the longest pause of a series without another change until it is taken to be over."""


class Session(Editing):
    """The system, its run, the cursor in it, and what is seen of them."""

    kept: tuple[Kept, ...] = param.ClassSelector(  # type: ignore[assignment]
        class_=tuple, default=(), doc="Runs that are kept beside the present one, in the order of their letters."
    )
    compared = param.String(
        default="", doc="Letter of the kept run that differences are told from; empty for the first."
    )
    broken: param.ClassSelector = param.ClassSelector(
        class_=Ghost, allow_None=True, doc="A run of the algorithm broken on purpose; while it is shown, others wait."
    )

    exchanged: tuple[tuple[Setup, tuple[Kept, ...]], tuple[Setup, tuple[Kept, ...]]] | None = None
    """A setup with its kept runs, and the same of what was opened in its place last."""
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
    follows_walk = param.Boolean(
        default=True, doc="Whether the walk chooses what is drawn, while the motion stands still."
    )
    plots_follow = param.Boolean(
        default=True, doc="Whether the walk opens the plots of its stage, while none is chosen."
    )
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
        default=None,
        allow_None=True,
        bounds=(0.0, None),
        doc="s, from where on a broken text moves a ghost, or None.",
    )
    tab = param.String(default="", doc="The open instrument; empty for the one that a page opens with.")
    beside = param.String(default="", doc="The instrument that stands beside it on a wide screen; empty for none.")
    sheet = param.String(default="", doc="The open sheet of the walk; empty for the step.")
    plots = param.String(default="", doc="The open set of plots, likewise.")
    panels = param.String(default="", doc="The sets that are not as they open: see ``app.views.plots.panel_sets``.")
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
    checked = param.String(
        default="", doc="The row of *Check* that is looked at: stage and identity, sum and title, or method and name."
    )
    result = param.String(default="", doc="The paper, or the result of it, that *Papers* shows; empty for the first.")
    lesson = param.String(default="", doc="The lesson that is open and its step: ``gain:3``; empty for their list.")
    clicks = param.Integer(default=0, bounds=(0, None), doc="How often a link was clicked in the world: the cursor's.")
    taught = param.String(default="", doc="That step's title, as its own panel has read it.")
    base = param.String(default="", doc="The link that *Two filters* counts from; empty for the machine's own base.")
    study = param.String(
        default="", doc="What *Study* asks: what varies and how far, what is watched, how many; empty: the first."
    )
    matrix = param.String(default="", doc="The matrix that the walk's *Matrices* show; empty: the first.")
    accelerations = param.String(
        default="", doc="Accelerations that *Methods* is asked for: ``inverse_dynamics:1.0,0.5``."
    )
    torqued = param.Integer(default=0, bounds=(0, None), doc="The joint whose torque's influence is looked at.")
    projector = param.Boolean(default=False, doc="Large type and few controls, for the back row.")
    instead = param.Parameter(
        default=None,
        doc="An instrument, a moment, and the solution that it would have there: the world shows it at a pause.",
    )
    point_force = param.Parameter(default=None, doc="What the user pushes with just now, a ``PointForce``, or None.")
    aim = param.Parameter(
        default=None, doc="Where the user leads the start, an ``Aim``, or a base, a ``BaseAim``; or None."
    )

    def __init__(self, preset: str) -> None:
        super().__init__()
        self._solved: tuple[object, dyn.Solution] | None = None
        self._read: tuple[object, Reading] | None = None
        self._whole: tuple[object, Reading] | None = None
        self._held: Build | None = None
        self._brought = ""  # the robot that was last put together here
        self.jobs = Jobs(self._tell)
        self.opening = Opening(self)
        setup = Setup(machine_of_preset(PRESETS[preset]))
        self._open(setup, common_run(setup))
        self._new_at, self._pause = -math.inf, 0.0
        self.param.watch(self._begin, "run")

    def choose(self, instrument: str, **fields: object) -> None:
        """Chooses something in an instrument, by the names of its dataclass; what is not said stays."""
        setattr(self, instrument, dataclasses.replace(getattr(self, instrument), **fields))

    def _begin(self, _: param.parameterized.Event) -> None:
        now = time.monotonic()
        since, self._new_at = now - self._new_at, now
        self._pause = max(self._pause, since) if since <= SERIES else 0.0

    def _is_new_within(self, seconds: float) -> bool:
        return not self.playing and time.monotonic() < self._new_at + seconds

    @property
    def is_asked(self) -> bool:
        """Whether the run has just become another, and is looked at where it stands: all else can wait a little."""
        return self._is_new_within(PATIENCE)

    @property
    def is_restless(self) -> bool:
        """Whether it is about to become another one, too: what nobody looks at yet waits until then.

        Who presses a slider's key again and again would else wait, each time, for what follows from the key before.
        """
        return self._is_new_within(max(PATIENCE, RHYTHM * self._pause))

    @property
    def build(self) -> Build | None:
        """What the machine is put together of, or will be in a moment; None for one that was only recorded."""
        return self.opening.awaited or build_of(self.setup.machine)

    @property
    def mode_ahead(self) -> Mode:
        """The mode, or that of the machine which is being put together."""
        awaited = self.opening.awaited
        return self.mode if awaited is None else MODE_OF_KIND[awaited.kind]

    def open_mode(self, mode: str) -> None:
        """The mode's own first motion; a robot of the user's own, or put together here, is held in another way."""
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
        """Shows the machine of a build, a packaged motion of it where there is one; or says why it cannot be."""
        self._brought = build.robots[0]
        preset = preset_of(build)
        if preset is not None:
            self.opening.leave_build()
            self.open_preset(preset.name)
        else:
            self.opening.build(build)

    def _tell(self, words: str) -> None:
        self.message = words

    @property
    def torqued_here(self) -> int:
        """The joint whose torque's influence is looked at, of this machine."""
        return min(self.torqued, self.system.n_joints - 1)

    @property
    def is_staged(self) -> bool:
        """Whether the scene shows what the walk has come to, rather than what the user has chosen."""
        return self.walked and self.follows_walk and not self.playing

    @property
    def edits(self) -> bool:
        """Whether the robot's numbers are open to be edited."""
        return EDIT in (self.tab, self.beside)

    @property
    def moment(self) -> tuple[Run, int, float]:
        """What is at the cursor: another one where a leg begins at this very time, though it is computed later."""
        return self.run, len(self.run.legs), self.time

    def solution(self) -> dyn.Solution:
        """The complete solution at the cursor; computed once for all views of an instant."""
        if self._solved is None or self._solved[0] != self.moment:
            self._solved = (self.moment, self.run.solution_at(self.time))
        return self._solved[1]

    @property
    def tried_solution(self) -> dyn.Solution | None:
        """What an open instrument tries at the cursor, where the motion stands still."""
        if self.instead is None or self.playing:
            return None
        name, moment, solution = self.instead
        return solution if name in (self.tab, self.beside) and moment == self.moment else None

    def pictured(self) -> dyn.Solution:
        """What the world shows at the cursor: the moment's own solution, unless an instrument tries another there."""
        tried = self.tried_solution
        return self.solution() if tried is None else tried

    def reading(self) -> Reading:
        """The textbook at the cursor, broken as it is; evaluated once for all views of an instant."""
        moment = (*self.moment, self.textbook_breaks)
        if self._read is None or self._read[0] != moment:
            shown = self.solution()
            wrench = self.run.wrench_at(self.time)
            self._read = (moment, dyn.read_textbook(shown.system, shown.state, shown.tau, wrench, self.breaks))
        return self._read[1]

    def whole_reading(self) -> Reading:
        """The same, whatever is broken in it elsewhere."""
        if not self.textbook_breaks:
            return self.reading()
        if self._whole is None or self._whole[0] != self.moment:
            shown, wrench = self.solution(), self.run.wrench_at(self.time)
            self._whole = (self.moment, dyn.read_textbook(shown.system, shown.state, shown.tau, wrench))
        return self._whole[1]

    @property
    def textbook_breaks(self) -> frozenset[str]:
        """What is broken in the filter and smoother themselves, not in another formulation beside them."""
        return textbook_breaks(self.breaks)

    def step(self, count: int) -> None:
        """Moves the cursor by ``count`` hundredths of a second and stops playing."""
        self.playing = False
        self.seek(self.time + count * STEP)
        self.stepped = True

    def seek(self, time: float) -> None:
        """Moves the cursor to an instant of the timeline."""
        self.cursor.time = min(max(time, self.run.begin), self.run.duration)

    def _restore(self, choice: Choice, history: History) -> None:
        """With the setup that something was opened in place of come the runs that were kept then, and the other way."""
        before = self.setup
        super()._restore(choice, history)
        if self.exchanged is None:
            return
        for here, there in (self.exchanged, self.exchanged[::-1]):
            if before is here[0] and choice.setup is there[0] and self.kept == here[1]:
                self.param.update(kept=there[1], broken=None)
                return

    @property
    def ghosts(self) -> tuple[Ghost, ...]:
        """What is seen beside the run: the broken algorithm's motion, else those of the kept runs that are shown."""
        return tuple(each for each in self.kept if each.shown) if self.broken is None else (self.broken,)

    @property
    def ghosts_compared(self) -> tuple[Ghost, ...]:
        """The same, the one that differences are told from in front."""
        return tuple(sorted(self.ghosts, key=lambda each: each.letter != self.compared))

    @property
    def ghost(self) -> Ghost | None:
        """The first of them."""
        return next(iter(self.ghosts), None)

    def keep(self) -> Kept | None:
        """Keeps the present run, to be seen beside whatever comes next; None where there is no room for it."""
        if why_not_kept(self.kept, self.run):
            return None
        letter, title = free_letter(self.kept), told_apart(described(self.setup), [each.title for each in self.kept])
        kept = Kept(self.run, title, letter, setup=self.setup)
        self.param.update(kept=tuple(sorted((*self.kept, kept), key=lambda each: each.letter)), broken=None)
        return kept

    def keep_once(self) -> str:
        """Keeps the present run, unless it is kept: then that one is shown; nothing that is kept ever goes by this.

        Returns:
            What has become of it, in words.
        """
        known = next((each for each in self.kept if each.run is self.run or each.setup == self.setup), None)
        if known is None:
            new = self.keep()
            return f"Kept as {new.letter}: {new.title}." if new else why_not_kept(self.kept, self.run)
        self.broken = None
        self.change_kept(known.letter, shown=True)
        return f"This run is kept already, as {known.letter}: {known.title}."

    @param.depends("endless", watch=True)
    def _go_on(self) -> None:
        """With an end again, those that were kept have it as well; one that has gone beyond it is begun anew."""
        super()._go_on()
        if not self.endless:
            self.kept = tuple(self._with_end(each) for each in self.kept)

    def _with_end(self, each: Kept) -> Kept:
        if each.run is self.run or each.run.ends_by(each.setup.duration):
            return each
        return dataclasses.replace(each, run=self.run if each.setup is self.setup else each.setup.run())

    def drop_kept(self, letter: str) -> None:
        """Forgets a run that was kept."""
        self.kept = tuple(each for each in self.kept if each.letter != letter)

    def change_kept(self, letter: str, title: str | None = None, shown: bool | None = None) -> None:
        """Calls a kept run something else, or shows or hides it; a name of nothing is the one that it had."""
        title, at = name_of(title or ""), self.at_letter(letter)
        if at is None:
            return
        changed = dataclasses.replace(at, title=title or at.title, shown=at.shown if shown is None else shown)
        if (changed.title, changed.shown) != (at.title, at.shown):
            self.kept = tuple(changed if each is at else each for each in self.kept)

    def open_kept(self, letter: str) -> None:
        """Makes a kept run the present one, as a step that can be undone; it stays kept."""
        at = self.at_letter(letter)
        if at is None or at.run is self.run:
            return
        before = self.choice
        if at.setup.machine is before.setup.machine:
            self._show(at.setup, at.run)
        else:
            self._open(at.setup, at.run)
        self.history = self.history.left(before)

    def at_letter(self, letter: str) -> Kept | None:
        """The run that is kept under a letter."""
        return next((each for each in self.kept if each.letter == letter), None)
