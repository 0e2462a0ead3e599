"""A cursor in a run, and how it walks through the computation of its instant."""

from __future__ import annotations

import param

import dynamics as dyn
from app.motion.run import Run
from app.state import walk
from app.state.walk import Cursor


class Navigation(param.Parameterized):
    """Moves the cursor's stage, arm, link and half-step; its time stays."""

    run: Run = param.ClassSelector(class_=Run, doc="The motion, as far as it is computed.")  # type: ignore[assignment]
    playing = param.Boolean(default=True, doc="Whether the cursor moves by itself.")
    walked = param.Boolean(
        default=False, doc="Whether somebody walks through this machine's computation, at whatever instant."
    )

    at_an_end = param.Event(doc="Somebody wants to walk on from the first or the last half-step of the computation.")

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
