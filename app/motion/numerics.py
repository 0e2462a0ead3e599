"""How a motion is computed: the integrator and its time step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import dynamics as dyn

TIME_STEP = 1e-3
"""s: the step unless another is chosen, and the raster of the page's instants."""
STEPS = (1e-4, 2e-4, 5e-4, TIME_STEP, 2e-3, 5e-3, 1e-2)
"""s; each is a whole part or a multiple of the page's raster, so that its instants are steps."""
FIXED: Mapping[str, tuple[str, int]] = MappingProxyType(
    {"rk4": ("Runge–Kutta 4", 4), "heun": ("Heun, order 2", 2), "euler": ("Euler, order 1", 1)}
)
"""Integrators of a fixed step: their titles, and how often they ask for the accelerations in one."""
ADAPTIVE: Mapping[str, str] = MappingProxyType(
    {"RK45": "Dormand–Prince 5(4), adaptive", "DOP853": "Dormand–Prince 8, adaptive", "LSODA": "LSODA, adaptive"}
)
"""Those of scipy that choose their steps themselves."""


@dataclass(frozen=True)
class Numerics:
    """What integrates a motion.

    Attributes:
        method: by its name in ``dynamics.Simulation``.
        step: s.
    """

    method: str = "rk4"
    step: float = TIME_STEP

    @property
    def is_adaptive(self) -> bool:
        """Whether the method chooses its steps itself."""
        return self.method in ADAPTIVE

    @property
    def raster(self) -> float:
        """s between the instants at which a state is known without interpolation, and things can happen."""
        return TIME_STEP if self.is_adaptive else max(self.step, TIME_STEP)

    def on_raster(self, time: float) -> float:
        """The nearest of these instants."""
        return round(time / self.raster) * self.raster

    @property
    def words(self) -> str:
        """What was chosen, briefly."""
        if self.is_adaptive:
            return self.method
        return f"{FIXED[self.method][0].partition(',')[0]}, {1e3 * self.step:g} ms"

    @property
    def sampling(self) -> float:
        """s: the step, or of a method that chooses its own the distance of what is recorded."""
        return TIME_STEP if self.is_adaptive else self.step

    @property
    def record_every(self) -> int:
        """Steps of one record: no more is kept than the page has instants."""
        return max(round(TIME_STEP / self.sampling), 1)


RUNGE_KUTTA = Numerics()
"""What a machine is integrated by unless something else is chosen."""
MOST_EFFORT = 1.2e6
"""Links times evaluations in a second of motion."""


def check_effort(system: dyn.System, numerics: Numerics) -> None:
    """Refuses what would take longer than one watches it.

    Raises:
        ModelError: for a step too short for so many links.
    """
    if numerics.is_adaptive:
        return
    effort = system.n_links * FIXED[numerics.method][1] / numerics.step
    if numerics.step < TIME_STEP and effort > MOST_EFFORT:
        raise dyn.ModelError(
            f"steps of {1e3 * numerics.step:g} ms would take too long with {system.n_links} links; choose longer ones."
        )
