"""Identities as rows of a table: what holds, what fails, and at which link."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import dynamics as dyn
from app.equations.formula import formula
from app.equations.words import STAGE_TITLES
from app.state.walk import called
from dynamics.check import Check

COLUMNS = [
    {"title": "identity", "kind": "text"},
    {"title": "", "kind": "mark"},
    {"title": "at link", "kind": "text"},
    {"title": "off by", "kind": "number"},
]


SOURCES = {
    "KKT": "KKT: all equations of motion and of contact as one linear system, solved at once without any recursion "
    "(named after Karush, Kuhn and Tucker).",
    "mass matrix": "ℳ is the mass matrix of all joints, M(k) the inertia of one link.",
}
"""What a short name of a source stands for."""


def key_of(check: Check) -> str:
    return f"{check.stage}/{check.identity.key}"


def link_of(check: Check) -> int:
    """The link that a row speaks of: where it fails first, else where it is worst; -1 for the whole."""
    return check.worst_link if check.holds else check.first_link


def where_of(check: Check, system: dyn.System) -> str:
    """The same in words."""
    link = link_of(check)
    return called(system, link) if link >= 0 else "whole"


def rows_of(checks: Sequence[Check], system: dyn.System, about: str = "") -> list[dict[str, Any]]:
    """One row a check, in the order of the algorithm, under its stage's name; a click leads to its stage and link.

    Args:
        about: said behind the stage's name.
    """
    rows: list[dict[str, Any]] = []
    stages: list[str] = []
    for check in checks:
        link = link_of(check)
        if check.stage not in stages:
            stages.append(check.stage)
            rows.append(heading(check.stage, about))
        where = where_of(check, system)
        stage = STAGE_TITLES[check.stage].lower()
        rows.append(
            {
                "key": key_of(check),
                "cells": [
                    check.identity.title,
                    "✓ holds" if check.holds else "✗ fails",
                    where,
                    size_in_words(check.worst),
                ],
                "formula": formula(check.identity.latex),
                "hint": SOURCES.get(check.identity.source, ""),
                "tone": "good" if check.holds else "bad",
                "action": f"Show {stage}, {where}" if link >= 0 else f"Show {stage}",
            }
        )
    return rows


def heading(stage: str, about: str) -> dict[str, Any]:
    """The row above those of a stage."""
    return {"key": stage + about, "cells": [STAGE_TITLES[stage] + about, "", "", ""], "tone": "stage", "action": ""}


def size_in_words(size: float) -> str:
    return "no number" if size == float("inf") else f"{size:.0e}" if size else "0"
