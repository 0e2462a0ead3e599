"""*Lessons*: folders of text files that a lecturer writes, taught beside the running page.

It may import: ``app.classroom``, ``app.instruments.cost``, ``app.files``, ``app.views`` and what they may import.
Start with ``lesson``, the data of a lesson and how it is read; ``exercise`` computes a step and grades its answers, and
``lessons`` is the panel.
"""
