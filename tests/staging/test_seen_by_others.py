"""What other sessions know: a copy of one of them has not learned it, also where it stands behind the ten that wait."""

from __future__ import annotations

from dataclasses import replace

from mind_skills.detectors.model import Evidence
from tests.staging.workbench import Workbench, candidate


def test_all_that_others_have_learned_is_known_and_not_only_what_waits(bench: Workbench) -> None:
    anchors = [f"the {chr(97 + number) * 5} handshake hangs" for number in range(14)]
    for number, anchor in enumerate(anchors):
        bench.stage(f"S{number}", anchor)
    found = [candidate(anchor, session="T") for anchor in anchors]
    assert (len(bench.titles()), bench.ledger.exclude_seen_by_others(bench.project, "T", found)) == (10, [])
    assert bench.ledger.exclude_seen_by_others(bench.project, "S3", found) == [found[3]]


def test_what_shows_most_of_what_another_session_saw_is_known_under_another_name_as_well(bench: Workbench) -> None:
    bench.stage("S", "the handshake hangs")
    known = candidate("the handshake hangs")
    more = Evidence("discovery", "cause", "agent: no entropy", "There is no entropy.", 7)
    longer = replace(known, fingerprint="f" * 32, evidence=(*known.evidence, more))
    other = replace(longer, evidence=(known.evidence[1], more))
    assert bench.ledger.exclude_seen_by_others(bench.project, "T", [longer, other]) == [other]
