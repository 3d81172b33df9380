"""The best episodes of a digest become candidates."""

from __future__ import annotations

from dataclasses import replace

from mind_skills.digest.model import EpisodeDigest, Facts, Header, SessionDigest
from mind_skills.digest.session import render_digest
from mind_skills.observations.model import Session
from mind_skills.staging.identity import build_candidate_id, compute_fingerprint
from mind_skills.staging.model import Candidate, Evidence
from mind_skills.staging.select import select_candidates
from tests.staging.workbench import episode

SESSION = Session(session_id="s1", host="claude-code", ended=1_700_000_000_000)


def numbered(number: int, probability: float) -> EpisodeDigest:
    return episode(f"error {number}", first_line=number * 100, probability=probability)


def select(*episodes: EpisodeDigest) -> list[Candidate]:
    return select_candidates(SessionDigest(Header(host="codex", minutes=9), list(episodes)), SESSION, "harmful")


def test_the_five_best_episodes_become_candidates_and_are_high_from_one_half_on() -> None:
    found = select(
        *(numbered(number, probability) for number, probability in enumerate([0.06, 0.9, 0.5, 0.49, 0.3, 0.2]))
    )
    assert [(each.error, each.confidence, each.score, each.parts) for each in found] == [
        ("error 1", "high", 0.9, {"probability": 0.9}),
        ("error 2", "high", 0.5, {"probability": 0.5}),
        ("error 3", "medium", 0.49, {"probability": 0.49}),
        ("error 4", "medium", 0.3, {"probability": 0.3}),
        ("error 5", "medium", 0.2, {"probability": 0.2}),
    ]


def test_a_candidate_has_the_facts_rows_and_sources_of_its_episode() -> None:
    facts = Facts(program="make", error="ENOENT", failures=1, changed=("a.py",), passed="make", passed_again=True)
    found = episode(
        "cannot stat x", facts=facts, files=("src/a.py",), deciding=(("failed_twice", 2.0),), taint=("web",)
    )
    mark = compute_fingerprint(found)
    assert select(found) == [
        Candidate(
            id=build_candidate_id(mark),
            kind="error_fix",
            title="make: ENOENT once, passes after a change in a.py",
            reason="red to green",
            confidence="high",
            fingerprint=mark,
            evidence=(
                Evidence("problem", "symptom", "run make: failed", "run make: failed\ncannot stat x", 3),
                Evidence("success", "verification", "run make: ok", "run make: ok", 9),
            ),
            files=("src/a.py",),
            session_id="s1",
            host="claude-code",
            outcome="harmful",
            detected_at=1_700_000_000_000,
            score=0.9,
            parts={"probability": 0.9},
            probability=0.9,
            facts=facts,
            session_facts="codex, 9 min",
            digest_length=len(render_digest(SessionDigest(Header(host="codex", minutes=9), [found]))),
            last_line=9,
            error="cannot stat x",
            deciding=(("failed_twice", 2.0),),
            sessions=("s1",),
            taint=("web",),
        )
    ]


def test_the_order_of_the_episodes_changes_nothing_and_one_learning_is_one_candidate() -> None:
    episodes = [numbered(number, 0.5) for number in range(4)]
    assert select(*episodes) == select(*reversed(episodes))
    assert [each.probability for each in select(numbered(1, 0.4), replace(numbered(1, 0.6), first_line=7))] == [0.6]
