"""Small drawings of the scene's forms for legends: each has its own shape, so that color is never the only cue."""

from __future__ import annotations

ROUND = "<circle cx='8' cy='8' r='6.5' {}/>"
GLASS = "fill='currentColor' fill-opacity='.35' stroke='currentColor' stroke-width='1.2'"
LINE = "fill='none' stroke='currentColor' stroke-width='1.4'"
BOLD = "fill='none' stroke='currentColor' stroke-width='2.2' stroke-linecap='round'"
FULL = "fill='currentColor'"
FORMS = {
    "ball": ROUND.format(GLASS),
    "rings": ROUND.format(LINE)
    + f"<ellipse cx='8' cy='8' rx='6.5' ry='2.4' {LINE}/><ellipse cx='8' cy='8' rx='2.4' ry='6.5' {LINE}/>",
    "facets": f"<path d='M8 1.2 14 4.6v6.8L8 14.8 2 11.4V4.6z' {GLASS}/>"
    f"<path d='M8 1.2 4 10h8zM4 10l4 4.8 4-4.8' {LINE}/>",
    "belt": ROUND.format(GLASS) + "<path d='M1.5 8h13' stroke='currentColor' stroke-width='3'/>",
    "parallels": ROUND.format(LINE) + f"<path d='M3 4h10M1.5 8h13M3 12h10' {LINE}/>",
    "meridians": ROUND.format(LINE) + f"<path d='M8 1.5v13' {LINE}/><ellipse cx='8' cy='8' rx='3.4' ry='6.5' {LINE}/>",
    "edges": ROUND.format(LINE) + f"<path d='M4.6 5.4H11.4V11.6H4.6zM4.6 5.4 3.4 3.4M11.4 5.4l1.2-2M11.4 11.6l1.2 1"
    f".6M4.6 11.6l-1.2 1.6' {LINE}/>",
    "spiral": f"<path d='M6 2C12 1.4 12.6 4 7 4.6 1 5.2 1 7.6 8 7.6 15.4 7.6 15.4 10.4 9 10.6 3.4 10.8 3.6 13.8 10 "
    f"13.8' {LINE}/>",
    "arrow": f"<path d='M2 14 11 5' {BOLD}/><path d='M14.5 1.5 8.6 4 12 7.4z' {FULL}/>",
    "double": f"<path d='M2 14 9 7' {BOLD}/><path d='M14.5 1.5 9.6 3.6 12.4 6.4z"
    f"M11 5 6.1 7.1 8.9 9.9z' {FULL}/>",
    "ringed": f"<path d='M1.5 14.5 9 7' {LINE}/><path d='M15 1 10.1 3.1 12.9 5.9z"
    f"M11.8 4.2 6.9 6.3 9.7 9.1z' {FULL}/><ellipse cx='5' cy='11' rx='5' ry='2.2' transform='rotate(45 5 11)' {LINE}/>",
    "coiled": f"<path d='M1.5 14.5 9 7' {LINE}/><path d='M15 1 10.1 3.1 12.9 5.9z' {FULL}/>"
    f"<ellipse cx='4' cy='12' rx='4.2' ry='1.9' transform='rotate(45 4 12)' {LINE}/>"
    f"<ellipse cx='8' cy='8' rx='4.2' ry='1.9' transform='rotate(45 8 8)' {LINE}/>",
    "broken": f"<path d='M2 14 7.5 8.5' stroke-dasharray='1.6 3.2' {BOLD}/><path d='M15 1 10.1 3.1 12.9 5.9z"
    f"M11 5 6.1 7.1 8.9 9.9z' {FULL}/>",
    "dashed": f"<path d='M2 14 11 5' stroke-dasharray='2 3.6' {BOLD}/><path d='M14.5 1.5 8.6 4 12 7.4z' {FULL}/>",
    "beaded": f"<path d='M2 14 11 5' {LINE}/><circle cx='4' cy='12' r='1.9' {FULL}/>"
    f"<circle cx='8' cy='8' r='1.9' {FULL}/><path d='M14.5 1.5 8.6 4 12 7.4z' {FULL}/>",
    "plates": f"<path d='M4 12 12 4M1.2 9.2l5.6 5.6M9.2 1.2l5.6 5.6' {BOLD}/>",
    "loose": f"<path d='M5 11 11 5' {BOLD}/><path d='M1 15 7.4 12.8 3.2 8.6zM15 1 8.6 3.2 12.8 7.4z' {FULL}/>",
    "stacked": f"<path d='M1 15l1-5 4 4zM4.6 11.4l1-5 4 4z' {FULL}/><path d='M15 1 8 3.8 12.2 8z' {FULL}/>",
    "rod": f"<path d='M3 15 12 3' {BOLD}/><path d='M14 .5 9.6 3.6 13 6z' {FULL}/>",
    "turn": f"<path d='M8 1v14' {LINE}/><path d='M12.5 6A6 3.2 0 1 1 8 4.8' {LINE}/>"
    f"<path d='M10.4 4.4 14.6 5l-2 3.4z' {FULL}/>",
    "triad": f"<path d='M6 10V2M6 10l7 2M6 10l-4 4' {LINE}/><path d='M3 1h6v3H3z' {FULL}/>"
    f"<circle cx='2.6' cy='13.6' r='2' {FULL}/><path d='M12 9.6 16 12.6 11.4 14.4z' {FULL}/>",
    "target": ROUND.format(LINE) + f"<path d='M8 8V1.5A6.5 6.5 0 0 1 14.5 8zM8 8v6.5A6.5 6.5 0 0 1 1.5 8z' {FULL}/>",
    "course": f"<path d='M1 14 7.5 8' {BOLD}/><path d='M9.5 6.2 15 1' stroke-dasharray='1.6 3' {BOLD}/>",
    "shade": f"<path d='M3 4.5 11 2l2.5 9L5 13.5z' stroke-dasharray='2 2' {LINE}/>",
    "trail": f"<path d='M1 13C5 13 5 4 15 3' {BOLD}/>",
}  # fmt: skip


def icon(form: str, color: str) -> str:
    """An inline SVG of 16 x 16 in one color."""
    return (
        f"<svg viewBox='0 0 16 16' width='16' height='16' style='color:{color}' aria-hidden='true'>{FORMS[form]}</svg>"
    )
