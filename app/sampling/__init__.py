"""What can be plotted of a run, and its samples.

Start with ``quantities``, the list that a user searches; ``sampler`` reads the chosen ones along the run into
``curves``. Imports the mechanics, ``app.motion`` and ``app.job``.
"""
