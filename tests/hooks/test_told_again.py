"""A session that returns after a crash receives its offer again, and no other session receives what it has read."""

from __future__ import annotations

from pathlib import Path

import pytest

from mind_skills.hooks import recover as recovering
from mind_skills.hooks import start as starting
from mind_skills.hooks import unread_offers
from mind_skills.hooks.session_state import DELIVERING, HookCall, SessionMarkers, list_markers
from mind_skills.staging.ledger import Ledger
from tests.hooks.lifecycle_world import World


class Forgetful(World):
    """Its host stores nothing of what it puts before the model, like OpenCode: no log contains it."""

    def make_call(self, session: str, source: str = "startup") -> HookCall:
        call = super().make_call(session, source)
        call.host = "opencode"
        return call

    def requests_offer(self, session: str) -> str:
        """The candidates in the hook's output; the plugin file has not put it before the model yet."""
        self.now += 1000
        call = self.make_call(session)
        text = starting.handle_session_start(self.home, call, caller_removes_marker=True) or ""
        recovering.register_start(self.home, call)
        return self.names(text)

    def reads_offer(self, session: str) -> None:
        """The plugin file removes the marker, if there is one, when it puts the text before the model."""
        SessionMarkers(self.home, session).delivering.remove()


@pytest.fixture
def forgetful(tmp_path: Path) -> Forgetful:
    world = Forgetful(tmp_path)
    world.tell("A learns x \n A ends")
    return world


@pytest.mark.parametrize("way", ["B ends", "later C starts"])
def test_an_offer_read_once_is_not_made_to_others_if_its_session_dies_before_rereading_it(
    forgetful: Forgetful, way: str
) -> None:
    with forgetful as world:
        world.runs("B")
        assert world.requests_offer("B") == "x"
        world.reads_offer("B")
        world.answers("B")
        world.dies("B")
        world.runs("B")
        assert world.requests_offer("B") == "x"
        world.dies("B")
        world.tell(way)
        assert (world.tell("D starts"), world.history()) == (["-"], {"x": "ignored"})


@pytest.mark.parametrize("times", [1, 2])
def test_an_offer_that_its_session_never_read_is_made_to_the_next_session(forgetful: Forgetful, times: int) -> None:
    with forgetful as world:
        for _ in range(times):
            world.runs("B")
            assert world.requests_offer("B") == "x"
            world.dies("B")
        world.answers("B")
        assert (world.tell("B ends \n C starts \n D starts"), world.history()) == (["x", "-"], {})


def test_an_offer_that_a_returning_session_reads_is_not_made_to_others(forgetful: Forgetful) -> None:
    with forgetful as world:
        world.runs("B")
        world.requests_offer("B")
        world.dies("B")
        world.runs("B")
        assert world.requests_offer("B") == "x"
        world.reads_offer("B")
        world.answers("B")
        assert (world.tell("B ends \n C starts"), world.history()) == (["-"], {"x": "ignored"})


@pytest.mark.parametrize("read", [True, False])
def test_a_session_that_returns_while_its_offer_is_withdrawn_receives_and_holds_a_new_one(
    forgetful: Forgetful, monkeypatch: pytest.MonkeyPatch, read: bool
) -> None:
    offered: list[str] = []
    withdraw = Ledger.withdraw_offer

    def return_meanwhile(ledger: Ledger, session_id: str, at: int) -> bool:
        freed = withdraw(ledger, session_id, at)
        if not offered:
            call = forgetful.make_call("B")
            offered.append(
                forgetful.names(starting.handle_session_start(forgetful.home, call, caller_removes_marker=True) or "")
            )
        return freed

    monkeypatch.setattr(Ledger, "withdraw_offer", return_meanwhile)
    with forgetful as world:
        assert world.requests_offer("B") == "x"
        world.answers("B")
        world.tell("B ends")
        assert (offered, list_markers(world.home, DELIVERING) != []) == (["x"], True)
        if read:
            world.reads_offer("B")
        world.tell("later B answers")
        assert world.tell("B ends \n C starts") == ["-" if read else "x"]


def test_a_session_that_returns_while_another_start_recovers_it_keeps_its_offer(
    forgetful: Forgetful, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered: list[str] = []

    def return_meanwhile(log: str, *, since: int) -> bool:
        forgetful.runs("B")
        offered.append(forgetful.requests_offer("B"))
        return False

    with forgetful as world:
        world.runs("B")
        assert world.requests_offer("B") == "x"
        world.dies("B")
        monkeypatch.setattr(unread_offers, "has_answered", return_meanwhile)
        assert world.tell("C starts \n D starts") == ["-", "-"]
        world.reads_offer("B")
        world.answers("B")
        assert (offered, world.tell("B ends \n E starts"), world.history()) == (["x"], ["-"], {"x": "ignored"})
