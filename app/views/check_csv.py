"""What *Check* shows as tables for other programs: all digits."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

import dynamics as dyn
from app.views.identity_rows import where_of
from dynamics.check import Check


def identities_csv(checks: Sequence[Check], system: dyn.System) -> str:
    """One row an identity: where it is worst, or fails first, and by how much."""
    rows = []
    for check in checks:
        rows.append((check.stage, check.identity.title, check.holds, where_of(check, system), repr(check.worst)))
    return _csv(("stage", "identity", "holds", "at link", "off by"), rows)


def methods_csv(agreement: dyn.Agreement) -> str:
    """One row a pair of methods and a quantity."""
    rows = [(row.left, row.right, row.quantity, repr(float(row.relative))) for row in agreement.rows]
    return _csv(("method", "other method", "quantity", "relative difference"), rows)


def _csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()
