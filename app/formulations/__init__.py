"""The instrument *Methods*: every other formulation at the cursor's moment, step by step.

It may import ``app.equations``, ``app.state`` and ``app.controls``.
Start with ``methods``.
"""
