"""Tests of ``dynamics.minimal``."""
