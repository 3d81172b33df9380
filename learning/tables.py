"""The tables of this package. A step that has been released is never changed; a new one is added behind it.

``n`` keeps the order in which things came. A source, a session as a rule, has one vote on each subject. Times are UTC
milliseconds, lists are JSON. ``decisions`` holds, for whoever takes one back, what each found before (decisions.py);
``refused_votes`` those that were taken back. An error's ``project`` and ``session`` are empty where nobody knows them.
"""

PACKAGE = "learning"

STEPS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE feedback (
            n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, criterion TEXT NOT NULL, type TEXT NOT NULL, at INTEGER,
            raw_value REAL NOT NULL, context TEXT NOT NULL, task_id TEXT NOT NULL, timestamp TEXT NOT NULL)""",
        "CREATE INDEX feedback_of_criterion ON feedback (criterion)",
        "CREATE INDEX feedback_of_task ON feedback (task_id)",
        """CREATE TABLE task_errors (
            n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, task_id TEXT NOT NULL, error_type TEXT NOT NULL,
            message TEXT NOT NULL, at INTEGER NOT NULL, resolved INTEGER NOT NULL, stack_trace TEXT NOT NULL,
            tool_name TEXT NOT NULL, context TEXT NOT NULL)""",
        "CREATE INDEX task_errors_of_task ON task_errors (task_id)",
        """CREATE TABLE patterns (
            n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, content TEXT NOT NULL, kind TEXT NOT NULL,
            is_negative INTEGER NOT NULL, success_count INTEGER NOT NULL, failure_count INTEGER NOT NULL,
            created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, reason TEXT NOT NULL, tags TEXT NOT NULL,
            example_tasks TEXT NOT NULL, inverted_to TEXT NOT NULL)""",
        """CREATE TABLE maturities (
            n INTEGER PRIMARY KEY, pattern_id TEXT NOT NULL UNIQUE, state TEXT NOT NULL,
            helpful_count INTEGER NOT NULL, harmful_count INTEGER NOT NULL, last_validated INTEGER,
            promoted_at INTEGER, deprecated_at INTEGER, reason TEXT NOT NULL, pinned INTEGER NOT NULL)""",
        """CREATE TABLE maturity_feedback (
            n INTEGER PRIMARY KEY, pattern_id TEXT NOT NULL, type TEXT NOT NULL, at INTEGER, weight REAL NOT NULL,
            source TEXT NOT NULL)""",
        "CREATE INDEX maturity_feedback_of ON maturity_feedback (pattern_id)",
        "CREATE UNIQUE INDEX one_vote ON maturity_feedback (pattern_id, source) WHERE source != ''",
    ),
    (
        """CREATE TABLE task_plans (
            n INTEGER PRIMARY KEY, project TEXT NOT NULL, task_id TEXT NOT NULL, task TEXT NOT NULL,
            context TEXT NOT NULL, session TEXT NOT NULL, named INTEGER NOT NULL, done_as TEXT NOT NULL,
            at INTEGER NOT NULL, UNIQUE (project, task_id))""",
        """CREATE TABLE task_outcomes (
            n INTEGER PRIMARY KEY, project TEXT NOT NULL, task_id TEXT NOT NULL, said_by TEXT NOT NULL,
            session TEXT NOT NULL, success INTEGER NOT NULL, duration_ms INTEGER NOT NULL,
            error_count INTEGER NOT NULL, retry_count INTEGER NOT NULL, files_touched TEXT NOT NULL,
            strategy TEXT NOT NULL, strategies TEXT NOT NULL, failure_mode TEXT NOT NULL,
            failure_details TEXT NOT NULL, agent_name TEXT NOT NULL, summary TEXT NOT NULL, type TEXT NOT NULL,
            score REAL NOT NULL, reasoning TEXT NOT NULL, at INTEGER NOT NULL, UNIQUE (project, task_id))""",
        "CREATE INDEX task_outcomes_of_session ON task_outcomes (session) WHERE session != ''",
    ),
    (
        """CREATE TABLE decisions (
            n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, project TEXT NOT NULL,
            pattern_id TEXT NOT NULL, what TEXT NOT NULL, source TEXT NOT NULL, at INTEGER NOT NULL,
            before TEXT NOT NULL)""",
        "CREATE INDEX decisions_in ON decisions (project, n)",
        "CREATE INDEX decisions_of ON decisions (pattern_id)",
        """CREATE TABLE refused_votes (
            pattern_id TEXT NOT NULL, source TEXT NOT NULL, PRIMARY KEY (pattern_id, source)) WITHOUT ROWID""",
        "ALTER TABLE task_errors ADD COLUMN project TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE task_errors ADD COLUMN session TEXT NOT NULL DEFAULT ''",
    ),
)
