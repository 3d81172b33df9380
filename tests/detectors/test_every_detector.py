import importlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mind_skills.detectors import registry
from mind_skills.detectors.registry import DETECTORS, detect
from mind_skills.observations import build
from tests.testkit.examples import examples_or_night

SHARED = {
    "__init__",
    "complaints",
    "evidence",
    "explanations",
    "model",
    "noise",
    "phrases",
    "registry",
    "signals",
    "thresholds",
    "timeline",
    "verification",
    "versions",
    "words",
    "workaround",
}
WORDS = st.sampled_from(
    (
        "the issue is that", "root cause", "does not work", "turns out", "fails because", "instead", "so I'm", "silently", "`", "\n",
        "# Fix: x", "Implement the following plan:", "go test", "error:", "a/b.py", "works now", "opposite direction", "if", "```", ". ",
    )
)  # fmt: skip
TEXT = st.lists(WORDS | st.text(max_size=8), min_size=1, max_size=12).map(" ".join)
COMMAND = (
    st.sampled_from(
        ("go test ./...", "npm run lint | tail -3", "gh api x", "gh pr edit 1", "python repro.py", "ls", "")
    )
    | TEXT
)

OUTPUT = st.sampled_from(("ok", "0 issues", "--- FAIL: TestX", "error: boom", "ValueError: no", "")) | TEXT


@st.composite
def observations(draw):
    made = []
    for number in range(draw(st.integers(0, 40))):
        kind = draw(st.sampled_from(("user", "assistant", "thinking", "tool", "tool", "tool")))
        if kind == "tool":
            action = draw(
                st.sampled_from(("run", "run", "edit", "write", "read", "search", "web", "mcp", "task", "other"))
            )
            outcome = draw(st.sampled_from(("ok", "ok", "failed", "rejected", "denied", "aborted", "unknown")))
            files = draw(st.lists(st.sampled_from(("a.py", "b/c.go", "SKILL.md")), max_size=2))
            made.append(
                build.tool(
                    "tool",
                    action,
                    line=number + 1,
                    command=draw(COMMAND),
                    output=draw(OUTPUT),
                    outcome=outcome,
                    files=tuple(files),
                )
            )
        else:
            spoken = build.said(kind, draw(TEXT), line=number + 1)
            made += [spoken] if spoken else []
    return made


def test_the_registry_is_the_folder():
    folder = {path.stem for path in Path(registry.__file__).parent.glob("*.py")}
    assert {name for name, _ in DETECTORS} == folder - SHARED


@pytest.mark.parametrize("name", [name for name, _ in DETECTORS])
def test_every_detector_has_its_manual_page(name):
    page = importlib.import_module(f"mind_skills.detectors.{name}").__doc__ or ""
    assert [part for part in ("\n\nSees:", "\n\nExample:", "\n\nMust not fire on:") if part not in page] == []


@settings(max_examples=examples_or_night(300), deadline=None)
@given(observations())
def test_no_session_makes_a_detector_raise_and_every_finding_is_whole(session):
    lines = {line for observation in session for line in (observation.line, observation.end_line)}
    for finding in detect(session):
        assert finding.title.strip()
        assert finding.anchor.strip()
        assert len(finding.title) <= 120
        assert [part.line for part in finding.evidence] == sorted(part.line for part in finding.evidence)
        assert {part.line for part in finding.evidence} <= lines
        assert all(len(part.summary) <= 200 and len(part.content) <= 500 for part in finding.evidence)


@settings(max_examples=examples_or_night(100), deadline=None)
@given(observations())
def test_the_same_session_gives_the_same_findings(session):
    assert detect(session) == detect(session)


def test_a_session_of_one_timestamp_is_read_in_its_order(story):
    story.runs("go test ./...", "--- FAIL: TestShow\n got nil", 1)
    story.agent("Root cause: the constructor skips the lookup for new sessions.").edits("a.go").runs(
        "go test ./...", "ok  \tshop\t0.01s"
    )
    for observation in story.observations:
        observation.at = 1_700_000_000_000
    assert [finding.kind for finding in detect(story.observations)] == ["error_fix"]


def test_what_a_subagent_did_is_no_evidence(story):
    story.runs("go test ./...", "--- FAIL: TestShow\n got nil", 1)
    story.agent("Root cause: the constructor skips the lookup for new sessions.").edits("a.go").runs(
        "go test ./...", "ok  \tshop\t0.01s"
    )
    for observation in story.observations:
        observation.agent = "subagent"
    assert detect(story.observations) == []


def test_an_episode_early_in_a_long_session_is_found(story):
    story.runs("go test ./...", "--- FAIL: TestShow\n got nil", 1)
    story.agent("Root cause: the constructor skips the lookup for new sessions.").edits("a.go").runs(
        "go test ./...", "ok  \tshop\t0.01s"
    )
    for number in range(500):
        story.reads(f"src/{number}.go")
    assert [finding.evidence[0].line for finding in detect(story.observations)] == [10]


def test_a_project_in_a_temporary_folder_is_a_project_and_a_file_beside_it_is_scratch(story):
    story.runs("go test ./...", "--- FAIL: TestShow\n got nil", 1)
    story.agent("Root cause: the constructor skips the lookup for new sessions.")
    story.edits("/tmp/shop/a.go").runs("go test ./...", "ok  \tshop\t0.01s")
    found = [
        [finding.kind for finding in detect(story.observations, project)]
        for project in ("/tmp/shop", "/home/dev/x", "")
    ]
    assert found == [["error_fix"], [], []]
