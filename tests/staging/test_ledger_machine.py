"""The ledger against a model that is a few dictionaries: any sequence of stage, claim, settle, dismiss, accept, undo."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from mind_skills.staging.decisions import Verdict
from tests.staging.workbench import Workbench, candidate
from tests.testkit.examples import examples

ANCHORS = "abcdefghijklmnop"
SCORES = {anchor: 1.0 + (n * 7 % 16) / 4 for n, anchor in enumerate(ANCHORS)}
SESSIONS = ["S1", "S2", "S3", "S4", "S5"]
PENDING, PER_SESSION, PER_OFFER = 10, 5, 5
anchors = st.lists(st.sampled_from(ANCHORS), max_size=8, unique=True)
sessions = st.sampled_from(SESSIONS)


@dataclass
class Learning:
    seen: set[str] = field(default_factory=set[str])
    state: str = "pending"
    offered_to: str = ""
    offered_at: int = 0


class Model:
    """The behaviour of the ledger, without a database, a file or a clock."""

    def __init__(self) -> None:
        self.known: dict[str, Learning] = {}
        self.offers: dict[str, list[str]] = {}
        self.ended: set[str] = set()
        self.decisions: list[tuple[str, str]] = []

    def rank(self, anchor: str) -> tuple[float, str]:
        again = min(len(self.known[anchor].seen) - 1, 4)
        return -(SCORES[anchor] + 0.1 * again), candidate(anchor).fingerprint

    def pending(self) -> list[str]:
        """The ten anchors on the list, best first. If there are more, unoffered ones go before offered ones, and of these the latest."""
        pending = sorted((a for a, one in self.known.items() if one.state == "pending"), key=self.rank)
        pending.sort(key=lambda a: (bool(self.known[a].offered_to), -self.known[a].offered_at))
        return sorted(pending[:PENDING], key=self.rank)

    def free(self) -> list[str]:
        """All anchors that can be offered, best first."""
        found = (a for a, one in self.known.items() if one.state == "pending" and not one.offered_to)
        return sorted(found, key=self.rank)

    def shelve(self) -> None:
        for anchor in self.free()[PENDING:]:
            self.known[anchor].state = "shelved"

    def stage(self, session: str, found: list[str]) -> None:
        found = sorted(found, key=lambda a: (-SCORES[a], candidate(a).fingerprint))[:PER_SESSION]
        for anchor in [a for a, one in self.known.items() if session in one.seen and a not in found]:
            one = self.known[anchor]
            if not one.offered_to and one.state in ("pending", "shelved"):
                one.seen.discard(session)
                if not one.seen:
                    del self.known[anchor]
        for anchor in found:
            one = self.known.setdefault(anchor, Learning())
            if one.state in ("accepted", "dismissed"):
                continue
            if one.state in ("ignored", "shelved") and session not in one.seen and session != one.offered_to:
                one.state, one.offered_to, one.offered_at = "pending", "", 0
            one.seen.add(session)

    def claim(self, session: str, at: int) -> list[str] | None:
        if session not in self.offers:
            free = [a for a in self.free()[:PENDING] if self.known[a].seen != {session}][:PER_OFFER]
            if not free:
                return None
            self.shelve()
            self.offers[session] = free
            for anchor in free:
                self.known[anchor].offered_to, self.known[anchor].offered_at = session, at
        return self.offers[session]

    def decide(self, anchor: str, state: str) -> None:
        one = self.known[anchor]
        if one.state == state:
            return
        if one.state == "pending":
            self.shelve()
        if state != "ignored":
            self.decisions.append((anchor, one.state))
        one.state = state

    def settle(self, session: str, accepted: list[str]) -> None:
        for anchor in sorted((a for a, one in self.known.items() if one.offered_to == session), key=self.rank):
            if self.known[anchor].state in ("pending", "ignored"):
                self.decide(anchor, "accepted" if anchor in accepted else "ignored")
        if session in self.offers:
            self.ended.add(session)

    def undo(self) -> None:
        if self.decisions:
            anchor, state = self.decisions.pop()
            one = self.known[anchor]
            one.state = state
            if state == "pending" and (one.offered_to not in self.offers or one.offered_to in self.ended):
                one.offered_to, one.offered_at = "", 0

    def withdraw_offer_of(self, session: str) -> None:
        if session in self.offers and session not in self.ended:
            del self.offers[session]
            for one in self.known.values():
                if one.offered_to == session and one.state == "pending":
                    one.offered_to, one.offered_at = "", 0


class LedgerMachine(RuleBasedStateMachine):
    @initialize()
    def begin(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.no_sync = mock.patch("os.fsync")  # durability is not tested here, and syncing is slow
        self.no_sync.start()
        self.no_weights = mock.patch(
            "mind_skills.staging.stage.weigh_detectors", return_value={}
        )  # tested in test_criteria.py
        self.no_weights.start()
        self.bench = Workbench(self.folder)
        self.model = Model()
        self.at = 0

    def teardown(self) -> None:
        self.no_sync.stop()
        self.no_weights.stop()
        self.bench.ledger.close()
        shutil.rmtree(self.folder)

    def now(self) -> int:
        self.at += 1
        return self.at

    def anchor(self, id_: str) -> str:
        return next(a for a in ANCHORS if candidate(a).id == id_)

    @rule(session=sessions, found=anchors)
    def stage(self, session: str, found: list[str]) -> None:
        # One detection time for all: the order among equals is then by fingerprint, here and in the model.
        made = [candidate(a, SCORES[a], 0, session) for a in found]
        self.bench.ledger.stage(self.bench.project, session, "claude-code", made, self.now())
        self.model.stage(session, found)

    @rule(session=sessions)
    def claim(self, session: str) -> None:
        offer = self.bench.claim(session, self.now())
        expected = self.model.claim(session, self.at)
        if session not in self.model.ended:  # an ended session that asks again may get its old text or nothing
            assert ([self.anchor(id_) for id_ in offer.ids] if offer else None) == expected

    @rule(session=sessions, accepted=anchors)
    def settle(self, session: str, accepted: list[str]) -> None:
        verdicts: dict[str, Verdict] = {candidate(a).id: ("accepted", f"/{a}") for a in accepted}
        self.bench.ledger.apply_verdicts(session, verdicts, self.now())
        self.model.settle(session, accepted)

    @precondition(lambda self: bool(self.model.known))
    @rule(data=st.data(), accept=st.booleans())
    def decide(self, data: st.DataObject, accept: bool) -> None:
        anchor = data.draw(st.sampled_from(sorted(self.model.known)))
        if accept:
            self.bench.ledger.accept(candidate(anchor).id, f"/{anchor}", self.now())
            self.model.decide(anchor, "accepted")
        else:
            self.bench.ledger.dismiss(candidate(anchor).id, "no", self.now())
            self.model.decide(anchor, "dismissed")

    @rule()
    def undo(self) -> None:
        self.bench.ledger.undo(self.now())
        self.model.undo()

    @rule(session=sessions)
    def withdraw_offer_of(self, session: str) -> None:
        self.bench.ledger.withdraw_offer(session, self.now())
        self.model.withdraw_offer_of(session)

    @rule()
    def lose_the_file(self) -> None:
        self.bench.file.unlink(missing_ok=True)

    @rule(anchor=anchors)
    def take_out_of_the_file(self, anchor: list[str]) -> None:
        if self.bench.file.exists():
            self.bench.edit(*anchor)

    @invariant()
    def the_list_equals_that_of_the_model(self) -> None:
        if not hasattr(self, "model"):
            return
        assert self.bench.errors() == self.model.pending()
        left = {anchor: one.state for anchor, one in self.model.known.items()}
        left = {anchor: state for anchor, state in left.items() if state != "pending"}
        assert self.bench.states() == left
        assert self.bench.ledger.problems == []

    @invariant()
    def the_ready_flag_exists_exactly_if_something_can_be_offered(self) -> None:
        if hasattr(self, "model"):
            free = self.model.free()
            flag = Path(self.bench.home) / "ready" / self.bench.project.id
            assert flag.exists() == bool(free)


TestLedger = LedgerMachine.TestCase
TestLedger.settings = settings(max_examples=examples(40), stateful_step_count=25, deadline=None)
