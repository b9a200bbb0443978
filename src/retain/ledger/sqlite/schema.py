"""The tables, and the reason for the shape of each.

A memory's key is ``partition << 32 | sequence``: everything of one owner lies in one range of every
clustered table, so that reading an owner costs what that owner has, whatever else the file holds.
Numbers of partitions and scopes are never given twice (AUTOINCREMENT), because caches of other
processes know them.
"""

from __future__ import annotations

from typing import Final

APPLICATION_ID: Final = 0x52544E31  # "RTN1": marks the file as a ledger of ours

FIRST: Final = (
    # The ledger itself: one row.
    """
    CREATE TABLE ledger (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        next_order INTEGER NOT NULL,
        embedder TEXT,
        dimension INTEGER
    ) STRICT
    """,
    "INSERT INTO ledger (one, next_order) VALUES (1, 1)",
    # One owner (the user, else the agent, else the run) of one project.
    """
    CREATE TABLE partition (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        project TEXT NOT NULL,
        owner_type TEXT NOT NULL,
        owner TEXT NOT NULL,
        next_seq INTEGER NOT NULL,
        epoch INTEGER NOT NULL,
        revision INTEGER NOT NULL,
        UNIQUE (project, owner_type, owner)
    ) STRICT
    """,
    # One exact scope; an identity that is not set is ''. ``holder`` numbers the scopes that differ
    # in their run alone; the last turn says where the conversation goes on.
    """
    CREATE TABLE scope (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        partition INTEGER NOT NULL REFERENCES partition (id),
        holder INTEGER NOT NULL,
        project TEXT NOT NULL,
        user_id TEXT NOT NULL,
        agent_id TEXT NOT NULL,
        run_id TEXT NOT NULL,
        last_session INTEGER,
        last_position INTEGER,
        last_at INTEGER,
        UNIQUE (project, user_id, agent_id, run_id)
    ) STRICT
    """,
    "CREATE INDEX scope_agent ON scope (project, agent_id, run_id)",
    "CREATE INDEX scope_run ON scope (project, run_id)",
    "CREATE INDEX scope_partition ON scope (partition)",
    # A turn as received.
    """
    CREATE TABLE message (
        key INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        scope INTEGER NOT NULL,
        role TEXT NOT NULL,
        occurred_at INTEGER NOT NULL,
        actor TEXT,
        external_id TEXT,
        session INTEGER NOT NULL,
        position INTEGER NOT NULL,
        metadata TEXT,
        content TEXT NOT NULL
    ) STRICT
    """,
    # A memory. The scanned columns come first; ``text`` is null where it is the message's content.
    # ``added`` and ``changed`` are revisions of the partition; ``changed`` is 0 for a row as it was
    # added, so that adding does not pay for the index of changes.
    """
    CREATE TABLE memory (
        key INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        scope INTEGER NOT NULL,
        kind INTEGER NOT NULL,
        status INTEGER NOT NULL,
        said INTEGER NOT NULL,
        begins INTEGER NOT NULL,
        ends INTEGER NOT NULL,
        expires INTEGER NOT NULL,
        session INTEGER NOT NULL,
        position INTEGER NOT NULL,
        uses INTEGER NOT NULL,
        added INTEGER NOT NULL,
        changed INTEGER NOT NULL,
        ord INTEGER NOT NULL,
        holder INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        recorded_at INTEGER NOT NULL,
        message INTEGER,
        role TEXT,
        actor TEXT,
        attributed_to TEXT,
        external_id TEXT,
        valid_from INTEGER,
        valid_until INTEGER,
        superseded_at INTEGER,
        superseded_by TEXT,
        subject TEXT,
        attribute TEXT,
        value TEXT,
        single INTEGER NOT NULL,
        derivation TEXT,
        text_hash INTEGER,
        metadata TEXT,
        text TEXT
    ) STRICT
    """,
    "CREATE INDEX memory_scope ON memory (scope)",
    "CREATE INDEX memory_changed ON memory (key >> 32, changed) WHERE changed > 0",
    """
    CREATE INDEX memory_external ON memory (scope, external_id)
    WHERE external_id IS NOT NULL
    """,
    """
    CREATE INDEX memory_slot ON memory (holder, subject, attribute)
    WHERE kind = 1 AND status = 1 AND subject IS NOT NULL
    """,
    """
    CREATE INDEX memory_same_text ON memory (holder, text_hash)
    WHERE kind = 1 AND status IN (1, 3)
    """,
    "CREATE INDEX memory_derivation ON memory (derivation) WHERE derivation IS NOT NULL",
    "CREATE INDEX memory_successor ON memory (superseded_by) WHERE superseded_by IS NOT NULL",
    # What a search scans beside it: derived from the text, rebuilt by reindex.
    """
    CREATE TABLE features (
        key INTEGER PRIMARY KEY,
        revision INTEGER NOT NULL,
        length INTEGER NOT NULL,
        cues INTEGER NOT NULL,
        speaker INTEGER NOT NULL,
        terms BLOB NOT NULL,
        counts BLOB NOT NULL,
        vectors BLOB NOT NULL,
        pieces BLOB NOT NULL
    ) STRICT
    """,
    # Why a memory is held; memories by key.
    """
    CREATE TABLE evidence (
        memory INTEGER NOT NULL,
        source INTEGER NOT NULL,
        start INTEGER NOT NULL,
        stop INTEGER NOT NULL,
        recorded_at INTEGER NOT NULL,
        stance TEXT NOT NULL,
        "check" TEXT NOT NULL,
        score REAL NOT NULL,
        quote TEXT NOT NULL,
        PRIMARY KEY (memory, source, start, stop)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX evidence_source ON evidence (source)",
    # Edges between memories, by key.
    """
    CREATE TABLE link (
        source INTEGER NOT NULL,
        type TEXT NOT NULL,
        target INTEGER NOT NULL,
        at INTEGER NOT NULL,
        reason TEXT,
        PRIMARY KEY (source, type, target)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX link_target ON link (target)",
    # History: the n-th event of a memory. A text that equals the memory's message is not stored
    # again: ``same`` has bit 1 for the old text and bit 2 for the new one.
    """
    CREATE TABLE event (
        memory INTEGER NOT NULL,
        n INTEGER NOT NULL,
        id TEXT NOT NULL,
        action TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        at INTEGER NOT NULL,
        actor TEXT,
        role TEXT,
        reason TEXT,
        same INTEGER NOT NULL,
        old_text TEXT,
        new_text TEXT,
        PRIMARY KEY (memory, n)
    ) STRICT, WITHOUT ROWID
    """,
    # Named things of one owner, and where they are named.
    """
    CREATE TABLE entity (
        key INTEGER PRIMARY KEY,
        id TEXT NOT NULL,
        partition INTEGER NOT NULL,
        folded TEXT NOT NULL,
        name TEXT NOT NULL,
        type TEXT NOT NULL,
        UNIQUE (partition, folded)
    ) STRICT
    """,
    """
    CREATE TABLE mention (
        memory INTEGER NOT NULL,
        start INTEGER NOT NULL,
        stop INTEGER NOT NULL,
        entity INTEGER NOT NULL REFERENCES entity (key),
        name TEXT NOT NULL,
        type TEXT NOT NULL,
        PRIMARY KEY (memory, start, stop, entity)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX mention_entity ON mention (entity)",
    # How derived text came about; ``derivation_memory`` finds those that name a memory.
    """
    CREATE TABLE derivation (
        id TEXT PRIMARY KEY,
        method TEXT NOT NULL,
        at INTEGER NOT NULL,
        model TEXT,
        parameters TEXT NOT NULL,
        inputs TEXT NOT NULL,
        decisions TEXT NOT NULL,
        raw TEXT
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE derivation_memory (
        memory_id TEXT NOT NULL,
        derivation TEXT NOT NULL REFERENCES derivation (id) ON DELETE CASCADE,
        PRIMARY KEY (memory_id, derivation)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX derivation_memory_of ON derivation_memory (derivation)",
    # Answers of earlier writes under the caller's idempotency keys; ``answer_memory`` finds those
    # that name a memory.
    """
    CREATE TABLE answer (
        n INTEGER PRIMARY KEY,
        scope INTEGER NOT NULL,
        key TEXT NOT NULL,
        answer TEXT NOT NULL,
        UNIQUE (scope, key)
    ) STRICT
    """,
    """
    CREATE TABLE answer_memory (
        memory INTEGER NOT NULL,
        answer INTEGER NOT NULL,
        PRIMARY KEY (memory, answer)
    ) STRICT, WITHOUT ROWID
    """,
    # Proofs of erasure, without the text.
    """
    CREATE TABLE receipt (
        n INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        project TEXT,
        at INTEGER NOT NULL,
        body TEXT NOT NULL
    ) STRICT
    """,
)

STANDING: Final = (
    # The end that a superseded memory had of its own: ``valid_until`` is when it was replaced.
    "ALTER TABLE memory ADD COLUMN own_until INTEGER",
    # An edge for every replacement, also of values that arrived late: it says what stands again.
    """
    INSERT OR IGNORE INTO link (source, type, target, at)
    SELECT newer.key, 'supersedes', older.key, coalesce(older.superseded_at, older.recorded_at)
    FROM memory older JOIN memory newer ON newer.id = older.superseded_by
    """,
)

REBUILDING: Final = (
    # Features made anew of the present texts, until they replace those in use all at once.
    """
    CREATE TABLE rebuilt (
        key INTEGER PRIMARY KEY,
        length INTEGER NOT NULL,
        cues INTEGER NOT NULL,
        speaker INTEGER NOT NULL,
        terms BLOB NOT NULL,
        counts BLOB NOT NULL,
        vectors BLOB NOT NULL,
        pieces BLOB NOT NULL
    ) STRICT
    """,
    # Which embedder they are for.
    "ALTER TABLE ledger ADD COLUMN rebuilding TEXT",
    "ALTER TABLE ledger ADD COLUMN rebuilding_dimension INTEGER",
)

LEARNING: Final = (
    # A derivation says whose it is, what it cost, and which memories it was shown beside its
    # inputs; its method's text is kept, so that it can be read and run again.
    "ALTER TABLE derivation ADD COLUMN scope INTEGER",
    "ALTER TABLE derivation ADD COLUMN usage TEXT",
    "ALTER TABLE derivation ADD COLUMN context TEXT",
    "CREATE INDEX derivation_scope ON derivation (scope, id) WHERE scope IS NOT NULL",
    """
    CREATE TABLE method (
        id TEXT PRIMARY KEY,
        text TEXT NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    # Work that is not done yet; ``job_memory`` finds the jobs that name a memory.
    """
    CREATE TABLE job (
        id TEXT PRIMARY KEY,
        scope INTEGER NOT NULL,
        kind TEXT NOT NULL,
        status TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        due_at INTEGER NOT NULL,
        attempts INTEGER NOT NULL,
        lease TEXT,
        lease_until INTEGER,
        error TEXT,
        inputs TEXT NOT NULL,
        arguments TEXT NOT NULL,
        outcomes TEXT NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX job_scope ON job (scope, id)",
    "CREATE INDEX job_open ON job (due_at, id) WHERE status IN ('pending', 'running')",
    """
    CREATE TABLE job_memory (
        memory INTEGER NOT NULL,
        job TEXT NOT NULL REFERENCES job (id) ON DELETE CASCADE,
        PRIMARY KEY (memory, job)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX job_memory_of ON job_memory (job)",
    # Candidates and disputed statements wait for a decision; they are few.
    "CREATE INDEX memory_unsettled ON memory (key) WHERE status IN (0, 2)",
)

USING: Final = (
    # When a memory was last in a context, and how often one that held it led to what.
    "ALTER TABLE memory ADD COLUMN used_at INTEGER",
    "ALTER TABLE memory ADD COLUMN helped INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE memory ADD COLUMN hurt INTEGER NOT NULL DEFAULT 0",
    # The latest recalls, and all that somebody said the outcome of. Never the query.
    """
    CREATE TABLE recall (
        n INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        at INTEGER NOT NULL,
        outcome TEXT,
        note TEXT,
        judged_at INTEGER
    ) STRICT
    """,
    "CREATE INDEX recall_open ON recall (n) WHERE outcome IS NULL",
    """
    CREATE TABLE recall_memory (
        recall INTEGER NOT NULL,
        memory INTEGER NOT NULL,
        PRIMARY KEY (recall, memory)
    ) STRICT, WITHOUT ROWID
    """,
)

EXPERIENCE: Final = (
    # What an episode or an insight is beside its text, as JSON.
    "ALTER TABLE memory ADD COLUMN details TEXT",
    "CREATE INDEX memory_episode ON memory (holder, key) WHERE kind = 3",
    "CREATE INDEX memory_insight ON memory (holder, key) WHERE kind = 4",
    # Few: those that no consolidation has looked at.
    """
    CREATE INDEX memory_unconsolidated ON memory (scope)
    WHERE kind = 3 AND status = 1 AND json_extract(details, '$.consolidated_at') IS NULL
    """,
)
