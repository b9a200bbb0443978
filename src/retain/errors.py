"""Every error Retain raises, in one tree.

RetainError
├── InvalidInput (ValueError)        what the caller passed cannot be used
│   ├── InvalidScope                 no identity, or one that cannot be an id
│   ├── InvalidMessages              messages of a wrong type or without content
│   ├── InvalidFilter                a filter outside the grammar
│   ├── InvalidQuery                 an empty query, or one that is no string
│   └── TooLarge                     a text or value above the stated limit
├── ConfigError (ValueError)         a setting that has no meaning here, or misses
│   ├── MissingExtra (ImportError)   an optional package is not installed
│   └── EmbedderMismatch             the ledger was written with another embedder
├── NotFound (ValueError)            no memory with this id
├── Conflict (ValueError)            the ledger holds something that forbids it
├── Closed (RuntimeError)            the instance was closed
├── LedgerError                      the store cannot do what was asked
│   ├── LedgerUnavailable            cannot be opened: path, permissions, lock
│   ├── LedgerReadOnly               opened, but not writable
│   ├── LedgerFull                   no room on the disk
│   ├── LedgerCorrupt                the file is damaged or is no ledger
│   └── LedgerTooNew                 written by a newer version of Retain
├── Incomplete                       a bulk call stopped part-way; says what is kept
└── ModelError (ValueError)          a model or embedder did not deliver
    ├── ModelUnavailable             not reachable, refused, timed out
    └── ModelAnswerInvalid           answered, but unusably; keeps the raw answer

Each class carries ``code`` (stable, for machines), ``exit_code`` (command line)
and ``http_status`` (server): the one table that every face reads.
"""

from __future__ import annotations

from typing import Any


class RetainError(Exception):
    """Root of all errors of this library."""

    code = "retain_error"
    exit_code = 1
    http_status = 500

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.details = details


class InvalidInput(RetainError, ValueError):
    """What the caller passed cannot be used; nothing was done."""

    code = "invalid_input"
    exit_code = 2
    http_status = 400


class InvalidScope(InvalidInput):
    """No identity was given, or one that cannot be an id."""

    code = "invalid_scope"


class InvalidMessages(InvalidInput):
    """Messages of a wrong type or shape."""

    code = "invalid_messages"


class InvalidFilter(InvalidInput):
    """A filter outside the grammar."""

    code = "invalid_filter"


class InvalidQuery(InvalidInput):
    """An empty query, or one that is no string."""

    code = "invalid_query"


class TooLarge(InvalidInput):
    """A text or value above the stated limit."""

    code = "too_large"
    http_status = 413


class ConfigError(RetainError, ValueError):
    """A setting that misses, or that has no meaning here."""

    code = "config_error"
    exit_code = 3


class MissingExtra(ConfigError, ImportError):
    """An optional package is needed; the message names the extra to install."""

    code = "missing_extra"


class EmbedderMismatch(ConfigError):
    """The ledger was written with another embedder; the message names the way out."""

    code = "embedder_mismatch"
    http_status = 409


class NotFound(RetainError, ValueError):
    """There is no such memory (or not in this scope)."""

    code = "not_found"
    exit_code = 4
    http_status = 404


class Conflict(RetainError, ValueError):
    """What the ledger holds forbids this change."""

    code = "conflict"
    exit_code = 5
    http_status = 409


class Closed(RetainError, RuntimeError):
    """The instance was closed; open a new one."""

    code = "closed"
    exit_code = 6
    http_status = 503


class LedgerError(RetainError):
    """The store cannot do what was asked; the ledger is unchanged."""

    code = "ledger_error"
    exit_code = 7
    http_status = 503


class LedgerUnavailable(LedgerError):
    """The ledger cannot be opened or stayed locked beyond the time limit."""

    code = "ledger_unavailable"


class LedgerReadOnly(LedgerError):
    """The ledger can be read but not written."""

    code = "ledger_read_only"


class LedgerFull(LedgerError):
    """There is no room left for the write; nothing of it was kept."""

    code = "ledger_full"
    http_status = 507


class LedgerCorrupt(LedgerError):
    """The file is damaged, or is not a ledger."""

    code = "ledger_corrupt"


class LedgerTooNew(LedgerError):
    """The file was written by a newer version; upgrade Retain to open it."""

    code = "ledger_too_new"


class Incomplete(RetainError):
    """A bulk call stopped part-way; ``details`` says what is kept and what is not."""

    code = "incomplete"
    exit_code = 8


class ModelError(RetainError, ValueError):
    """A model or embedder did not deliver."""

    code = "model_error"
    exit_code = 9
    http_status = 502


class ModelUnavailable(ModelError):
    """The model could not be reached, refused, or ran out of time."""

    code = "model_unavailable"


class ModelAnswerInvalid(ModelError):
    """The model answered unusably; ``details['raw']`` keeps its answer."""

    code = "model_answer_invalid"
