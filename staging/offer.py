"""Offer pending candidates at the start of a session, each to one session at a time. The user waits: without anything
to offer it costs two stat calls, else one short transaction, so its SQL is here.
"""

from __future__ import annotations

import os

from mind_skills.staging import start_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Sequence

    from mind_skills.store.project import Project

OPENING, CLOSING = "<openception-skill-extraction>", "</openception-skill-extraction>"
SKILLS = ".claude/skills"
MAX_ENTRIES_LENGTH = 1_300
"""Maximum number of characters in all entries (staging/entry.py), so that an offer of three sessions stays near 350 tokens."""
COMMAND = "mind-skills"
"""The command that runs mind-skills in the agent's shell if it is on the PATH."""
ASK, AUTO, NEVER = "ask", "auto", "never"
"""Values of the setting ``write_skills``."""
CHARACTERS_PER_TOKEN = 4
"""Approximate characters per token in English text; token counts are shown with "about"."""
MAX_OFFER_LENGTH = 9_500
"""Upper bound of the number of characters in an offer. Hosts cut a hook's context beyond 10,000 or move it to a file."""

APPROVED_LABEL = "the user agreed"
"""Label of an approved candidate. The instructions ask for the user's agreement; the label states that it was given."""
_APPROVED_INSTRUCTION = f' If an entry says "{APPROVED_LABEL}", write it without asking.'
_COUNT_PREFIX = "Earlier sessions here left "
_WHAT_TO_DO = (
    "The user's own request first. Then `{command} show ID ...` prints what happened. Keep what cost or surprised, was borne out, will be"
    " met again, and fits two sentences; look at the log around it (`show ID --lines A-B`). {agreement} `show` says how to write a skill"
    ' in {skills}/<name>/SKILL.md. Run `{command} dismiss ID ... --reason "..."` for the rest.'
)
_AGREEMENTS = {
    ASK: "Ask the user which to keep; if nobody can answer, keep those you are sure of.",
    AUTO: "Keep those you are sure of, and tell the user.",
}
"""Who decides, by the value of ``write_skills``."""
TIMEOUT_SECONDS = 2.0
"""How long to wait for other writers. After that, the session starts without an offer."""
_MAX_PENDING, _MAX_PER_OFFER = 10, 5
"""Copies of ``MAX_PENDING`` and ``MAX_PER_OFFER`` in staging/model.py, which is slow to import."""
COUNT_TIMEOUT_SECONDS = 0.2
"""How long ``count_waiting`` waits for another process that writes to the database; a prompt must not hang."""


# -- text --------------------------------------------------------------------------------------------------------------


def count_fitting(entries: Sequence[str]) -> int:
    """Return how many leading entries fit into an offer; entries are never cut."""
    room = MAX_ENTRIES_LENGTH
    for number, entry in enumerate(entries):
        room -= len(entry) + 1
        if room < 0:
            return number
    return len(entries)


def assemble_offer(
    entries: Sequence[str], skills: str = SKILLS, advice: str = "", *, command: str = COMMAND, writing: str = ASK
) -> str:
    """Return the offer with as many rendered ``entries`` as fit, grouped by session, then ``advice``; ``skills`` is the
    host's skill folder, ``command`` runs mind-skills in the agent's shell.
    """
    entries = entries[: count_fitting(entries)]
    if not entries:
        return f"{OPENING}\n{advice}\n{CLOSING}"
    episodes: dict[str, list[str]] = {}
    for entry in entries:
        session, _, episode = entry.partition("\n")
        episodes.setdefault(session, []).append(episode)
    listed = "\n".join("\n".join((session, *of_session)) for session, of_session in episodes.items())
    count = "1 episode" if len(entries) == 1 else f"{len(entries)} episodes"
    folder = "".join(c for c in skills if c.isprintable() and c not in "<>`")
    instructions = _WHAT_TO_DO.format(command=command, skills=folder, agreement=_AGREEMENTS[writing])
    if any(entry.endswith(APPROVED_LABEL) for entry in entries):
        instructions += _APPROVED_INSTRUCTION
    closing = f"\n{advice}\n{CLOSING}" if advice else CLOSING
    return f"""{OPENING}
{_COUNT_PREFIX}{count} that may deserve a skill. These are facts from their logs:

{listed}

{instructions}
{closing}"""


def describe_offer(text: str, command: str = COMMAND) -> str:
    """Return the line that informs the user of an offer: count, token cost, command. Empty for an offer without entries."""
    count = text.removeprefix(f"{OPENING}\n{_COUNT_PREFIX}").partition(" that ")[0]
    if not count[:1].isdigit():
        return ""
    subject = f"{count} of an earlier session" if count.startswith("1 ") else f"{count} of earlier sessions"
    consequence = "asks you which to keep" if _AGREEMENTS[ASK] in text else "writes skills for the certain ones"
    return (
        f"mind-skills: the agent was told of {subject}, in about {estimate_tokens(text)} tokens. After your request, it reads"
        f" more and {consequence}; to decide yourself, run `{command} review`."
    )


def estimate_tokens(text: str) -> int:
    """Estimate the number of tokens in a text, to the nearest ten."""
    return int(round(len(text) / CHARACTERS_PER_TOKEN, -1))


# -- claiming ----------------------------------------------------------------------------------------------------------


class Offer:
    """An offer to one session at ``at`` (UTC ms). One that is not ``fresh`` is already in the context, unless the host
    lost the hook's output. ``clock_was_set_back``: the recorded response is dated before the offer, so the log's
    times cannot be compared with it.
    """

    __slots__ = ("answered", "at", "clock_was_set_back", "fresh", "ids", "session_id", "settled", "text")

    def __init__(
        self,
        session_id: str,
        text: str,
        ids: tuple[str, ...],
        at: int,
        *,
        settled: bool = False,
        fresh: bool = False,
        answered: bool = False,
        clock_was_set_back: bool = False,
    ) -> None:
        self.session_id = session_id
        self.text = text
        self.ids = ids
        self.at = at
        self.settled = settled
        self.fresh = fresh
        self.answered = answered
        self.clock_was_set_back = clock_was_set_back


def could_offer(home: str, project_id: str, session_id: str) -> bool:
    """Return whether ``claim_offer`` could return an offer. Costs at most two stat calls."""
    flags = (start_files.get_project_flag_path(home, project_id), start_files.get_session_flag_path(home, session_id))
    return any(map(os.path.exists, flags))


def claim_offer(
    home: str,
    project: Project,
    session_id: str,
    at: int,
    skills: str = SKILLS,
    limit: int = _MAX_PER_OFFER,
    *,
    command: str = COMMAND,
    writing: str = ASK,
    open_databases: list[object] | None = None,
) -> Offer | None:
    """Return the session's open offer, or make one of up to ``limit`` candidates (at most five) and the advice; None
    without either. Two sessions never get the same candidate; a session that received only advice can still be
    offered some. A process about to exit passes ``open_databases``: the database is appended to it, as closing it
    would wait for the disk. Raises StoreError; BusyDatabaseError after two seconds.
    """
    if not session_id or not could_offer(home, project.id, session_id):
        return None
    from mind_skills.staging.tables.schema import SCHEMA
    from mind_skills.store.database import Database

    def render(entries: list[str], advice: str) -> str:
        return assemble_offer(entries, skills, advice, command=command, writing=writing)

    database = Database.open(home, SCHEMA, TIMEOUT_SECONDS, brief=open_databases is not None)
    try:
        with database.writing() as sql:
            return _claim(sql, home, project, session_id, at, render, min(limit, _MAX_PER_OFFER))
    finally:
        if open_databases is None:
            database.close()
        else:
            open_databases.append(database)


def _claim(
    sql: sqlite3.Connection,
    home: str,
    project: Project,
    session_id: str,
    at: int,
    render: Callable[[list[str], str], str],
    limit: int,
) -> Offer | None:
    offer = find_offer(sql, session_id)
    if offer is not None and offer.ids:
        return offer
    unoffered = _list_unoffered(sql, project.id)
    # What only this session has seen is already in its context, even after a resume, and is left for other sessions.
    chosen = [row for row in unoffered if not _is_only_sighting(sql, project.id, row[0], session_id)][:limit]
    chosen = chosen[: count_fitting([entry for _, _, entry in chosen])]  # the rest is left for the next session
    advice = start_files.read_advice(home, project.id)
    if chosen or (advice and offer is None):  # a session that received only advice can still be offered candidates
        if chosen:
            shelve_surplus(sql, project.id, at)
        ids = tuple(id_ for _, id_, _ in chosen)
        offer = Offer(session_id, render([entry for _, _, entry in chosen], advice), ids, at, fresh=True)
        sql.execute(
            "INSERT OR REPLACE INTO offers (session, project, ids, text, at) VALUES (?, ?, ?, ?, ?)",
            (session_id, project.id, " ".join(ids), offer.text, at),
        )
        for fingerprint, id_, _ in chosen:
            sql.execute(
                "UPDATE candidates SET offered_to = ?, injected_at = ? WHERE project = ? AND fingerprint = ?",
                (session_id, at, project.id, fingerprint),
            )
            _add_receipt(sql, at, "offered", project.id, id_, session_id)
        start_files.set_flag(start_files.get_session_flag_path(home, session_id), is_set=True)
    start_files.set_flag(
        start_files.get_project_flag_path(home, project.id), is_set=len(unoffered) > len(chosen) or bool(advice)
    )
    return offer


def find_offer(sql: sqlite3.Connection, session_id: str) -> Offer | None:
    """Return a session's offer, even after the session has ended; None if there is none."""
    row = sql.execute(
        "SELECT text, ids, at, settled_at, answered_at FROM offers WHERE session = ?", (session_id,)
    ).fetchone()
    if row is None:
        return None
    text, ids, at, settled_at, answered_at = row
    settled, answered = settled_at is not None, answered_at is not None
    clock_was_set_back = answered and answered_at < at
    return Offer(
        session_id,
        text,
        tuple(ids.split()),
        at,
        settled=settled,
        answered=answered,
        clock_was_set_back=clock_was_set_back,
    )


def shelve_surplus(sql: sqlite3.Connection, project_id: str, at: int) -> None:
    """Shelve the candidates beyond the ten best before a place is freed, else worse ones would move up. Until then they
    are a reserve.
    """
    for fingerprint, id_, _ in _list_unoffered(sql, project_id, f"-1 OFFSET {_MAX_PENDING}"):
        sql.execute(
            "UPDATE candidates SET state = 'shelved', settled_at = ? WHERE project = ? AND fingerprint = ?",
            (at, project_id, fingerprint),
        )
        _add_receipt(sql, at, "shelved", project_id, id_, "")


def _add_receipt(
    sql: sqlite3.Connection, at: int, event: str, project_id: str, candidate: str, session_id: str
) -> None:
    from mind_skills.staging.tables.schema import INSERT_RECEIPT

    sql.execute(INSERT_RECEIPT, (at, event, project_id, candidate, session_id, ""))


def update_project_flag(sql: sqlite3.Connection, home: str, project_id: str) -> None:
    """Update the project's flag from the database and the advice, inside the transaction that changed the database."""
    can_offer = bool(_list_unoffered(sql, project_id)) or bool(start_files.read_advice(home, project_id))
    start_files.set_flag(start_files.get_project_flag_path(home, project_id), is_set=can_offer)


def _list_unoffered(
    sql: sqlite3.Connection, project_id: str, limit: str = str(_MAX_PENDING)
) -> list[tuple[str, str, str]]:
    """List (fingerprint, id, entry) of pending candidates not offered, best first. Offered ones do not count towards
    the ten.
    """
    return sql.execute(
        "SELECT fingerprint, id, entry FROM candidates WHERE project = ? AND state = 'pending' AND offered_to IS NULL"  # noqa: S608
        f" ORDER BY rank DESC, detected_at, fingerprint LIMIT {limit}",
        (project_id,),
    ).fetchall()


def _is_only_sighting(sql: sqlite3.Connection, project_id: str, fingerprint: str, session_id: str) -> bool:
    """Return whether ``session_id`` is the only session that has seen a candidate."""
    query = "SELECT session FROM sightings WHERE project = ? AND fingerprint = ?"
    return [row[0] for row in sql.execute(query, (project_id, fingerprint))] == [session_id]


def count_waiting(home: str, project_id: str) -> int:
    """Return how many learnings of a project wait, at most ten; 0 if the database is missing or unreadable. For
    prompts: opens no ledger.
    """
    try:
        import _sqlite3 as sqlite3  # as in store/database.py: the package around it is slow to import
    except ImportError:  # interpreters other than CPython
        import sqlite3  # type: ignore[no-redef]

    from mind_skills.store.database import DATABASE_NAME

    path = os.path.join(home, DATABASE_NAME)
    if not os.path.exists(path):
        return 0
    escaped = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    try:
        sql = sqlite3.connect(f"file:{escaped}?mode=ro", uri=True, timeout=COUNT_TIMEOUT_SECONDS)
        try:
            query = "SELECT count(*) FROM candidates WHERE project = ? AND state = 'pending' AND offered_to IS NULL"
            return min(_MAX_PENDING, int(sql.execute(query, (project_id,)).fetchone()[0]))
        finally:
            sql.close()
    except sqlite3.Error:
        return 0
