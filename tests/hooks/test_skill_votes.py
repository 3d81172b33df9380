"""A session has one vote on each skill that it loaded, however often it is read, and none on what it was only shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from mind_skills.hooks import end as ending
from mind_skills.hooks import idle as idling
from mind_skills.hooks import recover as recovering
from mind_skills.learning.outcome import OutcomeType
from mind_skills.learning.skills.standing import SkillLoad, compute_standing
from mind_skills.staging.analyse import Analysis
from mind_skills.staging.ledger import Ledger
from tests.hooks.lifecycle_world import World, lessons, rereading
from tests.testkit.paths import ROOT


def with_outcome(outcome: OutcomeType) -> Callable[[Path], Analysis]:
    """Reads a log whose session had this outcome."""

    def read(path: Path) -> Analysis:
        found = lessons(path)
        found.outcome = replace(found.outcome, type=outcome)
        return found

    return read


def run_session(world: World, session: str, *, skill: str = "") -> None:
    """A session that loads a skill, or none."""
    world.starts(session)
    world.line(session, "user", "please do it")
    if skill:
        use = {"type": "tool_use", "id": f"s{session}", "name": "Skill", "input": {"skill": skill}}
        world.block(session, "assistant", use)
        world.block(session, "user", {"type": "tool_result", "tool_use_id": f"s{session}", "content": "loaded"})
    world.line(session, "assistant", "Done.")
    world.now += 1_000


def end_session(world: World, session: str, outcome: OutcomeType) -> None:
    world.now += 1_000
    assert (
        ending.handle_session_end(world.home, world.make_call(session, "other"), analyse_log=with_outcome(outcome))
        == []
    )


def counts(world: World) -> dict[str, tuple[int, int, int]]:
    """Loads, helpful and harmful votes by skill."""
    with Ledger.open(world.home) as ledger:
        outcomes = {ended.session: ended.type for ended in ledger.list_outcomes()}
        loads = [SkillLoad(u.name, u.session, u.at, outcomes.get(u.session, "unknown")) for u in ledger.list_uses()]
    names = sorted({load.key for load in loads})
    found = [compute_standing(name, [load for load in loads if load.key == name], now=world.now) for name in names]
    return {s.key: (len(s.loads), s.maturity.helpful_count, s.maturity.harmful_count) for s in found}


def install_skill(world: World, name: str) -> None:
    path = world.project / ".claude/skills" / name / "SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text(f"---\nname: {name}\ndescription: x\n---\n")


def test_a_session_that_is_checkpointed_ended_twice_and_recovered_votes_once(world: World) -> None:
    install_skill(world, "a")
    run_session(world, "A", skill="a")
    idling.run_checkpoint(world.home, world.make_call("A"), analyse_increment=rereading(with_outcome("helpful")))
    end_session(world, "A", "helpful")
    end_session(world, "A", "helpful")
    world.line("A", "assistant", "Still done.")
    recovering.recover_sessions(world.home, world.now + 1, analyse_log=with_outcome("helpful"))
    recovering.recover_sessions(world.home, world.now + 86_400_000, analyse_log=with_outcome("helpful"))
    assert counts(world) == {"a": (1, 1, 0)}


def test_a_changed_outcome_changes_the_vote_of_its_session(world: World) -> None:
    install_skill(world, "a")
    run_session(world, "A", skill="a")
    end_session(world, "A", "helpful")
    world.line("A", "user", "No, it still fails.")
    end_session(world, "A", "harmful")
    assert counts(world) == {"a": (1, 0, 1)}


def test_a_session_that_received_an_offer_and_loaded_no_skill_has_no_vote(world: World) -> None:
    install_skill(world, "a")
    world.tell("A starts\nA learns x\nA ends")
    run_session(world, "B")
    assert world.received["B"] != []
    end_session(world, "B", "helpful")
    assert counts(world) == {}


def test_a_session_that_wrote_a_skill_has_no_vote_on_it(world: World) -> None:
    run_session(world, "A")
    world.writes("A", "x")
    end_session(world, "A", "helpful")
    assert counts(world) == {}


@pytest.mark.parametrize("outcome", ["neutral", "unknown"])
def test_a_session_without_a_clear_outcome_counts_as_a_load_and_has_no_vote(world: World, outcome: OutcomeType) -> None:
    install_skill(world, "a")
    run_session(world, "A", skill="a")
    end_session(world, "A", outcome)
    assert counts(world) == {"a": (1, 0, 0)}


def test_a_skill_use_dated_in_the_future_is_recorded_as_of_now(world: World) -> None:
    install_skill(world, "a")
    run_session(world, "A", skill="a")

    def read(path: Path) -> Analysis:
        found = with_outcome("helpful")(path)
        for use in found.skills_used:
            use.at = world.now + 400 * 86_400_000
        found.outcome = replace(found.outcome, at=world.now + 400 * 86_400_000)
        return found

    world.now += 1_000
    assert ending.handle_session_end(world.home, world.make_call("A", "other"), analyse_log=read) == []
    with Ledger.open(world.home) as ledger:
        assert [use.at for use in ledger.list_uses()] == [world.now]
        assert [outcome.at for outcome in ledger.list_outcomes()] == [world.now]
    assert counts(world) == {"a": (1, 1, 0)}


def test_errors_of_a_session_are_recorded_at_its_end_and_replaced_when_it_continues(world: World) -> None:
    demo = (ROOT / "fixtures/demo/session.jsonl").read_text()
    lines = demo.splitlines(keepends=True)
    world.starts("A")
    met: list[list[tuple[str, int, bool]]] = []
    for text in ("".join(lines[:11]), demo):
        world.log("A").write_text(text)
        world.now += 1_000
        world.ends("A")
        with Ledger.open(world.home) as ledger:
            (seen,) = [found for found in [ledger.find_session("A")] if found is not None]
            met.append([(each.signature, each.times, each.solved) for each in ledger.list_errors_met(seen.project)])
    error = "E AssertionError: assert Decimal('N.N') == Decimal('N.N')"
    assert met == [[(error, 1, False)], [(error, 2, True)]]


@pytest.mark.parametrize("source", ["startup", "fork"])
def test_a_fork_does_not_count_the_errors_that_its_parent_met(world: World, source: str) -> None:
    world.now *= 2  # later than everything in the log
    recovering.register_start(world.home, world.make_call("A", source))
    world.log("A").write_text((ROOT / "fixtures/demo/session.jsonl").read_text())
    world.ends("A")
    with Ledger.open(world.home) as ledger:
        (seen,) = [found for found in [ledger.find_session("A")] if found is not None]
        assert [each.times for each in ledger.list_errors_met(seen.project)] == ([2] if source == "startup" else [])
