"""This machine's memory for commands and tools: opened for a project, with trust weights for the records."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from tempfile import TemporaryDirectory

from mind_skills.errors.records import OtherProjectError
from mind_skills.learning.maturity import MULTIPLIERS, MaturityConfig, PatternMaturity, evaluate
from mind_skills.learning.rules import Rules, load_rules
from mind_skills.learning.statistics import compute_decay
from mind_skills.learning.storage import SCHEMA, MaturityStorage, PatternStorage
from mind_skills.memory.encoders import Extras, download_model, find_model
from mind_skills.memory.index import Progress, RecordCallback, report_no_progress
from mind_skills.memory.model import (
    COMMAND_SOURCE,
    MAX_CONTENT_LENGTH,
    QUARANTINE_TAINT,
    Hit,
    Kind,
    Record,
    build_agent_source,
    clean_record,
)
from mind_skills.memory.records import MAX_QUERY_RECORDS
from mind_skills.memory.store import SemanticMemoryStore, Trust
from mind_skills.memory.store import open_memory as open_store
from mind_skills.output import state
from mind_skills.redaction.text import clean_text
from mind_skills.settings import strict
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.trust import Trust as LearningTrust
from mind_skills.store.database import Database
from mind_skills.store.home import ensure_folder
from mind_skills.store.project import digest_text
from mind_skills.tasks.caller import Caller

MIN_AGE_FACTOR = 0.1
"""Minimum factor by which age reduces the weight of a pattern: an old pattern is not necessarily wrong."""
UNJUDGED_WEIGHT = MULTIPLIERS["candidate"]
"""Weight of an episode, on which no session votes."""
EXPLICIT_WEIGHT = MULTIPLIERS["established"]
"""Weight of a record that a person or an agent stored explicitly, and of a warning."""


class Memory:
    """The memory store, and the current trust weights of its records."""

    def __init__(self, store: SemanticMemoryStore, trust: Trust) -> None:
        self.store, self.trust = store, trust

    def add(self, record: Record, caller: Caller) -> None:
        """Store a record in the caller's project. One for all projects is quarantined until a person vouches for it;
        the taint of what an agent replaces remains. Raises OtherProjectError, StoreError.
        """
        cleaned, existing = clean_record(record), self.store.get(record.id)
        if existing is not None and existing.project not in ("", caller.project.id):
            raise OtherProjectError(cleaned.id)
        is_vouched = (
            existing is not None
            and not existing.is_quarantined
            and (existing.content, existing.task, existing.project) == (cleaned.content, cleaned.task, cleaned.project)
        )
        taint = set(existing.taint.split(",")) - {""} if existing is not None and caller.kind == "agent" else set[str]()
        if not (cleaned.project or is_vouched):
            taint.add(QUARANTINE_TAINT)
        self.store.store(replace(cleaned, taint=",".join(sorted(taint))))

    def recall(
        self, text: str, limit: int = 5, threshold: float = 0.0, *, project_id: str = "", untrusted: bool = False
    ) -> Sequence[Hit]:
        """Return the records that match ``text``, best first (memory/store.py). Raises StoreError."""
        return self.store.query(text, limit, threshold, project_id=project_id, trust=self.trust, untrusted=untrusted)


def read_memory_settings(root: str) -> Extras:
    """Return a project's index and model; its own file cannot set a model, which can run code. Raises MindSkillsError."""
    values = {each.key: str(each.value) for each in strict.load(root)}
    return Extras(index=values["memory.index"], model=values["memory.model"])


@contextmanager
def open_memory(root: str, progress: Progress = report_no_progress, *, create: bool = True) -> Generator[Memory]:
    """Open the memory of this machine for the project whose folder is ``root``. Raises MindSkillsError, StoreError."""
    with (
        nullcontext(ensure_folder()) if create or state.has_database() else TemporaryDirectory() as home,
        open_trust(home, state.read_clock(), load_rules(root)) as trust,
        open_store(home, root, read_memory_settings(root), progress) as store,
    ):
        yield Memory(store, trust)


@contextmanager
def show_building(record_count: int) -> Generator[RecordCallback]:
    """Report on stderr that records are being added to the index, if there are so many that it takes noticeably long."""
    from mind_skills.output.text import format_count, print_note, show_progress

    if record_count <= MAX_QUERY_RECORDS:
        yield lambda: None
        return
    print_note(
        f"{format_count(record_count, 'record')} must be added to the index first; the next query will not have to wait."
    )
    with show_progress("building the index", record_count) as step:
        yield step


def fetch_model(root: str) -> None:
    """Download the configured model if it is not on this machine. Raises MindSkillsError, StoreError."""
    model = read_memory_settings(root).model
    if not find_model(model):
        download_model(model)


def make_record(
    content: str,
    caller: Caller,
    *,
    kind: Kind,
    task: str,
    project_id: str,
    task_id: str,
    success: bool | None,
    record_id: str,
) -> Record:
    """Build a record that a command stores. Without ``record_id``, its id is derived from kind, project and cleaned content."""
    content = clean_text(content, MAX_CONTENT_LENGTH).strip()
    return Record(
        id=record_id or f"memo-{digest_text(f'{kind}|{project_id}|{content}')}",
        kind=kind,
        content=content,
        task=task,
        project=project_id,
        task_id=task_id,
        success=success,
        at=caller.now,
        source=build_agent_source(caller.session) if caller.session else COMMAND_SOURCE,
    )


@contextmanager
def open_trust(home: str, now: int, rules: Rules) -> Generator[Trust]:
    """Yield a function that returns a record's weight at ``now`` (UTC ms) according to ``rules``. Raises StoreError."""
    with Database.open(home, SCHEMA) as database, Ledger.open(home) as ledger:
        state.report_damage(database)
        maturities = MaturityStorage(database)
        patterns = PatternStorage(database)
        weights: dict[str, float] = {}
        learning_trust: list[LearningTrust] = []

        def trust(record: Record) -> float:
            if record.kind == "episode":
                return UNJUDGED_WEIGHT
            if not record.reference:
                return EXPLICIT_WEIGHT
            if record.kind == "learning":
                if not learning_trust:  # read once, on first use
                    learning_trust.append(ledger.read_trust(now, rules.maturity))
                return learning_trust[0](record.project, record.reference)
            if record.reference not in weights:
                weights[record.reference] = _weigh_pattern(record, maturities, patterns, rules.maturity, now)
            return weights[record.reference]

        yield trust


def _weigh_pattern(
    record: Record, maturities: MaturityStorage, patterns: PatternStorage, config: MaturityConfig, now: int
) -> float:
    """Return the multiplier of a pattern's maturity, halved per half-life since its last confirmation (see MIN_AGE_FACTOR)."""
    pattern = patterns.get(record.reference)
    if pattern is None or pattern.kind != record.kind:
        return 0.0  # the warning was withdrawn, or the pattern was deleted
    if pattern.kind == "anti_pattern":
        return EXPLICIT_WEIGHT
    maturity = maturities.get(record.reference) or PatternMaturity(record.reference)
    maturity = evaluate(maturity, maturities.list_votes(record.reference), config, now=now)
    validated = maturity.last_validated
    age_factor = 1.0 if validated is None else max(MIN_AGE_FACTOR, compute_decay(validated, now, config.half_life_days))
    return MULTIPLIERS[maturity.state] * age_factor
