"""Where branches meet in flight: what the inward filter gathers there, and what the outward one scatters. JR 3.4."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.equations.formula import formula
from app.equations.sheet import Figures
from app.state import walk

Array = NDArray[np.float64]
MASS = slice(3, 6)
GATHER = r"P(i) = M(i) + \sum_{j}\,\phi(i,j)\,P^{+}(j)\,\phi'(i,j)"
SCATTER = r"S^{+}(k) = \phi(k,i)\,[S(i) + M(i) + R(k)]\,\phi'(k,i)"
OTHERS = r"R(k) = \sum_{j \ne k}\,\phi(i,j)\,P^{+}(j)\,\phi'(i,j)"
ABOUT = (
    "Inward, a body adds up what each branch resists with; outward, a branch is given what is inboard and what the "
    "<b>other</b> branches resist with. On any one branch only two recursions run, in opposite directions."
)


@dataclass(frozen=True)
class Meeting:
    """A body that several branches meet at; mean masses, kg, which no lever arm changes.

    Attributes:
        body: the link i.
        branches: links j that hang on it.
        own: of the body alone, M(i).
        inboard: S(i).
        carried: (branches,), of P+(j).
        gathered: P(i).
        scattered: (branches,), of S+(j).
    """

    body: int
    branches: tuple[int, ...]
    own: float
    inboard: float
    carried: Array
    gathered: float
    scattered: Array

    def others(self, at: int) -> float:
        """What all branches but one carry in."""
        return float(np.delete(self.carried, at).sum())

    @property
    def apart(self) -> float:
        """By how much the sums miss what the filters hold, relative to the body's P."""
        gaps = [self.own + self.carried.sum() - self.gathered]
        gaps += [self.inboard + self.own + self.others(at) - felt for at, felt in enumerate(self.scattered)]
        return float(np.abs(gaps).max() / self.gathered)


def meetings(solution: dyn.Solution) -> list[Meeting]:
    """Every body with more than one outboard neighbor, from the base outward."""
    system, forward, dual = solution.system, solution.stages["filter"], solution.stages["dual_filter"]
    found = []
    for body in reversed(range(system.n_links)):
        branches = outboard(system, body)
        if len(branches) < 2:
            continue
        of = list(branches)
        found.append(
            Meeting(
                body, branches, system.link_models[body].mass, _mass(dual["dual_articulated_inertia"][body]),
                np.array([_mass(each) for each in forward["articulated_inertia_updated"][of]]),
                _mass(forward["articulated_inertia"][body]),
                np.array([_mass(each) for each in dual["dual_articulated_inertia_predicted"][of]]),
            )
        )  # fmt: skip
    return found


def outboard(system: dyn.System, body: int) -> tuple[int, ...]:
    """The links that hang on a body."""
    return tuple(int(k) for k in np.flatnonzero(np.asarray(system.inboard) == body))


def _mass(inertia: Array) -> float:
    """kg: the mean mass of a (6, 6) when it is pushed and does not turn."""
    return float(np.trace(inertia[MASS, MASS]) / 3.0)


def branches_html(solution: dyn.Solution, figures: Figures) -> str:
    """Both sums of every such body; nothing for a chain."""
    found = meetings(solution)
    if not found:
        return ""
    parts = "".join(_meeting_html(solution.system, each, figures) for each in found)
    return f"<h3>Where branches meet: gather and scatter</h3><p class='note'>{ABOUT}</p>{parts}"


def _meeting_html(system: dyn.System, meeting: Meeting, figures: Figures) -> str:
    body = html.escape(walk.called(system, meeting.body))
    own = (f"{body} alone", formula("M(i)"), meeting.own)
    gathered = _sum_html(
        [own, *((_link(system, j), formula("P^{+}(j)"), mass) for j, mass in zip(meeting.branches, meeting.carried,
                                                                                 strict=True))],
        (formula("P(i)"), meeting.gathered), figures,
    )  # fmt: skip
    scattered = ""
    for at, (branch, felt) in enumerate(zip(meeting.branches, meeting.scattered, strict=True)):
        others = " and ".join(_link(system, j) for j in meeting.branches if j != branch)
        terms = [
            (f"inboard of {body}", formula("S(i)"), meeting.inboard), own,
            (others, formula("R(k)"), meeting.others(at)),
        ]  # fmt: skip
        title = f"<p class='where'>to {_link(system, branch)}</p>"
        scattered += title + _sum_html(terms, (formula("S^{+}(k)"), felt), figures)
    figures.put(meeting.apart)
    return (
        f"<section class='branches' data-body='{meeting.body}'><h4>At {body}</h4>"
        f"<p>{formula(GATHER)} <b>gather</b></p>{gathered}"
        f"<p>{formula(SCATTER)} <b>scatter</b></p><p>{formula(OTHERS)}</p>{scattered}"
        "<p class='note'>Mean masses, kg, of what is pushed and does not turn: no lever arm changes them. The sums are "
        f"what the filters hold to <span class='apart' data-digits='1'>{figures.one()}</span> of the whole.</p>"
        "</section>"
    )


def _link(system: dyn.System, link: int) -> str:
    name = html.escape(walk.called(system, link))
    return f"<span class='action' data-go='link {link}' tabindex='0' role='button'>{name}</span>"


def _sum_html(terms: Sequence[tuple[str, str, float]], total: tuple[str, float], figures: Figures) -> str:
    """Terms under each other, and what they add up to."""
    figures.put(np.array([mass for *_, mass in terms] + [total[1]]))
    rows = "".join(
        f"<tr><td class='name'>{words}</td><td>{letter}</td><td class='number'>{figures.one()}</td></tr>"
        for words, letter, _ in terms
    )
    return (
        f"<table class='links worded'><tbody>{rows}<tr class='here'><td class='name'>together</td><td>{total[0]}</td>"
        f"<td class='number'>{figures.one()}</td></tr></tbody></table>"
    )
