"""A tool that behaved other than the agent expected, said in its own words, and the way that worked instead.

Sees: a command, within the next few observations a statement of the agent that it misbehaved (was rejected, missed something,
did the opposite, did nothing) and that it will do it another way, and then a different command of the same program that
succeeds. No failure is needed: the costly surprises exit 0. Where a command had nothing to show, it is enough that the agent
says where it ends ("`x y` reads ... only when ..."), if the other command is aimed at the same thing.

Example: `tracker create --deps "blocks:X"` ... "`create` reads blocks: the other way round, correcting the edges" ... `tracker dep add` ...

Must not fire on: narration without a surprise; a surprise that nothing came of; guessed flags that the help text corrects; the
same command simply run again; insights that stand in thinking only.
"""

from __future__ import annotations

from mind_skills.detectors import evidence, explanations, noise, signals, thresholds
from mind_skills.detectors.model import Evidence, Finding
from mind_skills.detectors.timeline import Timeline


def detect(line: Timeline) -> list[Finding]:
    """One finding a program and setback; statements that follow one another about one program are one."""
    findings: list[Finding] = []
    until: dict[str, int] = {}
    for index in _between_commands(line):
        observation = line.observations[index]
        if not signals.turns(observation):
            continue
        if not signals.may_be_setback(observation) and not explanations.may_limit(observation):
            continue
        said = signals.setback(observation.text) or _came_to_nothing(line, index)
        if not said or not signals.turns(observation):  # which is known for sure now that its text was read
            continue
        found = _finding(line, index, said)
        if not found:
            continue
        finding, program, last = found
        if index > until.get(program, -1):
            findings.append(finding)
        until[program] = last
    return findings


def _between_commands(line: Timeline) -> list[int]:
    """Where the agent says something soon behind a command, and soon before one that succeeds: elsewhere its words are not read."""
    found: list[int] = []
    run, ended, last = -1, line.ended, len(line.ended)
    at = 0
    for index, observation in enumerate(line.observations):
        kind = observation.kind
        if kind == "tool":
            if observation.action == "run" and observation.signature:
                run = index
        elif kind == "user":
            run = -1
        elif kind == "assistant" and run >= 0 and index - run <= thresholds.BEFORE and observation.agent == "main":
            while at < last and ended[at] <= index:
                at += 1
            if at < last and ended[at] - index <= thresholds.AFTER:
                found.append(index)
    return found


def _finding(line: Timeline, index: int, said: str) -> tuple[Finding, str, int] | None:
    observations = line.observations
    culprit = _culprit(line, index)
    if culprit is None or (not signals.setback(observations[index].text) and not _same_aim(line, index, culprit)):
        return None
    program = observations[culprit].signature.split(" ", 1)[0]
    cure = _cure(line, index, culprit)
    if cure is None:
        return None
    first, other = observations[culprit], observations[cure]
    trouble = evidence.failed(first) if first.error else evidence.ran(first, "symptom")
    parts: tuple[Evidence, ...] = (
        trouble,
        evidence.heard(observations[index], "insight", said),
        evidence.ran(other, "verification"),
    )
    finding = Finding(
        "non_obvious",
        evidence.headline(said),
        f"`{first.signature}` did not do what was expected; `{other.signature}` did",
        anchor=f"{program}: {evidence.headline(said)}",
        evidence=parts,
        files=evidence.files_of([first, other]),
        verified=True,
        insight=True,
        steps=cure - culprit,
        taint=evidence.taint_of([first, other]),
    )
    return finding, program, cure


def _came_to_nothing(line: Timeline, index: int) -> str:
    """Where a command that exited 0 had nothing to show, what the agent says of its limits; else nothing."""
    said = explanations.limitation(line.observations[index].text)
    culprit = _culprit(line, index) if said else None
    return said if culprit is not None and noise.showed_nothing(line.observations[culprit]) else ""


def _culprit(line: Timeline, index: int) -> int | None:
    """The command that the words are about: the one they name, else the last that failed."""
    observations = line.observations
    near: list[int] = []
    for i in range(index - 1, max(-1, index - 1 - thresholds.BEFORE), -1):
        if observations[i].kind == "user":
            break
        if observations[i].kind == "tool" and observations[i].action == "run" and observations[i].signature:
            near.append(i)
    text = observations[index].text.lower()
    named = [i for i in near if _named(observations[i].signature, text)]
    failed = [i for i in near if noise.genuine_failure(observations[i]) and not noise.usage_error(observations[i])]
    chosen = named or failed
    if not chosen or noise.usage_error(observations[chosen[0]]) or noise.environment_error(observations[chosen[0]]):
        return None
    return chosen[0]


def _named(signature: str, text: str) -> bool:
    """Whether the words speak of the command: by its name, or by its verb ("the search command", "the send")."""
    words = signature.split(" && ", maxsplit=1)[0].lower().split(" ")
    return " ".join(words) in text or any(
        f"{word} command" in text or f"`{word}" in text or f"{word} behavior" in text for word in words
    )


def _cure(line: Timeline, index: int, culprit: int) -> int | None:
    """The first later command of that program, another one, that does something and succeeds."""
    observations = line.observations
    first = observations[culprit]
    programs = {part.split(" ", 1)[0] for part in first.signature.split(" && ")}
    for i in line.within(line.ended, index + 1, index + 1 + thresholds.AFTER):
        other = observations[i]
        if "--help" in other.command or other.command == first.command:
            continue
        same_program = bool(programs & {part.split(" ", 1)[0] for part in other.signature.split(" && ")})
        if same_program and _differs(first.command, other.command) and line.passed(i):
            return i
    return None


def _same_aim(line: Timeline, index: int, culprit: int) -> bool:
    """Whether the other command is aimed at what the first was aimed at: else it is the next step, not another way."""
    cure = _cure(line, index, culprit)
    aims = set(line.observations[culprit].target.split())
    return cure is not None and bool(aims & set(line.observations[cure].target.split()))


def _differs(one: str, other: str) -> bool:
    """Another way, not other data: a flag, a verb or a form that the first did not have."""
    mine = {word for word in one.split() if word.startswith("-") or word.isalpha()}
    theirs = {word for word in other.split() if word.startswith("-") or word.isalpha()}
    return bool(theirs - mine)
