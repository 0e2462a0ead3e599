"""The body of one link of a URDF: as its file has it, as its shapes let expect, and what is missing of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np

from dynamics.checks import Array
from dynamics.review.draft import Additions, Draft, Edit, Finding, Weight, text_of
from dynamics.review.extent import Solid, ball, origin_of, shapes_of, shown, together
from dynamics.review.structure import title_of
from dynamics.robot.rigid_body import LARGEST, MassProperties, massless

AT = {"absurd density": "mass", "absurd mass": "mass", "negative mass": "mass", "inertia without mass": "mass",
      "mass centre outside": "origin", "zero inertia": "inertia", "negative moment": "inertia",
      "triangle inequality": "inertia", "inertia too large": "inertia",
      "inertia about the link's origin": "inertia"}  # fmt: skip
"""What of an inertial a fault is in; any other is of the whole."""
SIX = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
SIZES = {"box": {"size": 3}, "cylinder": {"radius": 1, "length": 1}, "sphere": {"radius": 1}}
"""The lengths of a shape, each of so many numbers."""
DENSITY = 1000.0
"""kg/m^3, of a robot of which nothing is known."""
NOTHING = 1e-12
"""Of an inertia's largest number: what is less is rounding."""


class LinkBody:
    """Attributes:
    body: in the link's axes, as far as the findings have mended it; None where its numbers are none.
    pose: (4, 4), in the first of the links that it is welded to.
    """

    def __init__(self, link: Draft, additions: Additions, folder: Path | None) -> None:
        self.link, self._additions, self._folder = link, additions, folder
        self._inertial, self.pose = link.first("inertial"), np.eye(4)
        self.body = self._given = self._read()
        pose = None if self._inertial is None else origin_of(self._inertial)
        self._turn = np.eye(3) if pose is None else pose[:3, :3]  # the file's inertia is in the axes of its own frame

    def _read(self) -> MassProperties | None:
        if self._inertial is None:
            return massless()
        mass, inertia, pose = self._inertial.first("mass"), self._inertial.first("inertia"), origin_of(self._inertial)
        value = np.zeros(1) if mass is None else mass.numbers("value", 1)
        tensor = np.zeros((3, 3)) if inertia is None else _tensor(inertia)
        if value is None or tensor is None or pose is None:
            return None
        return MassProperties(float(value[0]), pose[:3, 3], pose[:3, :3] @ tensor @ pose[:3, :3].T)

    @property
    def line(self) -> int:
        return (self._inertial or self.link).line

    @property
    def weighs(self) -> bool:
        """Whether it has a body, or one that is not clearly none."""
        return self.body is None or self.body.mass != 0.0 or bool(np.any(self.body.inertia))

    @cached_property
    def solid(self) -> Solid | None:
        """What is known of its shapes: the visible ones, or those for collisions."""
        found = shown(self.link, self._folder)
        known = [each for each in shapes_of(self.link, "collision", self._folder) if each] if found is None else []
        return together(known) if found is None else found

    @cached_property
    def evidence(self) -> Solid | None:
        """All its shapes, if what is seen of it was read; their volume is that of those that are seen."""
        seen = shown(self.link, self._folder)
        others = [each for each in shapes_of(self.link, "collision", self._folder) if each]
        return None if seen is None else Solid(seen.moments, np.concatenate([s.corners for s in (seen, *others)]))

    @property
    def known(self) -> MassProperties:
        """Its body, of which the numbers are some."""
        assert self.body is not None
        return self.body

    @property
    def is_shown(self) -> bool:
        return bool(self.link.all("visual") or self.link.all("collision"))

    def findings(self, whole: float) -> Iterator[Finding]:
        """Shapes of sizes that none has, and a mass below zero; all that moves together has the mass ``whole``."""
        for shape in (*self.link.all("visual"), *self.link.all("collision")):
            geometry = shape.first("geometry")
            for each in geometry.inner if geometry is not None else ():
                for attribute, count in SIZES.get(each.tag, {}).items():
                    values = each.numbers(attribute, count)
                    if values is not None and not np.all(values > 0.0):
                        words = f"its {each.tag} has {attribute} {each.get(attribute)}"
                        yield Finding("no size", "wrong", each.line, title_of(self.link), words,
                                      "that shape is left out", (Edit("remove", shape.number),))  # fmt: skip
        body = self.body
        if (
            body is not None
            and max(np.abs(part).max() for part in (body.mass, body.inertia, body.center_of_mass)) > LARGEST
        ):
            self.body = None  # which is refused
        elif body is not None and body.mass < 0.0:
            weight: Weight = "doubtful" if whole > 0.0 else "wrong"
            yield self.found("negative mass", weight, f"its mass is {body.mass:g} kg", f"{-body.mass:g} kg",
                             replace(body, mass=-body.mass))  # fmt: skip

    def guess(self, mass: float) -> MassProperties:
        """A uniform body of its shapes; without any a ball of water, of its mass or else of its inertia."""
        solid = self.solid
        if solid is None:
            radius = (max(half_trace(self.known), 0.0) / (0.8 * np.pi * DENSITY)) ** 0.2
            solid = ball(mass / DENSITY if mass > 0.0 else 4.0 / 3.0 * np.pi * radius**3, self.known.center_of_mass)
        return solid.weighed(mass if mass > 0.0 else DENSITY * solid.volume)

    def found(self, kind: str, weight: Weight, words: str, remedy: str, mended: MassProperties | None) -> Finding:
        """What is wrong, and the body that it is then; what is certain is taken to be so from here on."""
        part = None if self._inertial is None else self._inertial.first(AT.get(kind, ""))
        line = self.line if part is None else part.line
        edits = () if mended is None else self.edits(mended)
        if weight == "wrong" and mended is not None:
            self.body = mended
        return Finding(kind, weight, line, title_of(self.link), words, remedy, edits)

    def edits(self, body: MassProperties) -> tuple[Edit, ...]:
        """What of it differs from the file, its inertia in the axes that the file has already."""
        inertial, edits, given = self._inertial, list[Edit](), self._given or massless()
        if inertial is None:
            inertial, edits = self._additions.new(self.link, "inertial")
        inertia = self._turn.T @ body.inertia @ self._turn
        inertia[np.abs(inertia) < NOTHING * np.abs(inertia).max()] = 0.0
        six = (0.5 * (inertia + inertia.T))[np.triu_indices(3)]
        if not np.array_equal(given.center_of_mass, body.center_of_mass):
            edits += self._additions.inside(inertial, "origin", {"xyz": text_of(body.center_of_mass)})
        if given.mass != body.mass:
            edits += self._additions.inside(inertial, "mass", {"value": text_of(body.mass)})
        if not np.array_equal(given.inertia, body.inertia):
            edits += self._additions.inside(inertial, "inertia", dict(zip(SIX, map(text_of, six), strict=True)))
        return tuple(edits)

    def words(self, guess: MassProperties) -> str:
        what = "body of its shapes" if self.solid is not None else "ball of water"
        return f"{guess.mass:.3g} kg, as a uniform {what}"


def _tensor(inertia: Draft) -> Array | None:
    """(3, 3), in the axes of the inertial."""
    values = [inertia.numbers(name, 1) if name in inertia.attributes else np.zeros(1) for name in SIX]
    if any(value is None for value in values):
        return None
    xx, xy, xz, yy, yz, zz = (float(value[0]) for value in values if value is not None)
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def half_trace(body: MassProperties) -> float:
    """kg m²: the integral of the squared distance from the mass centre."""
    return 0.5 * float(np.trace(body.inertia))
