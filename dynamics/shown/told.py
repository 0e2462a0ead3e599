"""What is wrong, for whoever mends it: in a robot's file, line by line, and in somebody's numbers, stage by stage."""

from __future__ import annotations

from dynamics.comparison import ComparedStage, Comparison
from dynamics.descriptions.xml import place_of
from dynamics.record import shown
from dynamics.review.finding import Finding
from dynamics.review.report import RobotReport
from dynamics.shown.parts import counted, page, table

FINDINGS = ("", "place", "what is there", "what would mend it")
STAGES = ("handed in as", "", "", "differs by")


@shown.register
def report_html(report: RobotReport) -> str:
    """What was found in a robot's file, in the order in which one mends it."""
    words = (
        report.language,
        counted(len(report.findings), "finding") if report.findings else "nothing to tell",
        f"refused: {report.refusal}" if report.refusal else "",
    )
    rows = [_row(finding) for finding in report.findings]
    return page(report.name, words, *([table(FINDINGS, rows)] if rows else []))


def _row(finding: Finding) -> tuple[str, str, str, str]:
    line = place_of(finding.line, finding.file) if finding.line else ""
    return finding.weight, ", ".join(filter(None, (line, finding.where))), finding.words, finding.remedy


@shown.register
def comparison_html(comparison: Comparison) -> str:
    """Where somebody's numbers and ours part first, and every array that was handed in."""
    words = *comparison.convention_in_words, *comparison.difference_in_words
    rows = [_stage(stage) for stage in comparison.stages]
    return page("Yours beside ours", words, table(STAGES, rows))


def _stage(stage: ComparedStage) -> tuple[str, str, str, str | float]:
    return stage.name, stage.words, stage.symbol, "agrees" if stage.agrees else stage.worst
