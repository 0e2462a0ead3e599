"""Pictures that the page saves: of a plot in vectors and in pixels, and of the 3D view at the size one asks for."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
SVG = "{http://www.w3.org/2000/svg}"


def saved(page: Page, button: Locator, folder: Path) -> Path:
    """The file that a button has saved."""
    with page.expect_download() as download:
        button.click()
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    return file


def plot_saved(page: Page, panel: int, ending: str, folder: Path) -> Path:
    page.get_by_role("button", name=f"Choices of panel {panel}").click()
    return saved(page, page.get_by_role("button", name=f"Save {ending}", exact=True), folder)


def is_blank(picture: Image.Image) -> bool:
    """Whether it has but one color."""
    return len(np.unique(np.asarray(picture.convert("RGBA")).reshape(-1, 4), axis=0)) < 2


def test_a_plot_is_saved_in_vectors_and_in_pixels(lead: Callable[[str], Page], tmp_path: Path) -> None:
    page = lead("preset=puma560&t=0.5&play=0")
    file = plot_saved(page, 1, "SVG", tmp_path)
    assert re.fullmatch(r"[a-z0-9_]+_at_0\.500_s\.svg", file.name)
    root = ElementTree.parse(file).getroot()
    texts = ["".join(each.itertext()) for each in root.iter(f"{SVG}text")]
    heading = page.get_by_role("group", name=re.compile("^Panel 1:")).get_by_role("heading").inner_text()
    assert texts[0] == heading.strip()
    assert any(each.endswith("t = 0.500 s") for each in texts)
    assert "time in s" in texts
    assert "pure number and in 1/m" in texts
    picture = Image.open(plot_saved(page, 1, "PNG", tmp_path))
    assert picture.size == tuple(3 * int(root.get(side) or 0) for side in ("width", "height"))
    assert picture.width > 3 * 640  # as large as a picture is, however narrow its panel
    assert not is_blank(picture)
