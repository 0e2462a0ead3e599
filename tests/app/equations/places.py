"""Where a sheet puts its numbers."""

import re

PLACE = re.compile(r"data-n='(\d+)'|data-first='(\d+)' data-cells='(\d+) (\d+)'")


def places(html: str) -> list[int]:
    """The places of all numbers in a text, in its order: one by one, and the cells of matrices."""
    found: list[int] = []
    for one, first, rows, columns in PLACE.findall(html):
        found += [int(one)] if one else range(int(first), int(first) + int(rows) * int(columns))
    return found
