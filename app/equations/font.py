"""The font of formulas, since many devices have none for mathematics and set an index on the line without."""

from __future__ import annotations

import base64
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "fonts"
NAME, FILE = "armsweep_fonts", "math.woff2"
"""Of the folder in addresses, and of the one font in it."""


def face(address: str) -> str:
    """The font's declaration, for a document; what stands in a shadow takes it from there."""
    return (
        f'@font-face {{ font-family: "Armsweep Math"; font-display: swap; src: url("{address}") format("woff2"); }}\n'
    )


def served_face(root: str = "") -> str:
    """That of a page of this server; ``root`` leads from the page's folder to that of the app, with a slash."""
    return face(f"{root}static/extensions/{NAME}/{FILE}")


@cache
def face_within() -> str:
    """That of a page which is a file of its own: the whole font is in it, 80 kB."""
    text = base64.b64encode((FOLDER / FILE).read_bytes()).decode()
    return face(f"data:font/woff2;base64,{text}")
