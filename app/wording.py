"""What a message says of something whose length somebody else has chosen: no more than one reads."""

from __future__ import annotations

LONGEST_QUOTED = 60
"""Characters of a name or a number that are quoted."""
LONGEST_TOLD = 600
"""Characters of what an error says."""


def quoted(text: str) -> str:
    """A text in quotation marks, its beginning if it is long; what cannot be printed is spelled out."""
    return repr(text) if len(text) <= LONGEST_QUOTED else f"{text[:LONGEST_QUOTED]!r}…"


def in_words(fault: BaseException) -> str:
    """What an error says of itself, or else its name."""
    words = str(fault) or type(fault).__name__
    return words if len(words) <= LONGEST_TOLD else f"{words[:LONGEST_TOLD]} …"
