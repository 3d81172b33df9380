"""Episodes and candidates for tests that read no log."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mind_skills.digest.model import EpisodeDigest, Facts, Row
from mind_skills.observations.model import Session
from mind_skills.staging.model import Candidate, make_candidate


def build_episode(error: str, program: str = "make", first: int = 3, last: int = 9, **more: Any) -> EpisodeDigest:
    """An episode in which ``program`` fails with ``error``, ``lock.py`` is changed, and it passes."""
    rows = (
        Row(first, 0, "symptom", f"{first} run {program}: failed\n  | {error}"),
        Row(first + 2, 0, "change", f"{first + 2} edit lock.py: ok\n  | +unlock()"),
        Row(last, 0, "verification", f"{last} run {program}: ok\n  | ok"),
    )
    facts = Facts(
        program=program,
        error=error.partition(":")[0][:40],
        failures=1,
        changed=("lock.py",),
        passed=program,
        passed_again=True,
    )
    episode = EpisodeDigest(
        first, last, "error_fix", ("red_to_green",), 0.8, facts, rows, error=error, remedy="lock.py", files=("lock.py",)
    )
    return replace(episode, **more)


def build_candidate(error: str, session: str = "one", host: str = "codex", at: int = 1, **more: Any) -> Candidate:
    """The candidate of such an episode; ``more`` are fields of the episode."""
    where = Session(session_id=session, host=host)
    facts = f"{host} 2026-03-02, 5 min, helpful"
    return make_candidate(build_episode(error, **more), where, at=at, session_facts=facts, digest_length=600)
