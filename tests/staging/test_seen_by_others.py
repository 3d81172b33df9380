"""What other sessions know: a copy of one of them has not learned it, also where it stands behind the ten that wait."""

from __future__ import annotations

from tests.staging.workbench import Workbench


def test_all_that_others_have_learned_is_known_and_not_only_what_waits(bench: Workbench) -> None:
    anchors = [f"the {chr(97 + number) * 5} handshake hangs" for number in range(14)]
    for number, anchor in enumerate(anchors):
        bench.stage(f"S{number}", anchor)
    known = bench.ledger.seen_by_others(bench.project, "T")
    assert (len(bench.titles()), len(known)) == (10, 14)
    assert len(known - bench.ledger.seen_by_others(bench.project, "S3")) == 1
