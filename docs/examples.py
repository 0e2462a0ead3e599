"""The Python on the pages: found, run in order, and what it prints and draws."""

from __future__ import annotations

import contextlib
import functools
import io
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot

HERE = Path(__file__).parent
PAPERS = ("rodriguez_1987", "rodriguez_1988", "jain_rodriguez", "turney_mudge_lee", "jazidie")
PAGES = (
    *PAPERS,
    "index",
    "from_others",
    "first_hour",
    "own_robot",
    "own_algorithm",
    "command_line",
    "studies",
    "three_studies",
    "files",
    "replay",
)
LOOK = {
    "figure.figsize": (7.2, 3.0),
    "figure.constrained_layout.use": True,
    "axes.grid": True,
    "grid.alpha": 0.3,
    "svg.hashsalt": "armsweep",
}


@dataclass(frozen=True)
class Output:
    """What one example left: its printed text, and its figures as SVG with their titles."""

    text: str
    figures: tuple[tuple[str, bytes], ...]


class Page:
    """The names that a page's examples share, one after the other."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._names: dict[str, Any] = {"__name__": name}

    def run(self, code: str, line: int = 0) -> Output:
        """Run one example; what it raises passes through, with the page and line in its traceback."""
        printed = io.StringIO()
        with (
            tempfile.TemporaryDirectory() as folder,
            contextlib.chdir(folder),  # where an example writes its files
            matplotlib.rc_context(LOOK),
            np.printoptions(suppress=True),
            contextlib.redirect_stdout(printed),
        ):
            exec(compile("\n" * line + code, f"{self.name}.md", "exec"), self._names)
            figures = tuple(_drawn(pyplot.figure(number)) for number in pyplot.get_fignums())
        pyplot.close("all")
        return Output(printed.getvalue(), figures)


def _drawn(figure: Any) -> tuple[str, bytes]:
    svg = io.BytesIO()
    figure.savefig(svg, format="svg", metadata={"Date": None})
    return "; ".join(axes.get_title() for axes in figure.axes if axes.get_title()), svg.getvalue()


def examples(name: str) -> list[tuple[int, str]]:
    """Every Python block of a page, and the line before its first."""
    text = (HERE / f"{name}.md").read_text(encoding="utf-8")
    return [
        (text.count("\n", 0, found.start(1)), found.group(1))
        for found in re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    ]


@functools.cache
def outputs(name: str) -> tuple[tuple[str, Output], ...]:
    """Every example of a page, run in order, with what it left; once a process, however often it is asked."""
    page = Page(name)
    return tuple((code, page.run(code, line)) for line, code in examples(name))
