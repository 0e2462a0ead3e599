"""The font of formulas: many devices have no mathematical font, and then set an index on the baseline.

Apart from ``sheet_style``: a server reads it before its port opens, without the scenes.
"""

from __future__ import annotations

import base64
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "fonts"
NAME, FILE = "armsweep_fonts", "math.woff2"  # The folder's name in addresses, and the one font file in it


def face(address: str) -> str:
    """The font's declaration, for a document; its shadow roots inherit it."""
    return (
        f'@font-face {{ font-family: "Armsweep Math"; font-display: swap; src: url("{address}") format("woff2"); }}\n'
    )


def served_face(root: str = "") -> str:
    """The declaration for a page of this server; ``root`` leads from the page's folder to the app's, with a slash."""
    return face(f"{root}static/extensions/{NAME}/{FILE}")


@cache
def face_within() -> str:
    """The declaration for a page that is a file of its own: it contains the whole font, 80 kB."""
    text = base64.b64encode((FOLDER / FILE).read_bytes()).decode()
    return face(f"data:font/woff2;base64,{text}")
