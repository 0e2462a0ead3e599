"""What the dock plots: which quantity, in which unit, and which of its lines the cursor picks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from app.state import Cursor
from app.state.curves import Curves

Array = NDArray[np.float64]
MOST_LINKS = 12
"""Lines in a panel with one line a link; longer arms show this many links, evenly spread."""


@dataclass(frozen=True)
class Panel:
    """One small plot.

    Attributes:
        quantities: columns of ``Curves``, one colour each.
        pick: ``link`` draws the components of the cursor's link, ``arm`` those of its arm, ``links`` one line for
            each link of its arm, ``whole`` all components.
        components: which of the trailing axis; empty for ``links``.
        labels: one word a component.
        sliding_unit: the unit for prismatic joints, where it is another.
    """

    title: str
    unit: str
    quantities: tuple[str, ...]
    pick: Literal["link", "arm", "links", "whole"]
    components: tuple[int, ...] = ()
    labels: tuple[str, ...] = ()
    logarithmic: bool = False
    sliding_unit: str = ""

    def unit_of(self, kinds: set[str]) -> str:
        """The unit for joints of these kinds; both where an arm has both."""
        if not self.sliding_unit or "prismatic" not in kinds:
            return self.unit
        return f"{self.unit} or {self.sliding_unit}" if "revolute" in kinds else self.sliding_unit

    def heading(self, link: str, arm: int, n_arms: int) -> str:
        """The title, with the link or the arm whose lines these are."""
        if self.pick == "link":
            number, _, name = link.rpartition("/")
            return f"{self.title}, {name}" + (f" of arm {number}" if number else "")
        return f"{self.title}, arm {arm + 1}" if self.pick in ("arm", "links") and n_arms > 1 else self.title

    @property
    def n_lines(self) -> int:
        return MOST_LINKS if self.pick == "links" else len(self.quantities) * len(self.components)


XYZ = ("x", "y", "z")
TURNS_AND_SHIFTS = ("about x", "about y", "about z", "along x", "along y", "along z")
BLOCKS = ("turning 1", "turning 2", "turning 3", "shifting 1", "shifting 2", "shifting 3")
FORCES = ("predicted_contact_force", "corrected_contact_force")

KEYS: Mapping[str, str] = {
    "Filter": "time in s · about or along x solid, y dashed, z dotted; along and shifting paler · one line a joint: "
    "paler inward",
    "Contact": "time in s · full to pale: x, y, z · forces: predicted dashed, corrected solid · accelerations: "
    "x solid, y dashed, z dotted",
    "Motion": "time in s · energy: kinetic solid, potential dashed, total dotted · x solid, y dashed, z dotted · "
    "one line a joint",
}
"""How the lines of a dock are told apart."""

DOCKS: Mapping[str, tuple[Panel, ...]] = {
    "Filter": (
        Panel(
            "Kalman gain G",
            "1 and 1/m",
            ("kalman_gain",),
            "link",
            (0, 1, 2, 3, 4, 5),
            TURNS_AND_SHIFTS,
            sliding_unit="m and 1",
        ),
        Panel("Joint inertia D", "kg m²", ("joint_inertia",), "links", logarithmic=True, sliding_unit="kg"),
        Panel("Eigenvalues of P", "kg m² and kg", ("inertia_eigenvalues",), "link", (0, 1, 2, 3, 4, 5), BLOCKS, True),
        Panel("Innovation ε", "N m", ("innovation",), "links", sliding_unit="N"),
    ),
    "Contact": (
        Panel("Contact force f", "N", FORCES, "arm", (3, 4, 5), XYZ),
        Panel("Contact moment", "N m", FORCES, "arm", (0, 1, 2), XYZ),
        Panel("Object acceleration", "m/s²", ("object_acceleration",), "whole", (3, 4, 5), XYZ),
        Panel("Object angular acceleration", "rad/s²", ("object_acceleration",), "whole", (0, 1, 2), XYZ),
    ),
    "Motion": (
        Panel("Energy", "J", ("energy",), "whole", (0, 1, 2), ("kinetic", "potential", "total")),
        Panel("Linear momentum", "N s", ("momentum",), "whole", (3, 4, 5), XYZ),
        Panel("Angular momentum", "N m s", ("momentum",), "whole", (0, 1, 2), XYZ),
        Panel("Joint acceleration", "rad/s²", ("joint_acceleration",), "links", sliding_unit="m/s²"),
    ),
}


def links_shown(arm_of_link: NDArray[np.int64], n_joints: int, arm: int) -> NDArray[np.int64]:
    """The links of an arm that get a line, tip first."""
    links = np.flatnonzero(arm_of_link[:n_joints] == arm)
    if len(links) <= MOST_LINKS:
        return links
    return links[np.linspace(0, len(links) - 1, MOST_LINKS).round().astype(int)]


def lines(panel: Panel, curves: Curves, cursor: Cursor, links: NDArray[np.int64]) -> Array:
    """The panel's values, (samples, panel.n_lines); NaN where there is no such line or value."""
    found = []
    for name in panel.quantities:
        column = curves.columns[name]
        if panel.pick == "links":
            values = np.full((len(curves), MOST_LINKS), np.nan)
            values[:, : len(links)] = column[:, links]
        elif panel.pick == "whole":
            values = column[:, panel.components]
        else:
            row = min(cursor.link if panel.pick == "link" else cursor.arm, column.shape[1] - 1)
            values = column[:, row][:, panel.components]
        found.append(values)
    together = np.concatenate(found, axis=1)
    return np.where(together > 0.0, together, np.nan) if panel.logarithmic else together
