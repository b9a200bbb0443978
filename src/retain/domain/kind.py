"""What a memory is, and how it stands.

These words are stored in ledgers and exports.
"""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """The kind of a retained text."""

    MESSAGE = "message"  # a turn, verbatim
    FACT = "fact"  # a statement derived from messages
    PROCEDURE = "procedure"  # how a task was done
    EPISODE = "episode"  # the account of one experience
    INSIGHT = "insight"  # a generalisation of several episodes


class Status(StrEnum):
    """How a memory stands. Only ``accepted`` ones are recalled by default."""

    CANDIDATE = "candidate"  # not grounded yet: kept with the reason, never recalled
    ACCEPTED = "accepted"
    DISPUTED = "disputed"  # contradicted, and no rule decides
    SUPERSEDED = "superseded"  # replaced by a newer value
    WITHDRAWN = "withdrawn"  # no longer held (deleted)
    ARCHIVED = "archived"  # set aside by a policy: not recalled, but what rests on it stands


class Stance(StrEnum):
    """What a source says about the memory it is evidence of."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"


class Action(StrEnum):
    """What an event records. The first three are Mem0's words."""

    ADD = "ADD"
    UPDATE = "UPDATE"
    DELETE = "DELETE"
    SUPERSEDE = "SUPERSEDE"
    RESTORE = "RESTORE"
    EVIDENCE = "EVIDENCE"  # a duplicate became one more support
    DISPUTE = "DISPUTE"  # a statement that contradicts it was set aside
    CANDIDATE = "CANDIDATE"  # set aside: not grounded
    ARCHIVE = "ARCHIVE"  # set aside by a policy
    ACCEPT = "ACCEPT"  # a caller holds a candidate to be true


class LinkType(StrEnum):
    """A typed edge between two memories, read from the first to the second."""

    SUPERSEDES = "supersedes"
    CONTRADICTS = "contradicts"
    EXTENDS = "extends"
    RELATED = "related"
    FOLLOWS = "follows"  # an episode and the one before it
