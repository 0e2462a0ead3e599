"""The look of the panes that are written as HTML."""

STYLE = """
/* Sizes in rem: projector mode enlarges the root. */
:host { font: 0.875rem/1.45 Roboto, "Helvetica Neue", Arial, sans-serif; }
h3 { margin: 6px 0 4px; font-size: 1rem; }
p { margin: 6px 0; }
ul.legend { list-style: none; margin: 8px 0; padding: 0; }
ul.legend li { display: flex; gap: 8px; align-items: baseline; margin: 4px 0; }
.swatch { flex: none; width: 12px; height: 12px; border-radius: 3px; }
kbd { border: 1px solid currentColor; border-radius: 4px; padding: 0 5px; font: 0.75rem monospace; opacity: 0.85; }
table.numbers { border-collapse: collapse; width: 100%; }
table.numbers th { text-align: left; font-weight: 500; opacity: 0.75; padding: 8px 6px 2px 0; }
table.numbers td { border-top: 1px solid rgba(128, 128, 128, 0.3); padding: 3px 6px 3px 0; vertical-align: top; }
table.numbers td.name { overflow-wrap: anywhere; min-width: 7.5em; }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
"""

SMALL = "@media (max-width: 599px), (max-height: 560px)"
"""A phone, or a page at twice its size: an instrument is one sheet, scrolled as a whole, touched by fingers."""
