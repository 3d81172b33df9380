from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.digest.model import EpisodeDigest, Facts
from mind_skills.staging.identity import build_candidate_id, compute_fingerprint
from mind_skills.staging.model import (
    MAX_CONTENT_LENGTH,
    MAX_EVIDENCE_ITEMS,
    MAX_SUMMARY_LENGTH,
    MAX_TITLE_LENGTH,
    Evidence,
    cap_candidate,
    cap_evidence,
)
from tests.staging.workbench import candidate, episode

texts = st.text(max_size=700)
evidences = st.builds(
    Evidence,
    st.sampled_from(["problem", "solution", "discovery"]),
    st.sampled_from(["symptom", "cause", "change", "verification", "insight", "context"]),
    texts,
    texts,
    st.integers(1, 10**6),
)


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        (episode("No  Module\tx"), episode("ｎｏ module\u200b x\n"), True),
        (episode("a"), episode("a", first_line=5, probability=0.2, kind="non_obvious", facts=Facts("go")), True),
        (episode("a", origin="x"), episode("a", origin="y"), True),
        (episode("a"), episode("b"), False),
        (episode("a", remedy="x.py"), episode("a", remedy="y.py"), False),
        (episode("", origin="x", remedy="r"), episode("", origin="X ", remedy="s"), True),
        (episode("", origin="x"), episode("", origin="y"), False),
        (episode("x"), episode("", origin="x"), False),
    ],
)
def test_the_error_and_its_remedy_or_else_the_origin_identify_a_learning(
    one: EpisodeDigest, other: EpisodeDigest, is_same: bool
) -> None:
    assert (compute_fingerprint(one) == compute_fingerprint(other)) is is_same


def test_the_id_is_derived_from_the_fingerprint_and_not_from_time_or_session() -> None:
    mark = compute_fingerprint(episode("a"))
    made = [candidate("a", at=at, session=session) for at, session in ((1, "S"), (2, "T"))]
    assert {(each.id, each.fingerprint) for each in made} == {(build_candidate_id(mark), mark)}
    assert re.fullmatch(r"sc_[0-9a-f]{8}", build_candidate_id(mark))
    assert build_candidate_id(mark, 1) != build_candidate_id(mark)


@given(st.lists(evidences, max_size=12).map(tuple), texts, texts, st.lists(texts, max_size=30).map(tuple))
def test_every_candidate_is_within_the_caps_and_capping_again_changes_nothing(
    evidence: tuple[Evidence, ...], title: str, reason: str, files: tuple[str, ...]
) -> None:
    made = candidate("a", title=title, reason=reason, evidence=evidence, files=files, score=float("nan"))
    assert cap_candidate(made) == made
    assert 0 < len(made.title) <= MAX_TITLE_LENGTH
    assert len(made.reason) <= MAX_SUMMARY_LENGTH
    assert len(made.evidence) == min(len(evidence), MAX_EVIDENCE_ITEMS)
    assert all(len(e.summary) <= MAX_SUMMARY_LENGTH and len(e.content) <= MAX_CONTENT_LENGTH for e in made.evidence)
    assert made.score == 0.0


@given(st.lists(evidences, min_size=1, max_size=15).map(tuple))
def test_capping_evidence_preserves_its_first_line_its_last_line_and_its_order(evidence: tuple[Evidence, ...]) -> None:
    kept = [e.line for e in cap_evidence(evidence)]
    lines = [e.line for e in evidence]
    assert (min(kept), max(kept)) == (min(lines), max(lines))
    rest = iter(lines)
    assert all(line in rest for line in kept)
