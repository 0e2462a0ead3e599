"""A group's counts for the arm that is here, what they are of N, and where its lines cross."""

from __future__ import annotations

import html
from collections.abc import Sequence

from app.measures.counts import GROUPS, OPERATIONS, Group, Growth
from app.measures.crossings import Crossing, Reason

HEADS = ("×", "+", "÷", "sin, cos")
WORDS = ("multiplications", "additions and subtractions", "divisions", "sines and cosines")


def switch_html(group: Group) -> str:
    """Which group stands below."""
    offered = "".join(
        f"<button type='button' data-go='group {k}' aria-pressed='{str(each is group).lower()}'>{each.name}</button>"
        for k, each in enumerate(GROUPS)
    )
    return f"<div class='tools'>{offered}</div><p>{html.escape(group.told)}</p>"


def table_html(growths: Sequence[Growth], n_links: int) -> str:
    """Counts at so many links, and under each its polynomials."""
    heads = "".join(
        f"<th scope='col'><abbr title='{word}'>{head}</abbr></th>" for head, word in zip(HEADS, WORDS, strict=True)
    )
    body = "".join(_method_html(each, n_links) for each in growths)
    return (
        f"<table class='counts'><caption>One solution at N = {n_links}, as the arm here has</caption><thead><tr>"
        f"<td></td>{heads}</tr></thead>{body}</table>"
        "<p class='note'>Counted by running the code itself on numbers that count, on an arm of N turning joints "
        "without a special angle; constants of the links are at hand. A change of sign is no operation.</p>"
    )


def _method_html(growth: Growth, n_links: int) -> str:
    rows = _row(f"<b>{html.escape(growth.method.name)}</b>", growth, n_links, "polynomials")
    if growth.published:
        rows += _row("published", growth, n_links, "published")
    return f"<tbody>{rows}</tbody>"


def _row(head: str, growth: Growth, n_links: int, which: str) -> str:
    own = getattr(growth, which)
    kind = " class='published'" if which == "published" else ""
    there = [name for name in OPERATIONS if name in own and (which == "polynomials" or own[name].text != "0")]
    cells = "".join(f"<td>{whole(own[name](n_links)) if name in there else '–'}</td>" for name in OPERATIONS)
    laws = "".join(
        f"<span><b>{head_of}</b> {own[name].text}</span>"
        for name, head_of in zip(OPERATIONS, HEADS, strict=True)
        if name in there and own[name].text != "0"
    )
    return f"<tr{kind}><th scope='row'>{head}</th>{cells}</tr><tr{kind}><td colspan='5' class='law'>{laws}</td></tr>"


def whole(value: float) -> str:
    """A count; a paper's polynomial may give a broken one."""
    return f"{round(value):,}" if abs(value - round(value)) < 1e-6 else f"{value:,.1f}"


def crossings_html(crossings: Sequence[Crossing]) -> str:
    """Who is the cheaper, and from where on."""
    if not crossings:
        return ""
    lines = "".join(
        f"<li>{html.escape(one.cheaper.name)} below {html.escape(one.other.name)}, {one.kind}: "
        f"<b>{'always' if one.first == 1 else f'from N = {one.first}'}</b></li>"
        for one in crossings
    )
    return f"<h4>Fewer flops</h4><ul class='plain'>{lines}</ul>"


def reasons_html(reasons: Sequence[Reason]) -> str:
    """Why R87's lines cross at another N, however one counts the batch method."""
    if not reasons:
        return ""
    rows = "".join(
        f"<tr><td>{html.escape(one.words)}<br><span class='law'>{one.polynomial}</span></td>"
        f"<td><b>{one.first}</b></td></tr>"
        for one in reasons
    )
    return (
        "<h4>R87 Fig. 4: why 4, 5 or 6</h4><p>The filter takes 27N flops by any count. What the other method takes, "
        "and from which N on the filter is below it:</p>"
        f"<table class='counts reasons'><thead><tr><th scope='col'>flops of the mass matrix's way</th>"
        f"<th scope='col'>from N =</th></tr></thead><tbody>{rows}</tbody></table>"
        "<p class='note'>The paper's text says 5. No count has the divisions in its flops: 3 a link for the filter, "
        "N(N + 1)/2 for the factors.</p>"
    )
