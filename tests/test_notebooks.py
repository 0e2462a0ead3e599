"""The gallery of notebooks: each runs from its first cell to its last, and comes without the outputs of anybody."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

pytestmark = [pytest.mark.full, pytest.mark.compiled_only]
FOLDER = Path(__file__).resolve().parents[1] / "docs" / "notebooks"
BOOKS = sorted(FOLDER.glob("*.ipynb"))
PATIENCE = 240


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_it_runs_and_what_it_ends_with_shows_itself(path: Path, tmp_path: Path) -> None:
    book = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    cells = [cell for cell in book.cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in cells)
    NotebookClient(book, timeout=PATIENCE, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [
        "".join(out.data["text/html"]) for cell in cells for out in cell.outputs if "text/html" in out.get("data", {})
    ]
    assert any("<table" in text for text in shown)
    assert not list(tmp_path.iterdir())
