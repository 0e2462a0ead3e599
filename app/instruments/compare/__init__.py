"""The instrument *Compare*: the arrays of another program at the cursor's moment beside ours.

It may import: ``app.instruments.study`` (its process), ``app.files``, ``app.views`` and what they may import.
Start with ``compare``: the instrument; ``moment``: the data for other code, and the question for the process.
"""
