"""The fall of an arm whose motors are switched off: which joint swings furthest, and how the filter explains it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.motion.run import Run
from app.number_text import number_text
from app.views.student_curve import apart

Array = NDArray[np.float64]
WINDOW = 2.0  # observed time, s
INSTANTS = 41
STILL = 1.0  # degrees below which a joint counts as still
WEAK = 0.01  # share of the largest torque below which the pull on a joint is negligible
ROOM, ROUND = 1.25, 30.0  # plot range relative to the largest swing, and its multiple in degrees


def in_plain_words(name: str) -> str:
    return name.replace("_", " ")


@dataclass(frozen=True, eq=False)
class Fall:
    """The first seconds of a run."""

    times: Array  # (instants,) s
    angles: Array  # (instants, joints) degrees from the start, in either direction
    first: dyn.Solution  # the complete solution at the start
    stopped: dict[str, str]  # joint name -> the limit that it reached, in words

    @classmethod
    def of(cls, run: Run) -> Fall:
        """The fall in a run that has begun, which is computed as far as needed."""
        while run.end < WINDOW - run.numerics.raster and not run.failure:
            run.accept(run.compute())
        times = np.linspace(0.0, min(WINDOW, run.end), INSTANTS)
        solutions = run.solutions_at([run.on_step(time) for time in times])
        q = np.array([solution.state.q for solution in solutions if solution is not None])
        first = run.solution_at(0.0)
        stopped: dict[str, str] = {}
        for met in run.limits_met:
            if met.time <= WINDOW:
                stopped.setdefault(met.joint, met.limit)
        return cls(times[: len(q)], np.degrees(np.abs(q - q[0])), first, stopped)

    @property
    def swings(self) -> Array:
        """(joints,) degrees: the largest distance of each joint from its start."""
        return self.angles.max(axis=0)

    @property
    def furthest(self) -> int:
        return int(np.argmax(self.swings))

    @property
    def reach(self) -> float:
        """Range in degrees of a plot of any of them."""
        return max(ROUND, ROUND * math.ceil(ROOM * float(self.swings.max()) / ROUND))

    def name(self, joint: int) -> str:
        return in_plain_words(self.first.system.joint_names[joint])

    def apart(self, drawn: Array, joint: int) -> str:
        """The error of a drawing of a joint's swing, in words."""
        if self.swings[joint] < STILL:
            return f"It stays where it is; your curve goes up to {drawn.max():.0f}°."
        return apart(drawn, self.times, self.angles[:, joint], "degrees").words

    def verdict(self, chosen: int) -> str:
        """Whether the chosen joint swings furthest, and how far both swing."""
        best = self.furthest
        if self.swings[best] < STILL:
            return "None of them swings: nothing pulls on this arm."
        far = f"{self.name(best)} swings furthest: {self._far(best)}."
        if chosen == best:
            return f"Right, {far}"
        return f"{sentence(far)} Yours, {self.name(chosen)}, goes {self._far(chosen)}."

    def why(self, chosen: int) -> str:
        """The torque left at the joints at release, the inertia that resists it, and what ended the swing.

        Written for readers who know neither innovations nor joint inertias.
        """
        best = self.furthest
        if self.swings[best] < STILL:
            return ""
        if self._is_weak(best):
            answer = (
                f"Gravity leaves hardly any torque at {self.name(best)}: the other joints swing it along, "
                f"and it is light to turn, with an inertia of {self._inertia(best)}."
            )
        else:
            answer = f"As the joints beyond {self.name(best)} give way, gravity leaves it {self._pulls(best)}"
            quickest = int(np.argmax(np.abs(self._starts)))
            if quickest == best:
                answer += ": the most for its inertia."
            else:
                harder = f"{sentence(self.name(quickest))} has more for its inertia"
                answer += f". {harder}, but the joints drag each other along."
        if self.first.system.joint_names[best] in self.stopped:
            answer += " It went as far as the joint can turn."
        return f"{answer} {self._other(chosen)}" if chosen != best else answer

    def _other(self, joint: int) -> str:
        name, model = self.name(joint), self.first.system.joint_models[joint]
        torque, is_still = float(self._torques[joint]), bool(self.swings[joint] < STILL)
        friction = abs(model.friction[int(torque > 0.0)])
        held = f"friction, up to {number_text(friction, digits=2)} N\u00a0m"
        if self._is_weak(joint):
            return f"Gravity leaves hardly any at {name}{'.' if is_still else ': the others swing it along.'}"
        if is_still and abs(torque) <= friction:
            return f"At {name} it is {self._pull(joint)}, which does not overcome its {held}."
        answer = f"At {name} it is {self._pulls(joint)}"
        # Friction alone would not hold it: the pull also changes as the others swing.
        return f"{answer}; its {held}, and the swing of the others hold it." if is_still and friction else f"{answer}."

    def _far(self, joint: int) -> str:
        swing = float(self.swings[joint])
        return f"{swing:.0f}°" if swing >= STILL else "less than 1°"

    def _is_weak(self, joint: int) -> bool:
        """Whether the pull on a joint is negligible relative to that on others."""
        return bool(abs(self._torques[joint]) < WEAK * np.abs(self._torques).max())

    @property
    def _torques(self) -> Array:
        """(joints,) N m, unbalanced torques at release: ε."""
        return np.ravel(self.first.stages["filter"]["innovation"])

    @property
    def _inertias(self) -> Array:
        """(joints,) kg m², the inertia that each joint feels of everything outboard: D."""
        return np.ravel(self.first.stages["filter"]["joint_inertia"])

    @property
    def _starts(self) -> Array:
        """(joints,) rad/s², initial acceleration of each joint if the link inboard of it stood still: ε/D."""
        return self._torques / self._inertias

    def _pull(self, joint: int) -> str:
        return f"{number_text(abs(float(self._torques[joint])), digits=2)} N\u00a0m"

    def _pulls(self, joint: int) -> str:
        return f"{self._pull(joint)} against an inertia of {self._inertia(joint)}"

    def _inertia(self, joint: int) -> str:
        return f"{number_text(float(self._inertias[joint]), digits=2)} kg\u00a0m²"


def sentence(words: str) -> str:
    return words[:1].upper() + words[1:]
