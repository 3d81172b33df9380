"""Observations from raw facts, the same way for every reader: cleaned, bounded, with command and error normalised."""

from __future__ import annotations

import re
from collections import OrderedDict
from functools import lru_cache

from mind_skills.observations import checks, commands, errors, sources
from mind_skills.observations.codec import integer, items, loads_object, mapping, string
from mind_skills.observations.model import Action, Agent, Kind, LoadedSkill, Observation, Session, Source, ToolOutcome
from mind_skills.observations.printed import hear
from mind_skills.observations.unread import unread
from mind_skills.redaction.key_blocks import may_hold_keys
from mind_skills.redaction.lazy_pattern import compile_later
from mind_skills.redaction.secrets import redact, redact_key_blocks
from mind_skills.redaction.text import bound, clean, short, strip
from mind_skills.store.project import digest

SKILL_FILE = "SKILL.md"
MOST_SKILLS = 200
"""So many are noted of a session."""
LONGEST_PATH = 300

_CLAUDE_CODE = compile_later(r"\s*Base directory for this skill: *([^\r\n]+)")
_CODEX = compile_later(r"\s*<skill>\s*<name>[^<\r\n]*</name>\s*<path>([^<\r\n]+)</path>")


def note_skill(session: Session, text: str, line: int, at: int | None) -> None:
    """Remember the skill that a message of the role user brings; nothing where it brings none."""
    path = find_brought_skill(text)
    if path and len(session.skills) < MOST_SKILLS:
        session.skills.append(LoadedSkill(path, line, at))


def find_brought_skill(text: str) -> str:
    """The path of the SKILL.md that a message brings, empty where it brings none.

    A host puts a skill before its model because the model asked for it, or because the user named it: Claude Code in a message
    that begins with the skill's folder, Codex in ``<skill>``. Both are machine text and no observation, but they name the very
    file, and are all that is written of a skill that the user called with a slash or a dollar sign.
    """
    if found := _CLAUDE_CODE.match(text):
        path = clean(found[1], LONGEST_PATH).strip().rstrip("/\\")
        return f"{path}/{SKILL_FILE}"
    if found := _CODEX.match(text):
        path = clean(found[1], LONGEST_PATH).strip()
        return path if path.endswith(SKILL_FILE) else ""
    return ""


REMEMBERED = 10_000
"""What tells a text again stands a few lines away."""


class Channels:
    """Texts that a log tells in more than one way, as for the interface and for the model, count once.

    A text counts as often as the channel that tells it most often. Texts are known by their digests.
    """

    def __init__(self, number: int) -> None:
        self._number = number
        self._counts: OrderedDict[str, list[int]] = OrderedDict()

    def new(self, kind: str, text: str, channel: int) -> bool:
        """Take in a text of one of the channels, from 0 on; whether no other has told it already."""
        counts = self._counts.setdefault(digest(f"{kind} {text}"), [0] * self._number)
        before = max(counts)
        counts[channel] += 1
        if len(self._counts) > REMEMBERED:
            self._counts.popitem(last=False)
        return counts[channel] > before

    def told(self) -> list[object]:
        """What it has taken in, for ``restore``."""
        return [[name, *counts] for name, counts in self._counts.items()]

    def restore(self, told: object) -> None:
        """Know again what another one had taken in."""
        for row in items(told):
            name, *counts = items(row)
            self._counts[string(name)] = [integer(count) or 0 for count in counts]


MARKUP = (
    "a abbr address article aside b blockquote body br button canvas caption code dd del details dialog div dl dt em figcaption"
    " figure footer form g h[1-6] head header hr html i iframe img input ins kbd label legend li link main mark meta nav ol"
    " optgroup option p path pre q s samp script section select slot small span strong style sub summary sup svg table tbody"
    " td template textarea tfoot th thead title tr u ul var video"
).split()
"""Elements of pages, which users write about."""
NO_SENTENCE, SHORT = 3, 200
"""Words and characters of an element that a user may have written in the middle of a sentence."""
MOST_FRAMES = 20
"""Different elements of one message that are taken out."""
USER_TEXT, SAID_TEXT, TOOL_TEXT, COMMAND_TEXT, CHANGE_TEXT = 6_000, 4_000, 2_000, 1_000, 2_000
"""Characters kept of each: a plan in a prompt is long, a tool's output is judged by its head and tail."""

_MACHINE = compile_later(
    r"\s*(?:<(?:task-notification|command-(?:name|message|args|contents)|local-command-\w+|system-reminder|bash-\w+|hook_context|"
    r"user-prompt-submit-hook|environment_context|user_instructions|permissions instructions|collaboration_mode|INSTRUCTIONS|"
    r"turn_aborted|subagent_notification|skill)\b|Caveat: The messages below were generated|# AGENTS\.md instructions|"
    r"This session is being continued from a previous conversation|Base directory for this skill:|"
    r"Stop hook feedback:|SessionStart hook|PreToolUse:|PostToolUse:)"
)
_REPORT = compile_later(
    r"\s*<(?:task-notification>.*?<result>(?P<result>.*)</result>|teammate-message\b[^>]*>(?P<said>.*)</teammate-message>"
    r"|subagent_notification>(?P<status>.*)</subagent_notification>)",
    re.DOTALL,
)
"""What a subagent reports to the agent that started it, as the host hands it over: in the user's place."""
_OWN_BLOCK = compile_later(r"<openception-skill-extraction>.*?(?:</openception-skill-extraction>|\Z)", re.DOTALL)
_ASIDE = compile_later(r"<(system-reminder|ide_\w{1,30})>(?:.*</\1>|.*)", re.DOTALL)
"""What a host puts into a user's message beside the words: the text of files and hooks, which anybody may have written.
Up to the last closing tag: what is quoted there may hold one itself, to pass for words of the user."""
_FRAME = compile_later(
    r"<(?!(?:" + "|".join(MARKUP) + r")[ \n>])"
    r"([a-z][a-z0-9]{0,40}|[A-Za-z][A-Za-z0-9]{0,40}(?:[-_:][A-Za-z0-9]{1,40}){1,6})(?:[ \n][^<>]{0,500})?>"
)
"""What opens any other element of a host: each that is neither one of a page nor a component, which have capitals and one word.
What a user pastes may look so, too; then it is pasted text, and the rest of the message counts. It has to be closed."""
_TYPED = compile_later(r"\s*<bash-input>(.*?)(?:</bash-input>|\Z)", re.DOTALL)
"""A command that the user ran in the session, whose output follows as a message of its own."""
_SUMMARY = compile_later(r"\s*This session is being continued from a previous conversation")
_INTERRUPTED = compile_later(r"\s*\[Request interrupted by user")

_again = lru_cache(1024)(clean)
"""What comes again and again in a session, as names of tools and files do, is cleaned once."""
_LONG = 1_000
"""Of a longer name, none of which comes again, the cache would keep the whole for as long as the process lives: a line of a
log may hold megabytes, and a watch lives for weeks."""


def _brief(text: str, limit: int) -> str:
    return _again(text, limit) if len(text) <= _LONG else clean(text, limit)


def said(kind: Kind, text: str, *, line: int, at: int | None = None, agent: Agent = "main") -> Observation | None:
    """What a person or the agent said; None where it is empty, written by a machine, or our own block.

    A report of a subagent in the user's place is what the subagent said.
    An interruption by the user is kept as an empty user observation whose outcome is ``aborted``.
    """
    if "<openception-skill-extraction>" in text:
        text = _OWN_BLOCK.sub("", text)
    if kind == "user" and ("<system-reminder>" in text or "<ide_" in text):
        unsaid(*[found.group() for found in _ASIDE.finditer(text)])
        text = _ASIDE.sub("", text)
    reported = report(text) if kind == "user" else ""
    if kind == "user" and not reported and not _MACHINE.match(text):
        text = without_frames(text)
    if kind == "user" and _INTERRUPTED.match(text):
        return Observation("user", line, end_line=line, at=at, agent=agent, source="user", outcome="aborted")
    if not text or text.isspace():
        return None
    if reported:
        unsaid(text)
        return unread(Observation("assistant", line, "", line, at, "subagent"), reported, SAID_TEXT, trimmed=True)
    if kind == "user" and _MACHINE.match(text):
        if typed := _TYPED.match(text):
            hear(line, False, sources.of_command(typed[1]), typed[1])
        if _SUMMARY.match(text):
            summary(text, line=line)
        unsaid(text)
        return None
    hear(line, agent == "main", "agent" if agent == "main" else "local", text)
    limit = USER_TEXT if kind == "user" else SAID_TEXT
    # A prompt inside a subagent was written by the agent that started it, not by a person.
    source: Source = "user" if kind == "user" and agent == "main" else "agent"
    if kind == "user":
        return Observation(kind, line, clean(text, limit).strip(), line, at, agent, source)
    made = Observation(kind, line, "", line, at, agent, source)
    return unread(made, text, limit, trimmed=True)


def report(text: str) -> str:
    """What a subagent reports in a message that stands in the user's place; empty where it is none."""
    found = _REPORT.match(text) if "<" in text[:200] else None
    if found is None:
        return ""
    if found["status"] is None:
        return (found["result"] or found["said"] or "").strip()
    ended = mapping(loads_object(found["status"].strip()).get("status"))
    return "\n".join(value for value in ended.values() if isinstance(value, str)).strip()


def without_frames(text: str) -> str:
    """A user's message without the elements of a host that are closed in it, each up to the last of its closing tags."""
    if "</" not in text:
        return text
    kept: list[str] = []
    done = 0
    ends: dict[str, int] = {}
    for found in _FRAME.finditer(text):
        name = found[1]
        if found.start() < done:
            continue
        if name not in ends and len(ends) < MOST_FRAMES:
            ends[name] = text.rfind(f"</{name}")
        end = ends.get(name, -1)
        if end >= found.end() and _sentence(text[found.end() : min(end, found.end() + SHORT + 1)]):
            kept.append(text[done : found.start()])
            done = text.find(">", end) + 1 or len(text)
            unsaid(text[found.start() : done])
    return "".join([*kept, text[done:]]) if done else text


def _sentence(held: str) -> bool:
    return len(held) > SHORT or len(held.split()) > NO_SENTENCE


def summary(*texts: str, line: int) -> None:
    """What a host put in place of a conversation: what strangers wrote in that stands in it, and nobody can tell where."""
    hear(line, False, "remote", *texts)


def unsaid(*texts: str) -> None:
    """What was put before the agent and is no observation: the words of a host, of hooks, of skills and of files."""
    hear(0, False, "local", *texts)


def tool(
    name: str,
    action: Action,
    *,
    line: int,
    end_line: int = 0,
    at: int | None = None,
    agent: Agent = "main",
    command: str = "",
    files: tuple[str, ...] = (),
    removed: str = "",
    added: str = "",
    output: str = "",
    outcome: ToolOutcome = "unknown",
    exit_code: int | None = None,
    error: str = "",
    unseen: bool = False,
) -> Observation:
    """One tool call with its result.

    ``action`` is what the host's tool does; a shell tool passes ``run`` and is refined by its command (``cat`` reads,
    ``sed -i`` edits). ``error`` is what the host states as the error, where that is apart from the output.
    """
    signature = target = ""
    hidden, (shown, safe) = (
        False,
        _usual(command) if len(command) <= commands.MAX_LENGTH else _cleaned(command) if command else ("", ""),
    )
    source = _source(action, safe, files, unseen)
    if action == "run" and command:
        signature, target, action, hidden = commands.normalise(safe)
        if outcome == "ok" and signature and checks.ran_nothing(signature, safe, output):
            outcome = "nothing"
    hear(line, agent == "main", "local", command, added)
    hear(
        end_line or line, False, _told_by(name, source, output), removed, output, error
    )  # a refusal may be a tool's own
    message = ""
    silent = hidden or outcome == "unknown"  # the host states nothing of the command that matters
    if outcome == "failed" or (silent and action == "run" and errors.hard_failure(output)):
        message = _message(errors.error_line(error or output, errors.HEAD))
    change = _diff(removed, added) if removed or added else ""
    made = Observation(
        "tool",
        line,
        "",
        end_line or line,
        at,
        agent,
        source,
        _brief(name, 80),
        action,
        shown,
        _brief(signature, 200) if signature else "",
        _brief(target, 200) if target else "",
        tuple([_brief(name, 300) for name in files[:50]]) if files else (),
        change,
        outcome,
        exit_code,
        message,
        errors.error_signature(message) if message else "",
    )  # by their places: by their names it would take twice as long
    return unread(made, output or error, TOOL_TEXT)


def _told_by(name: str, source: Source, output: str) -> Source:
    """Whose text an output is: our own server's is of this machine, but for what it says others have written."""
    ours = source == "mcp" and sources.ours(name)
    return "local" if ours and sources.UNVERIFIED not in output else source


def _message(line: str) -> str:
    """The beginning of an error's line. Redacted before it is cut: of half a key nobody can tell that it is one."""
    plain = strip(line)
    known = redact(plain[: 4 * errors.MAX_LINE])
    if (
        len(plain) > 4 * errors.MAX_LINE
    ):  # cut within a key, perhaps; where much before it was redacted, that could show
        rest = known.rpartition("[redacted:")[2].partition("]")[2]
        known = known[: len(known) - min(len(rest), 2 * errors.MAX_LINE)]
    return known[: errors.MAX_LINE]


def _cleaned(command: str) -> tuple[str, str]:
    if len(command) > COMMAND_TEXT and short(command, COMMAND_TEXT):  # all of it is redacted to show its ends
        safe = redact(strip(command))
        return bound(safe, COMMAND_TEXT), safe
    shown = clean(command, COMMAND_TEXT)
    if len(command) <= COMMAND_TEXT and "[redacted:" not in shown:
        return shown, command
    return shown, redact(strip(command[: commands.MAX_LENGTH]))


_usual = lru_cache(256)(_cleaned)


def _source(action: Action, command: str, files: tuple[str, ...], unseen: bool) -> Source:
    """Whose text a call brings; ``unseen`` is what the log does not hold of it, as pictures."""
    if action in ("web", "mcp"):
        return "web" if action == "web" else "mcp"
    source: Source = sources.of_command(command) if action in ("run", "other") and command else "local"
    read = action == "read" and any(sources.of_file(name) == "remote" for name in files)
    return "remote" if source == "local" and (read or unseen) else source


def _diff(removed: str, added: str) -> str:
    """Both sides of a change, each with the half of the space that it may take; lines that both hold are left out."""
    if may_hold_keys(removed) or may_hold_keys(added):  # a key loses its frame where both sides have that
        removed, added = redact_key_blocks(strip(removed)), redact_key_blocks(strip(added))
    old, new = removed.split("\n")[:400], added.split("\n")[:400]
    kept_old, kept_new = set(old), set(new)
    minus = "\n".join(["-" + row for row in old if row not in kept_new and row.strip()])
    plus = "\n".join(["+" + row for row in new if row not in kept_old and row.strip()])
    return "\n".join(part for part in (clean(minus, CHANGE_TEXT // 2), clean(plus, CHANGE_TEXT // 2)) if part)
