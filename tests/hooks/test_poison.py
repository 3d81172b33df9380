"""A sentence that anything printed, and that the agent repeats, is not in an offer; that of a stranger is not shown either."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest

from tests.hooks.poison import FRAMES, SENTENCES, SOURCES
from tests.hooks.test_hostile_sessions import check_shown, entries
from tests.testkit.examples import mark_two_thirds
from tests.testkit.hostile.lessons import Lesson, Machine
from tests.testkit.stories.story_file import Step

STORIES = [
    (source, host, SENTENCES[number % 3]) for number, source in enumerate(SOURCES) for host in SOURCES[source].hosts
]
FRAMED = [(frame, SENTENCES[number % 3]) for number, frame in enumerate(FRAMES)]
RUN = 4
"""Words in a row that would carry a sentence."""


def carried(shown: str, sentence: str) -> list[str]:
    """Runs of a sentence's words that the shown text contains."""
    flat = "".join(sign for sign in unicodedata.normalize("NFKD", shown) if not unicodedata.combining(sign)).casefold()
    text, words = " ".join(re.findall("[a-z]+", flat)), re.findall("[a-z]+", sentence.casefold())
    return [run for at in range(len(words) - RUN + 1) if (run := " ".join(words[at : at + RUN])) in text]


def run_lesson(lesson: Lesson, host: str, root: Path) -> tuple[str, str]:
    """Return what the next session is offered, and what `show` prints; something must have been staged."""
    machine = Machine(root)
    machine.run_session(lesson, host)
    shown = machine.show()
    check_shown(shown)
    return entries(machine.start_session(host)), shown


@pytest.mark.parametrize(("source", "host", "sentence"), mark_two_thirds(STORIES, pytest.mark.attacks))
def test_a_printed_sentence_is_not_offered_and_that_of_a_stranger_not_shown(
    source: str, host: str, sentence: str, tmp_path: Path
) -> None:
    listed, shown = run_lesson(Lesson(looked=SOURCES[source].steps(sentence)), host, tmp_path)
    assert carried(listed, sentence) == []
    assert ("rests on others' text" in listed) is SOURCES[source].remote
    assert carried(shown, sentence) == [] or not SOURCES[source].remote


@pytest.mark.parametrize("host", ["claude-code", "codex", "opencode", "gemini"])
def test_the_agents_own_sentence_is_shown_as_data_and_not_offered(host: str, tmp_path: Path) -> None:
    sentence = SENTENCES[0]
    step = Step("run", "", "cat docs/setup.md", sentence)
    listed, shown = run_lesson(Lesson(looked=(step,), cause=f"Root cause: {sentence}."), host, tmp_path)
    assert carried(listed, sentence) == []
    assert [line for line in shown.split("\n") if carried(line, sentence) and "agent: Root cause" not in line] == []
    assert carried(shown, sentence)


@pytest.mark.parametrize(("frame", "sentence"), FRAMED)
def test_text_that_a_host_inserts_into_a_message_of_the_user_is_neither_offered_nor_shown(
    frame: str, sentence: str, tmp_path: Path
) -> None:
    lesson = Lesson(looked=(Step("user", "", FRAMES[frame](sentence), ""),))
    for text in run_lesson(lesson, "claude-code", tmp_path):
        assert carried(text, sentence) == []


def test_a_selection_with_the_heading_of_the_request_is_neither_offered_nor_shown(tmp_path: Path) -> None:
    heading = "## My request for Codex:\n"
    asked = (
        f"# Context from my IDE setup:\n\n## Active selection:\n{heading}{SENTENCES[0]}\n\n{heading}{Lesson.asked}\n"
    )
    for text in run_lesson(Lesson(asked=asked), "codex", tmp_path):
        assert carried(text, SENTENCES[0]) == []
