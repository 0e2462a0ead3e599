"""*Lessons*: folders of text files that a lecturer writes, taught beside the living page.

It may import: ``app.classroom``, ``app.measures``, ``app.upload``, ``app.views`` and what they may import.
Start with ``lesson``: what one is; ``reading`` reads it, ``language`` is what its numbers and checks are written in and
``values`` what they are worth, ``numbers`` holds what is typed against what is so, ``staged`` computes a step,
``marking`` judges an answer, ``lessons`` is the panel.
"""
