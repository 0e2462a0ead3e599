"""The dock under the timeline: small plots over the whole run, a line through each at the cursor."""

from __future__ import annotations

import numpy as np
import panel as pn
import panel_material_ui as pmui
from bokeh.models import ColumnDataSource, HoverTool, Range1d, Span
from bokeh.plotting import figure
from panel.viewable import Viewable, Viewer

from app.state import Session
from app.state.curves import SAMPLES, Curves
from app.views.panels import DOCKS, KEYS, MOST_LINKS, Panel, lines, links_shown
from app.views.style import SLIM_TABS
from scenes import palette

DASHES = ("solid", "dashed", "dotted")
CONTACT = tuple(DOCKS).index("Contact")
COLOR_OF = {"inertia_eigenvalues": "articulated_inertia"}


class Dock:
    """One tab of plots: one shared source, one shared time axis, one line at the cursor."""

    def __init__(self, panels: tuple[Panel, ...], key: str) -> None:
        self.panels = panels
        self.source = ColumnDataSource({"time": [], **{name: [] for panel in panels for name in names(panel)}})
        self.span = Range1d(0.0, 1.0)
        self.now = Span(location=0.0, dimension="height", line_width=1.5, level="overlay")
        self.figures = [self._figure(panel) for panel in panels]
        self.view = pn.Column(
            pn.Row(
                *(pn.pane.Bokeh(plot, sizing_mode="stretch_both", margin=0) for plot in self.figures),
                sizing_mode="stretch_both",
                margin=0,
            ),
            pn.pane.HTML(key, styles={"font-size": "12px", "opacity": "0.8"}, height=18, margin=(0, 0, 0, 64)),
            sizing_mode="stretch_both",
            margin=0,
        )
        self._shown: tuple[object, ...] = ()
        self._sent = 0
        self._limits = [(np.inf, -np.inf)] * len(panels)

    def _figure(self, panel: Panel) -> figure:
        plot = figure(
            title=panel.title,
            height=170,
            sizing_mode="stretch_both",
            x_range=self.span,
            y_range=Range1d(0.1, 1.0),
            y_axis_type="log" if panel.logarithmic else "linear",
            y_axis_label=panel.unit,
            toolbar_location=None,
            tools="",
            min_border_left=64,
            min_border_right=12,
            min_border_top=4,
            min_border_bottom=4,
        )
        for k, name in enumerate(names(panel)):
            plot.line("time", name, source=self.source, line_width=1.5, line_dash=dash(panel, k), name=name)
        plot.add_tools(HoverTool(tooltips=[("t", "@time{0.00} s"), (panel.title, "$y{0.000} " + panel.unit)]))
        plot.add_layout(self.now)
        plot.yaxis.axis_label_text_font_size = plot.yaxis.major_label_text_font_size = "11px"
        plot.xaxis.major_label_text_font_size = "11px"
        plot.title.text_font_size = "13px"
        plot.yaxis.axis_label_standoff = 4
        plot.yaxis.ticker.desired_num_ticks = 4
        return plot

    def paint(self, theme: palette.Theme) -> None:
        """Gives every line the color of its quantity on the theme's background."""
        self.now.line_color = palette.INK[theme]
        for panel, plot in zip(self.panels, self.figures, strict=True):
            for k, renderer in enumerate(plot.renderers):
                renderer.glyph.line_color = shade(panel, k, theme)

    def draw(self, session: Session) -> None:
        """Sends what is new: a whole other run, the newest piece of this one, or only the cursor's instant."""
        run, cursor = session.run, session.cursor
        wanted = (run, cursor.arm, cursor.link)
        if self._shown != wanted and len(run.curves):
            self._send_all(session)
            self._shown, self._sent = wanted, len(run.curves)
        elif self._shown == wanted and len(run.curves) > self._sent:
            self._send_newest(session)
            self._sent = len(run.curves)
        if self.now.location != session.time:
            self.now.location = session.time

    def _columns(self, session: Session, first: int) -> dict[str, np.ndarray]:
        """The samples from ``first`` on, and the vertical ranges widened to hold them."""
        curves, system = session.run.curves, session.system
        newest = Curves(curves.times[first:], {name: column[first:] for name, column in curves.columns.items()})
        links = links_shown(system.arm_of_link, system.n_joints, session.cursor.arm)
        columns = {"time": newest.times}
        for k, panel in enumerate(self.panels):
            values = lines(panel, newest, session.cursor, links)
            columns |= zip(names(panel), values.T, strict=True)
            self._widen(k, values)
        return columns

    def _widen(self, k: int, values: np.ndarray) -> None:
        """Bokeh's own ranges complain about lines that are not there; these ignore them."""
        there = values[np.isfinite(values)]
        low, high = self._limits[k]
        if len(there):
            low, high = min(low, float(there.min())), max(high, float(there.max()))
            self._limits[k] = (low, high)
        if low > high:
            return
        if self.panels[k].logarithmic:
            margin = max((high / low) ** 0.08, 1.1)
            self.figures[k].y_range.update(start=low / margin, end=high * margin)
        else:
            margin = max(0.08 * (high - low), 1e-3 * abs(high), 1e-9)
            self.figures[k].y_range.update(start=low - margin, end=high + margin)

    def _send_all(self, session: Session) -> None:
        self.span.end = session.run.duration
        cursor, system = session.cursor, session.system
        for panel, plot in zip(self.panels, self.figures, strict=True):
            plot.title.text = panel.heading(system.link_names[cursor.link], cursor.arm, system.n_arms)
            shown = (
                links_shown(system.arm_of_link, system.n_joints, cursor.arm) if panel.pick == "links" else [cursor.link]
            )
            unit = panel.unit_of({system.joint_models[k].kind for k in shown if k < system.n_joints})
            plot.yaxis.axis_label = unit
            plot.select_one(HoverTool).tooltips = [("t", "@time{0.00} s"), (panel.title, "$y{0.000} " + unit)]
        self._limits = [(np.inf, -np.inf)] * len(self.panels)
        self.source.data = self._columns(session, 0)

    def _send_newest(self, session: Session) -> None:
        newest = {name: values.tolist() for name, values in self._columns(session, self._sent).items()}
        self.source.stream(newest, rollover=SAMPLES + 1)


class Plots(Viewer):
    """The tabs of the dock; only the one in sight is kept up to date."""

    def __init__(self, session: Session, **params: object) -> None:
        super().__init__(**params)
        self._session = session
        self._docks = {name: Dock(panels, KEYS[name]) for name, panels in DOCKS.items()}
        self._tabs = pmui.Tabs(
            *((name, dock.view) for name, dock in self._docks.items()),
            sizing_mode="stretch_width",
            height=240,
            margin=0,
            sx=SLIM_TABS,
        )
        self.paint("light")

    def paint(self, theme: palette.Theme) -> None:
        for dock in self._docks.values():
            dock.paint(theme)

    def draw(self) -> None:
        held_back = [] if self._session.loaded.task_object is not None else [CONTACT]
        if self._tabs.disabled != held_back:
            self._tabs.disabled = held_back
            if self._tabs.active in held_back:
                self._tabs.active = 0
        tuple(self._docks.values())[self._tabs.active].draw(self._session)

    def stop(self) -> None:
        """Nothing of this view outlives the session."""

    def __panel__(self) -> Viewable:
        return self._tabs


def names(panel: Panel) -> list[str]:
    """The columns of a panel's lines in its dock's source."""
    return [f"{panel.title} {k}" for k in range(panel.n_lines)]


def dash(panel: Panel, line: int) -> str:
    """Solid, dashed and dotted are x, y and z; predicted contact forces are dashed, corrected ones solid."""
    if panel.pick == "links":
        return "solid"
    if len(panel.quantities) > 1:
        return "dashed" if line < len(panel.components) else "solid"
    return DASHES[line % 3]


def shade(panel: Panel, line: int, theme: palette.Theme) -> str:
    """The quantity's color; paler for shifts beside turns, and from the tip's link to the base's."""
    per_quantity = len(panel.components) or MOST_LINKS
    quantity = panel.quantities[line // per_quantity]
    color = palette.quantity(COLOR_OF.get(quantity, quantity), theme)
    k = line % per_quantity
    if panel.pick == "links":
        paler = 0.75 * k / MOST_LINKS
    elif len(panel.components) == 6:
        paler = 0.0 if k < 3 else 0.5
    else:
        paler = 0.25 * k if len(panel.quantities) > 1 else 0.0
    return palette.mix(color, palette.BACKGROUND[theme], paler)
