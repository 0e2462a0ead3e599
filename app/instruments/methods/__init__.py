"""The instrument *Methods*: every other formulation at the cursor's moment, step by step.

It may import: ``app.instruments.walk``, ``app.equations``, ``app.controls`` and what they may import.
Start with ``methods``: the instrument; ``sheet``: one step, and the result of the method.
"""
