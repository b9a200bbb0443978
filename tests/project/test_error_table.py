"""Every error has its place in the one table that all faces read."""

from __future__ import annotations

import inspect

import pytest

from retain import errors
from retain.cli.failures import BROKEN_PIPE, FOUND_PROBLEMS

TREE = [
    kind
    for _, kind in inspect.getmembers(errors, inspect.isclass)
    if issubclass(kind, errors.RetainError)
]


def test_codes_are_unique() -> None:
    codes = [kind.code for kind in TREE]
    assert sorted(codes) == sorted(set(codes))


@pytest.mark.parametrize("kind", TREE, ids=lambda kind: kind.__name__)
def test_each_has_a_code_of_its_own_and_usable_statuses(kind: type[errors.RetainError]) -> None:
    assert "code" in vars(kind)
    assert 1 <= kind.exit_code < FOUND_PROBLEMS < BROKEN_PIPE
    assert 400 <= kind.http_status < 600


@pytest.mark.parametrize("kind", TREE, ids=lambda kind: kind.__name__)
def test_each_is_drawn_in_the_docstring(kind: type[errors.RetainError]) -> None:
    assert errors.__doc__ is not None
    assert kind.__name__ in errors.__doc__
    assert kind.__doc__


def test_a_class_shares_the_exit_code_of_its_branch() -> None:
    for kind in TREE:
        branch = kind.__mro__[1]
        if branch not in (errors.RetainError, Exception):
            assert issubclass(branch, errors.RetainError)
            assert kind.exit_code == branch.exit_code
