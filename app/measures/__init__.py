"""What each method costs, as numbers: operations counted, laws of N, longest chains of tasks, times of calls.

It may import: the mechanics.
Start with ``counts``: what is counted; ``timing``: what is measured.
"""
