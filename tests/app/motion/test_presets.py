"""The menu's titles say what is there."""

from __future__ import annotations

import pytest

import dynamics as dyn
from app.motion.presets import MODE_OF_KIND, PRESETS


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_in_the_mode_of_its_system(name: str) -> None:
    system, _ = dyn.example(PRESETS[name].example)
    assert PRESETS[name].mode == MODE_OF_KIND[system.kind]


@pytest.mark.parametrize("name", [name for name, preset in PRESETS.items() if "contact" in preset.title])
def test_a_title_that_speaks_of_contacts_speaks_the_truth(name: str) -> None:
    system, _ = dyn.example(PRESETS[name].example)
    counts = {kind: sum(contact.kind == kind for contact in system.contacts) for kind in ("rigid", "point")}
    assert PRESETS[name].title == "Two arms, one rigid and one point contact"
    assert counts == {"rigid": 1, "point": 1}
