"""The memory of this machine, as commands and tools use it: opened, asked with the trust that its records have earned."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from mind_skills.errors.records import OtherProjectError
from mind_skills.learning.maturity import MULTIPLIERS, MaturityConfig, PatternMaturity, evaluate
from mind_skills.learning.rules import DEFAULTS, Rules, rules_of
from mind_skills.learning.statistics import HALF_LIFE_DAYS, decay
from mind_skills.learning.storage import PACKAGE, STEPS, MaturityStorage, PatternStorage
from mind_skills.memory.encoders import Extras
from mind_skills.memory.following import Progress, Step, show_nothing
from mind_skills.memory.model import QUARANTINE, Hit, Kind, Record, admit
from mind_skills.memory.records import AT_ONCE
from mind_skills.memory.store import SemanticMemoryStore, Trust
from mind_skills.memory.store import open_memory as backend
from mind_skills.output import state
from mind_skills.settings import strict
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.trust import Trust as LearningTrust
from mind_skills.store.database import Database
from mind_skills.store.home import ensure
from mind_skills.store.project import Project, digest

LEAST = 0.1
"""What age alone leaves of a pattern's worth, as of a criterion's weight: old is not wrong."""
UNJUDGED = MULTIPLIERS["candidate"]
"""The worth of what no session has judged: an episode."""
SAID = MULTIPLIERS["established"]
"""The worth of what somebody has stored on purpose."""


class Memory:
    """The memory, and what its records are worth today."""

    def __init__(self, store: SemanticMemoryStore, trust: Trust) -> None:
        self.store, self.trust = store, trust

    def add(self, record: Record, place: Project) -> None:
        """Store what somebody in the project at ``place`` has said. Raises StoreError, OtherProjectError.

        What is for every project is told to nobody until a person vouches for it; one that was vouched for stays so.
        """
        said, before = admit(record), self.store.get(record.id)
        if before is not None and before.project not in ("", place.id):
            raise OtherProjectError(said.id)
        vouched = before is not None and not before.quarantined and _same(before, said)
        self.store.store(said if said.project or vouched else replace(said, taint=QUARANTINE))

    def recall(
        self, text: str, limit: int = 5, threshold: float = 0.0, *, project: str = "", untrusted: bool = False
    ) -> Sequence[Hit]:
        """What comes to mind with ``text``, the best first; see memory/store.py. Raises StoreError."""
        return self.store.query(text, limit, threshold, project=project, trust=self.trust, untrusted=untrusted)


def _same(before: Record, said: Record) -> bool:
    return (before.content, before.task, before.project) == (said.content, said.task, said.project)


def read_extras(root: str) -> Extras:
    """What may be used in the project whose folder is ``root``. Raises MindSkillsError where a settings file is wrong.

    A model may run what its files say, so a project that came from elsewhere does not name one.
    """
    said = {each.key: str(each.value) for each in strict.load(root)}
    return Extras(index=said["memory.index"], model=said["memory.model"])


@contextmanager
def open_memory(root: str, progress: Progress = show_nothing) -> Generator[Memory]:
    """The memory of this machine, as it is used in the project whose folder is ``root``. Raises StoreError.

    ``progress`` shows what has to be built before a question is answered: ``show_building`` where a person asks.
    """
    home = ensure()
    with (
        backend(home, root, read_extras(root), progress) as store,
        open_trust(home, state.now(), rules_of(root)) as trust,
    ):
        yield Memory(store, trust)


@contextmanager
def show_building(records: int) -> Generator[Step]:
    """Say on stderr that the index is built, where that takes longer than a person expects of a question."""
    from mind_skills.output.text import count, note, show_progress

    if records <= AT_ONCE:
        yield lambda: None
        return
    note(f"{count(records, 'record')} have to be put into the index first; the next question does not wait for that.")
    with show_progress("building the index", records) as step:
        yield step


def fetch_model(root: str) -> None:
    """Download the model that the settings name, where it is not on this machine. Raises StoreError."""
    from mind_skills.memory import model_encoder

    if not model_encoder.find_model(read_extras(root).model):
        model_encoder.download_model(read_extras(root).model)


def make_record(
    content: str, *, kind: Kind, task: str, project: str, task_id: str, success: bool | None, record_id: str, at: int
) -> Record:
    """A record that a person stores: the same words for the same project are the same record."""
    return Record(
        id=record_id or f"memo-{digest(f'{kind}|{project}|{content}')}",
        kind=kind,
        content=content,
        task=task,
        project=project,
        task_id=task_id,
        success=success,
        at=at,
        source="command line",
    )


@contextmanager
def open_trust(home: str, now: int, rules: Rules = DEFAULTS) -> Generator[Trust]:
    """The worth of records at ``now`` (UTC milliseconds) by the numbers of ``rules``.

    What was looked up is remembered until the end of ``with``.
    """
    with Database.open(home, PACKAGE, STEPS) as database, Ledger.open(home) as ledger:
        maturities = MaturityStorage(database)
        patterns = PatternStorage(database)
        known: dict[str, float] = {}
        learnings: list[LearningTrust] = []

        def trust(record: Record) -> float:
            if record.kind == "episode":
                return UNJUDGED
            if not record.reference:
                return SAID
            if record.kind == "learning":
                learnings[:] = learnings or [
                    ledger.read_trust(now, rules.maturity)
                ]  # read once, where one is asked for
                return learnings[0](record.project, record.reference)
            if record.reference not in known:
                known[record.reference] = _weigh_pattern(record, maturities, patterns, rules.maturity, now)
            return known[record.reference]

        yield trust


def _weigh_pattern(
    record: Record,
    maturities: MaturityStorage,
    patterns: PatternStorage,
    stages: MaturityConfig,
    now: int,
) -> float:
    pattern = patterns.get(record.reference)
    if pattern is None or pattern.kind != record.kind:
        return 0.0  # its warning was taken back, or it was forgotten
    if pattern.kind == "anti_pattern":
        return SAID
    held = maturities.get(record.reference) or PatternMaturity(record.reference)
    return fade_worth(
        evaluate(held, maturities.feedback(record.reference), stages, now=now), now, stages.half_life_days
    )


def fade_worth(maturity: PatternMaturity, now: int, half_life_days: float = HALF_LIFE_DAYS) -> float:
    """The multiplier of a maturity, faded by half for each half-life since it was last confirmed."""
    validated = maturity.last_validated
    return MULTIPLIERS[maturity.state] * (
        1.0 if validated is None else max(LEAST, decay(validated, now, half_life_days))
    )
