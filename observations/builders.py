"""Builds observations for the readers: cleans and truncates texts, normalises commands and errors, and parses patches."""

from __future__ import annotations

import json
import re
from collections import OrderedDict, deque
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import NamedTuple, TypeVar

from mind_skills.observations import commands, results, sources
from mind_skills.observations.codec import JsonObject, as_integer, as_list, as_object, as_string, parse_object
from mind_skills.observations.known_files import KnownFiles, get_known_files
from mind_skills.observations.markers import UNVERIFIED_PREFIX
from mind_skills.observations.model import (
    Action,
    Agent,
    Kind,
    LoadedSkill,
    Observation,
    Session,
    Source,
    ToolOutcome,
    set_lazy_text,
)
from mind_skills.observations.secret_values import (
    hide_values,
    note_answers,
    note_message,
    note_reply,
    note_values,
    redact_output,
)
from mind_skills.observations.written_files import note_call
from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.redaction.secrets import may_contain_private_keys, redact, redact_key_blocks
from mind_skills.redaction.session import find_written_file, is_public_name
from mind_skills.redaction.text import clean_text, is_short, strip_controls, truncate_middle
from mind_skills.store.project import digest_text

SKILL_FILE = "SKILL.md"
MAX_SKILLS = 200
"""Maximum number of skills recorded per session."""
MAX_PATH_CHARACTERS = 300

_CLAUDE_CODE_SKILL = compile_lazily(r"\s*Base directory for this skill: *([^\r\n]+)")
_CODEX_SKILL = compile_lazily(r"\s*<skill>\s*<name>[^<\r\n]*</name>\s*<path>([^<\r\n]+)</path>")


def record_skill(session: Session, text: str, line: int, at: int | None) -> bool:
    """If a message with the role ``user`` loads a skill, record the skill. Return whether it does. ``at`` is in UTC milliseconds.

    When the model or the user asks for a skill, the host injects it: Claude Code in a message that begins with the skill's folder,
    Codex in a ``<skill>`` element. This message is machine text and does not become an observation, but it names the exact path,
    and it is the only trace of a skill that the user invoked with a slash or a dollar sign.
    """
    path = ""
    if match := _CLAUDE_CODE_SKILL.match(text):
        path = clean_text(match[1], MAX_PATH_CHARACTERS).strip().rstrip("/\\") + f"/{SKILL_FILE}"
    elif match := _CODEX_SKILL.match(text):
        path = clean_text(match[1], MAX_PATH_CHARACTERS).strip()
    if not path.endswith(SKILL_FILE):
        return False
    if len(session.skills) < MAX_SKILLS:
        session.skills.append(LoadedSkill(path, line, at))
    return True


MAX_REMEMBERED_TEXTS = 10_000
"""Maximum number of texts whose digests are stored. The two records of a text are only a few lines apart."""


class TextDeduplicator:
    """Deduplicates the texts of a log that records most of them in two channels, such as one for the UI and one for the model.

    A text is emitted as many times as it occurs in the channel where it is more frequent. Texts are stored as digests.
    """

    def __init__(self) -> None:
        self._counts: OrderedDict[str, list[int]] = OrderedDict()

    def add(self, kind: str, text: str, channel: int) -> bool:
        """Add a text from ``channel`` (0 or 1). Return False if the other channel already had this occurrence of it."""
        digest = digest_text(f"{kind} {text}")
        counts = self._counts.get(digest, [0, 0])
        highest_count = max(counts)
        counts[channel] += 1
        put_bounded(self._counts, digest, counts, MAX_REMEMBERED_TEXTS)
        return counts[channel] > highest_count

    def dump(self) -> list[object]:
        """Return the state for ``restore``."""
        return [[digest, *counts] for digest, counts in self._counts.items()]

    def restore(self, state: object) -> None:
        """Restore a state that ``dump`` returned."""
        for row in as_list(state):
            digest, *counts = as_list(row)
            self._counts[as_string(digest)] = [as_integer(count) or 0 for count in counts]


K = TypeVar("K")
T = TypeVar("T")


def put_bounded(values: OrderedDict[K, T], key: K, value: T, limit: int) -> None:
    """Store a value, and remove the oldest one if there are then more than ``limit``."""
    values[key] = value
    if len(values) > limit:
        values.popitem(last=False)


def add_if_new(keys: OrderedDict[str, None], key: str, limit: int) -> bool:
    """Add a key, and return whether it is new. If there are then more than ``limit``, the oldest is removed."""
    if key in keys:
        return False
    put_bounded(keys, key, None, limit)
    return True


MAX_TURNS = 10_000
"""Maximum number of the user's messages, and of the turns that they began, that are stored."""
Turn = int | str


class UserMessages:
    """The user's messages by turn, so that they can be removed when the user takes a turn back."""

    def __init__(self) -> None:
        self._messages: deque[tuple[Turn, Observation]] = deque(maxlen=MAX_TURNS)

    def add(self, turn: Turn, observation: Observation) -> None:
        """Add a message, unless the user did not write it. It belongs to the turn that ``turn`` identifies."""
        if observation.kind == "user" and observation.source == "user" and observation.text:
            self._messages.append((turn, observation))

    def remove(self, turns: Collection[Turn]) -> None:
        """Remove what the user wrote in these turns: the text of the observations, which may have been emitted already."""
        for turn, observation in self._messages:
            if turn in turns:
                observation.text, observation.source = "", "agent"

    def dump(self) -> list[object]:
        """Return the state for ``restore``."""
        return [[turn, observation.line] for turn, observation in self._messages]

    def restore(self, state: object, observations: Iterable[Observation]) -> None:
        """Restore a state that ``dump`` returned; ``observations`` are those that were saved with it."""
        turns: dict[int, Turn] = {}
        for row in as_list(state):
            turn, line = as_list(row)
            turns[as_integer(line) or 0] = turn if isinstance(turn, int | str) else 0
        self._messages.clear()
        for observation in observations:
            if observation.line in turns:
                self.add(turns[observation.line], observation)


HTML_ELEMENTS = (
    "a abbr address article aside b blockquote body br button canvas caption code dd del details dialog div dl dt em figcaption"
    " figure footer form g h[1-6] head header hr html i iframe img input ins kbd label legend li link main mark meta nav ol"
    " optgroup option p path pre q s samp script section select slot small span strong style sub summary sup svg table tbody"
    " td template textarea tfoot th thead title tr u ul var video"
).split()
"""Names of HTML elements, as regular expressions. They may occur in a user's own text."""
MAX_INLINE_WORDS, MAX_INLINE_CHARACTERS = 3, 200
"""An element with at most this many words and characters is not removed, because the user may have typed it within a sentence."""
MAX_ELEMENT_NAMES = 20
"""Maximum number of distinct element names of a message for which a closing tag is searched for."""
MAX_USER_CHARACTERS, MAX_MESSAGE_CHARACTERS = 6_000, 4_000
MAX_OUTPUT_CHARACTERS, MAX_COMMAND_CHARACTERS, MAX_CHANGE_CHARACTERS = 2_000, 1_000, 2_000
"""Maximum length of each kind of text, in characters. A prompt may contain a long plan; the head and tail of an output suffice."""
SIGINT_EXIT_CODE = 130
"""The shell's exit code of a command that was stopped with Ctrl-C: 128 plus SIGINT. Nothing failed."""

_MACHINE_TEXT = compile_lazily(
    r"\s*(?:<(?:task-notification|command-(?:name|message|args|contents)|local-command-\w+|system-reminder|bash-\w+|hook_context|"
    r"user-prompt-submit-hook|environment_context|user_instructions|permissions instructions|collaboration_mode|INSTRUCTIONS|"
    r"turn_aborted|subagent_notification|skill|cross-session-message)\b|<channel\s{1,8}source=|Caveat: The messages below were generated|"
    r"# AGENTS\.md instructions|This session is being continued from a previous conversation|"
    r"Another Claude session sent a message:|Base directory for this skill:|"
    r"Stop hook feedback:|SessionStart hook|PreToolUse:|PostToolUse:)"
)
_SUBAGENT_REPORT = compile_lazily(
    r"\s*<(?:task-notification>.*?<result>(?P<result>.*)</result>|teammate-message\b[^>]*>(?P<message>.*)</teammate-message>"
    r"|subagent_notification>(?P<status>.*)</subagent_notification>)",
    re.DOTALL,
)
"""A subagent's report to its parent agent, which the host delivers as a user message."""
_APPENDED_SKILL = compile_lazily(
    r"(?:\A|\n)[ \t]{0,8}(?:Base directory for this skill:|<skill>\s{0,8}<name>|"
    r"---[ \t]{0,8}\r?\n(?=(?:[ \t\w][^\n]{0,1200}\n){0,40}?name:)(?=(?:[ \t\w][^\n]{0,1200}\n){0,40}?description:)"
    r"(?:[ \t\w][^\n]{0,1200}\n){2,40}---[ \t]{0,8}(?:\r?\n|\Z)).*",
    re.DOTALL,
)
"""A SKILL.md that a client appends to a prompt: the folder, the element or the header with which it begins."""
_OFFER_BLOCK = compile_lazily(r"<openception-skill-extraction>.*?(?:</openception-skill-extraction>|\Z)", re.DOTALL)
_INJECTED_TEXT = compile_lazily(r"<(system-reminder|ide_\w{1,30})>(?:.*</\1>|.*)", re.DOTALL)
"""Text of files and hooks that a host injects into a user message, and that anyone may have written. The match extends to the
last closing tag, because the injected text may contain a closing tag in order to make the rest look like the user's text."""
_OPENING_TAG = compile_lazily(
    r"<(?!(?:" + "|".join(HTML_ELEMENTS) + r")[ \n>])"
    r"([a-z][a-z0-9]{0,40}|[A-Za-z][A-Za-z0-9]{0,40}(?:[-_:][A-Za-z0-9]{1,40}){1,6})(?:[ \n][^<>]{0,500})?>"
)
"""Opening tag of any other host element: not an HTML element, and not a UI component (a single capitalised word). It also matches
elements in text that the user pasted. Only elements with a closing tag are removed."""
_USER_COMMAND = compile_lazily(r"\s*<bash-input>(.*?)(?:</bash-input>|\Z)", re.DOTALL)
"""A command that the user ran in the session. Its output follows in another message."""
_MIXED_TEXT = compile_lazily(
    r"\s*(?:This session is being continued from a previous conversation|Another Claude session sent a message:|"
    r"<(?:cross-session-message\b|channel\s{1,8}source=))"
)
"""A summary of the conversation, or a message of another session or a channel."""
_INTERRUPTED = compile_lazily(r"\s*\[Request interrupted by user")

MAX_PATCH_LINES = 20_000
"""Maximum number of lines of a patch that are parsed."""
_FILE_HEADER = compile_lazily(r"\*\*\* (Add|Update|Delete) File: (.+)|\*\*\* Move to: (.+)")

_clean_cached = lru_cache(1024)(clean_text)
"""``clean_text`` with a cache, for strings that recur in a session, such as the names of tools and files."""
MAX_CACHED_CHARACTERS = 1_000
"""Maximum length of a cached string. Longer ones rarely recur, and the cache would hold them for the life of the process: a line of
a log may have megabytes, and a watcher runs for weeks."""


def _clean_name(text: str, limit: int) -> str:
    return _clean_cached(text, limit) if len(text) <= MAX_CACHED_CHARACTERS else clean_text(text, limit)


def _extract_command_arguments(text: str) -> str:
    """Return what the user wrote after a slash command for the agent; empty if the text is none, or has no arguments.

    A command for the client begins with its name instead of ``<command-message>``.
    """
    end = text.rfind("</command-args>")
    start = text.rfind("<command-args>", 0, max(0, end))
    is_command = 0 <= start < end and text.lstrip().startswith("<command-message>")
    return text[start + len("<command-args>") : end] if is_command else ""


def build_message(
    kind: Kind, text: str, *, line: int, at: int | None = None, agent: Agent = "main"
) -> Observation | None:
    """Build the observation of a message; None if the message is empty, machine text, or only the text of our offer.

    A subagent's report that the host delivers as a user message becomes a message of the subagent. An interruption by the user
    becomes a user observation without text and with the outcome ``aborted``.
    """
    if "<openception-skill-extraction>" in text:
        text = _OFFER_BLOCK.sub("", text)
    if kind == "user":
        text = _extract_command_arguments(text) or text
    if kind == "user" and ("<system-reminder>" in text or "<ide_" in text):
        text = _INJECTED_TEXT.sub("", text)
    subagent_report = extract_subagent_report(text) if kind == "user" else ""
    if kind == "user" and not subagent_report and not _MACHINE_TEXT.match(text):
        text = remove_host_elements(text)
        skill = _APPENDED_SKILL.search(text)
        if skill and text[: skill.start()].strip() and not text.count("```", 0, skill.start()) % 2:
            text = text[: skill.start()]
    if kind == "user" and _INTERRUPTED.match(text):
        return Observation("user", line, end_line=line, at=at, agent=agent, source="user", outcome="aborted")
    if not text or text.isspace():
        return None
    if subagent_report:
        return build_subagent_report(subagent_report, line=line, at=at)
    if kind == "user" and _MACHINE_TEXT.match(text):
        return None
    limit = MAX_USER_CHARACTERS if kind == "user" else MAX_MESSAGE_CHARACTERS
    # A subagent's prompt was written by the agent that started it, not by a person.
    source: Source = "user" if kind == "user" and agent == "main" else "agent"
    note_message(text, is_of_user=kind == "user")
    if kind == "user":
        note_reply(text)
        cleaned = clean_text(text, limit).strip()
        if "[redacted:" in cleaned:
            note_values(text)
        return Observation(kind, line, cleaned, line, at, agent, source)
    observation = Observation(kind, line, "", line, at, agent, source)
    return set_lazy_text(observation, text, limit, is_stripped=True)


def build_subagent_report(text: str, *, line: int, at: int | None) -> Observation:
    """Build the observation of a subagent's report to its parent agent. ``at`` is in UTC milliseconds."""
    observation = Observation("assistant", line, "", line, at, "subagent")
    return set_lazy_text(observation, text, MAX_MESSAGE_CHARACTERS, is_stripped=True)


def extract_subagent_report(text: str) -> str:
    """Return the subagent's report that a user message delivers, or an empty string."""
    match = _SUBAGENT_REPORT.match(text) if "<" in text[:200] else None
    if match is None:
        return ""
    if match["status"] is None:
        return (match["result"] or match["message"] or "").strip()
    statuses = as_object(parse_object(match["status"].strip()).get("status"))
    return "\n".join(value for value in statuses.values() if isinstance(value, str)).strip()


def remove_host_elements(text: str) -> str:
    """Remove host elements from a user message, each up to the last closing tag with its name.

    Short elements and elements without a closing tag remain. The removed text is emitted as text that the agent saw.
    """
    if "</" not in text:
        return text
    parts: list[str] = []
    copied_until = 0
    closing_offsets: dict[str, int] = {}
    for tag in _OPENING_TAG.finditer(text):
        name = tag[1]
        if tag.start() < copied_until:
            continue
        if name not in closing_offsets and len(closing_offsets) < MAX_ELEMENT_NAMES:
            closing_offsets[name] = text.rfind(f"</{name}")
        end = closing_offsets.get(name, -1)
        if end >= tag.end() and _is_block(text[tag.end() : min(end, tag.end() + MAX_INLINE_CHARACTERS + 1)]):
            parts.append(text[copied_until : tag.start()])
            copied_until = text.find(">", end) + 1 or len(text)
    return "".join([*parts, text[copied_until:]]) if copied_until else text


def _is_block(content: str) -> bool:
    return len(content) > MAX_INLINE_CHARACTERS or len(content.split()) > MAX_INLINE_WORDS


def remove_typed_texts(output: str, typed: list[str], questions: JsonObject) -> str:
    """Remove the last occurrence of each text that the user typed from the result of a call, which may be JSON.

    The texts become messages of the user. As part of the result, they would be known as the output of a tool.
    """
    note_answers(questions, typed)
    for text in filter(None, typed):
        escaped = json.dumps(text, ensure_ascii=False)[1:-1]
        before, _, after = output.rpartition(text if text in output else escaped)
        output = before + after
    return output


MAX_FIELDS, MAX_ANSWER_FIELDS = 100, 4
"""Maximum number of texts in the arguments of a call that are read, and in an answer each of whose texts may be what was printed."""
MAX_QUESTIONS = 20
"""Maximum number of questions of a call, and of offered answers to each, that are read. Clients allow at most four."""


def list_labels(question: JsonObject) -> list[str]:
    """Return the answers that a question offers."""
    return [as_string(as_object(option).get("label")) for option in as_list(question.get("options"))[:MAX_QUESTIONS]]


def remove_chosen_labels(answer: str, question: JsonObject) -> str:
    """Return what the user typed in an answer: the answer without the offered answers, several of which are joined with commas."""
    labels = list_labels(question)
    for _ in labels if question.get("multiSelect") is True else ():
        chosen = max((label for label in labels if label and f"{answer}, ".startswith(f"{label}, ")), default="")
        answer = answer[len(chosen) + 2 :] if chosen else answer
    return "" if answer in labels else answer


def _list_fields(arguments: JsonObject) -> list[tuple[str, str]]:
    """Return the texts in the arguments or the answer of a call, in order, each with the name of its field."""
    fields: list[tuple[str, str]] = []
    waiting: list[tuple[str, object]] = [("", arguments)]
    while waiting and len(fields) < MAX_FIELDS:
        name, value = waiting.pop()
        if isinstance(value, str):
            fields.append((name, value))
        else:
            waiting += reversed(list(as_object(value).items()) or [(name, item) for item in as_list(value)])
    return fields


def _redact_answer(called: str, output: str) -> str:
    """Return the answer of a server's tool without the secrets that it prints, and note them.

    What a command printed is often one of few fields, with its ends of lines escaped.
    """
    fields = _list_fields(parse_object(output)) if output.startswith("{") else []
    for name, text in fields if len(fields) <= MAX_ANSWER_FIELDS else ():
        if not is_public_name(name):
            redact_output(called, text)
    if "\\n" in output:
        redact_output(called, output.replace("\\n", "\n"))
    return redact_output(called, output)


def build_tool_call(
    name: str,
    action: Action,
    *,
    line: int,
    end_line: int = 0,
    at: int | None = None,
    agent: Agent = "main",
    command: str = "",
    files: tuple[str, ...] = (),
    arguments: JsonObject | None = None,
    removed: str = "",
    added: str = "",
    output: str = "",
    outcome: ToolOutcome = "unknown",
    exit_code: int | None = None,
    error: str = "",
    has_other_content: bool = False,
    is_outside_sandbox: bool = False,
) -> Observation:
    """Build the observation of a tool call and its result.

    ``action`` is the tool's action; ``run``, for shell tools, is replaced with the action of the command (``cat`` reads,
    ``sed -i`` edits). ``arguments`` are those of the call; of a tool that is not the host's own, any of them may be what it runs
    or reads. ``error`` is an error that the host reports separately from the output. ``has_other_content``: the result
    includes content other than text, such as images. ``at`` is in UTC milliseconds.
    """
    signature = target = ""
    hides_status = False
    if output:
        called = " ".join((name, command, *files[:3]))
        if action == "mcp":
            texts = [text for _, text in _list_fields(arguments or {}) if text not in (command, *files)]
            output = _redact_answer(" ".join((called, *texts)), output)
        else:
            output = redact_output(called, output)
    if written := find_written_file(command):
        command = redact_output(f"write {written}", command)
    if files:
        removed, added = (redact_output(f"write {files[0]}", text) for text in (removed, added))
    # Longer commands rarely recur, and the cache would hold them in full.
    shown, redacted = (_clean_command_cached if len(command) <= commands.MAX_LENGTH else _clean_command)(command)
    known = get_known_files()
    shown_files = tuple([_clean_name(file, MAX_PATH_CHARACTERS) for file in files[:50]]) if files else ()
    source = _get_call_source(action, command, files, has_other_content, known)
    if known is not None:
        note_call(known, action, command, files, added, output, source)
        known.note_paths(shown_files)
    if source == "local" and any("mind-skills" in part for part in (command, *files)):
        source = sources.find_marked_source(output)
    if action == "run" and command:
        signature, target, action, hides_status = commands.normalise(redacted)
        if outcome == "ok" and (status := results.read_printed_status(command, output)):
            outcome, exit_code = "failed", status
        if outcome == "failed" and exit_code == SIGINT_EXIT_CODE:
            outcome = "aborted"
        if outcome == "ok" and signature and results.reports_no_tests(signature, redacted, output):
            outcome = "nothing"
    error_line = ""
    is_status_unknown = hides_status or outcome == "unknown"
    if outcome == "failed" or (is_status_unknown and action == "run" and results.has_failure_line(output)):
        error_line = _redact_error_line(results.find_error_line(error or output, results.MAX_HEAD_CHARACTERS))
        error_line = hide_values(error_line)
    change = _build_diff(removed, added) if removed or added else ""
    if "[redacted:" in f"{shown}{change}{error_line}":
        note_values(command, removed, added, error)
    # Keyword arguments would take twice as long.
    observation = Observation(
        "tool",
        line,
        "",
        end_line or line,
        at,
        agent,
        source,
        _clean_name(name, 80),
        action,
        shown,
        _clean_name(signature, 200) if signature else "",
        _clean_name(target, 200) if target else "",
        shown_files,
        change,
        outcome,
        exit_code,
        error_line,
        results.build_error_signature(error_line) if error_line else "",
        is_outside_sandbox,
    )
    return set_lazy_text(observation, output or error, MAX_OUTPUT_CHARACTERS)


def build_attachment(name: str, text: str, source: Source, *, line: int, at: int | None, file: str = "") -> Observation:
    """Build the observation of what a host attached to a message: a file, a resource, or text of an MCP server.

    It looks like a call that read it. ``name`` is the host's name for this kind of attachment. ``at`` is in UTC milliseconds.
    """
    action: Action = "mcp" if source == "mcp" else "read"
    observation = Observation("tool", line, "", line, at, "host", source, _clean_name(name, 80), action, outcome="ok")
    observation.files = (_clean_name(file, MAX_PATH_CHARACTERS),) if file else ()
    return set_lazy_text(observation, text, MAX_OUTPUT_CHARACTERS)


def is_not_offer(text: str) -> bool:
    """Return whether a text that a plugin added to a message is not an offer of ours."""
    return _OFFER_BLOCK.match(text) is None


def find_file_source(path: str, *projects: str) -> Source:
    """Return the source of a file that a host attached: ``local`` if it is in one of the project's folders, unless its path tells more."""
    path = path.replace("\\", "/")
    is_relative = not path.startswith(("/", "~")) and path[1:2] != ":"
    parts = path.split("/")
    folders = [project.replace("\\", "/").rstrip("/") + "/" for project in projects if project]
    is_inside = is_relative or not folders or any(path.startswith(folder) for folder in folders)
    is_document = path.lower().endswith(sources.DOCUMENT_SUFFIXES)
    return sources.classify_file(path) if is_inside and ".." not in parts and not is_document else "remote"


def is_untrusted_output(
    name: str, action: Action, command: str, output: str, *, has_other_content: bool = False
) -> bool:
    """Return whether the output so far of a call that has not ended is the text of strangers."""
    source = _get_call_source(action, command, (), has_other_content, get_known_files())
    source = _get_output_source(name, source, output)
    return source in sources.UNTRUSTED_SOURCES


def _get_output_source(name: str, source: Source, output: str) -> Source:
    """Return the source of a tool's output. The output of our own server is local, unless it contains unverified records."""
    is_own_tool = source == "mcp" and sources.is_own_tool(name)
    return "local" if is_own_tool and UNVERIFIED_PREFIX not in output else source


def _redact_error_line(line: str) -> str:
    """Return the beginning of an error line. It is redacted before the final cut, because half a key would not be recognised."""
    plain = strip_controls(line)
    redacted = redact(plain[: 4 * results.MAX_LINE_CHARACTERS])
    if len(plain) > 4 * results.MAX_LINE_CHARACTERS:
        # The first cut may have split a key, whose first part would be shown if redaction shortened the line enough.
        rest = redacted.rpartition("[redacted:")[2].partition("]")[2]
        redacted = redacted[: len(redacted) - min(len(rest), 2 * results.MAX_LINE_CHARACTERS)]
    return redacted[: results.MAX_LINE_CHARACTERS]


def _clean_command(command: str) -> tuple[str, str]:
    """Return a command as it is shown, truncated, and its redacted beginning, of up to ``commands.MAX_LENGTH`` characters."""
    if len(command) > MAX_COMMAND_CHARACTERS and is_short(command, MAX_COMMAND_CHARACTERS):
        # Both results need the entire command.
        redacted = redact(strip_controls(command))
        return truncate_middle(redacted, MAX_COMMAND_CHARACTERS), redacted
    shown = clean_text(command, MAX_COMMAND_CHARACTERS)
    if len(command) <= MAX_COMMAND_CHARACTERS and "[redacted:" not in shown:
        return shown, command
    return shown, redact(strip_controls(command[: commands.MAX_LENGTH]))


_clean_command_cached = lru_cache(256)(_clean_command)


def _get_call_source(
    action: Action, command: str, files: tuple[str, ...], has_other_content: bool, known: KnownFiles | None = None
) -> Source:
    """Return the source of a call's output. For ``has_other_content``, see ``build_tool_call``."""
    if action in ("web", "mcp"):
        return "web" if action == "web" else "mcp"
    source: Source = "local"
    if command and action in ("run", "other"):
        source = sources.classify_command(command, known) if action == "run" else sources.classify_code(command)
    is_remote_file = action in ("read", "search") and any(sources.classify_file(name) == "remote" for name in files)
    if known and action in ("read", "search") and not is_remote_file:
        is_remote_file = any(known.find(name) != "local" for name in files)
    return "remote" if source == "local" and (is_remote_file or has_other_content) else source


def _build_diff(removed: str, added: str) -> str:
    """Return the lines that are only in ``removed``, with ``-``, and then the lines that are only in ``added``, with ``+``.

    Only the first 400 lines of each are compared. Each half of the result has at most ``MAX_CHANGE_CHARACTERS // 2`` characters.
    """
    # Redact key blocks first: lines that are in both are dropped, and among them could be a block's BEGIN and END.
    if may_contain_private_keys(removed) or may_contain_private_keys(added):
        removed, added = redact_key_blocks(strip_controls(removed)), redact_key_blocks(strip_controls(added))
    old, new = removed.split("\n")[:400], added.split("\n")[:400]
    old_lines, new_lines = set(old), set(new)
    minus = "\n".join(["-" + line for line in old if line not in new_lines and line.strip()])
    plus = "\n".join(["+" + line for line in new if line not in old_lines and line.strip()])
    return "\n".join(
        part
        for part in (clean_text(minus, MAX_CHANGE_CHARACTERS // 2), clean_text(plus, MAX_CHANGE_CHARACTERS // 2))
        if part
    )


class Patch(NamedTuple):
    """A parsed patch: files with added, removed and context lines.

    ``removed`` and ``added`` are the lines of all files, without their prefixes. A deleted file contributes its ``Delete File`` line.
    """

    files: tuple[str, ...]
    removed: str
    added: str
    has_only_new_files: bool
    """Whether every file in the patch is new."""


def parse_patch(text: str) -> Patch:
    """Parse an ``apply_patch`` patch of Codex or OpenCode, which may be part of a shell command.

    If the text contains no patch, all fields are empty or False.
    """
    _, _, body = text.partition("*** Begin Patch")
    files: dict[str, None] = {}
    removed: list[str] = []
    added: list[str] = []
    verbs: set[str] = set()
    for line in body.split("\n")[:MAX_PATCH_LINES]:
        if line.startswith("*** End Patch"):
            break
        header = _FILE_HEADER.match(line)
        if header:
            verbs.add(header[1] or "Move")
            if header[1] == "Delete":  # the patch does not include the content
                removed.append(line.strip())
            files[(header[2] or header[3]).strip()] = None
        elif line.startswith("-"):
            removed.append(line[1:])
        elif line.startswith("+"):
            added.append(line[1:])
    return Patch(tuple(files), "\n".join(removed), "\n".join(added), verbs == {"Add"})
