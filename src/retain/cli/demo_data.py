"""The demo's conversations: our own, told over months, with a move, a new job and a short visit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

ALICE = "alice"
BRUNO = "bruno"


def _said(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}


@dataclass(frozen=True, slots=True)
class Session:
    """One conversation of one user with the assistant, on one day."""

    user_id: str
    day: str
    turns: Sequence[dict[str, str]]
    expires: str | None = None

    def as_item(self) -> dict[str, Any]:
        """The arguments of ``Memory.add``."""
        return {
            "messages": list(self.turns),
            "user_id": self.user_id,
            "timestamp": f"{self.day}T18:00:00+00:00",
            "expiration_date": self.expires,
        }


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and what a right answer holds and must not hold."""

    text: str
    expected: str
    forbidden: str | None = None
    as_of: str | None = None
    user_id: str = ALICE


SESSIONS = (
    Session(
        ALICE,
        "2025-01-14",
        (
            _said("user", "Hi! My name is Alice. I live in Lisbon and I work as a translator."),
            _said("assistant", "Nice to meet you, Alice. What languages do you translate?"),
            _said("user", "Mostly Danish and Portuguese. My dog is called Biscuit."),
            _said("assistant", "Biscuit is a lovely name. How old is he?"),
            _said("user", "He turned four last week. By the way, I'm allergic to peanuts."),
            _said("assistant", "Noted, I will keep peanuts out of any recipe I suggest."),
        ),
    ),
    Session(
        ALICE,
        "2025-02-20",
        (
            _said(
                "user", "I want to get fitter. I started rowing at the Tejo boat club on Tuesdays."
            ),
            _said("assistant", "Rowing is great for the back. How early do you start?"),
            _said("user", "At six in the morning, which is brutal. My coach is called Henrique."),
            _said("assistant", "Would a weekly plan help?"),
            _said(
                "user",
                "Yes, but keep Fridays free: that is when I have dinner with my sister Clara.",
            ),
        ),
    ),
    Session(
        ALICE,
        "2025-04-03",
        (
            _said(
                "user", "The parking code of the holiday flat is 4471, we stay there until Sunday."
            ),
            _said("assistant", "Enjoy the holiday!"),
        ),
        expires="2025-04-06",
    ),
    Session(
        ALICE,
        "2025-06-11",
        (
            _said("user", "Big news: we moved last weekend. I live in Porto now."),
            _said("assistant", "Congratulations! How does Biscuit like Porto?"),
            _said(
                "user",
                "He loves the beach. The new flat is on Rua do Almada, third floor, no lift.",
            ),
            _said("assistant", "At least the stairs count as training."),
        ),
    ),
    Session(
        ALICE,
        "2025-09-02",
        (
            _said("user", "I quit translating. I work as a baker now."),
            _said("assistant", "What a change! What are you baking first?"),
            _said("user", "An almond cake for my grandmother, from her own handwritten recipe."),
            _said("assistant", "Will she get it for her birthday?"),
            _said("user", "Yes, she turns ninety on 9 November."),
        ),
    ),
    Session(
        BRUNO,
        "2025-05-08",
        (
            _said("user", "I live in Vienna and my dog is called Nero."),
            _said("assistant", "Hello! What can I do for you and Nero?"),
            _said("user", "Remind me that my flight to Toronto leaves at 07:40."),
        ),
    ),
)

QUESTIONS = (
    Question("Where do I live?", "Porto"),
    Question("Where do I live?", "Lisbon", forbidden="Porto", as_of="2025-03-01"),
    Question("What do I do for work?", "baker"),
    Question("What is my dog called?", "Biscuit", forbidden="Nero"),
    Question("What am I allergic to?", "peanuts"),
    Question("Who is my rowing coach?", "Henrique"),
    Question("Which evening should stay free, and why?", "Clara"),
    Question("What am I making for my grandmother?", "almond cake"),
)
