"""Pages for printing, or for saving as PDF in the browser's print dialog."""

from __future__ import annotations

import html
from pathlib import Path

from app.equations.font import face_within

PRINTING = Path(__file__).with_name("printed.js")
"""A component whose script begins with this file may call ``printPage``."""


def printed_page(title: str, body: str, look: Path) -> str:
    """A complete page.

    Args:
        title: plain text.
        body: sanitized HTML.
        look: its style sheet, which follows that of all printed pages.
    """
    sheets = "".join(path.read_text(encoding="utf-8") for path in (Path(__file__).with_name("printed.css"), look))
    head = f"<meta charset='utf-8'><title>{html.escape(title)}</title><style>{face_within()}{sheets}</style>"
    return f"<!doctype html><html lang='en'><head>{head}</head><body>{body}</body></html>"
