"""Sphinx extension: formulas as MathML, which browsers typeset by themselves, without a script or a font to fetch."""

from __future__ import annotations

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from app.equations.formula import without_radicals


def visit_inline(translator: HTML5Translator, node: nodes.math) -> None:
    translator.body.append(without_radicals(convert(node.astext())))
    raise nodes.SkipNode


def visit_block(translator: HTML5Translator, node: nodes.math_block) -> None:
    translator.body.append(f'<div class="math">{without_radicals(convert(node.astext(), display="block"))}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True}
