"""What is done while something goes wrong, and what has to be true afterwards.

``after`` gives what came of it all. With nothing going wrong it gives what has to come of it in every other case.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.chaos.chaos_commands import (
    HOSTS,
    UNASKED,
    accepted,
    again,
    archived,
    command,
    dismissed,
    in_and_out,
    installed,
    skill_written,
    with_settings,
)
from tests.chaos.chaos_lifecycle import (
    State,
    about_to_end,
    behind,
    ends_later,
    first_ends,
    half_seen,
    hook,
    later,
    left_behind,
    nothing_yet,
    two_wait,
)
from tests.chaos.chaos_more import (
    UPGRADED,
    WATCHED,
    held_back,
    installed_by_older,
    looked,
    of_an_older_version,
    once_more,
    opencode_starts,
    plugin_file_tells,
    prompted,
    tool,
    tool_again,
    unseen,
    with_export,
    with_memories,
    with_strategy,
)
from tests.chaos.chaos_strace import KILL, Point, Ran
from tests.chaos.chaos_world import World


@dataclass(frozen=True, slots=True)
class Operation:
    """``build`` makes the world before, ``line`` gives program, arguments and stdin, ``after`` is said above.

    ``kind`` is ``hook`` (a host waits for it), ``behind`` (nobody does) or ``command`` (a person does).
    """

    name: str
    kind: str
    build: Callable[[World], None]
    line: Callable[[World], tuple[list[str], bytes]]
    after: Callable[[World, Ran], State]
    environment: dict[str, str] = field(default_factory=dict[str, str])


TASK = "mend the frobnicator"
DONE = {"bead_id": "T1", "summary": "mended the frobnicator by a reset"}
OPERATIONS: tuple[Operation, ...] = (
    Operation("idle, the first one", "behind", nothing_yet, behind("Stop"), ends_later),
    Operation("idle, in mid-session", "behind", half_seen, behind("Stop"), later),
    Operation("end, with an offer", "behind", about_to_end, behind("SessionEnd", reason="other"), later),
    Operation(
        "start with an offer; the host survives",
        "hook",
        two_wait,
        hook("SessionStart", source="startup"),
        first_ends,
        {"MIND_SKILLS_PROBE": "1"},
    ),
    Operation(
        "start with an offer; the host dies too",
        "hook",
        two_wait,
        hook("SessionStart", source="startup"),
        later,
        {"MIND_SKILLS_PROBE": "1"},
    ),
    Operation(
        "recovery and the spool", "behind", left_behind, behind("SessionStart", "later0", source="startup"), later
    ),
    *(
        Operation(words[0], "command", build, command(*words), again(*words))
        for build, words in (
            (two_wait, ("dismiss", "{alpha}", "--reason", "no")),
            (skill_written, ("accept", "{alpha}", "--skill", "{skill}")),
            (dismissed, ("undo",)),
            (accepted, ("prune", "--older-than", "1")),
            (two_wait, ("task", "complete", "T1", "--summary", "mended the frobnicator by a reset")),
        )
    ),
    Operation("archive", "command", accepted, command("skills", "archive", "alpha-works"), archived),
    *(
        Operation(
            f"install {host}",
            "command",
            with_settings,
            command("install", host, *UNASKED),
            in_and_out(host, now_in=True),
        )
        for host in HOSTS
    ),
    *(
        Operation(
            f"uninstall {host}", "command", installed(host), command("uninstall", host), in_and_out(host, now_in=False)
        )
        for host in HOSTS
    ),
    *(
        Operation(" ".join(words[:2]), "command", build, command(*words), once_more(*words))
        for build, words in (
            (with_memories, ("memory", "add", "Calm it first")),
            (with_memories, ("memory", "forget", "memo-1")),
            (with_export, ("memory", "import", "{root}/import.jsonl")),
            (with_strategy, ("patterns", "pin", "split-by-feature")),
            (two_wait, ("task", "plan", "mend the frobnicator", "--task-id", "T1")),
            (two_wait, ("pause",)),
            (two_wait, ("config", "set", "enabled", "true", "--project")),
        )
    ),
    Operation("watch --once", "command", unseen, command("watch", "--once", "{root}/logs/s.jsonl"), looked),
    Operation("install watch", "command", with_settings, command("install", "watch", *UNASKED), WATCHED),
    Operation(
        "install over an older",
        "command",
        installed_by_older("claude-code"),
        command("install", "claude-code", *UNASKED),
        UPGRADED,
    ),
    Operation("idle, an older database", "behind", of_an_older_version, behind("Stop"), ends_later),
    Operation("the tool plan", "command", two_wait, tool("plan", task=TASK), tool_again("plan", task=TASK)),
    Operation("the tool complete", "command", two_wait, tool("complete", **DONE), tool_again("complete", **DONE)),
    Operation("Gemini CLI's prompt", "hook", held_back, prompted, first_ends, {"MIND_SKILLS_PROBE": "1"}),
    Operation("OpenCode's start", "hook", two_wait, opencode_starts, plugin_file_tells, {"MIND_SKILLS_PROBE": "1"}),
)


CRASHED = -11
"""Once orjson has found that the C half of datetime could not be loaded."""


def broke_a_promise(operation: Operation, point: Point | None, ran: Ran) -> str:
    """What of a run was not as whoever started it may expect, empty where all of it was."""
    if point is not None and point.what == KILL and ran.hit:
        return ""
    if operation.kind != "command":
        wrong = [] if ran.code == 0 else [f"exit code {ran.code}"]
        wrong += [f"stderr {ran.err[-200:]!r}"] if ran.err and not ran.strangers else []
        if ran.out and not isinstance(_json(ran.out), dict):
            wrong.append(f"stdout {ran.out[-200:]!r}")
        return "; ".join(wrong)
    if ran.strangers and point is not None and not point.loaded:  # the interpreter itself could not begin
        return ""
    answer = _json(ran.out)
    if ran.strangers and ran.code == CRASHED:
        return ""
    if point is not None and point.lasting and any(name == "write" for name, _ in point.when):
        # Then nothing can be said on stdout, which the interpreter tells by an exit code of its own.
        return (
            ""
            if ran.code in (0, 1, 120) and b"Traceback" not in ran.err
            else f"exit code {ran.code}, {ran.err[-600:]!r}"
        )
    traced = b"Traceback" in ran.err and not ran.strangers  # the standard library logs what it can do without
    if ran.code not in (0, 1) or not isinstance(answer, dict) or traced:
        return f"exit code {ran.code}, stdout {ran.out[-300:]!r}, stderr {ran.err[-600:]!r}"
    return ""


def _json(text: bytes) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return None
