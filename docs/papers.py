"""Every table and figure of the five papers, recomputed into a folder: ``python -m docs.papers OUT``.

Writes ``index.md`` with printed numbers beside ours and what follows the page's address to try each there, and each
figure as SVG. Ends with 1 where a number differs beyond rounding and no reason is recorded. Names after the folder ask
for these results alone: ``jz_table_2``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlencode

import matplotlib
import numpy as np

from app.instruments.papers.addresses import ADDRESSES, PAPERS
from dynamics.papers import Reproduction, paper_results, reproduce

matplotlib.use("Agg")
from matplotlib import pyplot

from docs.examples import LOOK

COLORS = ("#1D5C93", "#D8731C", "#1F9E89", "#7A5195")
STYLES = {"line": "-", "dashed": "--", "points": "o"}


def number_text(value: float, digits: int = 7) -> str:
    """A number as the page of results writes it."""
    return f"{value:.{digits}g}".replace("-", "−") if value else "0"


def section(found: Reproduction) -> str:
    """A result in Markdown."""
    result = found.result
    lines = [f"## {PAPERS[result.paper]}, {result.place}: {result.title}", "", result.description, ""]
    lines += [f"On the page: `?{urlencode(ADDRESSES[result.name])}`", ""]
    reasons = list(dict.fromkeys(number.reason for number in found.numbers if number.reason))
    if found.numbers:
        lines += ["| | | printed | ours | |", "|---|---|---:|---:|---|"]
    for number in found.numbers:
        note = f"differs ({reasons.index(number.reason) + 1})" if number.reason else "" if number.agrees else "differs"
        unit = f", {number.unit}" if number.unit else ""
        lines.append(
            f"| {number.row} | {number.column}{unit} | {number_text(number.published)} | {number_text(number.ours)} "
            f"| {note} |"
        )
    lines += ["", *(f"({k}) {reason[:1].upper()}{reason[1:]}.\n" for k, reason in enumerate(reasons, 1))]
    if found.figure is not None:
        lines += [f"![{result.title}]({result.name}.svg)", ""]
    return "\n".join(lines)


def draw(found: Reproduction, path: Path) -> None:
    """A result's figure."""
    drawn = found.figure
    assert drawn is not None
    with matplotlib.rc_context(LOOK):
        figure, axes = pyplot.subplots()
        for k, curve in enumerate(drawn.curves):
            lines = axes.plot(
                np.atleast_2d(curve.x).T,
                np.atleast_2d(curve.y).T,
                STYLES[curve.style],
                color=COLORS[k % len(COLORS)],
                markersize=4,
                linewidth=1.2,
            )
            lines[0].set_label(curve.label)
        axes.set(xlabel=drawn.x_label, ylabel=drawn.y_label, title=found.result.title)
        axes.set_xscale("log" if drawn.log_x else "linear")
        axes.set_yscale("log" if drawn.log_y else "linear")
        if drawn.equal:
            axes.set_aspect("equal", adjustable="datalim")
        axes.legend(fontsize=7)
        figure.savefig(path, format="svg", metadata={"Date": None})
        pyplot.close(figure)


def write(folder: Path, names: Sequence[str] = ()) -> int:
    """The page and its figures.

    Args:
        names: of results, for these alone.

    Returns:
        How many numbers differ without a reason.
    """
    folder.mkdir(parents=True, exist_ok=True)
    unexplained, parts = 0, ["# The papers' tables and figures, recomputed\n"]
    for result in paper_results():
        if names and result.name not in names:
            continue
        found = reproduce(result.name)
        unexplained += len(found.unexplained)
        parts.append(section(found))
        if found.figure is not None:
            draw(found, folder / f"{result.name}.svg")
    (folder / "index.md").write_text("\n".join(parts), encoding="utf-8")
    return unexplained


def main(arguments: Sequence[str] | None = None) -> int:
    """1 if a difference has no reason."""
    parser = argparse.ArgumentParser(prog="python -m docs.papers", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, metavar="OUT")
    known = [result.name for result in paper_results()]
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(known)}")
    asked = parser.parse_args(arguments)
    if strange := [name for name in asked.names if name not in known]:
        parser.error(f"there is no result {strange[0]!r}")
    unexplained = write(asked.folder, asked.names)
    print(f"{asked.folder / 'index.md'}: {unexplained} differences without a reason")
    return bool(unexplained)


if __name__ == "__main__":
    sys.exit(main())
