"""What the card says, as HTML; names in it are escaped."""

from __future__ import annotations

import html
from collections.abc import Sequence

from app.number_text import raw_text
from app.welcome.falling import WINDOW, in_plain_words

TITLE = "A Kalman filter moves this robot"
WHAT = (
    "It is the method by which phones and aircraft work out where they are. "
    "Here the same method works out, live, how a robot arm moves."
)
ASK = "Cut the motors: <b>which joint will swing furthest?</b>"
FOUND = "The Kalman filter finds both numbers, joint by joint."
STEP = "<button type='button' class='main' data-go='step'>See where its gain acts</button>"
WAYS = (("lessons", "Lessons"), ("papers", "Papers"), ("play", "Just play"))
CLOSE = (
    "<button type='button' class='close' data-go='close' aria-label='Close this card' title='Close (Esc)'>×</button>"
)


def greeting(joints: Sequence[str]) -> str:
    """What it is, and what to do.

    Args:
        joints: in the order of the machine's links, the tip's first.
    """
    return _card(
        TITLE,
        f"<p>{WHAT}</p><p class='ask'>{ASK}</p>{_joints(joints, -1)}"
        "<p class='note'>Choose one: the arm hangs from a ceiling, you draw your guess and let go.</p>",
        "or",
    )


def challenge(joints: Sequence[str], chosen: int, reach: float) -> str:
    """A joint to be chosen, by pointing at the arm as well, and a plot to draw into.

    Args:
        reach: degrees; 0.0 until it is known.
    """
    name = html.escape(in_plain_words(joints[chosen]))
    pad = _pad(f"How far {name} will swing", reach) if reach else "<p class='note'>One moment…</p>"
    return _card(
        f"Draw how far {name} will swing",
        f"{_joints(joints, chosen)}<p class='note'>Or point at the arm. Degrees from here, over {WINDOW:g} s:</p>{pad}"
        f"<p class='tools'><button type='button' class='main' data-go='letgo'{'' if reach else ' disabled'}>"
        "Let go</button></p>",
        "",
    )


def falling(joint: str, reach: float) -> str:
    """It has been let go, and what was drawn waits."""
    name = in_plain_words(joint)
    return _card("It falls…", f"<div inert>{_pad(f'How far {name} will swing', reach)}</div>", "")


def outcome(joint: str, reach: float, truth: Sequence[float], verdict: str, drawn: str, why: str) -> str:
    """What was drawn beside what has come, and why."""
    title, _, rest = verdict.partition(". ")
    told = " ".join(filter(None, (rest, drawn)))
    return _card(
        title.rstrip("."),
        f"<div inert>{_pad(f'How far {in_plain_words(joint)} swings', reach, truth)}</div>"
        f"<p>{html.escape(why)} <span class='note'>{FOUND}</span></p>"
        f"<p class='told'>{html.escape(told)}</p><p class='tools'>{STEP}</p>",
        "or go on with",
    )


def _card(title: str, body: str, ways: str) -> str:
    foot = ""
    if ways:
        buttons = "".join(f"<button type='button' data-go='{go}'>{name}</button>" for go, name in WAYS)
        foot = f"<p class='ways'><span>{ways}</span>{buttons}</p>"
    return f"{CLOSE}<h3 tabindex='-1'>{html.escape(title)}</h3>{body}{foot}"


def _joints(joints: Sequence[str], chosen: int) -> str:
    """From the base outward, as one sees them."""
    ends = {0: " (tip)", len(joints) - 1: " (base)"}
    buttons = (
        f"<button type='button' data-go='joint {k}' aria-pressed='{str(k == chosen).lower()}'>"
        f"{html.escape(in_plain_words(joints[k]))}{ends.get(k, '')}</button>"
        for k in reversed(range(len(joints)))
    )
    return f"<div class='joints' role='group' aria-label='Joints'>{''.join(buttons)}</div>"


def _pad(label: str, reach: float, truth: Sequence[float] = ()) -> str:
    true = f" data-true='{' '.join(raw_text(value).replace('−', '-') for value in truth)}'" if truth else ""
    return (
        f"<div class='pad' data-label='{html.escape(label, quote=True)}' data-least='0' data-most='{reach:g}' "
        f"data-until='{WINDOW:g}' data-unit='°'{true}></div>"
    )
