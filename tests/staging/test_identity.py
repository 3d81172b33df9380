from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from mind_skills.staging.model import Evidence
from mind_skills.observations.model import Session
from mind_skills.staging.identity import build_candidate_id, compute_fingerprint
from mind_skills.staging.model import (
    MAX_CONTENT_LENGTH,
    MAX_EVIDENCE_ITEMS,
    MAX_SUMMARY_LENGTH,
    MAX_TITLE_LENGTH,
    cap_candidate,
    cap_evidence,
    make_candidate,
)
from tests.staging.workbench import candidate, finding

texts = st.text(max_size=700)
evidences = st.builds(
    Evidence,
    st.sampled_from(["problem", "solution", "discovery"]),
    st.sampled_from(["symptom", "cause", "change", "verification", "insight", "context"]),
    texts,
    texts,
    st.integers(1, 10**6),
)


def test_case_spaces_and_invisible_characters_do_not_change_the_fingerprint() -> None:
    same = {
        compute_fingerprint("error_fix", text) for text in ("No  Module\tx", "no module x", "ｎｏ module\u200b x\n")
    }
    assert len(same) == 1


def test_the_same_error_with_another_remedy_is_another_learning() -> None:
    def mark(error: str, remedy: str = "", cause: str = "", kind: FindingKind = "error_fix") -> str:
        return compute_fingerprint(kind, error, remedy=remedy, cause=cause)

    first = mark("KeyError: 'cart' -> settings.py", "CART_TTL=60", "it had expired")
    again = mark("KeyError: 'cart' -> settings.py", "CART_TTL=90", "nothing was seeded", "non_obvious")
    quiet = mark("", "set `CART_TTL=60` in app/settings.py, then run `make seed`", "it had expired")
    in_other_words = mark("", "In other/settings.py: CART_TTL=60.", "It had  expired", "non_obvious")
    others = [
        mark("KeyError: 'cart' -> seeds.py"),
        mark("KeyError: 'price' -> settings.py"),
        mark("KeyError: 'cart' -> settings.py", kind="user_rule"),
        mark("", "set `CART_TTL=90` in app/settings.py", "it had expired"),
        mark("", "set `CART_TTL=60` in app/settings.py", "nothing was seeded"),
    ]
    assert (first, quiet) == (again, in_other_words)
    assert len({first, quiet, *others}) == 7


def test_an_integer_in_a_remedy_does_not_change_the_fingerprint_and_a_version_does() -> None:
    def mark(remedy: str) -> str:
        return compute_fingerprint("non_obvious", "", remedy=remedy, cause="the server starts slowly")

    assert (
        mark("wait 30 seconds for `make up`")
        == mark("wait 60 seconds for `make up`")
        == mark("wait seconds for `make up`")
    )
    assert mark("use node 20.1") != mark("use node 22.1")


def test_time_session_and_title_do_not_change_the_fingerprint() -> None:
    marks = {candidate("a", at=at, session=s, title=t).fingerprint for at, s, t in ((1, "S", "x"), (2, "T", "y"))}
    assert len(marks) == 1


def test_a_fingerprint_without_an_anchor_depends_on_the_evidence() -> None:
    one, two = (finding("", evidence=(Evidence("problem", "symptom", text, "", 1),)) for text in ("x", "y"))
    assert compute_fingerprint("error_fix", "", one.evidence) != compute_fingerprint("error_fix", "", two.evidence)


def test_fingerprints_of_a_common_error_differ_if_its_cause_or_change_differs() -> None:
    def mark(anchor: str, role: Role, summary: str) -> str:
        return compute_fingerprint("error_fix", anchor, (Evidence("bugfix", role, summary, "", 1),))

    common, special = 'error: script "lint" exited with code N', "ERR_REQUIRE_ESM: require() of ES module chalk"
    cases: list[tuple[Role, str, str]] = [("cause", "agent: x", "agent: y"), ("change", "changed a.ts", "changed b.ts")]
    for role, one, two in cases:
        assert mark(common, role, one) != mark(common, role, two)
        assert mark(special, role, one) == mark(special, role, two)


def test_only_the_first_cause_of_a_common_error_counts() -> None:
    def mark(*causes: str) -> str:
        evidence = tuple(Evidence("bugfix", "cause", cause, "", line) for line, cause in enumerate(causes))
        return compute_fingerprint("error_fix", "task failed", (*evidence, Evidence("bugfix", "change", "a.ts", "", 9)))

    assert mark("agent: x") == mark("agent: x", "agent: y") != mark("agent: y", "agent: x")


def test_the_id_is_derived_from_the_fingerprint() -> None:
    mark = compute_fingerprint("error_fix", "a")
    assert (candidate("a").id, mark, build_candidate_id(mark, 1) != build_candidate_id(mark)) == (
        build_candidate_id(mark),
        "586918e2b5a3df648c5a9c5c0495d1fc",
        True,
    )
    assert re.fullmatch(r"sc_[0-9a-f]{8}", build_candidate_id(mark))


@given(st.lists(evidences, max_size=12).map(tuple), texts, texts, st.lists(texts, max_size=30).map(tuple))
def test_every_candidate_is_within_the_caps_and_capping_again_changes_nothing(
    evidence: tuple[Evidence, ...], title: str, reason: str, files: tuple[str, ...]
) -> None:
    found = finding("a", title=title, reason=reason, evidence=evidence, files=files)
    made = make_candidate(found, Session(session_id="S"), confidence="high", at=1, score=float("nan"))
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
