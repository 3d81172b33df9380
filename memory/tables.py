"""The tables of this package. A step that has been released is never changed; a new one is added behind it.

``n`` is the number of a record in every index, never used twice. ``version`` is the value of the clock (in
``memory_state``) at its last change: an index that has followed up to a version lacks what has a higher one, among what
was removed as well. The index itself stands in files of its own (memory/index.py), so that nothing that happens to it
can harm what stands here.
"""

PACKAGE = "memory"

STEPS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE memory_records (
            n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, kind TEXT NOT NULL,
            content TEXT NOT NULL, task TEXT NOT NULL, project TEXT NOT NULL, reference TEXT NOT NULL,
            task_id TEXT NOT NULL, success INTEGER, failure_rate REAL, at INTEGER NOT NULL, source TEXT NOT NULL,
            taint TEXT NOT NULL)""",
        "CREATE INDEX memory_records_changed ON memory_records (version)",
        "CREATE INDEX memory_records_of_kind ON memory_records (kind, at)",
        "CREATE INDEX memory_records_of_project ON memory_records (project, kind)",
        "CREATE TABLE memory_removed (n INTEGER PRIMARY KEY, version INTEGER NOT NULL)",
        "CREATE INDEX memory_removed_since ON memory_removed (version)",
        "CREATE TABLE memory_state (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
        "INSERT INTO memory_state VALUES ('clock', '0')",
    ),
)
