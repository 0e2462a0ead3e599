"""A stated scale, metres drawn per unit of a quantity, that moves in steps of 1-2-5 and not before it must."""

from __future__ import annotations

import numpy as np

PATIENCE = 90  # moments in a row that draw too small before the scale grows


def readable_scale(length: float, largest: float) -> float:
    """The value of 1, 2 or 5 times a power of ten that draws ``largest`` at most ``length`` long."""
    if not (np.isfinite(largest) and largest > 0.0 and length > 0.0):
        return 1.0
    wanted = length / largest * (1.0 + 1e-12)
    power = 10.0 ** np.floor(np.log10(wanted))
    return float(max(step * power for step in (1.0, 2.0, 5.0) if step * power <= wanted))


class Scale:
    """Shrinks at once when something outgrows the scene; grows only after it has been too small for a while."""

    def __init__(self, length: float, largest: float = 0.0) -> None:
        self.length = length
        self.value = readable_scale(length, largest)
        self._chosen = largest > 0.0  # without a first guess the first moment that draws anything decides
        self._small = 0

    def follow(self, largest: float) -> float:
        """The scale for a moment whose largest value is ``largest``."""
        drawn = largest * self.value
        if not np.isfinite(drawn) or drawn <= 0.0:
            return self.value
        if drawn > 1.5 * self.length or not self._chosen:
            self.value, self._small, self._chosen = readable_scale(self.length, largest), 0, True
        elif drawn < 0.15 * self.length:
            self._small += 1
            if self._small > PATIENCE:
                self.value, self._small = readable_scale(self.length, largest), 0
        else:
            self._small = 0
        return self.value
