"""The instrument *Methods*: every other formulation at the cursor's moment, step by step.

It may import: ``app.walker``, ``app.equations``, ``app.controls`` and what they may import.
Start with ``methods``: the whole; ``sheet``: one step, and where the method arrives.
"""
