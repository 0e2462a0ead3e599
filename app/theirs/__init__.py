"""The instrument *Compare*: somebody's own arrays of a moment beside ours, compared by a process of its own.

It may import: ``app.studies`` (a process and its course), ``app.upload``, ``app.views`` and what they may import.
Start with ``compare``: the instrument; ``handed_in``: what is handed in; ``moment_text``: what one computes oneself.
"""
