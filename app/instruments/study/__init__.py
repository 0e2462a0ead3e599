"""The instrument *Study*: one number of many states, computed in a separate process, with a link to each state.

It may import: ``app.views``, ``app.controls``, ``app.instruments`` (small plots), ``app.service`` and what they may.
Start with ``study``: the instrument; ``question``: its input; ``process``: the process that computes the answer.
"""
