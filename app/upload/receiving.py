"""What a browser has sent as a file: as large as it may be and as often, or why it is not taken."""

from __future__ import annotations

from typing import NamedTuple

from app.service import counters
from app.state import Session

TOO_MANY = "More files than one page may open in a minute were sent here. Wait a little, and open it again."


class Refused(NamedTuple):
    """Why a file is not taken, in words, and the reason that it is counted under."""

    words: str
    reason: str = "file"


def received(session: Session, data: object, largest: int, too_large: str) -> bytes | Refused:
    """What was sent, counted as taken; or why not, which whoever tells it counts."""
    if not isinstance(data, bytes) or len(data) > largest:  # set by no script of ours
        return Refused(too_large)
    if not session.jobs.allowance.takes_upload():
        return Refused(TOO_MANY, "page")
    counters.uploads_taken.inc()
    return data
