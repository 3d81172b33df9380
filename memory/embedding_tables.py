"""The tables of the extras. A step that has been released is never changed; a new one is added behind it.

``memory_vectors`` holds what a model made of each record, by the record's number; ``followed`` of an encoder is the
version of the records (memory/tables.py) up to which that is complete. ``memory_indexes`` knows the LanceDB tables that
this state folder made: nothing else is ever read as one of ours, and an uninstall finds them here. ``mark`` is a random
name that the table itself carries, ``written`` LanceDB's own number of its last state that we left behind.
"""

PACKAGE = "memory_vectors"

STEPS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE memory_encoders (
            e INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, dimension INTEGER NOT NULL,
            followed INTEGER NOT NULL)""",
        """CREATE TABLE memory_vectors (
            e INTEGER NOT NULL, n INTEGER NOT NULL, digest TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (e, n))""",
        """CREATE TABLE memory_indexes (
            path BLOB PRIMARY KEY, root BLOB NOT NULL, git BLOB NOT NULL, mark TEXT NOT NULL, encoder TEXT NOT NULL,
            followed INTEGER NOT NULL, written INTEGER NOT NULL)""",
    ),
)
