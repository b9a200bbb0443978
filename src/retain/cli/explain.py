"""How `show` and `history` lay out a memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from retain.cli.output import Output, one_line

_AROUND: Final = 80  # characters of a message that are shown on each side of a quote
_SHOWN_APART: Final = ("memory", "hash", "sources")


def linked_ids(why: Mapping[str, Any]) -> list[str]:
    """The memories that replaced a memory, that it replaced, or that it is otherwise linked to."""
    ends = (end for link in why["links"] for end in (link["source_id"], link["target_id"]))
    return [one for one in dict.fromkeys(ends) if one != why["memory"]["id"]]


def show(out: Output, why: Mapping[str, Any], texts: Mapping[str, str]) -> None:
    """Print the answer of ``Memory.why``: the memory, then what it stands on and what it met.

    Args:
        out: where to.
        why: the answer.
        texts: of the memories that it is linked to, by id, as far as they are known.
    """
    memory = why["memory"]
    out.line(one_line(memory["memory"]), style="bold")
    out.pairs({name: value for name, value in memory.items() if name not in _SHOWN_APART}, "  ")
    _section(out, "evidence", [line for row in why["evidence"] for line in _evidence(row)])
    _section(out, "supports", why["supports"])
    _section(out, "links", [_link(row, memory["id"], texts) for row in why["links"]])
    _section(out, "entities", [one_line(name) for name in why["entities"]])
    if why["derivation"] is not None:
        _section(out, "derivation", _derivation(why["derivation"], memory["id"]))
    if why["use"]["count"]:
        _section(out, "use", _use(why["use"]))
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


def _use(use: Mapping[str, Any]) -> list[str]:
    told = (
        f"{use['count']} contexts, last {use['last_used_at']}; "
        f"helped {use['helped']}, hurt {use['hurt']}"
    )
    rows = use["outcomes"]
    notes = [one_line(f"{row['at']}\t{row['outcome']}\t{row['note'] or ''}") for row in rows]
    return [told, *notes]


def _section(out: Output, title: str, lines: Sequence[str]) -> None:
    if lines:
        out.line(title)
        for line in lines:
            out.line(f"  {line}")


def _evidence(row: Mapping[str, Any]) -> list[str]:
    said = " ".join(str(part) for part in (row["actor"], row["said_at"]) if part)
    score = "" if row["score"] is None else f" {row['score']:.2f}"
    lines = [
        f'{row["stance"]}: "{one_line(row["quote"])}" ({said}, checked: {row["check"]}{score})'
        f"\t{row['source_id']}"
    ]
    if row["source"] is not None and row["source"] != row["quote"]:
        lines.append(f"  in: {_in_its_message(row)}")
    return lines


def _in_its_message(row: Mapping[str, Any]) -> str:
    """A quote, marked, with what stands around it."""
    source, start, end = row["source"], row["start"], row["end"]
    if source[start:end] != row["quote"]:  # the memory was changed since; the message was not
        return one_line(source[: 2 * _AROUND])
    before = ("..." if start > _AROUND else "") + source[max(0, start - _AROUND) : start]
    after = source[end : end + _AROUND] + ("..." if len(source) > end + _AROUND else "")
    return one_line(f"{before}[{source[start:end]}]{after}")


def _derivation(derivation: Mapping[str, Any], memory_id: str) -> list[str]:
    model = f", model {derivation['model']}" if derivation["model"] else ""
    lines = [f"{derivation['method']}{model}, {derivation['at']}\t{derivation['id']}"]
    for decision in derivation["decisions"]:
        if decision["memory_id"] == memory_id:
            score = "" if decision["score"] is None else f" ({decision['score']:.2f})"
            lines.append(f"  {decision['verdict']}{score}: {one_line(decision['reason'])}")
    return lines


def _link(row: Mapping[str, Any], own_id: str, texts: Mapping[str, str]) -> str:
    outward = row["source_id"] == own_id
    arrow, other = ("->", row["target_id"]) if outward else ("<-", row["source_id"])
    text = f' "{one_line(texts[other])}"' if other in texts else ""
    reason = f" ({one_line(row['reason'])})" if row["reason"] else ""
    return f"{arrow} {row['type']} {other}{text}{reason}"
