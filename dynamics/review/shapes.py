"""Faults of a URDF's shapes: sizes that none has, and millimetres."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dynamics.review.draft import Draft, Edit
from dynamics.review.extent import scale_of
from dynamics.review.finding import Finding
from dynamics.review.structure import title_of
from dynamics.review.units import PER_MILLIMETER, scaled

SIZES = {"box": {"size": 3}, "cylinder": {"radius": 1, "length": 1}, "sphere": {"radius": 1}}
"""The lengths of a shape, each of so many numbers."""


def sizes(link: Draft) -> Iterator[Finding]:
    """Shapes with sizes that are zero or less."""
    for shape in (*link.all("visual"), *link.all("collision")):
        geometry = shape.first("geometry")
        for each in geometry.inner if geometry is not None else ():
            for attribute, count in SIZES.get(each.tag, {}).items():
                values = each.numbers(attribute, count)
                if values is None or np.all(values > 0.0):
                    continue
                words = f"its {each.tag} has {attribute} {each.get(attribute)}"
                if np.any(values == 0.0):
                    remedy, edit = "that shape is left out", Edit("remove", shape.number)
                else:
                    edit = each.set(attribute, *np.abs(values))
                    remedy = edit.value
                yield Finding("no size", "wrong", each.line, title_of(link), words, remedy, (edit,))


def times_a_thousandth(link: Draft) -> tuple[Edit, ...]:
    """All that a link looks like, for millimetres; where its shapes stand is not among that."""
    found = list[Edit]()
    for each in link.every():
        if each.tag == "mesh":
            found.append(each.set("scale", *(PER_MILLIMETER * scale_of(each))))
        found += scaled(each, SIZES.get(each.tag, {}), PER_MILLIMETER)
    return tuple(found)
