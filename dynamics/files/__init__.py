"""Files: a run as a table in four formats, a recording that is read back bit for bit, films and pages.

It may import: ``system``, ``robot``, and also ``checks``, ``record`` and ``errors``.
Start with ``table``: the columns of a run and how they are written; ``recording_file``: a recording as one file.
"""
