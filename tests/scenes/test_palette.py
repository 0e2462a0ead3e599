"""The palette holds for every eye and on both backgrounds."""

import itertools

import numpy as np
import pytest

from scenes import CHOICES, palette

# Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB.
EYES = {
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    "normal": np.eye(3),
}
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.072175], [0.0193339, 0.119192, 0.9503041]]
)
SIDE_BY_SIDE = (
    "predicted", "corrected", "applied", "articulated_inertia", "dual_articulated_inertia",
    "operational_space_inertia", "innovation", "gain",
)  # fmt: skip


def linear(color):
    part = np.array(palette.rgb(color))
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def luminance(color):
    return float(TO_XYZ[1] @ linear(color))


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def lab(rgb):
    x, y, z = np.cbrt(TO_XYZ @ np.clip(rgb, 1e-6, 1.0) / np.array([0.95047, 1.0, 1.08883]))
    return np.array([116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)])


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("family", sorted(palette.FAMILIES))
def test_every_quantity_stands_out_from_its_background(family, theme):
    assert contrast(palette.quantity(family, theme), palette.BACKGROUND[theme]) >= 3.0


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("eye", sorted(EYES))
def test_quantities_drawn_together_are_told_apart(eye, theme):
    for one, other in itertools.combinations(SIDE_BY_SIDE, 2):
        seen = [lab(np.asarray(EYES[eye]) @ linear(palette.quantity(name, theme))) for name in (one, other)]
        assert np.linalg.norm(seen[0] - seen[1]) > 12.0, f"{one} and {other}"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("eye", sorted(EYES))
def test_what_turns_in_flight_is_told_from_what_goes_on(eye, theme):
    """By its form, too."""
    beside = ("momentum", "articulated_inertia", "dual_articulated_inertia", "operational_space_inertia")
    colors = [palette.quantity(name, theme) for name in ("angular_momentum", *beside)]
    turning, *others = (lab(np.asarray(EYES[eye]) @ linear(color)) for color in colors)
    assert all(np.linalg.norm(turning - other) > 20.0 for other in others)
    assert (
        len({layer.form for layer in CHOICES.values() if layer.name in ("momentum", "angular_momentum", "moment")}) == 3
    )


def test_names_of_quantities_lead_to_families():
    assert set(palette.QUANTITIES.values()) <= set(palette.FAMILIES)
    assert palette.quantity("predicted_contact_force") == palette.quantity("predicted")
    assert palette.quantity("something else", "dark") == palette.INK["dark"]


def test_mix_goes_from_one_to_the_other():
    assert palette.mix("#000000", "#FFFFFF", 0.0) == "#000000"
    assert palette.mix("#000000", "#FFFFFF", 1.0) == "#FFFFFF"
    assert palette.mix("#204060", "#406080", 0.5) == "#305070"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_rim_of_every_ghost_stands_out_from_what_is_behind_it(theme):
    floor = {"light": "#E2E8EF", "dark": "#252D37"}[theme]  # the viewer's own
    for number in range(6):
        for behind in (palette.BACKGROUND[theme], floor, "#F1F4F8" if theme == "light" else "#14191F"):
            assert contrast(palette.ghost(number, theme), behind) >= 3.0


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("eye", sorted(EYES))
def test_a_turning_acceleration_is_told_from_one_that_goes_on(eye, theme):
    """By its form, too."""
    turning, going = (CHOICES[name] for name in ("angular_acceleration", "acceleration"))
    one, other = (lab(np.asarray(EYES[eye]) @ linear(palette.quantity(each.color, theme))) for each in (turning, going))
    assert np.linalg.norm(one - other) > 20.0
    inboard = [CHOICES[f"{each.name}_inboard"] for each in (turning, going)]
    assert len({each.form for each in (turning, going, *inboard)}) == 4
