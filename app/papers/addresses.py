"""Where on the page a result of the papers can be tried: the machine, the moment, the instrument."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

Query = Mapping[str, str]


def _at(preset: str, tab: str, t: str = "1.000", **more: str) -> Query:
    """A moment that rests, and what is open beside the world."""
    return MappingProxyType({"preset": preset, "t": t, "tab": tab, **more, "play": "0"})


ARM = _at("puma560", "Walk")
COST = _at("planar_chain", "Cost", counted="2:0:0")
"""The planar methods: R87 counts no others."""
METHODS = _at("puma560", "Check")
HELD = _at("two_arms_and_box", "Walk", stage="contact")
CONTACT = _at("two_arms_and_box", "Contact")
FLYER = _at("free_flyer", "Two filters")
PLANAR = _at("two_planar_arms", "Contact")


def _example(number: int, t: str) -> Query:
    """A moment of one of JZ's examples."""
    return _at(f"jazidie_{number}", "Contact", t)


ADDRESSES: Mapping[str, Query] = MappingProxyType(
    {
        "r87_fig_1": ARM,
        "r87_table_1": _at("puma560", "Estimation"),
        "r87_fig_2": METHODS,
        "r87_fig_3": _at("puma560", "Walk", stage="smoother"),
        "r87_table_2": COST,
        "r87_table_3": COST,
        "r87_fig_4": COST,
        "r88_fig_2_1": HELD,
        "r88_fig_9_1": HELD,
        "r88_fig_9_2": _at("four_arms_and_box", "Walk", stage="contact"),
        "r88_fig_9_3": CONTACT,
        "r88_limits": CONTACT,
        "r88_tip_inertia": CONTACT,
        "r88_fig_10_1": _at("two_arms_and_box", "Influence"),
        **dict.fromkeys(("jr_fig_1", "jr_fig_2"), FLYER),
        "jr_fig_3": _at("free_flyer", "Two filters", base="hand"),
        **dict.fromkeys(("jr_fig_4", "jr_fig_5"), _at("free_flyer", "Two filters", base="elbow")),
        "tml_fig_1": ARM,
        "tml_fig_2": ARM,
        "tml_fig_3": ARM,
        "tml_fig_4": ARM,
        **{f"tml_table_{k}": _at("puma560", "Cost", counted=f"1:{k - 1}:0") for k in range(1, 6)},
        "jz_fig_1": METHODS,
        **dict.fromkeys(("jz_fig_2", "jz_fig_3", "jz_fig_4", "jz_fig_5"), PLANAR),
        **dict.fromkeys(("jz_table_1", "jz_fig_6"), _example(1, "0.000")),
        **dict.fromkeys(("jz_table_2", "jz_fig_7"), _example(1, "3.000")),
        "jz_fig_8": _example(2, "0.000"),
        **dict.fromkeys(("jz_fig_9", "jz_table_3"), _example(2, "5.000")),
    }
)
"""Of each result of ``dyn.paper_results()``."""
