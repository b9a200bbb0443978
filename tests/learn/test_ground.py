"""A candidate rests on its quotes, or it is no memory."""

from __future__ import annotations

from dataclasses import replace

from retain.domain.candidate import Candidate, Quote
from retain.domain.instant import parse_instant
from retain.domain.message import Message
from retain.learn.ground import ground

TEXT = "Well, I moved to Lisbon with Ana yesterday, and I pay 900 euros."
TURNS = [Message("m", "user", TEXT, parse_instant("2024-06-05", "at"), actor="Joe")]


def claim(statement: str, quote: str, start: int | None = None, turn: int = 0) -> Candidate:
    at = TEXT.find(quote) if start is None else start
    return Candidate(statement, (Quote(turn, quote, at, at + len(quote)),), subject="joe")


def test_an_exact_quote_that_names_all_supports_the_statement() -> None:
    verdict = ground(claim("Joe moved to Lisbon with Ana.", "I moved to Lisbon with Ana"), TURNS)
    assert (verdict.ok, verdict.check, verdict.score) == (True, "exact", 1.0)


def test_a_quote_at_a_wrong_span_is_put_right() -> None:
    verdict = ground(claim("Joe moved to Lisbon.", "moved to Lisbon", start=40), TURNS)
    assert verdict.ok
    assert TEXT[verdict.quotes[0].start : verdict.quotes[0].end] == "moved to Lisbon"


def test_a_nearly_right_quote_is_found() -> None:
    verdict = ground(claim("Joe moved to Lisbon.", "I moved to  Lisbon with Ana", start=0), TURNS)
    assert (verdict.ok, verdict.check) == (True, "fuzzy")
    assert verdict.score < 1


def test_an_invented_quote_is_refused() -> None:
    verdict = ground(claim("Joe lives in Paris.", "I bought a house in Paris", start=0), TURNS)
    assert not verdict.ok
    assert "not in the turn" in verdict.reason


def test_names_and_numbers_need_support() -> None:
    assert not ground(claim("Joe moved to Porto.", "I moved to Lisbon"), TURNS).ok
    assert not ground(claim("Joe pays 950 euros.", "I pay 900 euros"), TURNS).ok
    assert ground(claim("Joe pays 900 euros.", "I pay 900 euros"), TURNS).ok


def test_a_resolved_date_is_supported_by_its_expression() -> None:
    quote = "I moved to Lisbon with Ana yesterday"
    assert ground(claim("Joe moved to Lisbon on 4 June 2024.", quote), TURNS).ok
    assert not ground(claim("Joe moved to Lisbon on 3 June 2024.", quote), TURNS).ok


def test_a_candidate_without_quotes_or_with_an_unknown_turn_is_refused() -> None:
    assert not ground(Candidate("Joe lives.", ()), TURNS).ok
    assert not ground(claim("Joe moved.", "I moved", turn=3), TURNS).ok


def test_a_rules_statement_is_checked_for_names_and_numbers_alone() -> None:
    quote = "I moved to Lisbon with Ana yesterday"
    rule = replace(claim("Joe resettled in Lisbon on 4 June 2024.", quote), rule="home.moved")
    assert ground(rule, TURNS).score == 1.0
    assert not ground(replace(rule, statement="Joe resettled in Porto."), TURNS).ok
    assert not ground(replace(rule, statement="Joe resettled on 3 June 2024."), TURNS).ok
