"""Claims of the five papers that have no number, as a table: ``python -m docs.claims`` writes ``docs/claims.md``."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlencode

from app.papers.addresses import CLAIMS as ADDRESSES
from app.papers.addresses import PAPERS
from dynamics.papers.claims import CLAIMS, Claim

HEAD = """# What the papers claim, put to the test

Every claim of the papers that has no number, with the verdict of an experiment: a function of
`dynamics.papers.claim_experiments` that counts or draws. What follows the page's address shows it there.
"""
TARGET = Path(__file__).with_name("claims.md")


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


if __name__ == "__main__":
    TARGET.write_text(page(), encoding="utf-8")
