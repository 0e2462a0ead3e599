"""Claims of the papers: each experiment bears its verdict out, and is shown on the page."""

import pytest

from app.papers.addresses import CLAIMS as ADDRESSES
from dynamics.papers.claims import CLAIMS, Claim

HEADLINES = (
    "covariance_vanishes", "forces_are_random", "filter_is_articulated", "dimension", "heavy_object_stays",
    "parallel_is_faster", "redundancy", "equivalence", "closed_chain_is_a_correction",
    "start_is_forgotten", "smoothing_by_two_filters",
)  # fmt: skip


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


def test_every_claim_has_its_verdict_and_its_place_on_the_page() -> None:
    assert {claim.name for claim in CLAIMS} == set(ADDRESSES)
    assert len({claim.name for claim in CLAIMS}) == len(CLAIMS) >= 40
    assert {claim.verdict for claim in CLAIMS} == {"true", "false", "true if"}
