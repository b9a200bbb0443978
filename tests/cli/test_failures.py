"""How commands fail: one message, the exit code of the error table, no traceback."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import pytest

from retain import errors
from retain.cli.failures import describe, reported
from tests.cli.conftest import Shell

UNKNOWN = "00000000-0000-4000-8000-000000000000"


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (("search", "  "), errors.InvalidQuery),
        (("search", "x", "--filter", "{"), errors.InvalidFilter),
        (("search", "x", "--filter", "[1]"), errors.InvalidFilter),
        (("search", "x", "--threshold", "7"), errors.InvalidInput),
        (("list", "-k", "-1"), errors.InvalidInput),
        (("list", "--as-of", "someday"), errors.InvalidInput),
        (("list", "--user", "two words"), errors.InvalidScope),
        (("add", "x", "--metadata", "novalue"), errors.InvalidInput),
        (("add", "x", "--expires", "tomorrow"), errors.InvalidInput),
        (("delete",), errors.InvalidInput),
        (("delete", UNKNOWN, "--all"), errors.InvalidInput),
        (("erase",), errors.InvalidInput),
        (
            ("update", UNKNOWN, "x", "--expires", "2030-01-01", "--never-expires"),
            errors.InvalidInput,
        ),
        (("show", UNKNOWN), errors.NotFound),
        (("delete", UNKNOWN), errors.NotFound),
        (("import", "missing.json"), errors.InvalidInput),
        (("list", "--config", "missing.json"), errors.ConfigError),
        (("bench", "nonesuch", "missing.json"), errors.InvalidInput),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else value.__name__,
)
def test_an_error_ends_with_its_exit_code(
    retain: Shell, words: tuple[str, ...], kind: type[errors.RetainError]
) -> None:
    ran = retain(*words)
    assert ran.code == kind.exit_code
    assert ran.out == ""
    assert ran.err.startswith("Error: ")
    assert "Traceback" not in ran.err
    told = json.loads(retain(*words, "--json").err)["error"]
    assert told["code"] == kind.code
    assert f"Error: {told['message']}\n" == ran.err


def test_a_file_that_is_no_ledger(retain: Shell) -> None:
    retain.path.write_bytes(b"this is no ledger" * 500)
    ran = retain("list")
    assert ran.code == errors.LedgerCorrupt.exit_code
    assert retain.path.name in ran.err


@pytest.mark.parametrize(
    "kind",
    [
        kind
        for _, kind in inspect.getmembers(errors, inspect.isclass)
        if issubclass(kind, errors.RetainError)
    ],
    ids=lambda kind: kind.__name__,
)
def test_every_error_class_is_reported(kind: type[errors.RetainError]) -> None:
    import typer

    with pytest.raises(typer.Exit) as left, reported(as_json=False):
        raise kind("something is amiss")
    assert left.value.exit_code == kind.exit_code


def test_details_are_told_as_json() -> None:
    error = errors.Incomplete("stopped", kept=3, file=Path("x"))
    told = json.loads(describe(error, as_json=True))["error"]
    assert told == {"code": "incomplete", "message": "stopped", "details": {"kept": 3, "file": "x"}}


def test_a_defect_keeps_its_traceback() -> None:
    with pytest.raises(ZeroDivisionError), reported(as_json=False):
        raise ZeroDivisionError


DEEP = "[" * 100_000


@pytest.mark.parametrize(
    "words",
    [
        ("list", "--nonesuch"),
        ("show",),
        ("list", "-k", "many"),
        ("nonesuch",),
        ("search", "x", "--filter", DEEP),
        ("list", "--config", "deep.json"),
    ],
    ids=lambda words: " ".join(words)[:40],
)
def test_whatever_is_wrong_with_the_words_is_json_with_json(
    retain: Shell, words: tuple[str, ...]
) -> None:
    retain.path.with_name("deep.json").write_text(DEEP)
    ran = retain(*words, "--json")
    told = json.loads(ran.err)["error"]
    kind = errors.ConfigError if "--config" in words else errors.InvalidInput
    assert ran.code == kind.exit_code == retain(*words).code
    assert told["message"]
    assert ran.out == ""


def test_a_text_may_look_like_an_option(retain: Shell) -> None:
    assert retain("list", "--nonesuch", "--", "--json").err.startswith("Usage:")


def test_a_question_answered_no_is_json_with_json(retain: Shell) -> None:
    ran = retain("delete", "--all", "--json", stdin="n\n")
    assert ran.code == 1
    assert json.loads(ran.err.splitlines()[-1].partition("]:")[2])["error"]["code"]


def test_metadata_nested_too_deep_is_a_text(retain: Shell) -> None:
    retain.ok("add", "x", "--no-infer", "--metadata", f"key={DEEP[:2000]}")
    assert retain.ok("list", "--json").json["results"][0]["metadata"] == {"key": DEEP[:2000]}


def test_an_unknown_option_is_a_usage_error(retain: Shell) -> None:
    assert retain("list", "--nonesuch").code == errors.InvalidInput.exit_code
