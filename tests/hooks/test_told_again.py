"""A session that comes back after a crash: it is told what it holds again, and nobody else is told what it has read."""

from __future__ import annotations

from pathlib import Path

import pytest

from mind_skills.hooks import recover as recovering
from mind_skills.hooks import start as starting
from mind_skills.hooks import unread_offers
from mind_skills.hooks.moment import Moment
from mind_skills.hooks.session_state import DELIVERING, SessionMarkers, list_markers
from mind_skills.staging.ledger import Ledger
from tests.hooks.lifecycle_world import World


class Forgetful(World):
    """Its host keeps nothing of what is put before the model, as OpenCode: no log holds it."""

    def moment(self, session: str, source: str = "startup") -> Moment:
        moment = super().moment(session, source)
        moment.host = "opencode"
        return moment

    def asks_for_it(self, session: str) -> str:
        """What the hook says; the plugin file has not put it before the model yet."""
        self.now += 1000
        moment = self.moment(session)
        text = starting.handle_session_start(self.home, moment, marked=True) or ""
        recovering.register_start(self.home, moment)
        return self.names(text)

    def reads_it(self, session: str) -> None:
        """The plugin file removes the trace as it puts the text before the model, where there is one."""
        SessionMarkers(self.home, session).delivering.remove()


@pytest.fixture
def forgetful(tmp_path: Path) -> Forgetful:
    world = Forgetful(tmp_path)
    world.tell("A learns x \n A ends")
    return world


@pytest.mark.parametrize("way", ["B ends", "later C starts"])
def test_what_a_session_has_read_is_nobody_elses_though_it_died_before_it_read_it_again(
    forgetful: Forgetful, way: str
) -> None:
    with forgetful as world:
        world.runs("B")
        assert world.asks_for_it("B") == "x"
        world.reads_it("B")
        world.answers("B")
        world.dies("B")
        world.runs("B")
        assert world.asks_for_it("B") == "x"
        world.dies("B")
        world.tell(way)
        assert (world.tell("D starts"), world.history()) == (["-"], {"x": "ignored"})


@pytest.mark.parametrize("times", [1, 2])
def test_what_it_died_over_each_time_is_told_to_the_next(forgetful: Forgetful, times: int) -> None:
    with forgetful as world:
        for _ in range(times):
            world.runs("B")
            assert world.asks_for_it("B") == "x"
            world.dies("B")
        world.answers("B")
        assert (world.tell("B ends \n C starts \n D starts"), world.history()) == (["x", "-"], {})


def test_what_it_reads_when_it_comes_back_is_nobody_elses(forgetful: Forgetful) -> None:
    with forgetful as world:
        world.runs("B")
        world.asks_for_it("B")
        world.dies("B")
        world.runs("B")
        assert world.asks_for_it("B") == "x"
        world.reads_it("B")
        world.answers("B")
        assert (world.tell("B ends \n C starts"), world.history()) == (["-"], {"x": "ignored"})


@pytest.mark.parametrize("read", [True, False])
def test_who_comes_back_while_its_offer_is_taken_back_holds_the_new_one_like_any_other(
    forgetful: Forgetful, monkeypatch: pytest.MonkeyPatch, read: bool
) -> None:
    told: list[str] = []
    rearm = Ledger.withdraw_offer

    def while_it_comes_back(ledger: Ledger, session_id: str, at: int) -> bool:
        freed = rearm(ledger, session_id, at)
        if not told:
            moment = forgetful.moment("B")
            told.append(forgetful.names(starting.handle_session_start(forgetful.home, moment, marked=True) or ""))
        return freed

    monkeypatch.setattr(Ledger, "withdraw_offer", while_it_comes_back)
    with forgetful as world:
        assert world.asks_for_it("B") == "x"
        world.answers("B")
        world.tell("B ends")
        assert (told, list_markers(world.home, DELIVERING) != []) == (["x"], True)
        if read:
            world.reads_it("B")
        world.tell("later B answers")
        assert world.tell("B ends \n C starts") == ["-" if read else "x"]


def test_who_comes_back_while_another_start_takes_it_for_dead_is_the_only_one_that_is_told(
    forgetful: Forgetful, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []

    def while_it_comes_back(log: str, *, since: int) -> bool:
        forgetful.runs("B")
        told.append(forgetful.asks_for_it("B"))
        return False

    with forgetful as world:
        world.runs("B")
        assert world.asks_for_it("B") == "x"
        world.dies("B")
        monkeypatch.setattr(unread_offers, "has_answered", while_it_comes_back)
        assert world.tell("C starts \n D starts") == ["-", "-"]
        world.reads_it("B")
        world.answers("B")
        assert (told, world.tell("B ends \n E starts"), world.history()) == (["x"], ["-"], {"x": "ignored"})
