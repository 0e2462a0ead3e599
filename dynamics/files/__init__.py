"""What is written to files; and systems and arrays made again from one, by those who check what they make.

It may import: ``system``, ``robot``, and beside them ``checks``, ``record`` and ``errors``.
Start with ``tree_file``: the file; ``saved_parts``: what stands in it; ``columns``, ``tables``: files for others.
"""
