"""Sphinx extension: the table of what the five papers claim without a number, in the reference."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from app.instruments.papers.addresses import CLAIMS as ADDRESSES
from app.instruments.papers.addresses import PAPERS
from dynamics.papers.claims import CLAIMS, Claim

HEAD = """# What the papers claim, put to the test

What the papers claim beside their tables and figures, with the verdict of an experiment: a function of
`dynamics.papers.claim_counts` that counts, or of `claim_experiments` that solves or draws. What follows the page's
address shows it there.
"""


def row(claim: Claim) -> str:
    """A claim as a row of Markdown."""
    is_conditional = claim.verdict == "true if"
    because = claim.because if is_conditional else claim.because[:1].upper() + claim.because[1:]
    verdict = f"*{claim.verdict}{'' if is_conditional else '.'}* {because}"
    address = urlencode(ADDRESSES[claim.name], safe=";:/,")
    cells = (claim.place, claim.says, verdict, f"`{claim.experiment.__name__}`", f"`?{address}`")
    return f"| {' | '.join(cells)} |"


def page() -> str:
    """All of it."""
    parts = [HEAD]
    for paper, name in PAPERS.items():
        rows = [row(claim) for claim in CLAIMS if claim.paper == paper]
        head = "| section | claim | verdict | experiment | on the page |\n|---|---|---|---|---|"
        parts.append("\n".join((f"## {name}\n", head, *rows, "")))
    return "\n".join(parts)


def begin(app: Any) -> None:
    target = Path(app.srcdir) / "reference" / "claims.md"
    target.parent.mkdir(exist_ok=True)
    target.write_text(page(), encoding="utf-8")


def setup(app: Any) -> dict[str, bool]:
    app.connect("builder-inited", begin)
    return {"parallel_read_safe": True}
