"""*Compare* in a browser: a file is handed in, judged, and a click on a row leads to its place in the walk."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pytest

import dynamics as dyn
from app.state import Session
from app.theirs.moment_text import ours
from tests.browser.test_page import PATIENCE, shown_time, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]


def test_a_file_is_judged_and_a_row_leads_to_the_walk(lead: Callable[[str], Page]) -> None:
    page = lead("preset=puma560&t=0.000&play=0&tab=Compare")
    wait_until(page, lambda: shown_time(page) == 0.0)
    pane = page.get_by_role("tabpanel", name="Compare", exact=True)
    shown = Session("puma560").solution()
    broken = ["inward_filter.correction.P_plus~G-H-P~drop"]
    into = io.BytesIO()
    np.savez(into, **ours(dyn.read_textbook(shown.system, shown.state, shown.tau, breaks=broken).solution))  # type: ignore[arg-type]
    pane.get_by_text("Save ours as an example").wait_for(timeout=PATIENCE)
    pane.locator("input[type=file]").set_input_files(
        {"name": "mine.npz", "mimeType": "application/octet-stream", "buffer": into.getvalue()}
    )
    pane.get_by_text("The two part first at updated articulated inertia").wait_for(timeout=2 * PATIENCE)
    assert pane.get_by_text("What is wrong:").count() == 1
    row = pane.get_by_role("button", name="differs by").first
    box, room = row.bounding_box(), pane.bounding_box()
    assert box is not None
    assert room is not None
    assert box["x"] + box["width"] <= room["x"] + room["width"]  # all of it is seen
    row.focus()
    page.keyboard.press("Enter")
    wait_until(page, lambda: "tab=Compare" not in page.url and "stage=filter" in page.url)
    page.get_by_role("tab", name="Compare", exact=True).click()
    pane.get_by_text("The two part first at updated articulated inertia").wait_for(timeout=PATIENCE)
