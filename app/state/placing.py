"""An arm's base in the user's hand: it slides over the ground, the arm goes along, its hand on the object if it can."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.assembly.assembly import Team
from app.assembly.build import FARTHEST, Base, Build
from app.job import Job
from app.motion.built_machine import bases_of, team_of_build
from app.state.session import Session

Array = NDArray[np.float64]
STILL = 1e-3
"""m by which a base has to be moved to stand elsewhere."""
ROUNDS = 12
"""In which a base that turns as it goes comes to lie under the hand."""


@dataclass(frozen=True, eq=False)
class BaseAim:
    """Where the user leads a base, and the machine as it would stand then.

    Attributes:
        arm: whose base it is, from 0.
        solution: of the arms at rest round the object, which they touch and do not hold as yet.
        why_not: why they cannot hold it from there, in words; empty where they can.
    """

    arm: int
    base: Base
    solution: dyn.Solution
    why_not: str = ""

    @property
    def words(self) -> str:
        """What is wrong with the place, or where it is."""
        base = self.base
        there = f"Arm {self.arm + 1}: x {base.x:z.2f} m, y {base.y:z.2f} m, turned {math.degrees(base.yaw):z.0f}°"
        return self.why_not.partition(". ")[0] or there


class BaseGesture:
    """One drag of a base; what it makes of the machine is tried beside the page, of several places the newest.

    Args:
        arm: whose base it is.
        grip: (3,) m, where it is held, in its root link's axes.
        target: (3,) m, where that is to be, in the world; how high does not count.
        job: in which a place is tried.
    """

    def __init__(self, session: Session, arm: int, grip: Array, target: Array, job: Job[BaseAim]) -> None:
        self._session, self._arm, self._grip, self._target, self._job = session, arm, grip, target, job
        session.playing = False
        session.seek(0.0)
        self._machine = session.setup.machine
        self._present = session.solution()
        self._bases = bases_of(self._machine)
        self._base = self._bases[arm]
        pose = self._present.system.base_poses[arm]
        self._middle = pose[:2, 3] - [self._base.x, self._base.y]
        self._team: Team | None = None
        self._tried: Array | None = None

    def move(self, target: Array) -> None:
        self._target = target

    def attend(self, frame: int) -> bool:
        """Has the newest place tried, if it is another one."""
        session = self._session
        if session.playing or session.setup.machine is not self._machine:
            self._job.cancel()
            session.aim = None
            return False
        if self._tried is None or (self._tried != self._target).any():
            self._tried = self._target
            base = slid(self._bases[self._arm], self._grip, self._target[:2] - self._middle)
            self._base = base
            self._job.start(lambda: self._looked(base), self._take)
        return True

    def let_go(self) -> None:
        """Asks for the machine with the base where it is now; what is seen stays until that is there or refused."""
        self.attend(0)
        self._job.cancel()
        old, new = self._bases[self._arm], self._base
        if self._session.setup.machine is self._machine and math.hypot(new.x - old.x, new.y - old.y) > STILL:
            self._session.put_together(self._build(new))
        if self._session.opening.awaited is None:
            self._session.aim = None

    def _take(self, aim: BaseAim) -> None:
        self._session.aim = aim

    def _build(self, base: Base) -> Build:
        build = self._session.build
        assert build is not None
        return replace(build, bases=(*self._bases[: self._arm], base, *self._bases[self._arm + 1 :]))

    def _looked(self, base: Base) -> BaseAim:
        """The machine with a base there: as it would be, or the arm torn off the object with the reason why."""
        build = self._build(base)
        try:
            self._team = self._team or team_of_build(build, self._machine)
            there = self._team.holding(build)
        except dyn.ModelError as error:
            now = self._present.system
            state, poses, why_not = self._present.state, now.base_poses.copy(), str(error)
            poses[self._arm, :2, 3] = [self._middle[0] + base.x, self._middle[1] + base.y]
            cosine, sine = math.cos(base.yaw), math.sin(base.yaw)
            poses[self._arm, :2, :2] = [[cosine, -sine], [sine, cosine]]
            system, q, held = now, state.q, state.object_pose
        else:
            system, q, why_not = there.system, there.state.q, ""
            poses, held = system.base_poses.copy(), np.array(there.state.object_pose)
            poses[:, :2, 3] += self._middle
            held[:2, 3] += self._middle
        moved = dyn.multi_arm(system.robots, poses, system.task_object, system.gravity)
        return BaseAim(self._arm, base, dyn.forward_dynamics(moved, moved.state(q=q, object_pose=held)), why_not)


def slid(base: Base, grip: Array, target: Array) -> Base:
    """The base with the grip, (3,) m in its own axes, at a place on the ground, (2,) m.

    It turns as it goes round the object, so that it keeps looking at it.
    """
    faces = base.yaw - math.atan2(-base.y, -base.x)
    x, y, yaw = base.x, base.y, base.yaw
    for _ in range(ROUNDS):
        cosine, sine = math.cos(yaw), math.sin(yaw)
        x = float(np.clip(target[0] - cosine * grip[0] + sine * grip[1], -FARTHEST, FARTHEST))
        y = float(np.clip(target[1] - sine * grip[0] - cosine * grip[1], -FARTHEST, FARTHEST))
        yaw = math.atan2(-y, -x) + faces
    return Base(x, y, math.atan2(math.sin(yaw), math.cos(yaw)))
