"""The one place in a recording that every view shows."""

from __future__ import annotations

import param


class Cursor(param.Parameterized):
    """Four coordinates: playing moves the time, walking an algorithm moves stage, arm and link."""

    time = param.Number(default=0.0, bounds=(0.0, None), doc="Instant of the recording, s.")
    stage = param.String(default="filter", doc="Stage of the algorithm, a key of ``Solution.stages``.")
    arm = param.Integer(default=0, bounds=(0, None), doc="Index of the arm; 0 is arm 1.")
    link = param.Integer(default=0, bounds=(0, None), doc="Index of the link; 0 is the first arm's tip link.")
    half = param.Integer(
        default=0, bounds=(0, 1), doc="Half of a step at a link: 0 predicts across the link, 1 corrects at its joint."
    )
