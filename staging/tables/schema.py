"""The tables of staging. A step that has been released is never changed; a new one is added behind it.

Each module beside this one holds the statements of the tables it names; staging/claim.py, on the hot path, has its own.

``sightings`` holds what each session saw of a learning, ``candidates`` what became of it, united from its sightings.
A candidate's ``state`` is pending, waiting (kept to itself until another session sees it), accepted, dismissed, ignored
(offered, and nothing came of it), shelved (it fell out of a full list), covered (an installed skill says it already) or
merged (into one that is alike: staging/similar.py).
``offered_to`` outlives the offer's end. ``places`` are the folders that a project's pending file is written to, each with
the ``token`` of the file that was written last, and what git said of that file (``kind`` and ``detail``: store/git.py) when
what it goes by looked as in ``asked``. Paths are bytes, because a path need not be text.
``receipts`` only grows: triggers see to it. ``attempts`` counts how often reading a session's log was begun and has not
succeeded since; ``answered_at`` is when the agent was first seen to answer after its offer, without a look at its log.
``skills_used`` holds the skills that each session used, and by ``of_project`` and ``of`` (a fingerprint, or empty) the
candidate that each came from, by ``line`` where in the session's log (0: not known); ``outcomes`` how each session came
out when its log was last looked at. ``errors_met`` holds which errors each session met and whether it got past them
(staging/tables/uses.py), ``archived`` which skills were put aside, and where they stand (staging/tables/archived.py).
"""

PACKAGE = "staging"

STEPS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE sightings (
            project TEXT NOT NULL, fingerprint TEXT NOT NULL, session TEXT NOT NULL, body TEXT NOT NULL,
            PRIMARY KEY (project, fingerprint, session)) WITHOUT ROWID""",
        "CREATE INDEX sightings_of_session ON sightings (project, session)",
        """CREATE TABLE candidates (
            project TEXT NOT NULL, fingerprint TEXT NOT NULL, id TEXT NOT NULL, state TEXT NOT NULL,
            body TEXT NOT NULL, entry TEXT NOT NULL, rank REAL NOT NULL, detected_at INTEGER NOT NULL,
            offered_to TEXT, injected_at INTEGER, settled_at INTEGER, detail TEXT NOT NULL DEFAULT '',
            PRIMARY KEY (project, fingerprint), UNIQUE (project, id)) WITHOUT ROWID""",
        "CREATE INDEX candidates_waiting ON candidates (project, state, rank DESC, detected_at, fingerprint)",
        "CREATE INDEX candidates_offered ON candidates (offered_to)",
        """CREATE TABLE offers (
            session TEXT PRIMARY KEY, project TEXT NOT NULL, ids TEXT NOT NULL, text TEXT NOT NULL,
            at INTEGER NOT NULL, settled_at INTEGER) WITHOUT ROWID""",
        """CREATE TABLE sessions (
            session TEXT PRIMARY KEY, host TEXT NOT NULL, project TEXT NOT NULL, root BLOB NOT NULL,
            name BLOB NOT NULL, git BLOB NOT NULL, log BLOB NOT NULL, seen_at INTEGER NOT NULL, finished_at INTEGER,
            size INTEGER NOT NULL DEFAULT -1, mtime INTEGER NOT NULL DEFAULT -1,
            checkpoint_at INTEGER) WITHOUT ROWID""",
        """CREATE TABLE places (
            project TEXT NOT NULL, root BLOB NOT NULL, git BLOB NOT NULL, revision INTEGER NOT NULL DEFAULT 0,
            stamp TEXT NOT NULL DEFAULT '', PRIMARY KEY (project, root)) WITHOUT ROWID""",
        """CREATE TABLE revisions (
            project TEXT NOT NULL, root BLOB NOT NULL, revision INTEGER NOT NULL, ids TEXT NOT NULL,
            PRIMARY KEY (project, root, revision)) WITHOUT ROWID""",
        """CREATE TABLE receipts (
            n INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, what TEXT NOT NULL, project TEXT NOT NULL,
            candidate TEXT NOT NULL, session TEXT NOT NULL, detail TEXT NOT NULL)""",
        """CREATE TRIGGER receipts_stay BEFORE UPDATE ON receipts
            BEGIN SELECT RAISE(ABORT, 'receipts are append-only'); END""",
        """CREATE TRIGGER receipts_remain BEFORE DELETE ON receipts
            BEGIN SELECT RAISE(ABORT, 'receipts are append-only'); END""",
    ),
    (
        "ALTER TABLE sessions ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE offers ADD COLUMN answered_at INTEGER",
    ),
    (
        """CREATE TABLE skills_used (
            session TEXT NOT NULL, project TEXT NOT NULL, name TEXT NOT NULL, path BLOB NOT NULL, how TEXT NOT NULL,
            at INTEGER NOT NULL, of_project TEXT NOT NULL DEFAULT '', of TEXT NOT NULL DEFAULT '',
            PRIMARY KEY (session, path, name)) WITHOUT ROWID""",
        "CREATE INDEX skills_used_in ON skills_used (project, at)",
        """CREATE TABLE outcomes (
            session TEXT PRIMARY KEY, project TEXT NOT NULL, type TEXT NOT NULL, score REAL, success INTEGER,
            duration_ms INTEGER NOT NULL, error_count INTEGER NOT NULL, retry_count INTEGER NOT NULL,
            reasoning TEXT NOT NULL, files TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID""",
        "CREATE INDEX receipts_of ON receipts (candidate, what)",
    ),
    (
        "ALTER TABLE skills_used ADD COLUMN line INTEGER NOT NULL DEFAULT 0",
        """CREATE TABLE errors_met (
            session TEXT NOT NULL, signature TEXT NOT NULL, project TEXT NOT NULL, times INTEGER NOT NULL,
            line INTEGER NOT NULL, solved_line INTEGER NOT NULL, steps INTEGER NOT NULL, duration_ms INTEGER,
            at INTEGER NOT NULL, PRIMARY KEY (session, signature)) WITHOUT ROWID""",
        "CREATE INDEX errors_met_in ON errors_met (project, signature, at)",
        """CREATE TABLE archived (
            n INTEGER PRIMARY KEY AUTOINCREMENT, project TEXT NOT NULL, name TEXT NOT NULL, source BLOB NOT NULL,
            target BLOB NOT NULL, candidate TEXT NOT NULL, reason TEXT NOT NULL, at INTEGER NOT NULL,
            restored_at INTEGER)""",
    ),
    (
        "DROP TABLE revisions",
        "ALTER TABLE places RENAME TO places_before",
        """CREATE TABLE places (
            project TEXT NOT NULL, root BLOB NOT NULL, git BLOB NOT NULL, token TEXT NOT NULL DEFAULT '',
            asked TEXT NOT NULL DEFAULT '', kind TEXT NOT NULL DEFAULT '', detail TEXT NOT NULL DEFAULT '',
            PRIMARY KEY (project, root)) WITHOUT ROWID""",
        "INSERT INTO places (project, root, git) SELECT project, root, git FROM places_before",
        "DROP TABLE places_before",
    ),
    (
        # An earlier version does not know what waits, and leaves a database with this step alone.
        "CREATE INDEX receipts_in ON receipts (project, what)",
        # Entries were kept in two sizes, the smaller one first.
        "UPDATE candidates SET entry = substr(entry, 1, instr(entry, char(12)) - 1) WHERE instr(entry, char(12))",
    ),
)

RECEIPT = "INSERT INTO receipts (at, what, project, candidate, session, detail) VALUES (?, ?, ?, ?, ?, ?)"
