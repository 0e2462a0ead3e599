"""Golden numbers: what the code answers today, held line by line. ``python -m tests.golden`` writes them anew."""

from __future__ import annotations

from functools import partial

from tests.golden.mechanics import MACHINES, answers, papers
from tests.golden.pages import PAGES, page_answers

FILES = (
    {name: partial(answers, name) for name in MACHINES}
    | {"papers": papers}
    | {f"page_{name}": partial(page_answers, name) for name in PAGES}
)
"""What each file holds, by its name."""
