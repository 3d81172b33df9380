from __future__ import annotations

from dataclasses import replace

import pytest

from mind_skills.detectors import user_rules
from mind_skills.detectors.model import Evidence, Finding
from mind_skills.detectors.registry import detect
from mind_skills.detectors.scorer import load_shipped_model
from mind_skills.detectors.user_rules import (
    RULE_FEATURES,
    find_rule,
    index_conversation,
    propose_sentences,
    rank_rules,
)
from mind_skills.observations import builders
from mind_skills.observations.model import Observation
from tests.testkit.stories.detector_story import Story

RULE = "always use pnpm here, never npm"


def make_session(*texts: str, task: str = "add a date picker to the form") -> Story:
    """The agent installs with npm, and the user replies with these messages."""
    story = Story().user(task).runs("npm install react-datepicker", "added 3 packages").agent("It is installed.")
    for text in texts:
        story.user(text)
    return story.agent("Understood: pnpm, not npm.").runs("pnpm add react-datepicker", "done")


def find_titles(observations: list[Observation]) -> list[str]:
    return [finding.title for finding in find_rule(observations)]


def test_a_rule_is_the_users_own_sentence_with_the_line_of_their_message() -> None:
    found = find_rule(make_session(f"hm. {RULE}").observations)
    assert found == [
        Finding(
            "user_rule",
            RULE,
            "the user stated a rule",
            "npm pnpm",
            (Evidence("decision", "context", f"user: {RULE}", RULE, 40),),
            probability=found[0].probability,
            deciding=found[0].deciding,
        )
    ]
    assert {name for name, _ in found[0].deciding[:3]} == {"rule_forbids", "rule_dropped", "rule_denied_used"}


@pytest.mark.parametrize(
    "text",
    [
        "please don't use npm because the lockfile is pnpm's",
        "Benutze hier immer pnpm, niemals npm",
        "Usa siempre pnpm aquí, nunca npm",
        "n'utilise jamais npm, toujours pnpm",
    ],
)
def test_rules_are_found_in_several_languages(text: str) -> None:
    assert find_titles(make_session(text).observations) == [text]


@pytest.mark.parametrize(
    "text", ["npm 말고 항상 pnpm을 사용해", "npmではなく常にpnpmを使って", "始终使用 pnpm 而不是 npm"]
)
def test_a_rule_in_korean_japanese_or_chinese_is_more_probable_than_a_task(text: str) -> None:
    stated, task = (
        rank_rules(make_session(each).observations, load_shipped_model(user_rules.WEIGHTS))[0]
        for each in (text, "커밋해줘 그리고 결과를 보여줘")
    )
    assert stated.probability > 1.5 * task.probability


@pytest.mark.parametrize(
    "text",
    [
        "now remove the old picker and run the tests",
        "why did you not use pnpm?",
        "I don't see the picker",
        "don't add a test for it now",
        f"```\n{RULE}\n```",
        f"> {RULE}",
        f'the log says "you must not use npm, {RULE}"',
        f"Implement the following plan:\n# Plan\n{RULE}\n" + "- a step of it, and what it is good for\n" * 80,
        "<system-reminder>always use pnpm here, never npm</system-reminder> go on with the form",
    ],
)
def test_tasks_questions_and_texts_of_others_are_no_rules(text: str) -> None:
    assert find_titles(make_session(text).observations) == []


def test_the_first_prompt_of_a_session_is_no_rule() -> None:
    assert find_titles(make_session("go on with the form", task=RULE).observations) == []


def test_messages_to_and_from_a_subagent_are_no_rules() -> None:
    report = builders.build_message("user", f"<task-notification><result>{RULE}</result></task-notification>", line=45)
    assert report is not None
    whole = make_session("go on with the form", RULE).observations
    of_subagent = [replace(one, agent="subagent") if one.text == RULE else one for one in whole]
    assert find_titles(whole) == [RULE]
    assert find_titles([*of_subagent, report]) == []


@pytest.mark.parametrize(
    ("file", "expected"),
    [("CLAUDE.md", []), ("C:\\shop\\AGENTS.md", []), ("/u/.claude/projects/shop/memory/tools.md", [RULE])],
)
def test_a_rule_that_the_agent_wrote_into_the_projects_own_instructions_is_not_a_finding(
    file: str, expected: list[str]
) -> None:
    assert find_titles(make_session(RULE).edits(file, "", "Use pnpm, never npm.").observations) == expected


def test_detect_returns_rules_only_on_request_and_at_most_one() -> None:
    told = make_session(RULE, "please don't use yarn because the lockfile is pnpm's").observations
    assert detect(told) == []
    assert [finding.kind for finding in detect(told, rules=True)] == ["user_rule"]


def test_each_weight_of_a_rule_has_the_sign_that_its_feature_states() -> None:
    signs = {feature.name: feature.sign for feature in RULE_FEATURES}
    turned = {
        name: weight
        for name, (weight, _, _) in load_shipped_model(user_rules.WEIGHTS).weights.items()
        if weight * signs[name] < 0
    }
    assert turned == {}


def test_each_tool_call_is_described_once_however_many_messages_are_ranked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Apart from that, a sentence is compared with the last and the next few observations only."""
    story = Story()
    for number in range(300):
        story.user(f"never use tool{number}, {RULE}. " * 20).agent("ok").edits("CLAUDE.md", "", f"rule {number}")
    looked: list[Observation] = []

    def acted(one: Observation) -> str:
        looked.append(one)
        return one.command

    monkeypatch.setattr(user_rules, "_describe_action", acted)
    assert len(rank_rules(story.observations, load_shipped_model(user_rules.WEIGHTS))) > 300
    assert looked == [one for one in story.observations if one.kind == "tool"]


def test_long_messages_propose_a_bounded_number_of_sentences() -> None:
    text = "never do it. " * 190
    made = index_conversation(make_session(text, "x" * 1_000_000).observations)
    assert len(list(propose_sentences(made))) == 1 + 24
