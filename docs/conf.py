"""Sphinx settings: Markdown pages whose Python runs, formulas as MathML, nothing from another host."""

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

project = "Armsweep"
author = "Armsweep contributors"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
extensions += ["docs.reference", "docs.claims", "docs.running_examples", "docs.mathml", "docs.replays"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]
add_module_names = False
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
maximum_signature_line_length = 80
napoleon_use_ivar = True
napoleon_attr_annotations = False
autodoc_type_aliases = {name: name for name in ("Array", "ArrayLike", "NumberRows", "Forces")}
pygments_style = "vs"
html_show_search_summary = False  # it is fetched, which a browser does not do from a disk
html_search_scorer = str(Path(__file__).with_name("search_scorer.js"))
html_theme = "alabaster"
html_theme_options = {
    "description": "See a Kalman filter move a robot",
    "page_width": "1140px",
    "body_max_width": "none",
    "font_family": "sans-serif",
    "show_powered_by": False,
}
html_static_path = ["_static", "../assets/fonts/math.woff2"]
html_math_renderer = "mathml"
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False


def setup(app: Any) -> None:
    app.connect("html-page-context", with_levels)


def with_levels(app: Any, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Gives captions of the contents, which are headings to whoever hears the page, the level that these must have."""
    old, new = 'role="heading"', 'role="heading" aria-level="2"'
    context["body"] = context.get("body", "").replace(old, new)
    toctree = context.get("toctree")
    if toctree is not None:
        context["toctree"] = lambda **how: toctree(**how).replace(old, new)
