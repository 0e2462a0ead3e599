"""What is wrong in a robot's file, or hardly meant, line by line."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator

import dynamics as dyn
from app.commands.report import Told

WEIGHTS = "wrong", "doubtful", "note"
"""In the order in which they are told."""


def reviewed(name: str) -> Told | None:
    """The report on a file; None for what is none, such as the name of a packaged machine.

    Raises:
        ModelError: for a file that cannot be read.
    """
    if not os.path.isfile(name):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # which the report says
        report = dyn.robot_report(name)
    keys = ("kind", "weight", "file", "line", "where", "words", "remedy")
    return {
        "file": name,
        "language": report.language,
        "refused": report.refusal,
        "merged": [list(pair) for pair in report.merged],
        "findings": [
            {key: getattr(one, key) for key in keys} | {"changes": list(one.changes), "text": one.text}
            for one in report.findings
        ],
    }


def in_words(review: Told) -> Iterator[str]:
    """The same for a person."""
    count = len(review["findings"])
    yield f"{review['file']}: {review['language']}, {count or 'nothing'} to tell of the file"
    for weight in WEIGHTS:
        for one in review["findings"]:
            if one["weight"] == weight:
                yield f"  {weight:<8}  {one['text']}"
                yield from (f"{'':<12}{line}" for line in one["changes"])
    if review["merged"]:
        yield f"  merged    {', '.join(f'{link} into {into}' for link, into in review['merged'])}"
    if review["refused"]:
        yield f"  refused   {review['refused']}"
