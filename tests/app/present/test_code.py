"""The address that followers type says nothing of the token that leads."""

from __future__ import annotations

import re

import pytest

from app.present.code import LENGTH, LETTERS, PATTERN, code_of, is_token, new_token


def test_a_token_makes_one_code_that_can_be_read_aloud() -> None:
    token = new_token()
    assert is_token(token)
    assert code_of(token) == code_of(token)
    assert re.fullmatch(PATTERN, code_of(token))
    assert len(LETTERS) ** LENGTH > 2**49
    assert not set(LETTERS) & set("ilo01")


def test_every_presentation_has_its_own() -> None:
    tokens = {new_token() for _ in range(8)}
    assert len({code_of(token) for token in tokens}) == 8


@pytest.mark.parametrize(
    "given", [None, 3, "", "a" * 31, "a" * 33, "a" * 31 + "\n", "ä" * 32, "a" * 31 + "/", b"a" * 32]
)
def test_nothing_else_is_a_token(given: object) -> None:
    assert not is_token(given)
