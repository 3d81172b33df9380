"""The text of an episode: which words of the session it uses, and which it does not."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mind_skills.detectors.composing.compose import compose
from mind_skills.detectors.composing.sentences import (
    is_remedy,
    is_self_contained,
    is_statement,
    join_command_lines,
    split_sentences,
    truncate,
)
from mind_skills.detectors.composing.symptom import strip_location
from mind_skills.detectors.model import Episode, EpisodeText
from mind_skills.detectors.registry import propose_episodes
from mind_skills.detectors.timeline import build_timeline
from tests.testkit.examples import examples_or_night
from tests.testkit.stories.detector_story import Story

CAUSE = "The header row is counted twice by read_rows, so the slice stops early."


def compose_story(story: Story, first: int = 0, last: int = -1) -> EpisodeText:
    line = build_timeline(story.observations)
    return compose(line, Episode(first, len(story.observations) - 1 if last < 0 else last, ()))


def make_importer_story() -> Story:
    story = Story().user("The importer does not work: it drops the last row of every file.")
    story.runs("pytest tests/test_importer.py", "2026-01-02 10:00:00 AssertionError: read_rows gave 9, expected 10", 1)
    story.agent("Let me look at read_rows. The header row is counted twice by read_rows, so the slice stops early.")
    story.edits("src/importer.py", "rows = read_rows(lines[1:-1])", "rows = read_rows(lines[1:])")
    story.runs("pytest tests/test_importer.py", "collected 3 items\n3 passed in 0.12s")
    return story.agent("Done. `read_rows` in src/importer.py no longer drops the last row of a file.")


def test_symptom_cause_remedy_proof_and_scope_are_composed() -> None:
    composed = compose_story(make_importer_story(), last=4)
    assert (composed.symptom, composed.cause, composed.remedy, composed.proof, composed.scope) == (
        "AssertionError: read_rows gave 9, expected 10",
        CAUSE,
        "rows = read_rows(lines[1:-1]) -> rows = read_rows(lines[1:])",
        "`pytest tests/test_importer.py` passed: 3 passed in 0.12s",
        "src/importer.py; 1 failure",
    )


def test_the_evidence_begins_and_ends_at_the_lines_of_its_episode() -> None:
    composed = compose_story(make_importer_story(), first=1, last=4)
    assert [(each.role, each.line, each.statement_line) for each in composed.evidence] == [
        ("symptom", 20, 0),
        ("symptom", 20, 10),
        ("cause", 30, 0),
        ("change", 40, 0),
        ("verification", 55, 0),
        ("insight", 55, 60),
    ]


def test_a_complaint_of_the_user_before_the_episode_is_part_of_its_evidence() -> None:
    complaint = next(
        each for each in compose_story(make_importer_story(), first=1, last=4).evidence if each.statement_line == 10
    )
    assert complaint.summary == "user: The importer does not work: it drops the last row of every file."


def test_an_accepted_plan_is_not_quoted_as_the_user() -> None:
    story = make_importer_story()
    story.observations[0].source = "agent"
    complaint = next(each for each in compose_story(story, first=1, last=4).evidence if each.statement_line == 10)
    assert complaint.summary == "agent: The importer does not work: it drops the last row of every file."


def test_the_symptom_is_the_error_that_the_change_concerns_not_the_first_one_or_a_runners() -> None:
    story = Story().runs("make lint", "make: *** [lint] Error 2", 1)
    story.runs("git status", "fatal: not a git repository", 128)
    story.runs("pytest", "KeyError: 'locale' in cache_key of render_cart", 1)
    story.edits("src/cart.py", "return cache_key(cart)", "return cache_key(cart, locale)").runs("pytest", "9 passed")
    assert compose_story(story).symptom == "KeyError: 'locale' in cache_key of render_cart"


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("src/a.py:12:3: error: name 'total' is not defined", "error: name 'total' is not defined"),
        ("[2026-01-02T03:04:05.6Z] ERROR cannot open ledger.db", "ERROR cannot open ledger.db"),
        ("[ERROR] 2025/12/31 18:18:43 cannot reach the vault", "cannot reach the vault"),
        ("src/a.py:12: x", "src/a.py:12: x"),
        ("/usr/bin/bash: line 1: cd: src: No such file or directory", "cd: src: No such file or directory"),
        ("sh: line 12: mvn: command not found", "mvn: command not found"),
    ],
)
def test_location_and_time_are_stripped_from_a_symptom(printed: str, expected: str) -> None:
    assert strip_location(printed) == expected


def test_a_symptom_that_ends_in_a_colon_includes_its_next_line() -> None:
    story = Story().runs(
        "cargo test", "error: the following package needs another compiler:\n  kdl@6.7.1 wants rustc 1.95", 1
    )
    story.runs("cargo +1.96.0 test", "test result: ok. 2 passed")
    assert (
        compose_story(story).symptom
        == "error: the following package needs another compiler: kdl@6.7.1 wants rustc 1.95"
    )


def test_the_complaint_of_the_user_is_the_symptom_if_there_is_no_error() -> None:
    story = Story().user("Hello. The cart shows the wrong currency in render_cart after a switch of the locale.")
    story.edits("src/cart.py", "render_cart(cart)", "render_cart(cart, locale)").runs("pytest", "9 passed")
    assert (
        compose_story(story).symptom == "The cart shows the wrong currency in render_cart after a switch of the locale."
    )


@pytest.mark.parametrize(
    "sentence",
    [
        "Let me look at the importer and its tests.",
        "I'll change read_rows so that it keeps the last row.",
        "Done with read_rows, the importer and its tests.",
        "All tests pass in the importer now, as they should.",
        "It drops the last row because of the slice.",
        "Should read_rows keep the last row of a file?",
        "Inspecting the importer and its tests",
    ],
)
def test_plans_reports_questions_and_dependent_sentences_are_not_self_contained(sentence: str) -> None:
    assert not is_self_contained(sentence)


@pytest.mark.parametrize(
    "text", ["at Runner.Pipelines.Template.Load(String file)", "Building the index of all the commit messages..."]
)
def test_stack_frames_and_progress_of_a_program_state_no_cause(text: str) -> None:
    assert not is_statement(text)


@pytest.mark.parametrize(
    "text",
    [
        "Adding a check of the header and calling it from both readers.",
        "Re-recording the state of the importer and logging it.",
        "Made the test of the importer independent of the host.",
        "Reverted the importer to the old reader of the header.",
        "The header of the price list parses cleanly now.",
    ],
)
def test_narration_and_reports_of_work_state_no_cause(text: str) -> None:
    assert not is_statement(text)


@pytest.mark.parametrize(
    "text",
    [
        "Passing the header twice means that the importer drops a row.",
        "Missing rows are dropped by the importer without a warning.",
        "Nothing in the importer reads the header of the list.",
        "During the import the header is read from the first list.",
        "Warning messages of the importer go to the list of rows.",
    ],
)
def test_a_cause_may_begin_with_a_gerund(text: str) -> None:
    assert is_statement(text)


@pytest.mark.parametrize(
    "text",
    [
        "Dropped connections are never returned to the pool, so the importer waits.",
        "A rejected push does not run the hook because the server refuses it first.",
        "The resolved path lacks the link, so the importer never reads it.",
    ],
)
def test_a_participle_before_a_noun_reports_no_work(text: str) -> None:
    assert (is_statement(text), is_remedy(text)) == (True, False)


def test_a_command_that_passed_instead_is_the_remedy_if_nothing_was_changed() -> None:
    story = Story().runs("pnpm test", "ERR_PNPM_UNSUPPORTED_ENGINE: Got: v26.4.0", 1)
    story.runs("fnm exec --using=24 pnpm test", "290 passed (290)")
    assert compose_story(story).remedy == "fnm exec --using=24 pnpm test"


def test_a_variant_of_the_failed_command_is_the_remedy_before_one_that_shares_more_words() -> None:
    story = Story().runs("go test ./signing", "commit.gpgSign: cannot auto-sign commit without a plugin", 1)
    story.runs("GIT_CONFIG_GLOBAL=/dev/null go test ./signing", "ok signing 0.2s")
    story.runs("git config --get-all commit.gpgSign", "true")
    assert compose_story(story).remedy == "GIT_CONFIG_GLOBAL=/dev/null go test ./signing"


def test_a_command_that_passes_outside_the_sandbox_is_the_remedy_and_says_where_it_passed() -> None:
    story = Story().runs("gh auth status", "X The token in default is invalid.", 1)
    story.runs("gh auth status", "Logged in to github.com", is_outside_sandbox=True)
    assert compose_story(story).remedy == "gh auth status (outside the sandbox)"


def test_a_command_that_failed_outside_the_sandbox_and_passes_there_has_no_remedy() -> None:
    story = Story().runs("gh auth status", "X The token in default is invalid.", 1, is_outside_sandbox=True)
    story.runs("gh auth status", "Logged in to github.com", is_outside_sandbox=True)
    assert compose_story(story).remedy == ""


def test_the_remedy_is_the_changed_code_not_comment_that_shares_most_with_the_symptom() -> None:
    story = Story().runs("pytest", "KeyError: 'locale' in cache_key of render_cart", 1)
    comment = "# cache_key wants the locale of render_cart"
    story.edits("src/cart.py", "import os", comment).edits("src/cart.py", "cache_key(cart)", "cache_key(cart, locale)")
    assert compose_story(story.runs("pytest", "9 passed")).remedy == "cache_key(cart) -> cache_key(cart, locale)"


def test_of_several_changed_lines_those_that_are_alike_replace_each_other() -> None:
    story = Story().runs("pytest", "KeyError: 'locale' in cache_key", 1)
    old = "name = cart.name\nreturn cache_key(cart)"
    new = "log.debug(cart)\nlocale = user.locale\nreturn cache_key(cart, locale)"
    remedy = compose_story(story.edits("src/cart.py", old, new).runs("pytest", "9 passed")).remedy
    assert remedy == "return cache_key(cart) -> return cache_key(cart, locale)"


def test_an_added_line_does_not_replace_a_line_that_is_not_like_it() -> None:
    story = Story().runs("pytest", "TypeError: cache_key() missing locale", 1)
    story.edits("src/cart.py", "def render(cart):\npass", "log.info('x')\nlocale = locale_of(cache_key)")
    assert compose_story(story.runs("pytest", "9 passed")).remedy == "locale = locale_of(cache_key)"


def test_a_change_too_long_to_be_shown_whole_is_not_the_remedy() -> None:
    story = Story().runs("pytest", "KeyError: 'locale' in cache_key", 1)
    story.edits("src/cart.py", "old", "cache_key(" + "locale, " * 60 + ")").edits("src/b.py", "x = 1", "x = locale")
    assert compose_story(story.runs("pytest", "9 passed")).remedy == "x = 1 -> x = locale"


def test_the_scope_says_committed_only_if_the_commit_precedes_the_next_message_of_the_user() -> None:
    story = make_importer_story().runs("git commit -am 'Fix the importer'", "[main 1f] Fix")
    assert compose_story(story, last=4).scope == "src/importer.py; 1 failure; committed"
    later = make_importer_story().user("now commit").runs("git commit -am 'Fix the importer'", "[main 1f] Fix")
    assert compose_story(later, last=4).scope == "src/importer.py; 1 failure"


def test_a_proof_by_a_command_that_is_no_check_says_ran_instead_of_passed() -> None:
    story = Story().runs("./deploy.sh a", "error: no host named a", 1).runs("./release.py --host b", "done")
    assert compose_story(story).proof == "`./release.py --host b` ran: done"


@pytest.mark.parametrize(
    ("cause", "title"),
    [
        (
            "The cache (which every page of the shop reads on each of its requests) never drops an entry.",
            "KeyError: 'locale' in cache_key of render_cart_for_the_shop - The cache never drops an entry.",
        ),
        (
            "The key of the cache never names its locale, so every page of the shop shows the entries of another one.",
            "KeyError: 'locale' in cache_key of render_cart_for_the_shop - The key of the cache never names its locale…",
        ),
        (
            "The key of the cache that render_cart_for_the_shop reads never names the locale of the page.",
            "KeyError: 'locale' in cache_key of… - The key of the cache that render_cart_for_the_shop reads never names the locale…",
        ),
    ],
)
def test_a_title_loses_parentheses_and_last_clauses_before_it_is_cut(cause: str, title: str) -> None:
    story = Story().runs("pytest", "KeyError: 'locale' in cache_key of render_cart_for_the_shop", 1).agent(cause)
    story.edits("src/cart.py", "cache_key(cart)", "cache_key(cart, locale)").runs("pytest", "9 passed")
    assert compose_story(story).title == title


def test_lines_of_a_command_are_separated_by_semicolons_and_continued_lines_joined() -> None:
    assert join_command_lines("cd app\nnpm test \\\n  --watch=false\n") == "cd app; npm test --watch=false"


def test_truncating_a_text_cuts_no_word() -> None:
    assert truncate("the importer drops rows", 18) == "the importer…"


def test_splitting_sentences_removes_markdown_code_blocks_and_introductory_words() -> None:
    assert split_sentences(
        "## Root cause: the header row is **counted** twice.\n```js\nx = `1`\n```\n- Wait, the slice stops one row early."
    ) == (
        "The header row is counted twice.",
        "The slice stops one row early.",
    )


WORDS = "read_rows the importer drops Error: because fails. I it src/a.py --flag 3 passed\n ``` - # \u3002".split(" ")


def draw_steps(words: list[str]) -> st.SearchStrategy[list[tuple[str, str, str]]]:
    """Steps of a session: the kind of a message or action, and two texts of these words."""
    texts = st.lists(st.sampled_from(words), max_size=30).map(" ".join)
    kinds = st.sampled_from(["user", "agent", "thinks", "runs", "edits"])
    return st.lists(st.tuples(kinds, texts, texts), min_size=2, max_size=14)


@settings(max_examples=examples_or_night(150), deadline=None)
@given(st.one_of(draw_steps(WORDS), draw_steps([*WORDS, "…"])))
def test_the_text_of_any_episode_is_within_bounds_and_its_evidence_in_order(steps: list[tuple[str, str, str]]) -> None:
    story = Story()
    for kind, one, other in steps:
        if kind in ("user", "agent", "thinks"):
            getattr(story, kind)(one or "x")
        elif kind == "runs":
            story.runs(one or "make", other, code=len(one) % 2)
        else:
            story.edits("src/a.py", one, other)
    line = build_timeline(story.observations)
    for episode in [*propose_episodes(line), Episode(0, len(story.observations) - 1, ())]:
        composed = compose(line, episode)
        lines = [each.line for each in composed.evidence]
        last = story.observations[episode.last]
        assert (lines[0], lines[-1]) == (story.observations[episode.first].line, last.end_line or last.line)
        assert lines == sorted(lines)
        assert len(lines) <= 6
        assert len(composed.title) <= 120
        assert all(len(each.summary) <= 200 and len(each.content) <= 500 for each in composed.evidence)
        parts = composed.cause.split(" … ") if composed.cause else []
        if not any("…" in one for _, one, _ in steps):  # otherwise the sentences themselves may contain the separator
            assert len(parts) == len(set(parts))
        assert composed == compose(line, episode)


def test_the_text_of_an_episode_does_not_depend_on_the_episodes_composed_before() -> None:
    story = make_importer_story()
    line = build_timeline(story.observations)
    episodes = [Episode(a, b, ()) for a, b in pairwise(range(6))] + [Episode(0, 4, ()), Episode(1, 4, ())]
    expected = [compose(build_timeline(story.observations), each) for each in episodes]
    order = list(range(len(episodes)))
    random.Random(1).shuffle(order)
    found = {number: compose(line, episodes[number]) for number in order}
    assert [found[number] for number in range(len(episodes))] == expected


def find_remedies(story: Story, first: int, last: int) -> list[str]:
    """The first lines of the agent's statements that are evidence in the role ``change``."""
    evidence = compose_story(story, first, last).evidence
    return [each.content.split("\n")[0] for each in evidence if each.role == "change" and "agent: " in each.summary]


def test_the_fix_that_the_closing_statement_names_is_evidence_of_the_remedy() -> None:
    story = Story().user("The importer does not work.").runs("pytest", "AssertionError: read_rows gave 9", 1)
    story.edits("src/importer.py", "rows = read_rows(lines[1:-1])", "rows = read_rows(lines[1:])").runs(
        "pytest", "3 passed"
    )
    story.runs("git status", "clean")
    done = "The fix is that read_rows in src/importer.py takes all lines, so that the last row stays."
    assert find_remedies(story.agent(f"All is green.\n\n{done}"), 1, 3) == [done]


def test_a_plan_before_the_passing_check_is_evidence_of_the_remedy_and_an_earlier_plan_is_not() -> None:
    story = (
        Story().user("Run the tests.").agent("I'm adding a test of read_rows in importer.py for rows instead of lines.")
    )
    story.runs("ls", "src").runs("ls src", "importer.py").runs("ls tests", "test_importer.py")
    story.runs("pytest importer.py", "PermissionError: read_rows cannot open rows.db", 1)
    plan = "I'm rerunning the same command outside the sandbox."
    story.agent(plan).runs("sudo pytest importer.py", "3 passed")
    assert find_remedies(story, 5, 7) == [plan]


def test_the_complaint_that_the_cause_explains_is_the_symptom_if_the_error_is_a_slip() -> None:
    complaint = "The importer is broken: it drops the last row of read_rows."
    story = Story().user(complaint).runs("npx pytest", "error: unrecognized subcommand 'pytest'", 1)
    story.agent("The header row is counted twice by read_rows, so the importer stops one row early.")
    story.edits("src/importer.py", "rows = read_rows(lines[1:-1])", "rows = read_rows(lines[1:])").runs(
        "pytest", "3 passed"
    )
    assert compose_story(story, 1, 4).symptom == complaint


def test_a_markdown_link_is_replaced_by_its_text() -> None:
    assert split_sentences("The fix is in [importer.py](src/importer.py:12) of the package.") == (
        "The fix is in importer.py of the package.",
    )


def test_filler_at_the_start_of_a_sentence_is_omitted_but_not_the_words_that_it_needs() -> None:
    said = (
        "Confirmed root cause: the cache never drops its rows.",
        "Confirmed — the cache never drops its rows.",
        "However, the cache never drops its rows.",
        "Root cause is the cache, which never drops its rows.",
        "Root cause of the stale rows: the cache never drops them.",
        "Confirmed by a test of the cache and of its rows.",
        "However many rows there are, the cache never drops them.",
        "The root cause is that: the cache never drops its rows.",
    )
    assert [split_sentences(text)[0] for text in said] == [
        *["The cache never drops its rows."] * 3,
        "The cache, which never drops its rows.",
        "Root cause of the stale rows: the cache never drops them.",
        "Confirmed by a test of the cache and of its rows.",
        "However many rows there are, the cache never drops them.",
        "The cache never drops its rows.",
    ]
