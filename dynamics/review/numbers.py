"""Numbers of a URDF that are none, such as those written with commas."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dynamics.checks import brief
from dynamics.descriptions.urdf_elements import LONGEST, NUMBERS
from dynamics.review.draft import Draft, numbers_of
from dynamics.review.finding import Finding
from dynamics.review.structure import title_of

MEANT = {"commas between numbers": (re.compile(r"\s*[,;]\s*"), " "), "decimal comma": (re.compile(","), ".")}
READ = ("box", "mesh")
"""Their numbers are read with commas between them, too."""


def numbers(robot: Draft) -> Iterator[Finding]:
    """Every fault of this kind."""
    for each in robot.known():
        for attribute, text in each.attributes.items():
            counts, _ = NUMBERS.get((each.tag, attribute), ((), False))
            if not counts or any(numbers_of(text, count) is not None for count in counts):
                continue
            if each.tag == "limit" and text.strip().lstrip("+-").lower() == "inf":
                continue
            tried = {kind: comma.sub(by, text).strip() for kind, (comma, by) in MEANT.items() if len(text) <= LONGEST}
            fits = (kind for kind in tried if any(numbers_of(tried[kind], count) is not None for count in counts))
            kind = next(fits, "no number")
            edits = (each.set(attribute, tried[kind]),) if kind in tried else ()
            weight = "note" if kind == "commas between numbers" and each.tag in READ else "wrong"
            words = (
                f'{attribute}="{brief(text)[1:-1]}" is not {counts[-1]} finite number{"s" if counts[-1] > 1 else ""}'
            )
            remedy = f'{attribute}="{tried[kind]}"' if edits else ""
            yield Finding(kind, weight, each.line, title_of(each), words, remedy, edits)  # type: ignore[arg-type]
