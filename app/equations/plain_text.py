"""HTML with formulas in one line of plain text: ``1/2`` and ``x^2``, which without their marks would be 12 and x2."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"br", "hr"}
SIGNS = {"mfrac": "/", "msup": "^", "msub": "_", "msubsup": "_^", "munderover": "_^"}
"""What stands between the parts of what is set in two dimensions."""


def flat(shown: str) -> str:
    """What clean HTML says."""
    reader = _Reader()
    reader.feed(shown)
    reader.close()
    return reader.said.strip()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self._parts: list[list[str]] = [[]]
        """Of every element that is open, what it has said."""

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
    """What an element says by what its parts say."""
    if tag == "msqrt":
        return f"√{_as_one(''.join(parts))}"
    signs = SIGNS.get(tag, "")
    if not signs or len(parts) != len(signs) + 1:
        return " " if tag == "mspace" else "".join(parts)
    return _as_one(parts[0]) + "".join(sign + _as_one(part) for sign, part in zip(signs, parts[1:], strict=True))


def _as_one(part: str) -> str:
    """In brackets where it would fall apart in a line."""
    is_one = len(part) < 2 or part.isalpha() or part.replace(".", "").isdecimal()
    return part if is_one else f"({part})"
