"""How `show` and `history` lay out a memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from retain.cli.output import Output, one_line


def show(out: Output, why: Mapping[str, Any]) -> None:
    """Print the answer of ``Memory.why``: the memory, then what it stands on and what it met."""
    memory = why["memory"]
    out.line(one_line(memory["memory"]), style="bold")
    out.pairs({name: value for name, value in memory.items() if name not in _SHOWN_APART}, "  ")
    _section(out, "evidence", [_evidence(row) for row in why["evidence"]])
    _section(out, "supports", why["supports"])
    _section(out, "links", [_link(row, memory["id"]) for row in why["links"]])
    _section(out, "entities", [one_line(name) for name in why["entities"]])
    derivation = why["derivation"]
    if derivation is not None:
        model = f", model {derivation['model']}" if derivation["model"] else ""
        _section(out, "derivation", [f"{derivation['method']}{model}, {derivation['at']}"])
    out.line("history")
    events(out, why["history"], indent="  ")


def events(out: Output, rows: Sequence[Mapping[str, Any]], indent: str = "") -> None:
    """Print history rows, one a line: time, event, text, reason."""
    for row in rows:
        text = row["new_memory"] or row["old_memory"] or ""
        fields = [row["updated_at"], row["event"], one_line(text)]
        if row.get("reason"):
            fields.append(one_line(row["reason"]))
        out.line(indent + "\t".join(fields))


_SHOWN_APART = ("memory", "hash", "sources")


def _section(out: Output, title: str, lines: Sequence[str]) -> None:
    if lines:
        out.line(title)
        for line in lines:
            out.line(f"  {line}")


def _evidence(row: Mapping[str, Any]) -> str:
    said = " ".join(str(part) for part in (row["actor"], row["said_at"]) if part)
    return (
        f'{row["stance"]}: "{one_line(row["quote"])}" ({said}, checked: {row["check"]})'
        f"\t{row['source_id']}"
    )


def _link(row: Mapping[str, Any], own_id: str) -> str:
    outward = row["source_id"] == own_id
    arrow, other = ("->", row["target_id"]) if outward else ("<-", row["source_id"])
    reason = f" ({one_line(row['reason'])})" if row["reason"] else ""
    return f"{arrow} {row['type']} {other}{reason}"
