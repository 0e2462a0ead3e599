"""The instrument *Compare*: the arrays of another program at the cursor's moment beside ours.

It may import: ``app.studies`` (the process beside the page), ``app.upload``, ``app.views`` and what they may import.
Start with ``compare``: the instrument; ``moment``: what other code computes with, and what the process is asked.
"""
