"""A row of a study: what varies and is drawn, the machine and the state that this makes, and what is found there.

It may import: ``study``, ``check``, ``motion``, ``posture``, ``batch`` and what they may import.
Start with ``problem``: a question and what it computes, row by row; ``variables``, ``watched``: what may be asked.
"""
