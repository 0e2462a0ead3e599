"""Tests of ``dynamics.faults``: that each is found stands in those of ``dynamics.beside``."""
