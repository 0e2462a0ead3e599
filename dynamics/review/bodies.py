"""Faults of a URDF's bodies: masses, inertias and mass centres that cannot be, or are hardly meant.

What is welded together is judged as one. Wrong is what no body has, whatever its shape. Its size says something where
every shape of it was read: half the trace of its inertia is at most m r², where r is how far the shapes reach from the
mass centre. More is doubtful: a shape may be a sketch, inertias may be made larger for a simulator, and of those that
were identified from motions only sums are known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from dynamics.checks import Array
from dynamics.review.draft import Additions, Draft, Edit, Finding, Weight
from dynamics.review.extent import AWAY, BEYOND, Solid, origin_of, reach_of, together
from dynamics.review.link_body import DENSITY, LinkBody, half_trace
from dynamics.review.structure import title_of
from dynamics.robot.poses import inverse
from dynamics.robot.rigid_body import TOLERANCE, MassProperties, joined

DENSEST, THINNEST = 23_000.0, 2.0
"""kg/m^3: osmium's, and little more than air's."""
LIGHT = 200.0
"""kg/m^3: in grams a mass is given of what is denser."""
HEAVIEST = 5000.0
"""kg, of a link without a shape."""
MARK = 1e-5
"""kg: what is lighter is a mark, and no body."""
SHARE = 0.01
"""Of a moving body's mass: what of it is lighter changes nothing."""
PRINTED = 5e-3
"""Of an inertia: so much may the few digits that a file prints have cost."""
ROUGH = 0.05
"""Of an inertia: so much may a rough estimate have wrong."""
ALONE = 10.0
"""So many times as much as the others together: it is the largest moment that is wrong."""
OUTSIDE = 0.5
"""Of a body's size: so far may a mass centre be from the box around its shapes."""
UNITS = 0.1, 0.01, 0.001
"""m: decimetres, centimetres and millimetres, in which a mass centre may have been written."""
UNITS_OF_INERTIA = {"kg mm²": 1e-6, "g mm²": 1e-9, "g m²": 1e-3}
MOST, USUAL = 1.5, 0.02
"""Of m r² of shapes that are not exact: half the trace of an inertia is between these, mostly."""


def bodies(robot: Draft, additions: Additions, folder: Path | None) -> Iterator[Finding]:
    """Every fault of this kind.

    Args:
        robot: the file's elements.
        additions: what remedies add.
        folder: where meshes are sought.
    """
    links = [LinkBody(each, additions, folder) for each in robot.all("link")]
    moves = any(each.get("type") != "fixed" for each in robot.all("joint"))
    is_weighed = not moves or any(each.weighs for each in links)
    if not is_weighed:
        remedy, edits = _by_shapes(links)
        words = "no link of it has a mass" + (", nor a shape that was read" if not edits else "")
        yield Finding("no inertias", "wrong", robot.line, title_of(robot), words, remedy, edits)
    farthest = max(AWAY, BEYOND * reach_of(robot))
    for body in _moving_bodies(robot, links):
        whole = sum(link.body.mass for link in body.links if link.body is not None)
        for link in body.links:
            yield from link.findings(whole)
        if is_weighed and all(each.body is not None for each in body.links):
            yield from body.findings(farthest)


def _by_shapes(links: Iterable[LinkBody]) -> tuple[str, tuple[Edit, ...]]:
    """Links weighed by what is known of their shapes, all at one density: in words, and as changes."""
    weighed = {link: solid.weighed(DENSITY * solid.volume) for link in links if (solid := link.solid) and solid.volume}
    mass = sum(each.mass for each in weighed.values())
    edits = tuple(edit for link, body in weighed.items() for edit in link.edits(body))
    return (f"weighed by shapes at {DENSITY:g} kg/m³, {mass:.3g} kg together" if edits else ""), edits


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
        """Nothing of it is changed by itself: so a simulator may be told of a joint's own inertia."""
        bent = max(self.links, key=lambda each: float(np.abs(each.known.inertia).max()))
        if np.abs(bent.known.inertia).max() > MARK:
            mass = bent.guess(0.0).mass
            yield bent.found("inertia without mass", "doubtful", "has an inertia and no mass", f"{mass:.3g} kg",
                             replace(bent.known, mass=mass))  # fmt: skip
        elif not self.carries:
            link = next((each for each in self.links if each.solid is not None), self.links[0])
            words = "is an outermost moving link and weighs nothing"
            yield Finding("no inertia", "doubtful", link.line, title_of(link.link), words, *_by_shapes(self.links))

    def _impossible(self) -> Iterator[Finding]:
        """Principal moments that no body has, where those of the whole are none, either."""
        if _lack(self._whole.inertia) <= PRINTED:
            return
        for link in self.links:
            body = link.known
            if _lack(body.inertia) <= PRINTED:
                continue
            moments, axes = np.linalg.eigh(body.inertia)
            mended = replace(body, inertia=_evened(np.abs(moments), axes))
            told = ", ".join(f"{moment:.4g}" for moment in moments)
            weight: Weight = "doubtful" if _lack(body.inertia) <= ROUGH else "wrong"
            if moments[0] < -TOLERANCE * moments[2]:
                yield link.found("negative moment", weight, f"of its principal moments {told} kg m² one is below zero",
                                 "the same moments above zero, none more than the others together", mended)  # fmt: skip
            else:
                others = moments[0] + moments[1]
                remedy = "it is lowered to them" if _is_alone(moments) else "the two smaller ones are raised to it"
                yield link.found("triangle inequality", weight, f"of its principal moments {told} kg m² the largest "
                                 f"is more than the others together, by {moments[2] - others:.3g}", remedy,
                                 mended)  # fmt: skip

    def _hardly_meant(self, whole: MassProperties, farthest: float) -> Iterator[Finding]:
        """Of one thing that makes others look wrong, as a mass does an inertia, only the first is told."""
        heavy = [each for each in self.links if each.known.mass > SHARE * whole.mass] or self.links
        heaviest = max(heavy, key=lambda each: each.known.mass)
        body = heaviest.known
        if not whole.inertia.any():
            guess = heaviest.guess(body.mass)
            yield heaviest.found("zero inertia", "doubtful", "has mass and no inertia", heaviest.words(guess),
                                 replace(body, inertia=guess.inertia))  # fmt: skip
            return
        shape = self._evidence(heavy)
        volume = 0.0 if shape is None else shape.volume
        density = whole.mass / volume if volume > 0.0 else 0.0
        if density > DENSEST or (shape is None and whole.mass > HEAVIEST):
            grams = replace(body, mass=body.mass / 1000.0)
            if shape is not None and half_trace(grams) > grams.mass * shape.farthest(whole.center_of_mass) ** 2:
                grams = replace(grams, inertia=body.inertia / 1000.0)  # which is so written, too
            mended = grams if volume == 0.0 or LIGHT <= density / 1000.0 < DENSEST else heaviest.guess(0.0)
            told = f", {density:.3g} kg/m³ of its shapes" if volume else ""
            yield heaviest.found("absurd density" if volume else "absurd mass", "doubtful",
                                 f"its mass is {body.mass:g} kg{told}", f"{mended.mass:.4g} kg, as if these were grams"
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
        """Its shapes, if all that is seen of it was read, and all that weighs something of it is seen."""
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
            told = " ".join(f"{value:.4g}" for value in mended)
            where = "from its joint" if local is None else "outside of its shapes"
            yield link.found("mass centre outside", "doubtful", f"its mass centre is {away:.3g} m {where}", f"{told} m",
                             replace(body, center_of_mass=mended))  # fmt: skip


def _of_inertia(whole: MassProperties, heavy: list[LinkBody], shape: Solid) -> Iterator[Finding]:
    if half_trace(whole) <= whole.mass * shape.farthest(whole.center_of_mass) ** 2:
        return
    for link in heavy:
        reach = shape.mapped(inverse(link.pose)).farthest(link.known.center_of_mass)
        if (large := _too_large(link.known, reach, link)) is not None:
            yield large


def _too_large(body: MassProperties, reach: float, link: LinkBody) -> Finding | None:
    """What is beyond all that a body of such a reach has."""
    half, most = half_trace(body), body.mass * reach**2
    words = f"half the trace of its inertia, {half:.3g} kg m², is beyond m r² = {most:.3g}, as far as its shapes reach"
    moved = _about_center(body)
    if half > most and _lack(moved.inertia) <= PRINTED and USUAL * most < half_trace(moved) <= most:
        words, remedy = f"{words}: it looks as if it were about the link's origin", "about the mass centre instead"
        return link.found("inertia about the link's origin", "doubtful", words, remedy, moved)
    if half <= MOST * most:
        return None
    unit = next((unit for unit, by in UNITS_OF_INERTIA.items() if USUAL * most < by * half <= most), "")
    inertia = body.inertia * UNITS_OF_INERTIA[unit] if unit else link.guess(body.mass).inertia
    remedy = f"the same numbers as {unit}" if unit else link.words(body)
    return link.found("inertia too large", "doubtful", words, remedy, replace(body, inertia=inertia))


def _about_center(body: MassProperties) -> MassProperties:
    """The body, if its inertia was about the origin: the parallel-axis theorem."""
    c = body.center_of_mass
    return replace(body, inertia=body.inertia - body.mass * (c @ c * np.eye(3) - np.outer(c, c)))


def _moving_bodies(robot: Draft, links: list[LinkBody]) -> Iterator[_MovingBody]:
    """What is welded together, each once; of links in a circle none."""
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
        for link in group:  # which grows
            for each in outward.get(link.link.name, ()):
                child, step = by_name.get(_end(each, "child")), origin_of(each)
                if each.get("type") != "fixed":
                    carries = True
                elif child is not None and child not in group:
                    child.pose = link.pose @ (np.eye(4) if step is None else step)
                    group.append(child)
        yield _MovingBody(group, joint is not None, carries)


def _lack(inertia: Array) -> float:
    """By how much the largest principal moment is more than the others together, relative to it."""
    moments = np.linalg.eigvalsh(inertia)
    return float((moments[2] - moments[0] - moments[1]) / (np.abs(moments).max() or 1.0))


def _is_alone(moments: Array) -> bool:
    """Whether the largest is far more than the others, and so what is wrong."""
    others = float(moments.sum() - moments.max())
    return float(moments.max()) > ALONE * others > 0.0


def _evened(moments: Array, axes: Array) -> Array:
    """The tensor of principal moments whose smaller two are raised to what the largest needs; or that is lowered."""
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
