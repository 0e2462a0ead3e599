"""The instrument *Study*: one number of many states, found by a process of its own, and the way to each of them.

It may import: ``app.views``, ``app.controls``, ``app.instruments`` (small plots), ``app.service`` and what they may.
Start with ``study``: the instrument; ``question``: what is asked; ``process``: the process that answers.
"""
