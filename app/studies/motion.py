"""How each state of a study goes on, where whole motions are asked of: how long, and in steps that the page takes."""

from __future__ import annotations

from dataclasses import dataclass, replace

import dynamics as dyn
from app.motion.numerics import FIXED, RUNGE_KUTTA, STEPS, Numerics, check_effort
from app.number_text import read_number

LEAST, MOST = 0.01, 10.0
"""s that a motion may last."""
PARTS = round(1.0 / max(STEPS))
"""Of a second: every step goes into one, so that a motion of so many of these has the page's own instants."""
MOST_STEPS = 20_000
"""That a motion may take."""
MILLI = 1e3
"""Steps are said in ms."""
SAME = 1e-9
"""s: nearer steps are one."""


@dataclass(frozen=True)
class Motion:
    """How a state goes on, its torques constant.

    Attributes:
        duration: s.
        numerics: what integrates it; where steps or integrators vary, what does not.
    """

    duration: float = 1.0
    numerics: Numerics = RUNGE_KUTTA

    def drawn(self, moment: dyn.Moment) -> Motion:
        """That of one row: with its own step and integrator, if these vary."""
        step, method = moment.drawn.get("dt"), moment.drawn.get("method")
        own = self.numerics
        own = replace(own, step=step) if isinstance(step, float) else own
        return Motion(self.duration, replace(own, method=method) if isinstance(method, str) else own)

    def in_steps(self, step: float) -> Motion:
        """As long, in other steps, s."""
        return Motion(self.duration, replace(self.numerics, step=step))

    def why_not(self, system: dyn.System) -> str:
        """Why it would take too long; empty where it does not."""
        step = self.numerics.step
        count = round(self.duration / step)
        if count > MOST_STEPS:
            return (
                f"{self.duration:g} s in steps of {MILLI * step:g} ms are {count:,} steps; a study's motion takes "
                f"{MOST_STEPS:,} at most. Choose longer steps, or a shorter motion."
            )
        try:
            check_effort(system, self.numerics)
        except dyn.ModelError as error:
            return str(error)
        return ""


def steps_of(system: dyn.System, motion: Motion, longest: float) -> list[float]:
    """Steps up to the longest, s, but for those in which the motion would take too long."""
    return [step for step in STEPS if step < longest + SAME and not motion.in_steps(step).why_not(system)]


def on_raster(duration: float) -> float:
    """s, the nearest that whole steps of every length make."""
    return round(duration * PARTS) / PARTS


def evaluations(steps: list[float], methods: list[str]) -> float:
    """In a second of motion with each step by each integrator, all together."""
    return sum(FIXED[method][1] / step for step in steps for method in methods)


def written(motion: Motion) -> dict[str, float]:
    """Its numbers as a link says them: s, and ms."""
    return {"duration": motion.duration, "step": MILLI * motion.numerics.step}


def read_motion(duration: str, step: str) -> Motion | None:
    """What a link says, if that can be asked."""
    value, own = read_number(duration), read_number(step)
    found = next((one for one in STEPS if own is not None and abs(one - own / MILLI) < SAME), None)
    if value is None or found is None or not LEAST <= value <= MOST:
        return None
    return Motion(on_raster(value), Numerics(step=found))
