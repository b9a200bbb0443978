"""`retain demo`: learn a conversation and answer from it, and check every answer."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any

import typer

from retain.cli.demo_data import ALICE, BRUNO, QUESTIONS, SESSIONS, Question
from retain.cli.failures import FOUND_PROBLEMS
from retain.cli.output import Output, one_line
from retain.cli.place import Place, placed

if TYPE_CHECKING:
    from retain.memory import Memory

BUDGET = 250  # tokens of context for each answer
NEAR_TOP = 3  # the answer must be among so many memories
SECRET = "Toronto"  # of Bruno's; must be gone from the file after his erasure
MOVED_FROM, MOVED_TO, BEFORE_MOVE = "Lisbon", "Porto", "2025-03-01"
CODE = "4471"  # of Alice's; expired in April 2025


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    app.command("demo")(placed(demo))


def demo(place: Place) -> None:
    """See it learn six conversations and answer from them.

    No key and no network; a ledger of its own in a temporary directory. Every answer is
    checked; the exit code is 10 if one is wrong.
    """
    from retain.memory import Memory

    show = Show(place.out)
    with tempfile.TemporaryDirectory(prefix="retain-demo-") as directory:
        file = Path(directory) / "demo.db"
        with Memory(file) as memory:
            for part in (learn, answer, correct, expire, isolate):
                part(memory, show)
            erase(memory, show, file.parent)
    show.close()
    if show.failed:
        raise typer.Exit(FOUND_PROBLEMS)


@dataclass(slots=True)
class Show:
    """What the demo tells, as it goes: lines for people, or one report as JSON at the end."""

    out: Output
    checks: list[dict[str, Any]] = field(default_factory=list)
    milliseconds: dict[str, list[float]] = field(default_factory=dict)

    @property
    def failed(self) -> bool:
        """Whether any check failed."""
        return not all(check["passed"] for check in self.checks)

    def title(self, text: str) -> None:
        """Begin a part."""
        self.say()
        self.say(text, "bold")

    def say(self, text: str = "", style: str | None = None) -> None:
        """Print a line, unless the report is wanted as JSON."""
        if not self.out.wants_json:
            self.out.line(text, style)

    def check(self, claim: str, passed: bool) -> None:
        """State something that must be so, and whether it is."""
        self.checks.append({"claim": claim, "passed": passed})
        self.say(f"  {'ok  ' if passed else 'WRONG'} {claim}", "green" if passed else "bold red")

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Note how long a step took."""
        start = perf_counter()
        yield
        self.milliseconds.setdefault(name, []).append((perf_counter() - start) * 1000)

    def close(self) -> None:
        """Print the result of all checks, and the times."""
        times = {name: round(median(values), 2) for name, values in self.milliseconds.items()}
        passed = sum(check["passed"] for check in self.checks)
        if self.out.wants_json:
            self.out.json({"checks": self.checks, "median_milliseconds": times})
            return
        self.title("Result")
        self.say(
            f"  {passed} of {len(self.checks)} checks passed", "red" if self.failed else "green"
        )
        self.say("  median " + ", ".join(f"{name} {value} ms" for name, value in times.items()))
        if not self.failed:
            self.say('  Next: retain add "I live in Oslo", then retain recall "Where do I live?"')


def learn(memory: Memory, show: Show) -> None:
    """Add every session under its true date, and show the facts with their quotes."""
    show.title(
        "1. Learning: six conversations, kept word for word; facts with the words they rest on"
    )
    learned = 0
    for session in SESSIONS:
        with show.timed("add of a session"):
            results = memory.add(**session.as_item())["results"]
        turns = [item for item in results if item["kind"] == "message"]
        show.say(f"  {session.day}  {session.user_id}, {len(turns)} turns")
        for item in results:
            if item["kind"] != "fact":
                continue
            quotes = "; ".join(row["quote"] for row in memory.why(item["id"])["evidence"])
            verb = "no longer" if item["event"] == "SUPERSEDE" else "learned"
            show.say(f'    {verb}: {one_line(item["memory"])}  <- "{one_line(quotes)}"')
            learned += 1
    expected = sum(len(session.turns) for session in SESSIONS)
    kept = sum(
        len(
            memory.get_all(user_id=user, kinds=["message"], top_k=100, show_expired=True)["results"]
        )
        for user in (ALICE, BRUNO)
    )
    show.check(f"{kept} of {expected} turns are kept", kept == expected)
    show.check("facts were learned", learned > 0)


def answer(memory: Memory, show: Show) -> None:
    """Ask every question, and check the answer."""
    show.title(f"2. Recall: a context of at most {BUDGET} tokens for each question")
    for question in QUESTIONS:
        with show.timed("recall"):
            recall = memory.recall(
                question.text,
                user_id=question.user_id,
                as_of=question.as_of,
                budget_tokens=BUDGET,
            )
        when = f" (as of {question.as_of})" if question.as_of else ""
        show.say(f"  {question.text}{when}", "bold")
        for item in _top_and_fact(recall.memories):
            show.say(
                f"    {item['score']:.2f}  {item['created_at'][:10]}  {show.out.text_of(item)}"
            )
        right = _is_right(question, recall.memories, recall.context)
        show.check(
            f"{question.expected}, in {recall.tokens} tokens", right and recall.tokens <= BUDGET
        )


def _top_and_fact(memories: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The best memory, and the best fact if that is another one."""
    top = list(memories[:1])
    fact = next((item for item in memories if item["kind"] == "fact"), None)
    return top if fact is None or fact in top else [*top, fact]


def _is_right(question: Question, memories: Sequence[dict[str, Any]], context: str) -> bool:
    near_top = any(question.expected in item["memory"] for item in memories[:NEAR_TOP])
    kept_out = question.forbidden is None or question.forbidden not in context
    return near_top and question.expected in context and kept_out


def correct(memory: Memory, show: Show) -> None:
    """The move: the old home is not current, but not lost either."""
    show.title(f"3. Correction: Alice moved from {MOVED_FROM} to {MOVED_TO}")

    def homes(**options: Any) -> list[dict[str, Any]]:
        items = memory.get_all(user_id=ALICE, kinds=["fact"], top_k=100, **options)["results"]
        return [item for item in items if MOVED_FROM in item["memory"]]

    show.check(f"no current fact says {MOVED_FROM}", not homes())
    show.check(f"asked as of {BEFORE_MOVE}, one does", bool(homes(as_of=BEFORE_MOVE)))
    replaced = homes(include_superseded=True)
    show.check("the replaced fact is still on record", bool(replaced))
    for item in replaced:
        for event in memory.history(item["id"]):
            show.say(
                f"    {event['event']}: {one_line(event['new_memory'] or event['old_memory'])}"
            )


def expire(memory: Memory, show: Show) -> None:
    """The parking code: past its last day, so no read shows it."""
    show.title("4. Expiry: a parking code that was good until 6 April 2025")

    def found(**options: Any) -> bool:
        results = memory.search("What is the parking code?", user_id=ALICE, **options)["results"]
        return any(CODE in item["memory"] for item in results)

    show.check("it is not found any more", not found())
    show.check("it is found when expired memories are asked for", found(show_expired=True))


def isolate(memory: Memory, show: Show) -> None:
    """Bruno's questions never reach Alice's memories, whatever the filter says."""
    show.title("5. Isolation: Bruno asks for what Alice said")
    owners = _owners_seen_by_bruno(memory)
    show.check(f"asked plainly, he sees memories of {', '.join(sorted(owners))}", owners == {BRUNO})
    everyone: dict[str, Any] = {"OR": [{"user_id": ALICE}, {"user_id": "*"}]}
    others = _owners_seen_by_bruno(memory, filters=everyone) - {BRUNO}
    show.check(f"with a filter that names Alice, he sees {len(others)} of hers", not others)


def _owners_seen_by_bruno(memory: Memory, **options: Any) -> set[str]:
    query = "Where does Alice live and what is her dog called?"
    found = memory.search(query, user_id=BRUNO, threshold=None, **options)["results"]
    return {item["user_id"] for item in found}


def erase(memory: Memory, show: Show, directory: Path) -> None:
    """Erase Bruno, and look for his words in the raw bytes of the ledger."""
    show.title("6. Erasure: everything of Bruno, with a receipt")
    show.check(f"before: the ledger's files hold {SECRET!r}", _bytes_hold(directory, SECRET))
    with show.timed("erase"):
        receipt = memory.erase(user_id=BRUNO, reason="asked by the user")
    rows = ", ".join(f"{count} {table}" for table, count in receipt.removed.items() if count)
    show.say(f"    receipt {receipt.id}: {rows}")
    show.check("the receipt names what went", bool(receipt.memory_ids) and receipt.file_clean)
    show.check(f"after: not one byte of {SECRET!r} is left", not _bytes_hold(directory, SECRET))
    show.check("nothing of Bruno is left", not memory.get_all(user_id=BRUNO)["results"])
    show.check("the ledger is sound", not memory.check().problems)


def _bytes_hold(directory: Path, text: str) -> bool:
    return any(text.encode() in file.read_bytes() for file in directory.iterdir())
