"""The quantities that can be plotted along a run, and their samples.

It may import: ``app.motion``, ``app.job``, ``app.batch_size`` and the mechanics.
Start with ``quantities``, the list that a user searches; ``sampler`` reads the chosen ones along the run.
"""
