"""How much a robot file holds: counted as it streams by, before a file that the page cannot show costs seconds."""

from __future__ import annotations

import reprlib
from collections import Counter
from contextlib import suppress
from xml.etree.ElementTree import ParseError

from defusedxml.ElementTree import DefusedXMLParser

import dynamics as dyn

MOST = {"joints": 150, "shapes": 500, "elements": 10_000}
"""Of a file of the user's own: the page is drawn by the same process for everybody."""
SHAPES = "box", "cylinder", "sphere"
"""Meshes are left out of a file that is sent."""


def check_count(text: bytes, name: str) -> None:
    """Refuses what would take the page seconds to read or draw; says nothing of a file that is not well-formed.

    Raises:
        ModelError: for too many moving joints, shapes or elements, at the first one too many.

    Cost: some 20 ms for as many elements as there may be.
    """
    parser = DefusedXMLParser(target=_Counting(name), forbid_dtd=True)
    # What is wrong otherwise is told, with its line, by whoever reads it.
    with suppress(ParseError, LookupError):
        try:
            parser.feed(text)
        except ValueError as error:  # of defusedxml, too
            if isinstance(error, dyn.ModelError):
                raise


class _Counting:
    """What a parser tells of a file."""

    def __init__(self, name: str) -> None:
        self._name, self._open, self._counts = name, list[str](), Counter[str]()

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._open.append(tag)
        self._count("elements")
        if tag == "joint" and len(self._open) == 2 and attributes.get("type") != "fixed":
            self._count("joints")
        if tag in SHAPES and self._open[1:-1] == ["link", "visual", "geometry"]:
            self._count("shapes")

    def _count(self, what: str) -> None:
        self._counts[what] += 1
        if self._counts[what] > MOST[what]:
            raise dyn.ModelError(
                f"robot file {reprlib.repr(self._name)} has {MOST[what] + 1} {what} or more; this page shows up to "
                f"{MOST[what]}. Open a smaller one here, or compute this one in Python with the package dynamics."
            )

    def end(self, _: str) -> None:
        self._open.pop()

    def close(self) -> None:
        """Nothing is left to do."""
