"""Faults of a URDF's bodies: masses, inertias and mass centres that are impossible or hardly intended.

Links that are welded together are judged as one body. Wrong is what no body of any shape can have. The shapes, if all
of them were read, also bound the size: half the trace of the inertia is at most m r², where r is how far the shapes
reach from the mass centre. More than that is doubtful: a shape may be a sketch, inertias may be enlarged for a
simulator, and identification from motions only determines sums of inertias.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np

from dynamics.checks import Array
from dynamics.review.draft import Additions, Draft, Edit, Finding, Weight, text_of
from dynamics.review.extent import AWAY, BEYOND, Solid, ball, origin_of, reach_of, shapes_of, shown, together
from dynamics.review.structure import title_of
from dynamics.robot.poses import inverse
from dynamics.robot.rigid_body import LARGEST, TOLERANCE, MassProperties, joined, massless

AT = {"absurd density": "mass", "absurd mass": "mass", "negative mass": "mass",
      "mass centre outside": "origin", "zero inertia": "inertia", "negative moment": "inertia",
      "triangle inequality": "inertia", "inertia too large": "inertia",
      "inertia about the link's origin": "inertia"}  # fmt: skip
"""The part of an inertial that a fault is in; any other concerns all of it."""
SIX = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
SIZES = {"box": {"size": 3}, "cylinder": {"radius": 1, "length": 1}, "sphere": {"radius": 1}}
"""The lengths of a shape, with the count of numbers of each."""
DENSITY = 1000.0
"""kg/m^3, for a robot about which nothing is known."""
NOTHING = 1e-12
"""Share of an inertia's largest number: anything less is rounding."""


class LinkBody:
    """Attributes:
    body: in the link's axes, with the fixes of the findings so far; None if its numbers are invalid.
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
        """Whether it has a body that is not clearly massless."""
        return self.body is None or self.body.mass != 0.0 or bool(np.any(self.body.inertia))

    @cached_property
    def solid(self) -> Solid | None:
        """Its shapes, if read: the visible ones, or those for collisions."""
        found = shown(self.link, self._folder)
        known = [each for each in shapes_of(self.link, "collision", self._folder) if each] if found is None else []
        return together(known) if found is None else found

    @cached_property
    def evidence(self) -> Solid | None:
        """All its shapes, if the visible ones were read; their volume is that of the visible ones."""
        seen = shown(self.link, self._folder)
        others = [each for each in shapes_of(self.link, "collision", self._folder) if each]
        return None if seen is None else Solid(seen.moments, np.concatenate([s.corners for s in (seen, *others)]))

    @property
    def known(self) -> MassProperties:
        """Its body, if its numbers are valid."""
        assert self.body is not None
        return self.body

    @property
    def is_shown(self) -> bool:
        return bool(self.link.all("visual") or self.link.all("collision"))

    def findings(self, whole: float) -> Iterator[Finding]:
        """Shapes of impossible sizes, and a negative mass; ``whole`` is the mass of everything that moves together."""
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
            self.body = None  # the reader refuses it
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
        """A finding, with the corrected body; a certain fault is treated as corrected from here on."""
        part = None if self._inertial is None else self._inertial.first(AT.get(kind, ""))
        line = self.line if part is None else part.line
        edits = () if mended is None else self.edits(mended)
        if weight == "wrong" and mended is not None:
            self.body = mended
        return Finding(kind, weight, line, title_of(self.link), words, remedy, edits)

    def edits(self, body: MassProperties) -> tuple[Edit, ...]:
        """The differences from the file, the inertia in the axes that the file already uses."""
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


DENSEST, THINNEST = 23_000.0, 2.0
"""kg/m^3: osmium's, and little more than air's."""
LIGHT = 200.0
"""kg/m^3: if the mass is in grams, the body is denser than this."""
HEAVIEST = 5000.0
"""kg, of a link without a shape."""
MARK = 1e-5
"""kg: anything lighter is a marker, not a body."""
SHARE = 0.01
"""Share of a moving body's mass below which a link does not matter."""
PRINTED = 5e-3
"""Relative error of an inertia that the few printed digits of a file may cause."""
ROUGH = 0.05
"""Relative error of an inertia that a rough estimate may have."""
ALONE = 10.0
"""If the largest moment exceeds the sum of the others by this factor, it is the one that is wrong."""
OUTSIDE = 0.5
"""How far a mass centre may be from the bounding box of its shapes, as a share of the body's size."""
UNITS = 0.1, 0.01, 0.001
"""m: decimetres, centimetres and millimetres, in which a mass centre may have been written."""
UNITS_OF_INERTIA = {"kg mm²": 1e-6, "g mm²": 1e-9, "g m²": 1e-3}
MOST, USUAL = 1.5, 0.02
"""Shares of m r² of inexact shapes between which half the trace of an inertia usually lies."""


def bodies(robot: Draft, additions: Additions, folder: Path | None) -> Iterator[Finding]:
    """Every fault of this kind.

    Args:
        robot: the file's elements.
        additions: what remedies add.
        folder: where meshes are looked up.
    """
    links = [LinkBody(each, additions, folder) for each in robot.all("link")]
    moves = any(each.get("type") != "fixed" for each in robot.all("joint"))
    is_weighed = not moves or any(each.weighs for each in links)
    if not is_weighed:
        remedy, edits = _by_shapes(links)
        words = "none of its links has a mass" + (", nor a shape that was read" if not edits else "")
        yield Finding("no inertias", "wrong", robot.line, title_of(robot), words, remedy, edits)
    farthest = max(AWAY, BEYOND * reach_of(robot))
    for body in _moving_bodies(robot, links):
        whole = sum(link.body.mass for link in body.links if link.body is not None)
        for link in body.links:
            yield from link.findings(whole)
        if is_weighed and all(each.body is not None for each in body.links):
            yield from body.findings(farthest)


def _by_shapes(links: Iterable[LinkBody]) -> tuple[str, tuple[Edit, ...]]:
    """Masses and inertias of links from their known shapes, at one density: in words, and as edits."""
    weighed = {link: solid.weighed(DENSITY * solid.volume) for link in links if (solid := link.solid) and solid.volume}
    mass = sum(each.mass for each in weighed.values())
    edits = tuple(edit for link, body in weighed.items() for edit in link.edits(body))
    return (f"masses from the shapes at {DENSITY:g} kg/m³, {mass:.3g} kg in all" if edits else ""), edits


class _MovingBody:
    """Links that are welded together.

    Attributes:
        links: the first carries the others.
        moves: whether a joint moves it.
        carries: whether it carries a joint.
    """

    def __init__(self, links: list[LinkBody], moves: bool, carries: bool) -> None:
        self.links, self.moves, self.carries = links, moves, carries

    @property
    def _whole(self) -> MassProperties:
        return joined(each.known.moved(each.pose) for each in self.links)

    def findings(self, farthest: float) -> Iterator[Finding]:
        whole = self._whole
        if whole.mass == 0.0 and self.moves:
            yield from self._weightless()
        elif whole.mass > MARK:
            yield from self._impossible()
            yield from self._hardly_meant(self._whole, farthest)

    def _weightless(self) -> Iterator[Finding]:
        """An outermost link without a body; one with only an inertia may stand for a joint's own in a simulator."""
        if self.carries or max(np.abs(each.known.inertia).max() for each in self.links) > MARK:
            return
        link = next((each for each in self.links if each.solid is not None), self.links[0])
        words = "is an outermost moving link and weighs nothing"
        yield Finding("no inertia", "doubtful", link.line, title_of(link.link), words, *_by_shapes(self.links))

    def _impossible(self) -> Iterator[Finding]:
        """Principal moments that no body has, if those of the whole are impossible, too."""
        if _lack(self._whole.inertia) <= PRINTED:
            return
        for link in self.links:
            body = link.known
            if _lack(body.inertia) <= PRINTED:
                continue
            moments, axes = np.linalg.eigh(body.inertia)
            mended = replace(body, inertia=_evened(np.abs(moments), axes))
            three = ", ".join(f"{moment:.4g}" for moment in moments)
            weight: Weight = "doubtful" if _lack(body.inertia) <= ROUGH else "wrong"
            if moments[0] < -TOLERANCE * moments[2]:
                yield link.found("negative moment", weight,
                                 f"one of its principal moments, {three} kg m², is below zero",
                                 "the same moments above zero, none more than the sum of the others",
                                 mended)  # fmt: skip
            else:
                others = moments[0] + moments[1]
                remedy = "it is lowered to them" if _is_alone(moments) else "the two smaller ones are raised to it"
                yield link.found("triangle inequality", weight,
                                 f"the largest of its principal moments, {three} kg m², exceeds the sum of the others "
                                 f"by {moments[2] - others:.3g}", remedy, mended)  # fmt: skip

    def _hardly_meant(self, whole: MassProperties, farthest: float) -> Iterator[Finding]:
        """If one fault causes others, as a mass does an inertia, only the first is reported."""
        heavy = [each for each in self.links if each.known.mass > SHARE * whole.mass] or self.links
        heaviest = max(heavy, key=lambda each: each.known.mass)
        body = heaviest.known
        if not whole.inertia.any():
            guess = heaviest.guess(body.mass)
            yield heaviest.found("zero inertia", "doubtful", "has mass but no inertia", heaviest.words(guess),
                                 replace(body, inertia=guess.inertia))  # fmt: skip
            return
        shape = self._evidence(heavy)
        volume = 0.0 if shape is None else shape.volume
        density = whole.mass / volume if volume > 0.0 else 0.0
        if density > DENSEST or (shape is None and whole.mass > HEAVIEST):
            grams = replace(body, mass=body.mass / 1000.0)
            if shape is not None and half_trace(grams) > grams.mass * shape.farthest(whole.center_of_mass) ** 2:
                grams = replace(grams, inertia=body.inertia / 1000.0)  # it is in grams, too
            mended = grams if volume == 0.0 or LIGHT <= density / 1000.0 < DENSEST else heaviest.guess(0.0)
            solid = f", {density:.3g} kg/m³ of its shapes" if volume else ""
            yield heaviest.found("absurd density" if volume else "absurd mass", "doubtful",
                                 f"its mass is {body.mass:g} kg{solid}", f"{mended.mass:.4g} kg, as if these were grams"
                                 if mended is grams else heaviest.words(mended), mended)  # fmt: skip
        elif shape is not None and 0.0 < density < THINNEST:
            words = f"its shapes are {shape.size:.3g} m large, for {whole.mass:g} kg"
            guess = heaviest.guess(0.0)
            words = f"{words}: {density:.3g} kg/m³"
            yield heaviest.found("absurd density", "doubtful", words, heaviest.words(guess), guess)
        elif away := list(self._centers(heavy, shape, farthest)):
            yield from away
        elif shape is not None and volume > 0.0:
            yield from _of_inertia(whole, heavy, shape)

    def _evidence(self, heavy: list[LinkBody]) -> Solid | None:
        """Its shapes, if all visible ones were read, and everything with a relevant mass is visible."""
        found = [(each, each.evidence) for each in self.links if each.is_shown or each in heavy]
        if any(solid is None for _, solid in found):
            return None
        return together(solid.mapped(each.pose) for each, solid in found if solid is not None and each in heavy)

    def _centers(self, heavy: list[LinkBody], shape: Solid | None, farthest: float) -> Iterator[Finding]:
        for link in heavy:
            body = link.known
            local = None if shape is None else shape.mapped(inverse(link.pose))
            away = float(np.linalg.norm(body.center_of_mass)) if local is None else local.outside(body.center_of_mass)
            if away <= (farthest if local is None else OUTSIDE * local.size):
                continue
            fits = [c for unit in UNITS if _is_near(c := unit * body.center_of_mass, local)]
            mended = fits[0] if fits else np.zeros(3) if local is None else local.weighed(1.0).center_of_mass
            at = " ".join(f"{value:.4g}" for value in mended)
            where = "from its joint" if local is None else "outside of its shapes"
            yield link.found("mass centre outside", "doubtful", f"its mass centre is {away:.3g} m {where}", f"{at} m",
                             replace(body, center_of_mass=mended))  # fmt: skip


def _of_inertia(whole: MassProperties, heavy: list[LinkBody], shape: Solid) -> Iterator[Finding]:
    if half_trace(whole) <= whole.mass * shape.farthest(whole.center_of_mass) ** 2:
        return
    for link in heavy:
        reach = shape.mapped(inverse(link.pose)).farthest(link.known.center_of_mass)
        if (large := _too_large(link.known, reach, link)) is not None:
            yield large


def _too_large(body: MassProperties, reach: float, link: LinkBody) -> Finding | None:
    """The inertia exceeds that of any body with such a reach."""
    half, most = half_trace(body), body.mass * reach**2
    words = (
        f"half the trace of its inertia, {half:.3g} kg m², exceeds m r² = {most:.3g}, r being how far its shapes reach"
    )
    moved = _about_center(body)
    if half > most and _lack(moved.inertia) <= PRINTED and USUAL * most < half_trace(moved) <= most:
        words = f"{words}: the inertia looks as if it were about the link's origin"
        remedy = "about the mass centre instead"
        return link.found("inertia about the link's origin", "doubtful", words, remedy, moved)
    if half <= MOST * most:
        return None
    unit = next((unit for unit, by in UNITS_OF_INERTIA.items() if USUAL * most < by * half <= most), "")
    inertia = body.inertia * UNITS_OF_INERTIA[unit] if unit else link.guess(body.mass).inertia
    remedy = f"the same numbers as {unit}" if unit else link.words(body)
    return link.found("inertia too large", "doubtful", words, remedy, replace(body, inertia=inertia))


def _about_center(body: MassProperties) -> MassProperties:
    """The body, if its inertia was given about the origin: the parallel-axis theorem."""
    c = body.center_of_mass
    return replace(body, inertia=body.inertia - body.mass * (c @ c * np.eye(3) - np.outer(c, c)))


def _moving_bodies(robot: Draft, links: list[LinkBody]) -> Iterator[_MovingBody]:
    """Groups of links that are welded together, each once; none of links in a cycle."""
    by_name = {each.link.name: each for each in links}
    inner = {_end(each, "child"): each for each in robot.all("joint")}
    outward: dict[str, list[Draft]] = {}
    for each in robot.all("joint"):
        outward.setdefault(_end(each, "parent"), []).append(each)
    for first in links:
        joint = inner.get(first.link.name)
        if joint is not None and joint.get("type") == "fixed":
            continue
        group, carries = [first], False
        for link in group:  # the list grows
            for each in outward.get(link.link.name, ()):
                child, step = by_name.get(_end(each, "child")), origin_of(each)
                if each.get("type") != "fixed":
                    carries = True
                elif child is not None and child not in group:
                    child.pose = link.pose @ (np.eye(4) if step is None else step)
                    group.append(child)
        yield _MovingBody(group, joint is not None, carries)


def _lack(inertia: Array) -> float:
    """By how much the largest principal moment exceeds the sum of the others, relative to it."""
    moments = np.linalg.eigvalsh(inertia)
    return float((moments[2] - moments[0] - moments[1]) / (np.abs(moments).max() or 1.0))


def _is_alone(moments: Array) -> bool:
    """Whether the largest is far more than the others, and so is the one that is wrong."""
    others = float(moments.sum() - moments.max())
    return float(moments.max()) > ALONE * others > 0.0


def _evened(moments: Array, axes: Array) -> Array:
    """The tensor with the two smaller principal moments raised to what the largest needs, or the largest lowered."""
    is_largest = np.arange(3) == np.argmax(moments)
    lack = max(2.0 * moments.max() - moments.sum(), 0.0)
    even = moments - lack * is_largest if _is_alone(moments) else moments + 0.5 * lack * ~is_largest
    tensor = (axes * even) @ axes.T
    return np.asarray(0.5 * (tensor + tensor.T))


def _is_near(point: Array, shape: Solid | None) -> bool:
    return shape.outside(point) == 0.0 if shape is not None else float(np.linalg.norm(point)) <= 1.0


def _end(joint: Draft, tag: str) -> str:
    end = joint.first(tag)
    return "" if end is None else end.get("link") or ""
