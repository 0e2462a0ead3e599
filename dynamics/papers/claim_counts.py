"""The experiments behind ``claims`` that count operations and steps, by running the code on counting numbers."""

from __future__ import annotations

from collections.abc import Iterator

from dynamics.papers.counting import count_operations
from dynamics.papers.critical_path import HUB, critical_path, hub_operations, term_by_term

Figures = Iterator[tuple[str, float, float, float]]
"""(name, value, least, most) of each figure."""
ANY = float("inf")
"""No bound."""
FEW = 6
"""Number of links."""


def linear_in_links() -> Figures:
    steps = [count_operations("filter_smoother", n) for n in (4, 5, 6)]
    whole = [each.multiplications + each.additions + each.divisions for each in steps]
    yield "second difference of the operations", whole[2] - 2 * whole[1] + whole[0], 0.0, 0.0


def crossing_of_counts() -> Figures:
    def cheaper_from(published: bool) -> int:
        for n in range(12, 0, -1):
            both = [count_operations(method, n) for method in ("planar_filter", "planar_batch")]
            one, other = (each.published.flops if published and each.published else each.flops for each in both)
            if one is None or other is None or one >= other:
                return n + 1
        return 1

    yield "links from which on it is cheaper, to twelve, printed", cheaper_from(True), 4, 4
    yield "counted", cheaper_from(False), 6, 6


def divisions_of_a_link() -> Figures:
    counts = [count_operations("filter_smoother", n).terms for n in (5, 6)]
    grown = sum(counts[1][part].divisions - counts[0][part].divisions for part in ("inward_filter", "outward_smoother"))
    yield "divisions a link", grown, 1, 2


def dimension_of_contacts() -> Figures:
    apart = [hub_operations(FEW, arms)[0].divisions - 6 * (arms + 1) for arms in (1, 2, 4)]
    short = hub_operations(3, 2)[0].divisions
    yield "pivots beyond 6(N_A + 1)", max(map(abs, apart)), 0, 0
    yield "pivots by (9.1) of two arms of three links, which have no inertia at the tip", short, 0, 12


def hub_by_arms() -> Figures:
    counted = {arms: hub_operations(FEW, arms) for arms in (1, 2, 8, 16)}
    gain = {arms: each[0].steps for arms, each in counted.items()}
    per_arm = gain[2] - gain[1]
    wheel = [critical_path("spoked_wheel", FEW, arms).stages[HUB].steps for arms in (1, 2)]
    yield "steps of 16 arms by (9.1) beyond a straight line", gain[16] - gain[1] - 15 * per_arm, 0, 0
    yield "growth from 8 to 16 arms by Ω", counted[16][1].steps / counted[8][1].steps, 5.0, 8.0
    yield "steps of the hub for one arm more", wheel[1] - wheel[0], 1, 500


def second_filter() -> Figures:
    stages = critical_path("spoked_wheel", FEW, 2).stages
    yield "its operations, of the first's", stages["4 correct the filter"].steps / stages["1 filter"].steps, 0, 0.2


def parallel_filters() -> Figures:
    both, own = (critical_path(method, 7) for method in ("two_filter", "own_coordinates"))
    yield "steps of Algorithm 6", both.path.steps, both.serial.steps + 1, ANY
    yield "steps of one filter and smoother on one processor", both.serial.steps, 4700, 4900
    yield "speed-up of Algorithm 6", both.speedup, 0.9, 1.0
    yield "speed-up of Algorithm 7", own.speedup, 1.3, 1.7


def depth_of_algorithm_7() -> Figures:
    steps = [critical_path("own_coordinates", n).stages["the longer filter"].steps for n in (4, 5, 6)]
    yield "second difference of its depth", steps[2] - 2 * steps[1] + steps[0], 0, 0
    yield "steps for one link more", steps[1] - steps[0], 100, ANY


def two_filters_in_turn() -> Figures:
    found = critical_path("two_filter", 7)
    yield "operations, of one filter and smoother", found.sequential.steps / found.serial.steps, 1.5, 2.5


def orders() -> Figures:
    def ratio(method: str) -> float:
        return count_operations(method, 32).flops / count_operations(method, 16).flops

    yield "growth from 16 to 32 links, Lagrange", ratio("lagrange"), 6.75, 6.85
    yield "Newton and Euler", ratio("newton_euler"), 1.9, 2.1


def modified_form() -> Figures:
    plain, better = (count_operations(method, FEW) for method in ("newton_euler", "newton_euler_modified"))
    yield "multiplications saved on six links", plain.multiplications - better.multiplications, 117, 117


def time_of_modified_form() -> Figures:
    """Each term of a table by a processor of its own."""

    def longest(method: str) -> tuple[int, float]:
        twins, path = term_by_term(method, FEW)
        return path.steps, twins.tally.cost().steps / path.steps

    (plain, gain), (better, smaller) = map(longest, ("newton_euler", "newton_euler_modified"))
    yield "steps of the longest chain, six links, plain form", plain, 402, 402
    yield "modified form", better, 360, 360
    yield "its gain over one processor", smaller, 2.95, 3.05
    yield "gain of the plain form", gain, 3.15, 3.25


def strobing_against_filter() -> Figures:
    def ratio(n: int) -> float:
        return count_operations("strobing", n).flops / count_operations("filter_smoother", n).flops

    yield "strobing over filter, 3 links", ratio(3), 0.0, 1.0
    yield "at 30 links", ratio(30), 1.0, ANY
