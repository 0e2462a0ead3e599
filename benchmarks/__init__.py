"""Comparisons with other engines: the same work, in the same run, after a check that all compute the same numbers."""
