"""A robot file of a user's own, as links and messages refer to it: by its name, and by what it holds."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

LONGEST_NAME = 100
"""Characters of a name in it, or of its own: each stands in menus, tables and labels."""
DIGITS = 32
"""Of a fingerprint: no two files that anybody has share it."""
SHOWN = 8
"""Of them, what people compare."""


@dataclass(frozen=True)
class OwnFile:
    """Which file it is.

    Attributes:
        digest: the first hexadecimal digits of its SHA-256.
    """

    name: str
    digest: str

    @classmethod
    def of(cls, text: bytes, name: str) -> OwnFile:
        """Which file a text is."""
        return cls(name[:LONGEST_NAME], hashlib.sha256(text).hexdigest()[:DIGITS])

    @classmethod
    def named(cls, name: str, digest: str) -> OwnFile | None:
        """Which file somebody names; None for what is no fingerprint."""
        printable = "".join(letter for letter in name[:LONGEST_NAME] if letter.isprintable())
        return cls(printable or "robot.urdf", digest) if re.fullmatch(f"[0-9a-f]{{{DIGITS}}}", digest) else None

    @property
    def words(self) -> str:
        """What to look for."""
        return f"{self.name} (fingerprint {self.digest[:SHOWN]}…)"
