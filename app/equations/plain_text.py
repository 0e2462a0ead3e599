"""HTML with formulas as one line of plain text: ``1/2`` and ``x^2``, not 12 and x2 as without tags."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"br", "hr"}
SIGNS = {"mfrac": "/", "msup": "^", "msub": "_", "msubsup": "_^", "munderover": "_^"}
"""Separators of the parts of two-dimensional notation."""


def flat(shown: str) -> str:
    """The text of clean HTML."""
    reader = _Reader()
    reader.feed(shown)
    reader.close()
    return reader.said.strip()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self._parts: list[list[str]] = [[]]
        """The text so far of each open element."""

    @property
    def said(self) -> str:
        return "".join("".join(parts) for parts in self._parts)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in VOID:
            self._parts.append([])

    def handle_endtag(self, tag: str) -> None:
        if len(self._parts) > 1:
            parts = self._parts.pop()
            self._parts[-1].append(_joined(tag, parts))

    def handle_data(self, data: str) -> None:
        self._parts[-1].append(data)


def _joined(tag: str, parts: list[str]) -> str:
    """The text of an element, from the texts of its parts."""
    if tag == "msqrt":
        return f"√{_as_one(''.join(parts))}"
    signs = SIGNS.get(tag, "")
    if not signs or len(parts) != len(signs) + 1:
        return " " if tag == "mspace" else "".join(parts)
    return _as_one(parts[0]) + "".join(sign + _as_one(part) for sign, part in zip(signs, parts[1:], strict=True))


def _as_one(part: str) -> str:
    """The part, in brackets if it is ambiguous in a line."""
    is_one = len(part) < 2 or part.isalpha() or part.replace(".", "").isdecimal()
    return part if is_one else f"({part})"
