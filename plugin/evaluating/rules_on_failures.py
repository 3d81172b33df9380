"""Rules about what counts as a failure, as a change, and as borne out."""

from __future__ import annotations

from typing import Any

from mind_skills.detectors import error_fix, noise, thresholds, timeline, verification
from mind_skills.observations.model import Observation
from mind_skills.plugin.evaluating.rule import always, matches_nothing, off, value


def _also_reads(before: Any) -> Any:
    """Failing reads and searches count as well."""

    def genuine_failure(observation: Observation) -> bool:
        looked = observation.kind == "tool" and observation.action in ("read", "search", "edit", "task")
        return bool(before(observation)) or (looked and observation.outcome == "failed")

    return genuine_failure


FAILURES = (
    off(
        "environment errors",
        "a missing binary, credential or network is no lesson",
        "they count as any failure",
        "detectors/test_error_fix.py::test_a_missing_binary_is_never_a_lesson",
        (noise, "absent"),
        (noise, "unreachable"),
        by=always(False),
    ),
    off(
        "usage errors",
        "guessed commands and flags, whose message says what is right, are no lesson",
        "they count as any failure",
        "detectors/test_non_obvious.py::test_a_guessed_flag_that_the_help_corrects_is_silent",
        (noise, "usage_error"),
        by=always(False),
    ),
    off(
        "slips",
        "what a compiler or linter says of code written a moment ago needs several tries and words",
        "it counts as any failure",
        "detectors/test_error_fix.py::test_a_slip_of_code_written_a_moment_ago_is_silent",
        (noise, "slip"),
        by=always(False),
    ),
    off(
        "protocol",
        "failures between agent and host (edits that do not match, cancelled calls) are none",
        "they count as any failure",
        "detectors/test_error_fix.py::test_an_edit_that_did_not_match_is_protocol",
        (noise, "_PROTOCOL"),
        by=matches_nothing,
    ),
    off(
        "commands only",
        "reads, searches and edits that fail are no failures",
        "they count as any failure",
        "",
        (noise, "genuine_failure"),
        by=_also_reads,
    ),
    off(
        "require a change",
        "a command that failed must pass after a change, not on its own",
        "passing is enough",
        "detectors/test_error_fix.py::test_a_command_that_passes_unchanged_is_silent",
        (error_fix, "_changed"),
        by=always(True),
    ),
    off(
        "repeated error",
        "one error twice counts without words",
        "somebody must have said why",
        "detectors/test_error_fix.py::test_two_failures_of_one_command_before_it_passes_count_without_words",
        (error_fix, "_recurred"),
        by=always(False),
    ),
    off(
        "another way",
        "one error under several commands is cured by a command that names what the error named",
        "only the same command cures it",
        "detectors/test_error_fix.py::test_one_error_under_two_commands_and_a_command_that_names_the_cure_is_found",
        (error_fix, "_other_way"),
        by=always(None),
    ),
    off(
        "reach",
        f"the cure comes within {thresholds.REACH} observations",
        "it may come at any time",
        "",
        (thresholds, "REACH"),
        by=value(10**9),
    ),
    off(
        "scratch files",
        "changes of scratch files and plans are no changes",
        "they are",
        "detectors/test_every_detector.py::test_a_project_in_a_temporary_folder_is_a_project_and_a_file_beside_it_is_scratch",
        (timeline, "_lasting"),
        by=always(True),
    ),
)

VERIFICATION = (
    off(
        "taken back",
        "a change that git takes back bears nothing out",
        "it does",
        "detectors/test_verification.py::test_a_change_that_was_taken_back_is_no_solution",
        (timeline, "takes_back"),
        by=always(False),
    ),
    off(
        "denied",
        "a check does not count if the user then says that it still fails",
        "it does",
        "detectors/test_verification.py::test_a_user_who_says_that_it_still_fails_outweighs_a_check",
        (verification, "_denied"),
        by=always(False),
    ),
    off(
        "style alone",
        "a linter alone does not verify a bug",
        "it does",
        "detectors/test_verification.py::test_a_linter_alone_does_not",
        (verification, "only_style"),
        by=always(False),
    ),
    off(
        "leaves out",
        "a run that skips what failed does not verify it",
        "it does",
        "detectors/test_verification.py::test_a_failure_is_cured_by_a_run_that_has_it_in_it",
        (verification, "_LEAVES_OUT"),
        by=matches_nothing,
    ),
    off(
        "same target",
        "the run that passes must have in it what failed",
        "any run of that command will do",
        "detectors/test_verification.py::test_a_failure_is_cured_by_a_run_that_has_it_in_it",
        (verification, "_covers"),
        by=always(True),
    ),
    off(
        "removed",
        "what failed must not have been deleted, left out or told to expect what it got",
        "it may",
        "detectors/test_verification.py::test_a_failing_test_that_was_deleted_is_not_mended",
        (verification, "worked_around"),
        by=always(False),
    ),
    off(
        "red elsewhere",
        "other output or praise does not verify while a check is red",
        "it does",
        "",
        (verification, "_red_at"),
        by=always(False),
    ),
    off(
        "other output",
        "a command that now prints something else verifies a change",
        "it does not",
        "",
        (verification, "_other_output"),
        by=always(None),
    ),
    off(
        "approval",
        "a user who says that it works verifies a change",
        "it does not",
        "detectors/test_problem_solution.py::test_a_user_who_says_that_it_works_is_a_verification",
        (verification, "_approval"),
        by=always(None),
    ),
)
