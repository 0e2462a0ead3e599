"""What the page has the browser print, as the PDF that its dialog would save."""

import io
import unicodedata

from playwright.sync_api import Page
from pypdf import PdfReader

FRAME = "iframe.armsweep-printed"


def printed(page: Page) -> PdfReader:
    """The page's newest print."""
    frame = page.locator(FRAME)
    frame.wait_for(state="attached")
    paper = page.context.new_page()
    paper.set_content(frame.get_attribute("srcdoc") or "")
    data = paper.pdf(prefer_css_page_size=True)
    paper.close()
    return PdfReader(io.BytesIO(data))


def words_of(pdf: PdfReader) -> str:
    """All that can be read in it, in one line."""
    text = " ".join(sheet.extract_text() for sheet in pdf.pages)
    return " ".join(unicodedata.normalize("NFKC", text).split())  # fi is one sign there


def links_of(pdf: PdfReader) -> list[str]:
    notes = (note.get_object() for sheet in pdf.pages for note in sheet.get("/Annots", []))
    return [str(note["/A"]["/URI"]) for note in notes if note.get("/Subtype") == "/Link"]
