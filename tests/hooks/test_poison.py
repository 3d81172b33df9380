"""What a tool printed does not become a learning of the agent by being repeated, however long ago and in whatever form."""

from __future__ import annotations

import re
import unicodedata
from itertools import cycle
from pathlib import Path

import pytest

from tests.hooks.poison import OTHER_WORDS, SENTENCES, SOURCES, WAYS
from tests.hooks.test_hostile_sessions import entries
from tests.testkit.hostile.lessons import Lesson, Machine

HOSTS = cycle(("claude-code", "codex", "opencode", "gemini"))
SENTENCE = cycle(SENTENCES)


def _host(source: str) -> str:
    return next(host for host in HOSTS if host in SOURCES[source].hosts)


STORIES = [(source, way, _host(source), next(SENTENCE)) for source in SOURCES for way in WAYS]
EVERY_SOURCE_AND_WAY = [
    story for number, story in enumerate(STORIES) if number % len(WAYS) == number // len(WAYS) % len(WAYS)
]
"""One story of each source, and of each way two."""
RUN = 4
"""Words in a row that would carry a sentence."""


def plain(text: str) -> list[str]:
    """The words of a text as a reader takes them."""
    flat = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)).casefold()
    flat = flat.translate(str.maketrans("аеорсх", "aeopcx", "\u00ad*`"))
    return re.findall(r"[a-z]+", flat)


def carried(shown: str, sentence: str) -> list[str]:
    """Runs of a sentence's words that stand in what is shown."""
    words, text = plain(sentence), " ".join(plain(shown))
    runs = (" ".join(words[at : at + RUN]) for at in range(len(words) - RUN + 1))
    return [run for run in runs if run in text]


def told(source: str, cause: str, sentence: str, host: str, root: Path) -> str:
    """What the next session reads; something must have been staged."""
    machine = Machine(root)
    machine.lives(Lesson(before=SOURCES[source].steps(sentence), cause=cause), host)
    assert machine.staged(), "nothing was staged: this case would pass by silence"
    return entries(machine.hears(host))


def tells(root: Path, story: tuple[str, str, str, str]) -> None:
    source, way, host, sentence = story
    shown = told(source, WAYS[way](sentence), sentence, host, root)
    assert carried(shown, sentence) == []
    assert "[high]" not in shown
    assert "ask first" in shown


@pytest.mark.parametrize("story", EVERY_SOURCE_AND_WAY, ids=lambda story: ", ".join(story[:3]))
def test_a_sentence_that_a_tool_printed_is_not_told_as_the_agents(
    story: tuple[str, str, str, str], tmp_path: Path
) -> None:
    tells(tmp_path, story)


@pytest.mark.attacks
@pytest.mark.parametrize("story", STORIES, ids=lambda story: ", ".join(story[:3]))
def test_no_source_and_no_way_makes_it_so(story: tuple[str, str, str, str], tmp_path: Path) -> None:
    tells(tmp_path, story)


@pytest.mark.parametrize("source", [name for name, source in SOURCES.items() if source.remote])
def test_what_is_said_after_text_of_strangers_is_the_users_choice_in_any_words(source: str, tmp_path: Path) -> None:
    shown = told(source, OTHER_WORDS, SENTENCES[0], _host(source), tmp_path)
    assert "[high]" not in shown
    assert "ask first" in shown


@pytest.mark.parametrize("host", ["claude-code", "codex", "opencode", "gemini"])
def test_what_the_agent_found_out_itself_is_told_in_its_words(host: str, tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.lives(Lesson(before=SOURCES["file that was read"].steps(SENTENCES[0])), host)
    shown = entries(machine.hears(host))
    assert "[high]" in shown
    assert "header row is counted twice" in shown
    assert "ask first" not in shown


def test_an_error_that_the_agent_cites_leaves_the_rest_its_own(tmp_path: Path) -> None:
    error = "cannot compare naive and aware datetimes while sorting rows"
    machine = Machine(tmp_path)
    cause = f"Root cause: the importer raises {error}, because the header row is parsed without any zone."
    machine.lives(Lesson(printed=f"TypeError: {error}", cause=cause), "claude-code")
    shown = entries(machine.hears("claude-code"))
    assert "[high]" in shown
    assert "because the header row is parsed" in shown
    assert carried(shown, "naive and aware datetimes while sorting rows") == []
