"""Draws of the random problem: their controls, and what they show beside D, P, P+ and P - P Lambda P."""

from __future__ import annotations

import html
from collections.abc import Sequence
from functools import partial

import numpy as np
import panel as pn
import panel_material_ui as pmui
from bokeh.models import ColumnDataSource, Range1d
from numpy.typing import NDArray

import dynamics as dyn
from app.binding import Binding
from app.equations.formula import formula
from app.equations.pictures import crossing
from app.equations.sheet import Figures, buttons_html
from app.instruments.small_plot import small_plot
from app.job import Job
from app.motion.drawing import Drawing, Slice, Whiteness, difference, typical_error, variance_limits, whiteness
from app.motion.errors import ERRORS
from app.motion.run import Run
from app.number_text import number_html, number_text
from app.state import Session
from app.state.walk import called, number
from app.views.components import ProgressLine, View, figure_pane
from scenes import palette

Array = NDArray[np.float64]


def verdict(holds: bool, good: str, bad: str) -> str:
    """A verdict in words, with a sign that does not rely on color."""
    return f"<span class='holds'>✓ {good}</span>" if holds else f"<span class='fails'>✗ {bad}</span>"


def named(system: dyn.System, link: int) -> str:
    """A link's name, short enough for a row's head."""
    arm = f"{int(system.arm_of_link[link]) + 1}." if system.n_arms > 1 else ""
    return f"{arm}{number(system, link)}"


def unit_of(system: dyn.System, link: int) -> str:
    return "kg m²" if system.joint_models[link].kind == "revolute" else "kg"


def links_html(system: dyn.System, link: int) -> str:
    """The selected link, and a button for each link."""
    offered = [
        (f"link {k}", named(system, k), html.escape(called(system, k), quote=True)) for k in range(system.n_joints)
    ]
    return (
        f"<p class='where'>At <b>{html.escape(called(system, link))}</b>:</p>"
        f"<div class='tools' role='group' aria-label='Link'>{buttons_html(offered, [f'link {link}'])}</div>"
    )


def variance_html(drawing: Drawing, link: int, theme: palette.Theme) -> str:
    """The innovation of a joint: its sample variance beside D(k), and the range expected of N draws."""
    system, sums, theory = drawing.system, drawing.sums, drawing.theory
    if sums is None or theory is None:
        return ""
    n, d, s = sums.count, float(theory.variance[link]), float(sums.variance[link])
    low, high = variance_limits(n)
    unit, limit = unit_of(system, link), 1.96 * float(np.sqrt(d / n))
    mean = float(sums.mean[link])
    judged = verdict(
        low <= s / d <= high, f"within what {n:,} draws may show", "farther off than 19 of 20 honest samples"
    )
    return (
        f"<h4>Is {formula('D(k)')} the innovation's variance?</h4>"
        "<table class='pairs'><tbody>"
        f"<tr><th>{formula('D(k)')}, of the dynamics</th><td>{number_html(d)} {unit}</td></tr>"
        f"<tr><th>variance of {n:,} draws</th><td>{number_html(s)} {unit}</td></tr>"
        f"<tr><th>ratio</th><td>{number_html(s / d)}</td></tr>"
        f"<tr><th>95 % of samples lie</th><td>{number_text(low, digits=3)} to {number_text(high, digits=3)}</td></tr>"
        "<tr><th>mean; 95 % lie within</th>"
        f"<td>{number_html(mean, digits=3)}; ±{number_text(limit, digits=3)}</td></tr>"
        f"</tbody></table><p>{judged}</p>{_every_joint(drawing, link)}"
        "<p class='note'>Forces are drawn with the inertias' numbers: 1 kg m² stands for 1 (N m)², 1 kg for 1 N².</p>"
        f"<p class='note'>How it converges to {formula('D(k)')}: "
        f"{_stroke('innovation', theme)} this joint, {_stroke('joint_inertia', theme, 'thin')} the others, "
        f"{_stroke('', theme, 'dashed')} typical of {formula('N')} draws, √(2/{formula('N')})</p>"
    )


def _stroke(quantity: str, theme: palette.Theme, how: str = "") -> str:
    return f"<span class='stroke {how}' style='--own: {palette.quantity(quantity, theme)}'></span>"


def _every_joint(drawing: Drawing, link: int) -> str:
    system, sums, theory = drawing.system, drawing.sums, drawing.theory
    assert sums is not None and theory is not None
    low, high = variance_limits(sums.count)
    rows = ""
    for k in range(system.n_joints):
        ratio = float(sums.variance[k] / theory.variance[k])
        here = " class='here' aria-current='true'" if k == link else ""
        label = html.escape(f"innovation of {called(system, k)}", quote=True)
        rows += (
            f"<tr{here} data-go='link {k}' tabindex='0' role='button' aria-label='{label}'>"
            f"<td class='number'>{named(system, k)}</td><td class='name'>{html.escape(system.link_names[k])}</td>"
            f"<td class='number'>{number_html(float(theory.variance[k]))}</td>"
            f"<td class='number'>{number_html(float(sums.variance[k]))}</td>"
            f"<td class='number'>{number_html(ratio)}</td>"
            f"<td>{verdict(low <= ratio <= high, '', '')}</td></tr>"
        )
    outside = int(np.sum((sums.variance / theory.variance < low) | (sums.variance / theory.variance > high)))
    return (
        f"<details data-kept='joints'><summary>Every joint: {outside} of {system.n_joints} outside; "
        "1 in 20 is to be expected</summary>"
        f"<table class='links'><thead><tr><th>{formula('k')}</th><th>link</th><th>{formula('D')}</th><th>drawn</th>"
        f"<th>ratio</th><th></th></tr></thead><tbody>{rows}</tbody></table></details>"
    )


LEFT = r"P-P\Lambda P"  # Remaining uncertainty after smoothing, R87 (65); the letter S alone is the dual filter's
KINDS = (
    ("prediction", "prediction", "P(k)", "R87 (56)"),
    ("corrected", "correction", "P^+(k)", "R87 (58)"),
    ("smoothed", "smoothing", LEFT, "R87 (65)"),
)
BLOCKS = (("rotation", "kg m²"), ("translation", "kg"))


def covariances_html(drawing: Drawing, link: int, theme: palette.Theme) -> str:
    """Errors of prediction, correction and smoothing beside P, P+ and P - P Lambda P, and the last inside P."""
    sums, theory = drawing.sums, drawing.theory
    if sums is None or theory is None:
        return ""
    own, rows = np.diag(theory.prediction[link]), ""
    judged = True
    for error, title, latex, source in KINDS:
        found = difference(sums.covariance(error, link), getattr(theory, error)[link], sums.count, own)
        judged = found.judged
        word = verdict(found.holds, "", "") if found.judged else ""
        rows += (
            f"<tr><td class='name'>{title}</td><td>{formula(latex)} <span class='source'>{source}</span></td>"
            f"<td class='number'>{number_html(found.relative, digits=3)}</td>"
            f"<td class='number'>{number_text(found.typical, digits=3)}</td>"
            f"<td class='number'>{number_text(found.limit, digits=3)}</td><td>{word}</td></tr>"
        )
    few = "" if judged else " So few draws are not judged."
    return (
        "<h4>Are the inertias the errors' covariances?</h4>"
        "<div class='wide'><table class='links'><thead><tr><th>error of</th><th>covariance</th><th>difference</th>"
        f"<th>typical</th><th>95 % below</th><th></th></tr></thead><tbody>{rows}</tbody></table></div>"
        f"<p class='note'>Difference of {sums.count:,} draws from the dynamics, relative to the covariance itself over "
        f"all its directions. Where nothing is uncertain, no draw has an error.{few}</p>"
        f"{_ellipses(drawing, link, theme)}"
    )


def _ellipses(drawing: Drawing, link: int, theme: palette.Theme) -> str:
    sums, theory = drawing.sums, drawing.theory
    assert sums is not None and theory is not None
    p, s, h = theory.prediction[link], theory.smoothed[link], theory.rows[link]
    drawn = sums.covariance("smoothed", link)
    true, sampled = crossing(p, s, h), crossing(p, drawn, h)  # seen in one plane, which depends on P and H alone
    color, figures = palette.quantity("articulated_inertia", theme), ""
    for block, (title, unit) in enumerate(BLOCKS):
        scale = 56.0 / float(np.sqrt(max(true.before[block, 0], true.before[block, 2], 1e-300)))
        shapes = "".join(
            _ellipse(outline[block] * scale**2, name)
            for outline, name in ((true.before, "before"), (true.after, "after"), (sampled.after, "drawn"))
        )
        values = "".join(
            f"<tr><th>{of}</th>{_cells(each[block], float(true.before_values[block, 0]))}</tr>"
            for of, each in (
                (formula("P(k)"), true.before_values),
                (formula(LEFT), true.after_values),
                ("drawn", sampled.after_values),
            )
        )
        figures += (
            f"<figure><figcaption>{title}</figcaption><svg viewBox='-64 -64 128 128' role='img' aria-label='Outlines "
            f"of the {title} block: smoothed inside predicted'>{shapes}</svg>"
            f"<table class='eigenvalues'><tbody>{values}</tbody></table><small>eigenvalues, {unit}</small></figure>"
        )
    return (
        f"<section class='crossing' style='--own: {color}'><h4>Smoothed inside predicted</h4><p class='note'>Solid "
        f"{formula('P(k)')}, filled {formula(LEFT)}, dotted the smoothed errors drawn; outlines of ellipsoids "
        f"whose half axes are roots of eigenvalues.</p><div class='figures'>{figures}</div></section>"
    )


def _cells(values: Array, beside: float) -> str:
    return "".join(f"<td>{number_html(value, beside, 3, padded=True)}</td>" for value in values)


def _ellipse(outline: Array, name: str) -> str:
    xx, xy, yy = (float(each) for each in outline)
    values, vectors = np.linalg.eigh(np.array([[xx, xy], [xy, yy]]))
    short, long = np.sqrt(np.maximum(values, 0.0))
    angle = -np.degrees(np.arctan2(vectors[1, 1], vectors[0, 1]))
    return (
        f"<ellipse class='{name}' rx='{max(long, 0.8):.2f}' ry='{max(short, 0.8):.2f}' "
        f"transform='rotate({angle:.2f})'/>"
    )


COUNTS = {f"{count:,}": count for count in (10, 100, 1_000, 10_000, 100_000)}
FIRST = COUNTS["1,000"]
DRAW, STOP = "Draw", "Stop"


class Draws(View):
    """Draws at the cursor's posture, a slice at a time; another posture or another run stops them."""

    def __init__(self, session: Session, **params: object) -> None:
        super().__init__(**params)
        self._session = session
        self.drawing: Drawing | None = None
        self._run: Run | None = None
        self._number = 0
        self._count = pmui.RadioButtonGroup(options=COUNTS, value=FIRST, size="small", margin=(6, 4, 6, 12), sx=EVEN)
        self._counts = Binding(self._count, lambda: self._wanted, self._want)
        self._button = pmui.Button(label=DRAW, icon="casino", variant="outlined", size="small", margin=(6, 12, 6, 4))
        self._button.on_click(lambda _: self.draw_or_stop())
        self._progress_line = ProgressLine()
        self._job: Job[Slice] = session.jobs.new("nothing more can be drawn", self._fail, ERRORS)
        self._counts.follow()
        session.param.watch(lambda _: self._counts.follow(), "estimation")
        session.param.watch(self._follow, "run")
        session.cursor.param.watch(self._follow, "time")
        self.view = pn.Column(
            pn.FlexBox(self._count, self._button, align_items="center", margin=0),
            self._progress_line,
            sizing_mode="stretch_width",
            margin=0,
        )

    @property
    def _wanted(self) -> int:
        said = self._session.estimation.draws
        return said if said in COUNTS.values() else FIRST

    def _want(self, count: int) -> None:
        if count in COUNTS.values():
            self._session.choose("estimation", draws=0 if count == FIRST else count)

    @property
    def busy(self) -> bool:
        return self._job.busy

    @property
    def is_here(self) -> bool:
        """Whether the draws belong to the page's instant."""
        drawing, session = self.drawing, self._session
        return drawing is not None and self._run is session.run and drawing.time == session.time

    def draw_or_stop(self) -> None:
        if self.busy:
            self._end("Stopped")
        else:
            self.start(self._count.value)

    def start(self, wanted: int) -> None:
        """Draws at the cursor's posture, and pauses the motion there; earlier draws are discarded."""
        session = self._session
        at = session.time
        session.playing = False
        session.seek(at)
        self.drawing = Drawing(session.solution(), at, wanted, self._number)
        self._run = session.run
        self._number += 1
        self._button.label = STOP
        self._report("")
        self._job.start(self.drawing.look, partial(self._accept, self.drawing))

    def _accept(self, drawing: Drawing, found: Slice) -> None:
        drawing.accept(found)
        self._job.report(drawing.drawn / drawing.wanted)
        if drawing.done:
            self._button.label = DRAW
        else:
            self._job.start(drawing.look, partial(self._accept, drawing))
        self._report("")

    def _end(self, why: str) -> None:
        self._job.cancel()
        self._button.label = DRAW
        self._report(why)

    def _fail(self, words: str) -> None:
        self._button.label = DRAW
        self._progress_line.say(f"{html.escape(words[:1].upper() + words[1:])}.")

    def _follow(self, *_: object) -> None:
        """Stops drawing when the instant changes; discards the draws when the machine does."""
        drawing = self.drawing
        if drawing is None:
            return
        if self._run is not self._session.run and names_of(drawing.system) != names_of(self._session.system):
            self.drawing = self._run = None  # of another machine, whose links do not exist here
            self._job.cancel()
            self._button.label = DRAW
            self._progress_line.say("")
        elif self.busy and not self.is_here:
            self._end("Stopped")

    def _report(self, why: str) -> None:
        drawing = self.drawing
        if drawing is None:
            return
        drawn, wanted = drawing.drawn, drawing.wanted
        if why:
            self._progress_line.say(f"{why} after {drawn:,} of {wanted:,} draws.")
        elif drawing.done:
            seeds = drawing.seeds
            which = f"seed {seeds[0]}" if len(seeds) == 1 else f"seeds {seeds[0]} to {seeds[-1]}"
            self._progress_line.say(f"{drawn:,} draws, {which}.")
        else:
            share = f"{100 * drawn / wanted:.0f} %"
            bar = f"<progress max='{wanted}' value='{drawn}' aria-label='Draws'></progress>"
            self._progress_line.say(f"{share}: {drawn:,} of {wanted:,} draws. {bar}")

    @property
    def moment(self) -> str:
        if self.drawing is None:
            return ""
        before = "" if self._run is self._session.run else " of a run before"
        return f"t = {self.drawing.time:.3f} s{before}"


def names_of(system: dyn.System) -> tuple[object, ...]:
    """Equal for machines whose links can be compared."""
    return tuple(system.link_names), tuple(system.joint_names), tuple(int(k) for k in system.inboard)


EVEN = {"& .MuiToggleButton-root": {"padding": "3px 8px", "textTransform": "none", "letterSpacing": 0}}


FIRST_CURVE, LAST, SMALLEST = 3.0, 1.3e5, 1e-5


class ConvergenceCurve:
    """A dot for each number of draws, the other joints as thin lines, and the typical 1 / sqrt(N)."""

    def __init__(self) -> None:
        self._source = ColumnDataSource({"draws": [], "error": []})
        self._others = ColumnDataSource({"draws": [], "error": []})
        counts = np.array([FIRST_CURVE, LAST])
        typical = ColumnDataSource({"draws": counts.tolist(), "error": np.asarray(typical_error(counts)).tolist()})
        self._plot = small_plot(
            "convergence", 170, x_range=Range1d(FIRST_CURVE, LAST), y_range=Range1d(1e-4, 2.0), x_axis_type="log",
            y_axis_type="log", x_axis_label="draws", y_axis_label="|variance / D − 1|",
        )  # fmt: skip
        self._faint = self._plot.multi_line("draws", "error", source=self._others, line_width=1, line_alpha=0.35)
        self._typical = self._plot.line("draws", "error", source=typical, line_width=1.5, line_dash="dashed")
        self._line = self._plot.line("draws", "error", source=self._source, line_width=1.5)
        self._dots = self._plot.scatter("draws", "error", source=self._source, size=4)
        self._plot.yaxis.ticker.desired_num_ticks = 4
        self.view = pn.Column(sizing_mode="stretch_width", margin=0, visible=False)

    def paint(self, theme: palette.Theme) -> None:
        self._typical.glyph.line_color = palette.INK[theme]
        own = palette.quantity("innovation", theme)
        self._line.glyph.line_color = self._dots.glyph.line_color = self._dots.glyph.fill_color = own
        self._faint.glyph.line_color = palette.quantity("joint_inertia", theme)

    def show(self, counts: list[int], error: list[float], others: Sequence[list[float]]) -> None:
        """Shows another curve; an empty one hides the plot.

        Args:
            others: curves of the other joints, at the same numbers of draws.
        """
        self.view.visible = bool(counts)
        if counts and not self.view.objects:
            self.view.append(figure_pane(self._plot))
        shown = [max(value, SMALLEST) for value in error]
        if shown:
            lowest = min(1e-2, *shown)
            self._plot.y_range.update(start=lowest / 2.0, end=3.0)
        self._source.data = {"draws": counts, "error": shown}
        self._others.data = {
            "draws": [counts] * len(others),
            "error": [[max(value, SMALLEST) for value in each] for each in others],
        }


READABLE = 8  # Largest number of joints for which the matrix shows numbers; a larger one shows shades
INNOVATIONS, MEASURED = "innovations", "measured"


def whitenesses(drawing: Drawing) -> dict[str, Whiteness]:
    """Whiteness of the innovations, and of the measurements, as if a filter predicted nothing."""
    sums, theory = drawing.sums, drawing.theory
    if sums is None or theory is None:
        return {}
    return {
        INNOVATIONS: whiteness(sums.innovations, sums.count, theory.variance),
        MEASURED: whiteness(sums.measured, sums.count, theory.variance),
    }


def whiteness_html(drawing: Drawing, which: str, link: int, figures: Figures) -> str:
    """The verdict on both, and the matrix of one."""
    found, system = whitenesses(drawing), drawing.system
    if not found:
        return ""
    rows = "".join(
        f"<p><b>{title}:</b> {_judged(found[name], system)}</p>"
        for name, title in ((INNOVATIONS, "Innovations"), (MEASURED, "Torques as measured"))
    )
    chosen = found[which]
    offered = [("see 0", "innovations", ""), ("see 1", "torques as measured", "")]
    buttons = buttons_html(offered, [f"see {(INNOVATIONS, MEASURED).index(which)}"])
    beside = (
        f"the largest correlation may be {number_text(chosen.limit, digits=2)}, a variance "
        f"{number_text(chosen.low, digits=3)} to {number_text(chosen.high, digits=3)} times {formula('D')}"
    )
    several = f"all {chosen.tests} limits together" if chosen.tests > 1 else "this one limit"
    return (
        f"<h4>Are the innovations white?</h4>{rows}"
        f"<p class='note'>By chance, of {chosen.count:,} draws, {beside}: 95 % of honest samples keep {several}.</p>"
        f"<div class='tools'>{buttons}</div>{_matrix(chosen, system, link, figures)}"
        f"<p class='note'>Beside the diagonal: correlation of two joints, 0 if white. On it: variance over "
        f"{formula('D')}, 1.</p>"
    )


def _judged(found: Whiteness, system: dyn.System) -> str:
    if found.is_white:
        largest = "" if found.pair is None else f", largest correlation {number_html(found.correlation, digits=2)}"
        return verdict(True, f"white{largest}", "")
    why = []
    if not found.is_uncorrelated and found.pair is not None:
        i, j = (named(system, k) for k in found.pair)
        why.append(f"joints {i} and {j} have correlation {number_html(found.correlation, digits=2)}")
    if not found.has_variances:
        why.append(
            f"the variance of joint {named(system, found.joint)} is {number_html(found.ratio, digits=3)} times "
            f"{formula('D')}"
        )
    return verdict(False, "", f"not white: {'; '.join(why)}")


def _matrix(found: Whiteness, system: dyn.System, link: int, figures: Figures) -> str:
    n, first = len(found.matrix), figures.count
    figures.put(found.matrix)
    figures.count += n * n
    labels = [named(system, k) for k in range(n)]

    def mine(here: bool) -> str:
        return " class='mine'" if here else ""

    head = "".join(f"<th{mine(j == link)}>{labels[j]}</th>" for j in range(n))
    body = "".join(
        f"<tr><th{mine(i == link)} data-go='link {i}' tabindex='0' role='button' aria-label='joint {labels[i]}'>"
        f"{labels[i]}</th>"
        + "".join(f"<td{mine(link in (i, j))} data-n='{first + n * i + j}'></td>" for j in range(n))
        + "</tr>"
        for i in range(n)
    )
    size = "" if n <= READABLE else " compact"
    return (
        f"<div class='wide'><table class='grid{size}' data-first='{first}' data-heat='{n}' data-digits='2'>"
        f"<thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )
