"""Faults of a URDF's bodies: masses, inertias and mass centres that cannot be, or are hardly meant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from dynamics.checks import Array
from dynamics.review.draft import Additions, Draft, Edit, edited, text_of
from dynamics.review.extent import AWAY, BEYOND, FARTHEST, Extent, absurd_shapes, extent_of, origin_of, reach_of
from dynamics.review.finding import Finding
from dynamics.review.shapes import sizes, times_a_thousandth
from dynamics.review.structure import title_of
from dynamics.robot.rigid_body import LARGEST, TOLERANCE

MILLIONTH = 1e-9
"""m^3, of a cubic millimetre."""
AT = {"absurd density": "mass", "absurd mass": "mass", "negative mass": "mass", "inertia without mass": "mass",
      "mass centre outside": "origin", "zero inertia": "inertia", "negative moment": "inertia",
      "missing moment": "inertia", "triangle inequality": "inertia", "inertia too large": "inertia",
      "inertia too small": "inertia"}  # fmt: skip
"""What of an inertial a fault is in; any other is of the whole."""
SIX = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
DIAGONAL = 0, 3, 5
DENSEST, THINNEST = 23_000.0, 2.0
"""kg/m^3: osmium's, and little more than air's."""
PLAUSIBLE = 1000.0
HEAVIEST = 5000.0
"""kg, of a link without a shape."""
OUTSIDE = 0.5
"""Of a link's size: so far may a mass centre be from the box around its shapes."""
UNITS = 0.1, 0.01, 0.001
"""m: decimetres, centimetres and millimetres, in which a mass centre may have been written."""
WIDE, NARROW = 2.0, 0.02
"""Of a link's size: its radius of gyration is less than the first, and more than the second."""
LAX = 5.0
"""So many times as much, where a link has no shape."""
NO_SIZE = 0.1
"""m, of a link of which nothing is known."""


@dataclass(frozen=True, eq=False)
class _Body:
    """As far as the findings have mended it."""

    mass: float
    center: Array
    inertia: Array


def bodies(
    robot: Draft, additions: Additions, folder: Path | None, each_moving_weighs: bool = False
) -> Iterator[Finding]:
    """Every fault of this kind.

    Args:
        robot: the file's elements.
        additions: what remedies add.
        folder: where meshes are sought.
        each_moving_weighs: whether every link behind a joint has a mass, as MuJoCo wants it, not only the outermost.
    """
    tree = _Tree(robot, each_moving_weighs)
    for link in robot.all("link"):
        yield from _Link(link, tree, additions, folder).findings()


class _Tree:
    """Attributes: links by name, the joint that carries each, those that it carries; how far joints and centres are."""

    def __init__(self, robot: Draft, each_moving_weighs: bool) -> None:
        self.links = {each.name: each for each in robot.all("link")}
        self.each_moving_weighs = each_moving_weighs or not any(map(_weighs, self.links.values()))
        self.inner = {_end(each, "child"): each for each in robot.all("joint")}
        self.reach = reach_of(robot)
        self.farthest = max(AWAY, BEYOND * self.reach)
        self.outward: dict[str, list[Draft]] = {}
        for each in robot.all("joint"):
            self.outward.setdefault(_end(each, "parent"), []).append(each)


class _Link:
    def __init__(self, link: Draft, tree: _Tree, additions: Additions, folder: Path | None) -> None:
        self._link, self._tree, self._additions, self._folder = link, tree, additions, folder
        self._extent, self._inertial = extent_of(link, folder), link.first("inertial")

    def findings(self) -> Iterator[Finding]:
        yield from sizes(self._link)
        for shape in absurd_shapes(self._link, self._folder):
            words = f"has a <{shape.tag}> beyond {FARTHEST:g} m, where nothing is"
            yield Finding("absurd shape", "doubtful", shape.line, title_of(self._link), words)
        if self._inertial is None:
            yield from self._missing()
            return
        mass, inertia = (self._inertial.first(tag) for tag in ("mass", "inertia"))
        mass_value = None if mass is None else mass.numbers("value", 1)
        tensor, pose = None if inertia is None else _tensor(inertia), origin_of(self._inertial)
        if mass is None or inertia is None:
            missing = "mass" if mass is None else "inertia"
            guess = self._guess(None if mass_value is None else float(mass_value[0]))
            yield self._found(f"no {missing}", "wrong", f"its <inertial> has no {missing}", self._of(guess), guess)
        elif mass_value is not None and tensor is not None and pose is not None:
            largest = max(np.abs(part).max() for part in (mass_value, tensor, pose))
            if largest > LARGEST:
                words = f"has numbers beyond {LARGEST:g}, which no body has"
                yield Finding("absurd numbers", "wrong", self._inertial.line, title_of(self._link), words)
                return
            yield from self._of_numbers(_Body(float(mass_value[0]), pose[:3, 3], tensor), inertia)

    def _of_numbers(self, body: _Body, inertia: Draft) -> Iterator[Finding]:
        missing = [k for k in range(3) if SIX[DIAGONAL[k]] not in inertia.attributes]
        if missing and body.mass > 0.0:
            body = replace(body, inertia=_filled(body.inertia, missing, self._guess(body.mass).inertia))
            told = " and ".join(SIX[DIAGONAL[k]] for k in missing)
            values = ", ".join(f"{body.inertia[k, k]:.4g}" for k in missing)
            yield self._found("missing moment", "wrong", f"its inertia has no {told}", f"{values} kg m², as its size "
                              "and the others let expect", body)  # fmt: skip
        is_sound = True
        for finding in self._of_body(body):
            is_sound = False
            yield finding
        if is_sound and not missing and (products := [name for name in SIX if name not in inertia.attributes]):
            words = f"its inertia has no {', '.join(products)}, which some programs refuse: taken to be 0"
            edits = tuple(inertia.set(name, "0") for name in products)
            yield Finding(
                "missing product", "note", inertia.line, title_of(self._link), words, "0 is written out", edits
            )

    def _of_body(self, body: _Body) -> Iterator[Finding]:
        if body.mass < 0.0:
            body = replace(body, mass=-body.mass)
            yield self._found("negative mass", "wrong", f"its mass is {-body.mass:g} kg", f"{body.mass:g} kg", body)
        if body.mass == 0.0:
            if np.any(body.inertia):
                guess = replace(self._guess(None), inertia=body.inertia)
                yield self._found("inertia without mass", "wrong", "has an inertia and no mass", f"{guess.mass:.3g} kg",
                                  guess)  # fmt: skip
                body = guess
            else:
                yield from self._missing()
                return
        yield from self._of_mass(body)

    def _of_mass(self, body: _Body) -> Iterator[Finding]:
        volume = 0.0 if self._extent is None else self._extent.volume
        density = body.mass / volume if volume > 0.0 else 0.0
        if density > DENSEST or (volume == 0.0 and body.mass > HEAVIEST):
            grams = replace(body, mass=body.mass / 1000.0)
            if not self._radii[0] <= _radius(grams) <= self._radii[1]:
                grams = replace(grams, inertia=body.inertia / 1000.0)  # which is so written, too
            mended = grams if density < 1000.0 * DENSEST else self._guess(None)
            told = f", {density:.3g} kg/m³ of its shapes" if volume else ""
            yield self._found("absurd density" if volume else "absurd mass", "doubtful",
                              f"its mass is {body.mass:g} kg{told}", f"{mended.mass:.4g} kg, as if these were grams"
                              if mended is grams else self._of(mended), mended)  # fmt: skip
            body = mended
        elif 0.0 < density < THINNEST and THINNEST < density / MILLIONTH < 1000.0 * DENSEST:
            edits = times_a_thousandth(self._link)
            assert self._extent is not None
            words = f"its shapes are {self._extent.size:.3g} m large, for {body.mass:g} kg"
            line = min(each.line for each in self._link.every() if each.number in {edit.at for edit in edits})
            yield Finding("shape in millimetres", "doubtful", line, title_of(self._link), words,
                          "their sizes times 0.001", edits)  # fmt: skip
            self._extent = extent_of(edited(self._link, edits), self._folder)
            yield from self._of_mass(body)
            return
        elif 0.0 < density < THINNEST:
            guess = self._guess(None)
            yield self._found("absurd density", "doubtful", f"its mass is {body.mass:g} kg, {density:.3g} kg/m³ of its "
                              "shapes", self._of(guess), guess)  # fmt: skip
            body = guess
        yield from self._of_center(body)

    def _of_center(self, body: _Body) -> Iterator[Finding]:
        extent = self._extent
        if extent is not None:
            away = _outside(body.center, extent)
            if away > OUTSIDE * extent.size:
                near = [unit * body.center for unit in UNITS if _outside(unit * body.center, extent) == 0.0]
                mended = near[0] if near else 0.5 * (extent.lower + extent.upper)
                told = " ".join(f"{value:.4g}" for value in mended)
                body = replace(body, center=mended)
                yield self._found("mass centre outside", "doubtful", f"its mass centre is {away:.3g} m outside of its "
                                  "shapes", f"{told} m", body)  # fmt: skip
        elif (distance := float(np.linalg.norm(body.center))) > self._tree.farthest:
            fitting = (unit * body.center for unit in UNITS if unit * distance <= max(1.0, self._tree.reach))
            mended = next(fitting, np.zeros(3))
            told = " ".join(f"{value:.4g}" for value in mended)
            body = replace(body, center=mended)
            yield self._found("mass centre outside", "doubtful", f"its mass centre is {distance:.3g} m from its joint",
                              f"{told} m", body)  # fmt: skip
        yield from self._of_inertia(body)

    def _of_inertia(self, body: _Body) -> Iterator[Finding]:
        scale, size = float(np.abs(body.inertia).max()), self._size
        guess = self._guess(body.mass)
        if scale == 0.0:
            yield self._found("zero inertia", "doubtful", "has mass and no inertia", self._of(guess),
                              replace(body, inertia=guess.inertia))  # fmt: skip
            return
        moments, axes = np.linalg.eigh(body.inertia)
        if moments[0] < -TOLERANCE * scale:
            moments = np.abs(moments)
            body = replace(body, inertia=_raised(moments, axes))
            yield self._found("negative moment", "wrong", "its inertia has a principal moment below zero",
                              "the same moments above zero, none more than the others together", body)  # fmt: skip
            moments, axes = np.linalg.eigh(body.inertia)
        if (lack := moments[2] - moments[0] - moments[1]) > TOLERANCE * scale:
            body = replace(body, inertia=_raised(moments, axes))
            told = ", ".join(f"{moment:.4g}" for moment in moments)
            yield self._found("triangle inequality", "wrong", f"of its principal moments {told} kg m² the largest is "
                              f"more than the others together, by {lack:.3g}", "the two smaller ones are raised to it",
                              body)  # fmt: skip
        radius = _radius(body)
        least, most = self._radii
        if not least <= radius <= most:
            units = {"kg mm²": 1e-6, "g mm²": 1e-9, "g m²": 1e-3}
            fits = [(unit, by) for unit, by in units.items() if 5 * NARROW < radius * np.sqrt(by) / size < 0.5 * WIDE]
            mended = replace(body, inertia=body.inertia * fits[0][1] if fits else guess.inertia)
            remedy = f"the same numbers as {fits[0][0]}" if fits else self._of(guess)
            much = "large" if radius > size else "small"
            words = f"its inertia is that of a body {radius:.2g} m wide, not {size:.2g} m"
            yield self._found(f"inertia too {much}", "doubtful", words, remedy, mended)

    def _missing(self) -> Iterator[Finding]:
        """A body that is not given: it matters where nothing else weighs behind the joint."""
        if self._lacks_mass():
            guess = self._guess(None)
            kind = "a" if self._tree.each_moving_weighs else "an outermost"
            words = f"is {kind} moving link and weighs nothing"
            yield self._found("no inertia", "wrong", words, self._of(guess), guess)

    def _lacks_mass(self) -> bool:
        """Whether a joint moves it, and neither it nor what is welded to it weighs anything or carries a joint."""
        inner = self._tree.inner.get(self._link.name)
        if inner is None or inner.get("type") == "fixed":
            return False
        waiting, seen = [self._link.name], set[str]()
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            link = self._tree.links.get(name)
            if link is not None and _weighs(link):
                return False
            for each in self._tree.outward.get(name, ()):
                if each.get("type") == "fixed":
                    waiting.append(_end(each, "child"))
                elif not self._tree.each_moving_weighs:
                    return False
        return True

    @property
    def _size(self) -> float:
        """m: of its shapes, or from its joint to the next or twice as far as its mass centre; 0 where nobody knows."""
        if self._extent is not None and self._extent.size > 0.0:
            return self._extent.size
        steps = [
            float(np.linalg.norm(pose[:3, 3]))
            for each in self._tree.outward.get(self._link.name, ())
            if (pose := origin_of(each)) is not None
        ]
        pose = None if self._inertial is None else origin_of(self._inertial)
        distance = 0.0 if pose is None else float(np.linalg.norm(pose[:3, 3]))
        return max([*steps, 2.0 * distance if distance <= self._tree.farthest else 0.0])

    @property
    def _radii(self) -> tuple[float, float]:
        """m: of what radius of gyration it may be; laxer where its size follows from joints alone.

        There the mass centre of a wheel or a hand may be next to its joint: it is as large as any link, then.
        """
        if self._extent is not None and self._extent.size > 0.0:
            return NARROW * self._size, WIDE * self._size
        largest = max(self._size, self._tree.reach, NO_SIZE)
        return (NARROW / LAX * self._size, WIDE * LAX * largest) if self._size else (0.0, np.inf)

    def _guess(self, mass: float | None) -> _Body:
        """A uniform box around its shapes, or as large as it seems to be."""
        extent = self._extent
        if extent is None or extent.size == 0.0:
            half = np.full(3, 0.5 * (self._size or NO_SIZE) / np.sqrt(3.0))
            extent = Extent(float(np.prod(2.0 * half)), -half, half)
        if mass is None or mass <= 0.0:
            mass = PLAUSIBLE * max(extent.volume, 1e-6)
        pose = None if self._inertial is None else origin_of(self._inertial)
        turn = np.eye(3) if pose is None else pose[:3, :3]  # the file's inertia is in the axes of its own frame
        return _Body(mass, 0.5 * (extent.lower + extent.upper), _even(turn.T @ extent.inertia(mass) @ turn))

    def _of(self, guess: _Body) -> str:
        size = "its shapes" if self._extent is not None else f"{self._size or NO_SIZE:.2g} m"
        return f"{guess.mass:.3g} kg, as a uniform box of the size of {size}"

    def _found(self, kind: str, weight: str, words: str, remedy: str, mended: _Body) -> Finding:
        inertial = self._inertial
        part = None if inertial is None else inertial.first(AT.get(kind, ""))
        line = (part or inertial or self._link).line
        return Finding(kind, weight, line, title_of(self._link), words, remedy, self._edits(mended))  # type: ignore[arg-type]

    def _edits(self, body: _Body) -> tuple[Edit, ...]:
        """The whole body as it is then, in the axes of the link that the file has already."""
        inertial, edits = self._inertial, list[Edit]()
        if inertial is None:
            inertial, edits = self._additions.new(self._link, "inertial")
        six = dict(zip(SIX, body.inertia[np.triu_indices(3)], strict=True))
        for tag, attributes in (
            ("origin", {"xyz": text_of(body.center)}),
            ("mass", {"value": text_of(body.mass)}),
            ("inertia", {name: text_of(value) for name, value in six.items()}),
        ):
            edits += self._additions.inside(inertial, tag, attributes)
        return tuple(edits)


def _weighs(link: Draft) -> bool:
    """Whether it has a body, or one that is not clearly none."""
    inertial = link.first("inertial")
    mass = None if inertial is None else inertial.first("mass")
    value = None if mass is None else mass.numbers("value", 1)
    return inertial is not None and (value is None or value[0] != 0.0)


def _tensor(inertia: Draft) -> Array | None:
    """(3, 3), in the axes of the inertial."""
    values = [inertia.numbers(name, 1) if name in inertia.attributes else np.zeros(1) for name in SIX]
    if any(value is None for value in values):
        return None
    xx, xy, xz, yy, yz, zz = (float(value[0]) for value in values if value is not None)
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _filled(inertia: Array, missing: list[int], guess: Array) -> Array:
    """With moments that are not given: those of a guess in proportion, within what the triangle inequality lets be."""
    found, known = inertia.copy(), [k for k in range(3) if k not in missing]
    by = float(np.mean([inertia[k, k] / guess[k, k] for k in known])) if known else 1.0
    for k in missing:
        found[k, k] = by * guess[k, k]
    if len(known) == 2:
        a, b = (float(inertia[k, k]) for k in known)
        found[missing[0], missing[0]] = np.clip(found[missing[0], missing[0]], abs(a - b), a + b)
    return found


def _radius(body: _Body) -> float:
    """m, of gyration: about how far from its centre it has its mass."""
    return float(np.sqrt(max(np.trace(body.inertia), 0.0) / 2.0 / body.mass))


def _raised(moments: Array, axes: Array) -> Array:
    """The tensor of principal moments whose smaller two are raised to what the largest needs."""
    largest = int(np.argmax(moments))
    lack = max(2.0 * moments[largest] - moments.sum(), 0.0)
    raised = np.where(np.arange(3) == largest, moments, moments + 0.5 * lack)
    return _even((axes * raised) @ axes.T)


def _even(tensor: Array) -> Array:
    return 0.5 * (tensor + tensor.T)


def _outside(point: Array, extent: Extent) -> float:
    """m, from the box around a link's shapes."""
    return float(np.linalg.norm(np.maximum(np.maximum(extent.lower - point, point - extent.upper), 0.0)))


def _end(joint: Draft, tag: str) -> str:
    end = joint.first(tag)
    return "" if end is None else end.get("link") or ""
