"""The tab that breaks the text, as far as no browser is needed."""

from __future__ import annotations

import panel_material_ui as pmui
import pytest

from app.state import Session
from app.views.break_it import BreakIt

pytestmark = pytest.mark.compiled_only


def test_the_motion_is_offered_as_soon_as_something_is_broken() -> None:
    """Drawn or not: a button that is sent its state while a browser opens the tab may miss it."""
    session = Session("puma560")
    (button,) = BreakIt(session).__panel__().select(pmui.Button)
    assert button.disabled
    session.breaks = frozenset({"inward_filter.prediction.P~M~drop"})
    assert not button.disabled
    session.breaks = frozenset()
    assert button.disabled
