"""The attack that stays: absurd input, drawn by seed, shrunk to its smallest, and every failure ever found.

A file is a kind of target and holds ``ATTACKS``, its ``Attack`` by name. ``test_attacks.py`` runs a little of each with
the suite, ``python -m tests.fuzz`` any length of them. Start with ``attack``.
"""
