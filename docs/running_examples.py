"""Sphinx extension: runs the Python blocks of the theory pages and shows below each what it printed and drew."""

from __future__ import annotations

import base64
from html import escape

from docutils import nodes
from sphinx.application import Sphinx

from docs.examples import PAGES, outputs


def run_examples(app: Sphinx, doctree: nodes.document) -> None:
    name = app.env.docname
    if name not in PAGES:
        return
    blocks = [block for block in doctree.findall(nodes.literal_block) if block.get("language") == "python"]
    for block, (code, output) in zip(blocks, outputs(name), strict=True):
        if block.astext().strip() != code.strip():
            raise ValueError(f"{name}: another example stands here than the one that has run: {block.astext()}")
        shown: list[nodes.Node] = [block]
        if output.text:
            shown.append(nodes.literal_block(output.text, output.text, language="none", classes=["output"]))
        for title, svg in output.figures:
            data = base64.b64encode(svg).decode()
            picture = f'<img class="figure" alt="{escape(title)}" src="data:image/svg+xml;base64,{data}">'
            shown.append(nodes.raw("", picture, format="html"))
        block.replace_self(shown)


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-read", run_examples)
    return {"parallel_read_safe": True}
