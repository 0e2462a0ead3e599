"""Lines that somebody has typed, as a link says them: ``key=text``, each on a line of its own. Nothing of it is run."""

from __future__ import annotations

import re
from collections.abc import Iterable

LONGEST_TEXT = 400
"""Characters of a line: as many as the field takes, and more than are ever worked out."""
LONGEST = 6000
"""Characters of all of them; the longest sweep, all of it written, has a tenth of that."""
KEY = r"[a-z_]{1,40}(?:\.[A-Za-z0-9_]{1,40}){1,3}"
# Half a character cannot be sent to a browser.
TEXT = rf"[^\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]{{1,{LONGEST_TEXT}}}"
ONE = re.compile(f"{KEY}={TEXT}")
FORM = re.compile(rf"(?=(?s:.){{1,{LONGEST}}}\Z){KEY}={TEXT}(?:\n{KEY}={TEXT})*")


def said(lines: Iterable[tuple[str, str]]) -> str:
    """Lines as a link says them; one that it cannot say, or has no more room for, is left out."""
    found = ""
    for key, text in lines:
        one = f"{key}={text}"
        if ONE.fullmatch(one) and len(found) + 1 + len(one) <= LONGEST:
            found += f"\n{one}" if found else one
    return found


def read(text: str) -> dict[str, str]:
    """What a link of that form says."""
    return dict(line.split("=", 1) for line in text.split("\n") if line)
