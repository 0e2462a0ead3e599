"""The controls that change the session: each calls one of its methods.

It may import: ``app.views``, ``app.binding``, ``app.number_text`` and what they may import.
Start with ``sliders``: the structure of a control; ``transport``: play, pause and the timeline; ``kept_runs``: the runs
beside the current one, with ``run_comparison``: the distance of each from it, computed in a thread.
"""
