"""What somebody else has written is quoted as far as one reads it."""

from app.wording import LONGEST_QUOTED, quoted


def test_a_quotation_is_short_and_can_be_printed() -> None:
    assert quoted("panda") == "'panda'"
    assert quoted("x" * 10_000_000) == f"'{'x' * LONGEST_QUOTED}'…"
    assert quoted("\ud800\n").isprintable()
