"""The estimation problem drawn at random: sums over many draws, and the limits of chance for their number.

It may import: the mechanics.
``drawing``: draws in slices, the sums that are kept of them, the expected values for N draws, and a test whether
innovations are white.
"""
