"""What letters the map of the computation: short words for its rows, whole titles for who points, tip and base."""

from __future__ import annotations

import pytest

import dynamics as dyn
from app.equations.words import STAGE_TITLES
from app.state import walk
from app.walker.map_layout import map_of


@pytest.mark.parametrize("example", ["two_arms_and_box", "free_flyer", "planar_chain"])
def test_every_row_is_called_by_a_word_and_its_whole_title(example: str) -> None:
    system, _ = dyn.example(example)
    drawn = map_of(system)
    captions = {caption.stage: caption for caption in drawn.captions if caption.stage}
    order = walk.stages(system)
    assert set(captions) == set(order)
    for number, stage in enumerate(order, start=1):
        caption = captions[stage]
        count, _, word = caption.text.partition(" ")
        assert (count, word.isalpha()) == (str(number), True)
        assert caption.title.startswith(f"{number}: {STAGE_TITLES[stage].lower()}")
    words = [caption.text for caption in captions.values()]
    assert len(set(words)) == len(words)


@pytest.mark.parametrize("example", ["two_arms_and_box", "free_flyer", "planar_chain"])
def test_tip_and_base_stand_over_the_ends_of_the_first_row(example: str) -> None:
    system, _ = dyn.example(example)
    drawn = map_of(system)
    for arm in range(system.n_arms):
        row = [node for node in drawn.nodes if node.place.arm == arm and node.row == 0.0 and node.shape != "predictor"]
        tip, base = (key(row, key=lambda node: int(node.label)) for key in (min, max))
        name = f"arm {arm + 1} tip" if system.n_arms > 1 else "tip"
        over = {(caption.text, caption.column) for caption in drawn.captions if caption.kind == "arm"}
        assert {(name, tip.column), ("base", base.column)} <= over
        assert len(over) == 2 * system.n_arms


def test_a_row_that_is_not_where_its_number_is_says_why() -> None:
    """A flyer's outward smoother stands above its filter."""
    for example in ("free_flyer", "planar_chain"):
        system, _ = dyn.example(example)
        rows = {caption.stage: caption for caption in map_of(system).captions if caption.stage}
        is_above = rows["smoother"].row < rows["filter"].row
        assert ("stands above the first" in rows["smoother"].title) == is_above == (example == "free_flyer")
