"""Claims of the papers: each experiment bears its verdict out, and the table on the pages is that of the list."""

from pathlib import Path

import pytest

from app.papers.addresses import CLAIMS as ADDRESSES
from dynamics.papers.claims import CLAIMS, Claim

HEADLINES = (
    "covariance_vanishes", "forces_are_random", "filter_is_articulated", "dimension", "heavy_object_stays",
    "parallel_is_faster", "redundancy", "equivalence", "closed_chain_is_a_correction",
)  # fmt: skip
DOCS = Path(__file__).resolve().parents[3] / "docs"


def borne_out(claim: Claim) -> None:
    figures = claim.figures()
    assert figures, claim.name
    assert not [figure for figure in figures if not figure.holds], claim.name


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", HEADLINES)
def test_headline_claims_are_borne_out(name: str) -> None:
    borne_out(next(claim for claim in CLAIMS if claim.name == name))


@pytest.mark.full
@pytest.mark.compiled_only
@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.name)
def test_each_claim_is_borne_out(claim: Claim) -> None:
    borne_out(claim)


def test_the_table_is_that_of_the_list_and_every_claim_has_its_place_on_the_page() -> None:
    pytest.importorskip("matplotlib", reason="the extra docs is not installed")
    from docs.claims import page

    assert (DOCS / "claims.md").read_text(encoding="utf-8") == page()
    assert {claim.name for claim in CLAIMS} == set(ADDRESSES)
    assert len({claim.name for claim in CLAIMS}) == len(CLAIMS) >= 40
    assert {claim.verdict for claim in CLAIMS} == {"true", "false", "true if"}
