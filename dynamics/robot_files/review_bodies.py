"""Faults of a URDF's bodies: masses, inertias and mass centres that are impossible or hardly intended.

Links that are welded together are judged as one body. Wrong is what no body of any shape can have. The shapes, if all
of them were read, also bound the size: half the trace of the inertia is at most m r², where r is how far the shapes
reach from the mass centre. More than that is doubtful: a shape may be a sketch, inertias may be enlarged for a
simulator, and identification from motions only determines sums of inertias.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from dynamics.checks import Array
from dynamics.robot.rigid_body import LARGEST, TOLERANCE, MassProperties, inverse, joined, massless
from dynamics.robot_files.review_draft import Draft, Edit, Finding, Weight, text_of
from dynamics.robot_files.review_extent import AWAY, BEYOND, Solid, origin_of, reach_of, shapes_of, shown, together

SIX = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
DENSITY = 1000.0
"""kg/m^3, for a robot about which nothing is known."""
ROUNDING = 1e-12
"""Share of an inertia's largest number below which another is zero."""


class LinkBody:
    """Attributes:
    body: in the link's axes, with the fixes of the findings so far; massless if its numbers are invalid.
    is_valid: whether they are valid.
    pose: (4, 4), in the first of the links that it is welded to.
    """

    def __init__(self, link: Draft, folder: Path | None) -> None:
        self.link, self._folder, self.pose = link, folder, np.eye(4)
        self._inertial = link.first("inertial")
        pose = None if self._inertial is None else origin_of(self._inertial)
        self._turn = np.eye(3) if pose is None else pose[:3, :3]  # the file's inertia is in the axes of its own frame
        found = self._read()
        self.is_valid, self.body = found is not None, massless() if found is None else found
        self._given = self.body

    def _read(self) -> MassProperties | None:
        if self._inertial is None:
            return massless()
        mass, inertia, pose = self._inertial.first("mass"), self._inertial.first("inertia"), origin_of(self._inertial)
        value = np.zeros(1) if mass is None else mass.numbers("value", 1)
        six = [np.zeros(1) if inertia is None or name not in inertia.attributes else inertia.numbers(name, 1)
               for name in SIX]  # fmt: skip
        if value is None or pose is None or any(each is None for each in six):
            return None
        tensor = np.zeros((3, 3))
        tensor[np.triu_indices(3)] = np.ravel(six)  # type: ignore[arg-type]
        tensor += np.triu(tensor, 1).T
        body = MassProperties(float(value[0]), pose[:3, 3], self._turn @ tensor @ self._turn.T)
        largest = max(np.abs(part).max() for part in (body.mass, body.inertia, body.center_of_mass))
        return body if largest <= LARGEST else None  # the reader refuses it

    @property
    def line(self) -> int:
        return (self._inertial or self.link).line

    @property
    def weighs(self) -> bool:
        """Whether it has a body that is not clearly massless."""
        return not self.is_valid or self.body.mass != 0.0 or bool(np.any(self.body.inertia))

    @cached_property
    def solid(self) -> Solid | None:
        """Its shapes, if the visible ones were read; their volume is that of the visible ones."""
        seen = shown(self.link, self._folder)
        others = [each for each in shapes_of(self.link, "collision", self._folder) if each]
        return None if seen is None else Solid(seen.moments, np.concatenate([s.corners for s in (seen, *others)]))

    @property
    def is_shown(self) -> bool:
        return bool(self.link.all("visual") or self.link.all("collision"))

    def found(self, kind: str, weight: Weight, words: str, remedy: str, mended: MassProperties) -> Finding:
        """A finding in the first element that changes; a certain fault is treated as corrected from here on."""
        edits = self.edits(mended)
        part = self.link.first(*edits[0].path) if edits else None
        if weight == "wrong":
            self.body = mended
        return Finding(kind, weight, self.line if part is None else part.line, self.link.title, words, remedy, edits)

    def edits(self, body: MassProperties) -> tuple[Edit, ...]:
        """The differences from the file, the inertia in the axes that the file already uses."""
        given, inertia = self._given, self._turn.T @ body.inertia @ self._turn
        inertia[np.abs(inertia) < ROUNDING * np.abs(inertia).max()] = 0.0
        six = (0.5 * (inertia + inertia.T))[np.triu_indices(3)]
        changed: list[tuple[str, str, ArrayLike]] = [("mass", "value", body.mass)] if given.mass != body.mass else []
        if not np.array_equal(given.center_of_mass, body.center_of_mass):
            changed.append(("origin", "xyz", body.center_of_mass))
        if not np.array_equal(given.inertia, body.inertia):
            changed += [("inertia", name, value) for name, value in zip(SIX, six, strict=True)]
        return tuple(Edit(self.link.number, name, text_of(value), ("inertial", tag)) for tag, name, value in changed)


def half_trace(body: MassProperties) -> float:
    """kg m²: the integral of the squared distance from the mass centre."""
    return 0.5 * float(np.trace(body.inertia))


DENSEST = 23_000.0
"""kg/m^3: osmium's."""
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
OUTSIDE = 0.5
"""How far a mass centre may be from the bounding box of its shapes, as a share of the body's size."""
UNITS = 0.1, 0.01, 0.001
"""m: decimetres, centimetres and millimetres, in which a mass centre may have been written."""
UNITS_OF_INERTIA = {"kg mm²": 1e-6, "g mm²": 1e-9, "g m²": 1e-3}
MOST, USUAL = 1.5, 0.02
"""Shares of m r² of inexact shapes between which half the trace of an inertia usually lies."""


def bodies(robot: Draft, folder: Path | None) -> Iterator[Finding]:
    """Every fault of this kind; meshes are looked up in a folder."""
    links = [LinkBody(each, folder) for each in robot.all("link")]
    moves = any(each.get("type") != "fixed" for each in robot.all("joint"))
    is_weighed = not moves or any(each.weighs for each in links)
    if not is_weighed:
        remedy, edits = _by_shapes(links)
        words = "none of its links has a mass" + (", nor a shape that was read" if not edits else "")
        yield Finding("no inertias", "wrong", robot.line, robot.title, words, remedy, edits)
    farthest = max(AWAY, BEYOND * reach_of(robot))
    for group in _moving_bodies(robot, links):
        whole = sum(link.body.mass for link in group.links)
        for link in group.links:
            if (body := link.body).mass < 0.0:
                weight: Weight = "doubtful" if whole > 0.0 else "wrong"
                yield link.found("negative mass", weight, f"its mass is {body.mass:g} kg", f"{-body.mass:g} kg",
                                 replace(body, mass=-body.mass))  # fmt: skip
        if is_weighed and all(each.is_valid for each in group.links):
            yield from group.findings(farthest)


def _by_shapes(links: Iterable[LinkBody]) -> tuple[str, tuple[Edit, ...]]:
    """Masses and inertias of links from their known shapes, at one density: in words, and as edits."""
    weighed = {link: solid.weighed(DENSITY * solid.volume) for link in links if (solid := link.solid) and solid.volume}
    mass = sum(each.mass for each in weighed.values())
    edits = tuple(edit for link, body in weighed.items() for edit in link.edits(body))
    return (f"masses from the shapes at {DENSITY:g} kg/m³, {mass:.3g} kg in all" if edits else ""), edits


@dataclass(eq=False)
class _MovingBody:
    """Links that are welded together, the first carrying the others; whether a joint moves it, and it carries one."""

    links: list[LinkBody]
    moves: bool
    carries: bool

    @property
    def _whole(self) -> MassProperties:
        return joined(each.body.moved(each.pose) for each in self.links)

    def findings(self, farthest: float) -> Iterator[Finding]:
        """If one fault causes others, only the first is reported; no mass centre is farther from its joint, in m."""
        whole = self._whole
        if whole.mass == 0.0 and self.moves and not self.carries:
            yield from self._weightless()
        elif whole.mass > MARK:
            yield from self._impossible()
            yield from self._hardly_meant(self._whole, farthest)

    def _weightless(self) -> Iterator[Finding]:
        """An outermost link without a body; one with only an inertia may stand for a joint's own in a simulator."""
        if max(np.abs(each.body.inertia).max() for each in self.links) <= MARK:
            link = next((each for each in self.links if each.solid is not None), self.links[0])
            words = "is an outermost moving link and weighs nothing"
            yield Finding("no inertia", "doubtful", link.line, link.link.title, words, *_by_shapes(self.links))

    def _impossible(self) -> Iterator[Finding]:
        """Principal moments that no body has, if those of the whole are impossible, too."""
        wrong = [each for each in self.links if _lack(each.body.inertia) > PRINTED]
        for link in wrong if _lack(self._whole.inertia) > PRINTED else ():
            body = link.body
            moments, axes = np.linalg.eigh(body.inertia)
            mended = replace(body, inertia=_evened(np.abs(moments), axes))
            three = ", ".join(f"{moment:.4g}" for moment in moments)
            weight: Weight = "doubtful" if _lack(body.inertia) <= ROUGH else "wrong"
            if moments[0] < -TOLERANCE * moments[2]:
                kind, words = "negative moment", f"one of its principal moments, {three} kg m², is below zero"
                remedy = "the same moments above zero, none more than the sum of the others"
            else:
                excess = f"{moments[2] - moments[0] - moments[1]:.3g}"
                kind, words = "triangle inequality", f"the largest of its principal moments, {three} kg m²,"
                words = f"{words} exceeds the sum of the others by {excess}"
                remedy = "the two smaller ones are raised to it"
            yield link.found(kind, weight, words, remedy, mended)

    def _hardly_meant(self, whole: MassProperties, farthest: float) -> Iterator[Finding]:
        heavy = [each for each in self.links if each.body.mass > SHARE * whole.mass] or self.links
        link = max(heavy, key=lambda each: each.body.mass)
        body, shape = link.body, self._evidence(heavy)
        density = 0.0 if shape is None or shape.volume == 0.0 else whole.mass / shape.volume
        if not whole.inertia.any():
            guess = None if link.solid is None else link.solid.weighed(body.mass)
            mended = body if guess is None else replace(body, inertia=guess.inertia)
            remedy = "" if guess is None else _in_words(guess)
            yield link.found("zero inertia", "doubtful", "has mass but no inertia", remedy, mended)
        elif density > DENSEST or (shape is None and whole.mass > HEAVIEST):
            mended = replace(body, mass=body.mass / 1000.0)
            remedy = f"{mended.mass:.4g} kg, as if these were grams"
            if density and link.solid is not None and not LIGHT <= density / 1000.0 < DENSEST:
                mended = link.solid.weighed(DENSITY * link.solid.volume)
                remedy = _in_words(mended)
            solid = f", {density:.3g} kg/m³ of its shapes" if density else ""
            yield link.found("absurd density" if density else "absurd mass", "doubtful",
                             f"its mass is {body.mass:g} kg{solid}", remedy, mended)  # fmt: skip
        elif away := list(self._centers(heavy, shape, farthest)):
            yield from away
        elif shape is not None and density:
            most = whole.mass * shape.farthest(whole.center_of_mass) ** 2
            for each in heavy if half_trace(whole) > most else ():
                reach = shape.mapped(inverse(each.pose)).farthest(each.body.center_of_mass)
                if (large := _too_large(each.body, reach, each)) is not None:
                    yield large

    def _evidence(self, heavy: list[LinkBody]) -> Solid | None:
        """Its shapes, if all visible ones were read, and everything with a relevant mass is visible."""
        found = [(each, each.solid) for each in self.links if each.is_shown or each in heavy]
        if any(solid is None for _, solid in found):
            return None
        return together(solid.mapped(each.pose) for each, solid in found if solid is not None and each in heavy)

    def _centers(self, heavy: list[LinkBody], shape: Solid | None, farthest: float) -> Iterator[Finding]:
        for link in heavy:
            body = link.body
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


def _in_words(guess: MassProperties) -> str:
    return f"{guess.mass:.3g} kg, as a uniform body of its shapes"


def _too_large(body: MassProperties, reach: float, link: LinkBody) -> Finding | None:
    """The inertia exceeds that of any body with such a reach."""
    half, most = half_trace(body), body.mass * reach**2
    words = (
        f"half the trace of its inertia, {half:.3g} kg m², exceeds m r² = {most:.3g}, r being how far its shapes reach"
    )
    c = body.center_of_mass
    moved = replace(body, inertia=body.inertia - body.mass * (c @ c * np.eye(3) - np.outer(c, c)))  # parallel axes
    if half > most and _lack(moved.inertia) <= PRINTED and USUAL * most < half_trace(moved) <= most:
        words = f"{words}: the inertia looks as if it were about the link's origin"
        remedy = "about the mass centre instead"
        return link.found("inertia about the link's origin", "doubtful", words, remedy, moved)
    if half <= MOST * most:
        return None
    unit = next((unit for unit, by in UNITS_OF_INERTIA.items() if USUAL * most < by * half <= most), "")
    if unit:
        mended, remedy = replace(body, inertia=body.inertia * UNITS_OF_INERTIA[unit]), f"the same numbers as {unit}"
    else:
        assert link.solid is not None  # otherwise its reach would not be known
        guess = link.solid.weighed(body.mass)
        mended, remedy = replace(body, inertia=guess.inertia), _in_words(guess)
    return link.found("inertia too large", "doubtful", words, remedy, mended)


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


def _evened(moments: Array, axes: Array) -> Array:
    """The tensor with the two smaller principal moments raised to what the largest needs."""
    lack = max(2.0 * moments.max() - moments.sum(), 0.0)
    tensor = (axes * (moments + 0.5 * lack * (np.arange(3) != np.argmax(moments)))) @ axes.T
    return np.asarray(0.5 * (tensor + tensor.T))


def _is_near(point: Array, shape: Solid | None) -> bool:
    return shape.outside(point) == 0.0 if shape is not None else float(np.linalg.norm(point)) <= 1.0


def _end(joint: Draft, tag: str) -> str:
    end = joint.first(tag)
    return "" if end is None else end.get("link") or ""
