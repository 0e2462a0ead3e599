"""The contents and menus of a panel's cell, as plain data for the browser."""

from __future__ import annotations

from typing import Any

from app.sampling.quantities import PlotQuantity
from app.views.plots.lines import PlotLine, known, row_name, selected_row
from app.views.plots.panel_view import PanelView, PlotData, is_told
from app.views.plots.panels import ALL, CURSOR, MOST_TRACES, Panel, plain


def cell(panel: Panel, view: PanelView, data: PlotData) -> dict[str, Any]:
    """Title, lines and menus of a panel."""
    catalogue, system = data.present.catalogue, data.system
    shown = known(panel, catalogue)
    by_row = [plotted for _, plotted, _ in shown if plotted.rows != "whole"]
    lines = [line for line in view.lines if is_told(line, view.lines)]
    return {
        "title": panel.title or " and ".join(title(plotted) for _, plotted, _ in shown),
        "names": "; ".join(f"{plain(plotted.symbol)}: {plotted.names}" for _, plotted, _ in shown),
        "subject": subject(panel, by_row, data),
        "items": [
            {
                "label": line.label or "now",
                "brief": line.brief or "now",
                "unit": line.unit,
                "color": line.color,
                "dash": line.dash,
                "column": view.lines.index(line),
            }
            for line in lines
        ],
        "lines": [[(line.color, line.dash, line.width) for line in drawn] for drawn in (view.lines, *view.kept)],
        "units": [[line.unit, "/".join(line.trace)] for line in view.lines],
        "reads": reads(panel),
        "columns": columns(view.bars),
        "missing": [] if shown else [key for key, _ in panel.traces],
        "choices": [
            {
                "label": f"What of {plain(plotted.symbol)}",
                "trace": nth,
                "options": [(each.key, each.label) for each in plotted.components],
                "value": component.key,
            }
            for nth, (_, plotted, component) in enumerate(shown)
            if len(plotted.components) > 1
        ],
        "follows": follows(by_row, data) if by_row else [],
        "follow": panel.follow,
        "logarithmic": panel.logarithmic,
        "full": panel.full,
        "bars": panel.bars,
        "difference": panel.difference,
        "canLog": bool(shown),
        "canBars": bool(by_row) and (by_row[0].rows == "links" or system.n_tips > 1),
        "canDifference": bool(data.kept),
        "canJoin": bool(panel.traces) and len(panel.traces) <= MOST_TRACES,
    }


def reads(panel: Panel) -> bool:
    """Whether the browser reads the numbers at the cursor from its lines; otherwise the server sends them."""
    return not (panel.bars or panel.difference)


def columns(bars: list[PlotLine]) -> list[dict[str, Any]]:
    """The label under each bar: the name of the link or arm, and the part that distinguishes it from the others."""
    names = [line.label.partition(",")[0] for line in bars]
    heads = {name[: max(name.rfind("_"), name.rfind(" ")) + 1] for name in names}
    same = heads.pop() if len(names) > 1 and len(heads) == 1 else ""
    return [
        {
            "row": line.row,
            "name": name,
            "brief": name.removeprefix(same) or name,
            "color": line.color,
            "selected": line.is_selected,
        }
        for name, line in zip(names, bars, strict=True)
    ]


def title(plotted: PlotQuantity) -> str:
    """Its symbol and its name in estimation, which is the shorter one."""
    return f"{plain(plotted.symbol)} {plotted.estimation_name}"


def subject(panel: Panel, by_row: list[PlotQuantity], data: PlotData) -> str:
    """The link or arm whose values these are."""
    less = f" · less {less_what(data)}" if panel.difference and data.kept else ""
    if not by_row:
        return less.removeprefix(" · ")
    plotted, system = by_row[0], data.system
    if panel.follow == ALL or panel.bars:
        many = f"every link{f' of arm {data.cursor.arm + 1}' if system.n_arms > 1 else ''}"
        tips = "every tip" if system.n_tips > system.n_arms else "every arm"
        return f"· {many if plotted.rows == 'links' else tips}{less}"
    row = selected_row(plotted, data.cursor) if panel.follow == CURSOR else int(panel.follow)
    return f"· {row_name(plotted, system, row)}{less}"


def less_what(data: PlotData) -> str:
    """The run that is subtracted from the present one where a panel shows differences."""
    letters = [each.letter for each in data.kept if each.letter]
    first, *others = letters or ["the broken one"]
    return f"{first} (faint: {', '.join(others)})" if others else first


def follows(by_row: list[PlotQuantity], data: PlotData) -> list[tuple[str, str]]:
    """What a panel can follow: the cursor, all, or a fixed link or arm."""
    system, plotted = data.system, by_row[0]
    links = plotted.rows == "links"
    found = [(CURSOR, "the cursor's link" if links else "the cursor's arm"), (ALL, "one line a link" if links else
             "one line an arm")]  # fmt: skip
    if links:
        rows = range(system.n_joints if plotted.at_joints else system.n_links)
    else:
        rows = range(system.n_tips)
    return found + [(str(row), f"only {row_name(plotted, system, row)}") for row in rows]
