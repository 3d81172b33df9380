"""Schema of the tables of staging. A released migration is never changed; new ones are appended.

Most statements are in the other modules of this folder; staging/offer.py, which runs while a user waits, has its own.

- ``sightings``: a learning as seen by one session.
- ``candidates``: a learning merged from its sightings. ``state`` is pending, accepted, dismissed, ignored (offered without
  a result), shelved (dropped from a full list) or covered (by an installed skill). ``offered_to`` is preserved after the
  offer is closed.
- ``digests``: the digest of each session that staged candidates (digest/model.py), as JSON.
- ``offers``: ``answered_at`` is when it was first recorded that the agent had responded after the offer.
- ``sessions``: ``attempts`` counts the attempts to read the log since the last success, including one in progress.
- ``places``: the folders of a project, each with the ``token`` of the pending file last written there and git's verdict
  on that file (``kind`` and ``detail``: store/git.py). ``asked`` is the stamp of git's inputs when git was asked. Paths are
  bytes because they need not be valid text.
- ``receipts``: append-only, enforced by triggers.
- ``skills_used``: the skills that each session used, with the ``line`` of the log (0: unknown) and the candidate that
  became the skill (its project ``of_project`` and its fingerprint ``of``; empty if there is none).
- ``outcomes``: the outcome of each session whose last analysis was the one at its end.
- ``errors_met``: the errors of each session and whether it solved them (staging/tables/sessions.py).
- ``reminders`` and ``muted``: what sessions were told at a failure, and what is not to be told (staging/tables/reminders.py).
- ``archived``: archived skills and their folders (staging/tables/archived.py).
"""

from mind_skills.store.database import Schema

SCHEMA = Schema(
    "staging",
    (
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
            # Earlier versions do not support waiting candidates, and refuse a database with this migration.
            "CREATE INDEX receipts_in ON receipts (project, what)",
            # Entries used to be stored in two sizes, the smaller one first.
            "UPDATE candidates SET entry = substr(entry, 1, instr(entry, char(12)) - 1) WHERE instr(entry, char(12))",
        ),
        (
            """CREATE TABLE digests (
            session TEXT PRIMARY KEY, project TEXT NOT NULL, body TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID""",
            # Candidates of earlier versions have no facts; what was not decided is found again in the logs.
            "DELETE FROM candidates WHERE state NOT IN ('accepted', 'dismissed')",
            "DELETE FROM sightings",
            """CREATE TABLE reminders (
            session TEXT NOT NULL, name TEXT NOT NULL, signature TEXT NOT NULL, is_skill INTEGER NOT NULL,
            is_shown INTEGER NOT NULL, at INTEGER NOT NULL, project TEXT NOT NULL, PRIMARY KEY (session, name)) WITHOUT ROWID""",
            """CREATE TABLE muted (
            project TEXT NOT NULL, what TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (project, what)) WITHOUT ROWID""",
        ),
    ),
)

INSERT_RECEIPT = "INSERT INTO receipts (at, what, project, candidate, session, detail) VALUES (?, ?, ?, ?, ?, ?)"
