"""The outcome of a session: errors, retries, success and reasons."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.learning.outcome import (
    FailureCounter,
    Outcome,
    OutcomeCollector,
    is_reported_failure,
    is_unreported_failure,
)
from mind_skills.observations.commands import normalise
from mind_skills.observations.model import Observation, Session, ToolOutcome

START = 1_768_478_400_000


def run(command: str, outcome: ToolOutcome = "ok", error: str = "", text: str = "") -> Observation:
    known = normalise(command)
    return Observation(
        "tool",
        0,
        text=text or error,
        tool="Bash",
        action=known.action,
        command=command,
        signature=known.signature,
        target=known.target,
        outcome=outcome,
        error=error,
    )


def edit(name: str = "src/app.py", outcome: ToolOutcome = "ok", error: str = "") -> Observation:
    return Observation("tool", 0, tool="Edit", action="edit", files=(name,), outcome=outcome, error=error, text=error)


def user(text: str) -> Observation:
    return Observation("user", 0, text=text, source="user")


def session(*observations: Observation) -> Session:
    stamped = [replace(seen, line=line, at=START + line * 1000) for line, seen in enumerate(observations, 1)]
    return Session(observations=stamped)


def compute_outcome(seen: Session) -> Outcome:
    meter = OutcomeCollector(seen)
    for observation in seen.observations:
        meter.feed(observation)
    return meter.result()


def judge(*observations: Observation) -> tuple[bool | None, str]:
    outcome = compute_outcome(session(*observations))
    return outcome.success, outcome.reasons[0]


RED = run("pytest -q", "failed", "AssertionError: 1 != 2")
GREEN = run("pytest -q")
INTERRUPTION = Observation("user", 0, source="user", outcome="aborted")
REFUSAL = Observation("tool", 0, tool="Bash", action="run", command="rm x", signature="rm", outcome="rejected")

NOTHING = (None, "nothing was changed")
UNCHECKED = (None, "no command after the last change shows whether it works")


def test_a_session_whose_check_passed_after_the_last_change_is_helpful_and_states_the_reason() -> None:
    assert compute_outcome(session(user("mend it"), edit(), RED, edit(), GREEN)) == Outcome(
        type="helpful",
        score=0.9200000000000002,
        success=True,
        duration_ms=4000,
        error_count=1,
        retry_count=0,
        reasoning="succeeded: `pytest` passed after the last change (4 s, 1 error, no retries)",
        reasons=("`pytest` passed after the last change",),
        files_touched=("src/app.py",),
        at=START + 5000,
    )


def test_a_session_without_changes_has_an_unknown_outcome_and_no_score() -> None:
    assert compute_outcome(session(user("what is this?"))) == Outcome(
        type="unknown",
        score=None,
        success=None,
        duration_ms=0,
        error_count=0,
        retry_count=0,
        reasoning="unknown: nothing was changed (0 s, no errors, no retries)",
        reasons=("nothing was changed",),
        at=START + 1000,
    )


@pytest.mark.parametrize(
    ("observations", "verdict"),
    [
        ([], NOTHING),
        ([GREEN], NOTHING),
        ([edit("plan.md"), run("ls")], NOTHING),
        ([edit("/tmp/probe.py"), GREEN], NOTHING),
        ([edit()], UNCHECKED),
        ([GREEN, edit()], UNCHECKED),
        ([edit(), run("echo done")], UNCHECKED),
        ([edit(), GREEN], (True, "`pytest` passed after the last change")),
        ([edit(outcome="failed"), RED, GREEN], (True, "`pytest` passed")),
        ([edit(), RED], (False, "`pytest` failed at the end")),
        ([edit(), GREEN, RED], (False, "`pytest` failed at the end")),
        ([edit(), RED, run("ruff check .")], (False, "`pytest` failed at the end")),
        ([RED, edit(), run("ruff check .")], UNCHECKED),
        ([edit(), run("ruff check .")], (True, "`ruff check` passed after the last change")),
        ([edit(), GREEN, run("git checkout -- app.py")], UNCHECKED),
        ([edit(), run('git -C /p commit -m "x"')], (True, "the work was committed after the last change")),
        ([edit(), RED, run("git commit -am x")], (True, "the work was committed after the last change")),
        ([edit(), GREEN, run("git commit -m x", "failed", "error: hook")], (False, "`git commit` failed at the end")),
        ([edit(), user("Perfect, thank you")], (True, "the user approved after the last change")),
        ([edit(), user("that works, but why?"), edit()], UNCHECKED),
        ([run("sed -i s/a/b/ x.py"), GREEN], (True, "`pytest` passed after the last change")),
        ([GREEN, run("cat > x.py <<EOF\nx = 1\nEOF")], UNCHECKED),
        ([run("git diff > patch.txt"), GREEN], NOTHING),
        (
            [run("cat > test_x.py <<EOF\nassert 1\nEOF\npython test_x.py")],
            (True, "`python test_x.py` passed after the last change"),
        ),
        ([edit(), GREEN, user("it still crashes")], (False, "the user complained at the end")),
        ([edit(), user("it still crashes"), edit(), GREEN], (True, "`pytest` passed after the last change")),
        ([edit(), INTERRUPTION], (False, "the user interrupted the agent, and nothing was done after that")),
        ([edit(), GREEN, REFUSAL], (False, "the user refused a tool call, and nothing was done after that")),
        ([edit(), REFUSAL, INTERRUPTION, user("use a switch instead")], UNCHECKED),
        ([edit(), REFUSAL, INTERRUPTION, GREEN], (True, "`pytest` passed after the last change")),
        (
            [edit(), run("python reproduce.py"), run("submit")],
            (True, "`python reproduce.py` passed after the last change"),
        ),
        ([edit(), run("submit")], UNCHECKED),
        (
            [edit("solve.py"), run("./rock", "unknown"), run("submit 'flag'", "unknown")],
            (True, "the work was submitted after a command that did not fail"),
        ),
    ],
)
def test_the_last_events_of_a_session_decide_its_success(
    observations: list[Observation], verdict: tuple[bool | None, str]
) -> None:
    assert judge(*observations) == verdict


FAILED_TEST = "FAILED tests/test_bank.py::test_header - KeyError\n=== 1 failed, 9 passed in 0.4s ==="
FAILING = run("pytest", "failed", "E   KeyError: 'Date'", FAILED_TEST)
PASSED, FAILED = (True, "`pytest` passed after the last change"), (False, "`pytest` failed at the end")


def passing(command: str = "pytest", count: int = 10) -> Observation:
    return run(command, text=f"=== {count} passed in 0.3s ===")


@pytest.mark.parametrize(
    ("observations", "verdict"),
    [
        ([FAILING, edit(), passing()], PASSED),
        ([FAILING, edit("tests/test_bank.py"), passing()], PASSED),
        ([FAILING, edit(), run("pytest || true", text=FAILED_TEST)], FAILED),
        ([FAILING, edit(), run("pytest; touch done", text=FAILED_TEST)], FAILED),
        ([FAILING, edit(), run("rm tests/test_bank.py"), passing(count=9)], UNCHECKED),
        ([FAILING, edit(), passing('pytest -m "not excel"', 9)], UNCHECKED),
        ([FAILING, edit(), passing("pytest tests/test_other.py", 9)], UNCHECKED),
        ([FAILING, edit(), passing("pytest tests/test_other.py", 9), passing()], PASSED),
        ([FAILING, edit(), run("git stash"), passing()], UNCHECKED),
        ([FAILING, edit(), run("git stash"), run("git stash pop"), passing()], PASSED),
        ([FAILING, edit(), run("git checkout -q HEAD~3"), passing()], UNCHECKED),
    ],
)
def test_a_pass_counts_only_if_what_had_failed_ran_again(
    observations: list[Observation], verdict: tuple[bool | None, str]
) -> None:
    assert judge(*observations) == verdict


@pytest.mark.parametrize(
    ("answer", "is_denied"),
    [
        ("Nein, geht nicht", True),
        ("der Test ist immer noch rot", True),
        ("ça ne marche pas", True),
        ("no funciona", True),
        ("не работает", True),
        ("还是不行", True),
        ("まだ動かない", True),
        ("that made it worse", True),
        ("wrong", True),
        ("👎", True),
        ("Next, add a test for Windows", False),
        ("no problem, commit it", False),
        ("x " * 150 + "still fails", False),
    ],
)
def test_a_denial_of_a_change_is_a_complaint_in_any_language_of_the_detectors(answer: str, is_denied: bool) -> None:
    assert judge(edit(), GREEN, user(answer)) == ((False, "the user complained at the end") if is_denied else PASSED)
    assert judge(GREEN, user(answer)) == NOTHING  # of which nothing can have failed


def test_no_is_a_denial_only_of_a_result() -> None:
    asked = Observation("assistant", 0, text="Shall I update the changelog too?")
    assert judge(edit(), GREEN, user("no")) == (False, "the user complained at the end")
    assert judge(edit(), GREEN, asked, user("no")) == PASSED


def test_edits_in_a_temporary_folder_count_as_changes_only_if_the_project_is_there() -> None:
    seen = session(edit("/tmp/shop/src/app.py"), GREEN)
    seen.project = "/tmp/shop"
    assert (compute_outcome(seen).success, compute_outcome(session(edit("/tmp/probe.py"), GREEN)).success) == (
        True,
        None,
    )


def test_a_log_without_times_gets_an_outcome_and_a_score() -> None:
    outcome = compute_outcome(Session(observations=[edit(), GREEN]))
    assert (outcome.score, outcome.at) == (1.0, None)
    assert outcome.reasoning.endswith("(no timestamps in the log, no errors, no retries)")


def test_a_success_mentions_a_check_that_failed_and_never_passed_afterwards() -> None:
    assert compute_outcome(session(edit(), RED, run("git commit -am x"))).reasons == (
        "the work was committed after the last change",
        "`pytest` failed earlier and has not passed since",
    )


def test_a_success_lists_all_its_reasons() -> None:
    assert compute_outcome(session(edit(), GREEN, run("git commit -m x"), user("thanks"))).reasons == (
        "`pytest` passed after the last change",
        "the work was committed",
        "the user approved",
    )


def test_an_aborted_call_at_the_end_of_the_log_is_not_an_interruption_by_the_user() -> None:
    cut = Observation("tool", 0, action="run", command="git diff", signature="git diff", outcome="aborted")
    assert judge(edit(), GREEN, cut) == (True, "`pytest` passed after the last change")


def test_a_refusal_inside_a_subagent_does_not_make_the_session_fail() -> None:
    inner = replace(REFUSAL, agent="subagent")
    assert judge(edit(), GREEN, inner) == (True, "`pytest` passed after the last change")


def test_the_same_command_failing_again_is_a_retry_unless_it_passed_in_between() -> None:
    outcome = compute_outcome(session(RED, edit(), RED, RED, GREEN, RED, run("npm test", "failed", "boom")))
    assert (outcome.error_count, outcome.retry_count) == (5, 2)


def test_a_failure_of_the_same_command_on_another_target_is_not_a_retry() -> None:
    first, second = run("pytest tests/a.py", "failed", "E"), run("pytest tests/b.py", "failed", "E")
    assert compute_outcome(session(first, second)).retry_count == 0


@pytest.mark.parametrize(
    "noise",
    [
        edit(outcome="failed", error="String to replace not found in file."),
        edit(outcome="failed", error="File has not been read yet. Read it first before writing to it."),
        Observation("tool", 0, action="read", outcome="failed", error="File does not exist."),
        run("grep -r nothing .", "failed", ""),
        run("diff a b", "failed", ""),
        run("ls", "failed", "<tool_use_error>Sibling tool call errored</tool_use_error>"),
        run("make", "failed", "The user doesn't want to proceed with this tool use."),
        run("make", "rejected"),
        run("make", "aborted"),
        run("make", "denied"),
    ],
)
def test_tool_misuse_empty_searches_and_refusals_do_not_count_as_errors(noise: Observation) -> None:
    assert not is_reported_failure(noise)
    assert compute_outcome(session(noise)).error_count == 0


@pytest.mark.parametrize(
    ("command", "error", "text", "failed"),
    [
        ("pytest | tail -5", "E   boom", "E   boom\n1 failed, 3 passed", True),
        ("pytest | tail -5", "ERROR in setup", "ERROR in setup", True),
        ("bun test | tail -5", "error: shown on purpose", "error: shown on purpose\n12 pass\n0 fail", False),
        ("pytest", "E   boom", "E   boom", False),
        ("pytest | tail -5", "", "12 passed", False),
    ],
)
def test_the_printed_output_decides_whether_a_piped_command_failed(
    command: str, error: str, text: str, failed: bool
) -> None:
    assert is_unreported_failure(run(command, error=error, text=text)) is failed


OBSERVATIONS = st.lists(
    st.one_of(
        st.sampled_from(
            [RED, GREEN, edit(), INTERRUPTION, REFUSAL, run("git commit -m x"), run("submit"), user("thanks")]
        ),
        st.builds(
            Observation,
            st.sampled_from(["user", "assistant", "thinking", "tool"]),
            st.integers(0, 9),
            text=st.text(max_size=30),
            at=st.one_of(st.none(), st.integers()),
            action=st.sampled_from(["read", "edit", "write", "run", "other"]),
            command=st.text(max_size=30),
            signature=st.text(max_size=9),
            files=st.tuples(st.text(max_size=9)),
            outcome=st.sampled_from(["ok", "failed", "rejected", "denied", "aborted", "unknown"]),
            error=st.text(max_size=9),
        ),
    ),
    max_size=30,
)


@given(OBSERVATIONS)
def test_any_observations_give_an_outcome_with_a_reason(observations: list[Observation]) -> None:
    outcome = compute_outcome(Session(observations=observations))
    assert (outcome.type == "unknown") == (outcome.success is None) == (outcome.score is None)
    assert outcome.reasons
    assert 0 <= outcome.retry_count <= outcome.error_count <= len(observations)


@given(OBSERVATIONS)
def test_reading_the_result_early_does_not_change_the_final_outcome(observations: list[Observation]) -> None:
    meter = OutcomeCollector()
    for observation in observations:
        meter.feed(observation)
        meter.result()
    assert meter.result() == compute_outcome(Session(observations=observations))


def test_a_command_with_a_thousand_options_is_read_like_any_other() -> None:
    assert judge(edit(), run("git" + " -c" * 1000), run("git" + " -c x=y" * 1000 + " commit")) == (
        True,
        "the work was committed after the last change",
    )


def test_the_number_of_remembered_open_failures_is_bounded() -> None:
    meter = OutcomeCollector()
    for number in range(3 * FailureCounter.MAX_RETRY_CANDIDATES):
        meter.feed(run(f"make step{number}", "failed", "boom"))
    meter.feed(run("make step0", "failed", "boom"))
    outcome = meter.result()
    assert (outcome.error_count, outcome.retry_count) == (3 * FailureCounter.MAX_RETRY_CANDIDATES + 1, 0)
