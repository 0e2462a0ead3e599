"""Robots made otherwise: joints, links, lengths, what links weigh by their shapes; each change whole, or refused.

It may import: ``robot``, and beside it ``checks``, ``record``, ``public`` and ``errors``.
Start with ``joints``: one joint otherwise; ``links``: links added and taken away; ``table``: Denavit-Hartenberg tables.
"""
