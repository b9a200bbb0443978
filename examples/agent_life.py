"""Three months of an agent: experiences, what they come to, and what is recalled before a task.

    python examples/agent_life.py

No key and no network: what recurs is found by its words and their meaning.
"""

from __future__ import annotations

from retain import Memory

DAYS = (
    ("2026-01-05", "unknown", "Ana prefers aisle seats. I booked her flight to Rome."),
    ("2026-01-07", "failure", "The deploy failed because the database migration timed out."),
    ("2026-01-12", "unknown", "I looked up the opening hours of the museum."),
    ("2026-01-15", "unknown", "For the flight to Oslo Ana wanted an aisle seat."),
    ("2026-01-20", "success", "Clearing the cache first made the tests pass."),
    ("2026-01-22", "failure", "The migration of the database timed out, the deploy failed."),
    ("2026-01-29", "unknown", "As always, Ana asked for an aisle seat."),
    ("2026-02-03", "unknown", "Invoices to Berta need the order number."),
    ("2026-02-10", "success", "I cleared the cache, and then the tests passed."),
    ("2026-02-12", "failure", "Another deploy failed: the database migration timed out."),
    ("2026-02-17", "unknown", "A visitor wanted directions to the harbour."),
    (
        "2026-02-20",
        "unknown",
        "Berta's invoice was sent again, since the order number was missing.",
    ),
    ("2026-02-26", "success", "The tests passed after I cleared the cache."),
    ("2026-03-03", "unknown", "Ana now prefers window seats."),
    ("2026-03-08", "unknown", "Every invoice to Berta needs the order number."),
    ("2026-03-12", "unknown", "From now on Ana wants a window seat, no longer the aisle."),
    ("2026-03-19", "unknown", "The printer in the hall ran out of toner."),
    ("2026-03-25", "unknown", "Ana asked for a window seat again."),
)


def main() -> None:
    """Live, consolidate, recall, and say what came of it."""
    with Memory(":memory:") as memory:
        for day, outcome, content in DAYS:
            memory.write_episode(content, agent_id="desk", outcome=outcome, timestamp=day)

        print("What recurs:")
        for change in memory.consolidate(agent_id="desk")["insights"]:
            print(f"  {change['change']:>9}  {change['insight_type']:<10}  {change['insight']}")

        print("\nWhat holds now:")
        for one in memory.insights(agent_id="desk")["insights"]:
            print(f"  {one['confidence']:.2f} by {one['supports']}  {one['memory']}")

        recall = memory.recall("Book a flight for Ana", agent_id="desk", budget_tokens=120)
        print("\nBefore booking a flight:")
        print(recall.context)
        memory.record_outcome(recall.id, "success", "she was glad about the window")

        warning = memory.insights(agent_id="desk", insight_type="warning")["insights"][0]
        print("\nWhat the warning rests on:")
        for source in memory.trace(warning["id"])["rests_on"]:
            print(f"  {source['created_at'][:10]}  {source['quote']}")


if __name__ == "__main__":
    main()
