"""Sessions of any length for research/benchmarks/detection.py: ordinary ones, and a worst case for each loop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from itertools import count, cycle, islice

from mind_skills.observations import builders
from mind_skills.observations.model import Observation, ToolOutcome

Scene = Callable[[], Iterator[Observation]]
KINDS = 40
"""Number of distinct commands, files or words in a scene; they recur, as in a session."""


def _make_message(kind: str, text: str) -> Observation:
    message = builders.build_message(kind, text, line=1)  # type: ignore[arg-type]
    assert message
    return message


def _make_command(command: str, output: str = "ok  \tshop\t0.01s", code: int = 0) -> Observation:
    outcome: ToolOutcome = "failed" if code else "ok"
    return builders.build_tool_call(
        "Bash", "run", line=1, end_line=2, command=command, output=output, outcome=outcome, exit_code=code
    )


def _make_edit(file: str, added: str = "new") -> Observation:
    return builders.build_tool_call(
        "Edit", "edit", line=1, end_line=2, files=(file,), removed="old", added=added, outcome="ok"
    )


def _make_read(file: str) -> Observation:
    return builders.build_tool_call("Read", "read", line=1, end_line=2, files=(file,), output="text", outcome="ok")


REPORT = (
    "The export fails with ValueError: bad cell number {0}, the totals of the summary are wrong and nobody sees why"
)
CAUSE = "Root cause: the loader caches the old schema {0}, which drops every row that the exporter added."
FAILED = "--- FAIL: TestExport{0}\n    export_test.go:{0}: got 3, want {0}\nFAIL"


def ordinary() -> Iterator[Observation]:
    """Repeat: a report, reads, a failing test, a cause, a change, a passing test, praise, a request."""
    units = [
        [
            _make_message("user", REPORT.format(n)),
            *(_make_read(f"src/part{n}/file{i}.py") for i in range(9)),
            _make_command(f"go test ./part{n}", FAILED.format(n), 1),
            _make_message("assistant", CAUSE.format(n)),
            _make_edit(f"src/part{n}/file3.py", f"value = {n}"),
            _make_command(f"go test ./part{n}"),
            _make_message("user", "thanks, it works now"),
            _make_message(
                "user", f"Please add a column for the region number {n} to the table, and write down in the manual how"
            ),
            _make_edit(f"src/part{n}/table.py"),
            _make_message(
                "assistant", f"`gh api` rejects the query {n}, so I'm switching to the other endpoint instead."
            ),
            _make_command(f"gh api --method GET /repos/{n}"),
        ]
        for n in range(KINDS)
    ]
    return cycle(each for unit in units for each in unit)


def chatter() -> Iterator[Observation]:
    """Messages and reads without any signal."""
    return cycle(
        [_make_message("assistant", f"Looking at part {n}.") for n in range(KINDS)]
        + [_make_read(f"a/{n}.py") for n in range(KINDS)]
    )


def failures() -> Iterator[Observation]:
    """One command keeps failing."""
    return cycle([_make_command("go test ./...", FAILED.format(1), 1)])


def different_failures() -> Iterator[Observation]:
    """Different checks keep failing after one report and one change."""
    yield _make_message("user", REPORT.format(0))
    yield _make_edit("src/a.py")
    yield from cycle([_make_command(f"go test ./part{n}", FAILED.format(n), 1) for n in range(KINDS)])


def reports() -> Iterator[Observation]:
    """The user keeps reporting problems."""
    return cycle([_make_message("user", REPORT.format(n)) for n in range(KINDS)])


def reports_unsolved() -> Iterator[Observation]:
    """Reports with causes and reads but no change; one change and one check at the end of the cycle."""
    unit = [_make_message("user", REPORT.format(n)) for n in range(KINDS)] + [
        _make_message("assistant", CAUSE.format(1)),
        _make_read("a.py"),
    ]
    return cycle([*unit * 25, _make_edit("a.py"), _make_command("go test ./...")])


def insights() -> Iterator[Observation]:
    """One report, then causes between changes that nothing verifies."""
    yield _make_message("user", REPORT.format(0))
    for n in cycle(range(KINDS)):
        yield _make_message("assistant", CAUSE.format(n))
        yield _make_edit(f"src/a{n}.py")


def explanations() -> Iterator[Observation]:
    """One report, then statements of fact that share no word with any change."""
    yield _make_message("user", REPORT.format(0))
    for n in cycle(range(KINDS)):
        yield _make_message(
            "assistant",
            f"The server keeps connection number {n} open while the proxy has closed it, but only at night.",
        )
        yield _make_read(f"src/b{n}.py")
        yield _make_read(f"src/c{n}.py")
        yield _make_edit(f"src/a{n}.py")


def one_file() -> Iterator[Observation]:
    """One file is read again and again, with conclusions."""
    yield _make_message("user", REPORT.format(0))
    yield from cycle([*[_make_read("src/a.py")] * 9, _make_message("assistant", CAUSE.format(1))])


def many_files() -> Iterator[Observation]:
    """Every observation concerns a different file, with conclusions."""
    yield _make_message("user", REPORT.format(0))
    for n in count():
        yield _make_read(f"src/{n}.py") if n % 10 else _make_message("assistant", CAUSE.format(1))


def same_command() -> Iterator[Observation]:
    """One command keeps passing, after a failure, a report and a change."""
    yield _make_command("go test ./...", FAILED.format(1), 1)
    yield _make_message("user", REPORT.format(0))
    yield _make_edit("src/a.py")
    yield from cycle([_make_command("go vet ./...")])


def alternating() -> Iterator[Observation]:
    """Alternately fails and passes, without a change."""
    return cycle([_make_command("go test ./...", FAILED.format(1), 1), _make_command("go test ./...")])


def alternating_with_changes() -> Iterator[Observation]:
    """A failure, a cause, a change and a pass in turn: everything is a finding."""
    return cycle(
        [
            _make_command("go test ./...", FAILED.format(1), 1),
            _make_message("assistant", CAUSE.format(1)),
            _make_edit("src/a.py"),
            _make_command("go test ./..."),
        ]
    )


def red_then_green() -> Iterator[Observation]:
    """Many different checks fail and as many others pass, in one task."""
    yield _make_message("user", REPORT.format(0))
    yield _make_edit("src/a.py")
    for n in count():
        yield _make_command(f"go test ./part{n}", FAILED.format(n), 1)
        yield _make_command(f"npm run test:part{n}")


def learnings() -> Iterator[Observation]:
    """One finding after another, all different."""
    for n in count():
        word = "".join(chr(ord("a") + int(digit)) for digit in str(n)) + "Handler"
        yield _make_command(f"go test ./{word}", f"--- FAIL: Test{word}\n    {word} got nil\nFAIL", 1)
        yield _make_message(
            "assistant", f"Root cause: {word} loses the last row of {word}Table when the export begins."
        )
        yield _make_edit(f"src/{word}.go")
        yield _make_command(f"go test ./{word}")


def setbacks() -> Iterator[Observation]:
    """The agent is repeatedly surprised, and each time another approach works."""
    return cycle(
        each
        for n in range(KINDS)
        for each in (
            _make_command(f"gh api /a{n}", "HTTP 422: rejected", 1),
            _make_message("assistant", f"`gh api` rejects query {n}, so I'm switching to the other endpoint instead."),
            _make_command(f"gh api --method GET /b{n}"),
        )
    )


def taken_back() -> Iterator[Observation]:
    """Reports and changes, each change reverted."""
    return cycle(
        [
            _make_message("user", REPORT.format(1)),
            _make_edit("a.py"),
            _make_command("git checkout -- ."),
            _make_command("go test ./..."),
        ]
    )


def outputs() -> Iterator[Observation]:
    """Only commands with varying output, in one task without a stated cause."""
    yield _make_message("user", REPORT.format(0))
    for n in cycle(range(KINDS)):
        yield _make_edit("a.py")
        yield _make_command(f"python show.py {n % 3}", f"row {n}")


def giant() -> Iterator[Observation]:
    """The ordinary session, with texts of the maximum length that readers store."""
    filler = " and the quick brown fox went over the lazy dog 12345 times" * 200
    long = {
        "user": builders.MAX_USER_CHARACTERS,
        "assistant": builders.MAX_MESSAGE_CHARACTERS,
        "thinking": builders.MAX_MESSAGE_CHARACTERS,
        "tool": builders.MAX_OUTPUT_CHARACTERS,
    }
    made: dict[int, Observation] = {}
    for each in ordinary():
        if id(each) not in made:
            made[id(each)] = copy(each)
            made[id(each)].text = (each.text + filler)[: long[each.kind]]
            made[id(each)].change = (
                (each.change + filler.replace(" and", "\n+and"))[: builders.MAX_CHANGE_CHARACTERS]
                if each.change
                else ""
            )
        yield made[id(each)]


SCENES: dict[str, Scene] = {
    scene.__name__: scene
    for scene in (
        ordinary, chatter, failures, different_failures, reports, reports_unsolved, insights, explanations, one_file, many_files,
        same_command, alternating, alternating_with_changes, red_then_green, learnings, setbacks, taken_back, outputs, giant,
    )
}  # fmt: skip


def make_session(scene: Scene, length: int) -> list[Observation]:
    """Return the first ``length`` observations of a scene, each with its own line numbers."""
    made = [copy(each) for each in islice(scene(), length)]
    for at, each in enumerate(made):
        each.line, each.end_line = 2 * at + 1, 2 * at + 2
    return made
