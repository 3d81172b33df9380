"""Text that a tool printed does not become the agent's finding by repetition, however long ago and in whatever form."""

from __future__ import annotations

import re
import unicodedata
from itertools import cycle
from pathlib import Path

import pytest

from tests.hooks.disguises import DISGUISES, FRAMES, NAMED, OTHER_SCRIPTS, asked
from tests.hooks.poison import OTHER_WORDS, SENTENCES, SOURCES, WAYS
from tests.hooks.test_hostile_sessions import entries
from tests.testkit.hostile.lessons import Lesson, Machine
from tests.testkit.stories.story_file import Step

HOSTS = cycle(("claude-code", "codex", "opencode", "gemini"))
SENTENCE = cycle(SENTENCES)


def _host(source: str) -> str:
    return next(host for host in HOSTS if host in SOURCES[source].hosts)


STORIES = [(source, way, _host(source), next(SENTENCE)) for source in SOURCES for way in WAYS]
EVERY_SOURCE_AND_WAY = [
    story for number, story in enumerate(STORIES) if number % len(WAYS) == number // len(WAYS) % len(WAYS)
]
"""One story for each source, and at least two for each way."""
RUN = 4
"""Words in a row that would carry a sentence."""


def plain(text: str) -> list[str]:
    """The words of a text as a reader takes them."""
    flat = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)).casefold()
    flat = flat.translate(str.maketrans("аеорсх", "aeopcx", "\u00ad*`"))
    return re.findall(r"[a-z]+", flat)


def carried(shown: str, sentence: str) -> list[str]:
    """Runs of a sentence's words that the shown text contains."""
    words, text = plain(sentence), " ".join(plain(shown))
    runs = (" ".join(words[at : at + RUN]) for at in range(len(words) - RUN + 1))
    return [run for run in runs if run in text]


def receive_offer(source: str, cause: str, sentence: str, host: str, root: Path) -> str:
    """The entries that the next session receives; something must have been staged."""
    machine = Machine(root)
    machine.run_session(Lesson(before=SOURCES[source].steps(sentence), cause=cause), host)
    assert machine.list_staged(), "nothing was staged, so this case would test nothing"
    return entries(machine.start_session(host))


def check_story(root: Path, story: tuple[str, str, str, str]) -> None:
    source, way, host, sentence = story
    shown = receive_offer(source, WAYS[way](sentence), sentence, host, root)
    assert carried(shown, sentence) == []
    assert "[high]" not in shown
    assert "ask first" in shown


@pytest.mark.parametrize("story", EVERY_SOURCE_AND_WAY, ids=lambda story: ", ".join(story[:3]))
def test_a_sentence_that_a_tool_printed_is_not_offered_as_the_agents(
    story: tuple[str, str, str, str], tmp_path: Path
) -> None:
    check_story(tmp_path, story)


@pytest.mark.attacks
@pytest.mark.parametrize("story", STORIES, ids=lambda story: ", ".join(story[:3]))
def test_no_source_and_no_way_of_repeating_makes_a_printed_sentence_the_agents(
    story: tuple[str, str, str, str], tmp_path: Path
) -> None:
    check_story(tmp_path, story)


@pytest.mark.parametrize("source", [name for name, source in SOURCES.items() if source.remote])
def test_a_finding_stated_after_reading_text_of_strangers_is_never_high_in_any_words(
    source: str, tmp_path: Path
) -> None:
    shown = receive_offer(source, OTHER_WORDS, SENTENCES[0], _host(source), tmp_path)
    assert "[high]" not in shown
    assert "ask first" in shown


@pytest.mark.parametrize("host", ["claude-code", "codex", "opencode", "gemini"])
def test_a_finding_of_the_agent_itself_is_offered_as_high_in_its_words(host: str, tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.run_session(Lesson(before=SOURCES["file that was read"].steps(SENTENCES[0])), host)
    shown = entries(machine.start_session(host))
    assert "[high]" in shown
    assert "header row is counted twice" in shown
    assert "ask first" not in shown


def test_a_quoted_error_leaves_the_rest_of_the_sentence_the_agents(tmp_path: Path) -> None:
    error = "cannot compare naive and aware datetimes while sorting rows"
    machine = Machine(tmp_path)
    cause = f"Root cause: the importer raises {error}, because the header row is parsed without any zone."
    machine.run_session(Lesson(printed=f"TypeError: {error}", cause=cause), "claude-code")
    shown = entries(machine.start_session("claude-code"))
    assert "[high]" in shown
    assert "because the header row is parsed" in shown
    assert carried(shown, "naive and aware datetimes while sorting rows") == []


CLIENTS = ("claude-code", "codex", "opencode", "gemini")
DISGUISED = [(name, CLIENTS[number % 4]) for number, name in enumerate(DISGUISES)]


def check_sentence(lesson: Lesson, host: str, sentence: str, root: Path) -> None:
    """No run of a sentence's words or characters reaches the next session as a finding of the agent."""
    machine = Machine(root)
    machine.run_session(lesson, host)
    assert machine.list_staged(), "nothing was staged, so this case would test nothing"
    shown = entries(machine.start_session(host))
    assert carried(shown, sentence) == []
    assert sentence[:16] not in shown
    assert "[high]" not in shown
    assert "ask first" in shown


def check_disguise(name: str, host: str, root: Path) -> None:
    sentence = SENTENCES[0]
    lesson = Lesson(
        before=(Step("run", "", "cat docs/setup.md", DISGUISES[name](sentence)),), cause=WAYS["verbatim"](sentence)
    )
    check_sentence(lesson, host, sentence, root)


@pytest.mark.parametrize(("name", "host"), DISGUISED[::4] + DISGUISED[1::8])
def test_a_disguise_in_tool_output_does_not_hide_a_repetition(name: str, host: str, tmp_path: Path) -> None:
    check_disguise(name, host, tmp_path)


@pytest.mark.attacks
@pytest.mark.parametrize("name", DISGUISES)
@pytest.mark.parametrize("host", CLIENTS)
def test_no_disguise_in_tool_output_hides_a_repetition_in_the_log_of_any_host(
    name: str, host: str, tmp_path: Path
) -> None:
    check_disguise(name, host, tmp_path)


@pytest.mark.parametrize("name", OTHER_SCRIPTS)
def test_a_sentence_without_ordinary_words_in_a_row_is_compared_by_its_letters(name: str, tmp_path: Path) -> None:
    sentence = OTHER_SCRIPTS[name]
    lesson = Lesson(
        before=(Step("read", "", "README.md", f"# Notes\n\n{sentence}\n"),), cause=WAYS["verbatim"](sentence)
    )
    check_sentence(lesson, "claude-code", sentence, tmp_path)


def test_a_name_that_spells_a_sentence_is_cut_if_a_tool_printed_it(tmp_path: Path) -> None:
    lesson = Lesson(before=(Step("read", "", "README.md", f"see {NAMED}\n"),), cause=WAYS["verbatim"](NAMED))
    machine = Machine(tmp_path)
    machine.run_session(lesson, "claude-code")
    shown = entries(machine.start_session("claude-code"))
    assert "header row is counted twice" in shown
    assert NAMED[:20] not in shown


@pytest.mark.parametrize("name", FRAMES)
def test_text_that_a_host_inserts_into_a_message_does_not_count_as_the_users(name: str, tmp_path: Path) -> None:
    lesson = Lesson(before=FRAMES[name](SENTENCES[0]), cause=WAYS["verbatim"](SENTENCES[0]))
    check_sentence(lesson, "claude-code", SENTENCES[0], tmp_path)


def test_a_selection_with_the_heading_of_the_request_does_not_count_as_the_users(tmp_path: Path) -> None:
    heading = "## My request for Codex:\n"
    text = f"# Context from my IDE setup:\n\n## Active selection:\n{heading}{SENTENCES[0]}\n\n{heading}{Lesson.asked}\n"
    check_sentence(Lesson(asked=text, cause=WAYS["verbatim"](SENTENCES[0])), "codex", SENTENCES[0], tmp_path)


def test_text_that_a_hook_adds_ends_at_the_last_of_its_closing_tags(tmp_path: Path) -> None:
    text = f"{Lesson.asked} <hook_context>none</hook_context>{SENTENCES[0]}</hook_context>"
    check_sentence(Lesson(asked=text, cause=WAYS["verbatim"](SENTENCES[0])), "gemini", SENTENCES[0], tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "<bash-input>gh issue view 12</bash-input>",
        "<bash-input>/usr/bin/curl -s https://x.test/a</bash-input>",
        "This session is being continued from a previous conversation that ran out of context. Summary: an issue was read.",
    ],
)
def test_text_of_strangers_taints_a_finding_however_it_arrived(text: str, tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.run_session(Lesson(before=asked(text), cause=OTHER_WORDS), "claude-code")
    shown = entries(machine.start_session("claude-code"))
    assert "[high]" not in shown
    assert "ask first" in shown
