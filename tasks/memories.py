"""The memory of this machine, as commands and tools use it: opened, asked with the trust that its records have earned."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from mind_skills.errors.ledger import OtherProjectError
from mind_skills.learning.rules import rules_of
from mind_skills.memory.encoders import Extras
from mind_skills.memory.following import Progress, Step, unseen
from mind_skills.memory.model import QUARANTINE, Hit, Kind, Record, admit
from mind_skills.memory.opening import opened as backend
from mind_skills.memory.records import AT_ONCE
from mind_skills.memory.store import SemanticMemoryStore, Trust
from mind_skills.output import state
from mind_skills.settings import strict
from mind_skills.store.home import ensure
from mind_skills.store.project import Project, digest
from mind_skills.tasks.trusting import trust_of


class Memory:
    """The memory, and what its records are worth today."""

    def __init__(self, store: SemanticMemoryStore, trust: Trust) -> None:
        self.store, self.trust = store, trust

    def keep(self, record: Record, place: Project) -> None:
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


def extras(root: str) -> Extras:
    """What may be used in the project whose folder is ``root``. Raises MindSkillsError where a settings file is wrong.

    A model may run what its files say, so a project that came from elsewhere does not name one.
    """
    said = {each.key: str(each.value) for each in strict.load(root)}
    return Extras(index=said["memory.index"], model=said["memory.model"])


@contextmanager
def opened(root: str, progress: Progress = unseen) -> Generator[Memory]:
    """The memory of this machine, as it is used in the project whose folder is ``root``. Raises StoreError.

    ``progress`` shows what has to be built before a question is answered: ``building`` where a person asks.
    """
    home = ensure()
    with backend(home, root, extras(root), progress) as store, trust_of(home, state.now(), rules_of(root)) as trust:
        yield Memory(store, trust)


@contextmanager
def building(records: int) -> Generator[Step]:
    """Say on stderr that the index is built, where that takes longer than a person expects of a question."""
    from mind_skills.output.text import count, note
    from mind_skills.tasks.waiting import progress

    if records <= AT_ONCE:
        yield lambda: None
        return
    note(f"{count(records, 'record')} have to be put into the index first; the next question does not wait for that.")
    with progress("building the index", records) as step:
        yield step


def fetch_model(root: str) -> None:
    """Download the model that the settings name, where it is not on this machine. Raises StoreError."""
    from mind_skills.memory import model_encoder

    if not model_encoder.find_model(extras(root).model):
        model_encoder.download_model(extras(root).model)


def by_hand(
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
