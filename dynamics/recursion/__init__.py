"""The sweeps of filter and smoother, contact stage and dual filter, compiled, one file each.

It may import: ``system``, ``numbers``, ``compiler``.
Start with ``filter_smoother``: the stages in their order; ``inward_filter``: the first of them.
"""
