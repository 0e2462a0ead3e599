"""The short address under which a presentation is followed, and the token that leads it."""

from __future__ import annotations

import hashlib
import re
import secrets

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""No two of them look alike."""
LENGTH = 10
PATTERN = f"[{LETTERS}]{{{LENGTH}}}"
TOKEN = re.compile(r"[\w-]{32}", re.ASCII)


def new_token() -> str:
    """What only the lecturer's own page has."""
    return secrets.token_urlsafe(24)


def is_token(given: object) -> bool:
    """Whether it may have been one of ours; a page that comes back brings its own."""
    return isinstance(given, str) and TOKEN.fullmatch(given) is not None


def code_of(token: str) -> str:
    """What followers type: the token makes it, and nobody finds a token that makes a given one.

    It is 49 bits, which say nothing of the token; each guess at that takes 16 MB and some hundredths of a second.
    """
    digest = hashlib.scrypt(token.encode(), salt=b"armsweep presentation", n=2**14, r=8, p=1, dklen=16)
    number, letters = int.from_bytes(digest, "big"), []
    for _ in range(LENGTH):
        number, letter = divmod(number, len(LETTERS))
        letters.append(LETTERS[letter])
    return "".join(letters)
