"""Render the text that the next session receives for one candidate.

Entries are rendered when candidates are staged, so the start of a session only joins and prints them. An entry holds
the tier and id, then symptom, cause, remedy and proof: enough to judge the candidate without opening anything. Text
from tools, the web and MCP servers appears only as typed tokens (staging/tokens.py); a part that names nothing is omitted.
The user and the main agent may be quoted briefly (staging/quote.py), and a few more names in their statements listed. A
tainted candidate is labelled.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from mind_skills.detectors.model import OUTSIDE_SANDBOX
from mind_skills.observations.commands import is_check, normalise
from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.staging import tokens
from mind_skills.staging.messages import GIT_MESSAGES
from mind_skills.staging.model import (
    MAX_TITLE_LENGTH,
    RULE_KIND,
    TOOL_OUTPUT_TAINT,
    Candidate,
    is_quoted,
)
from mind_skills.staging.offer import APPROVED_LABEL, RULE_PREFIX
from mind_skills.staging.quote import CAUSE_SEPARATOR, QuoteSelector, is_stated, list_statements

MAX_ENTRY_LENGTH = 420
"""Maximum number of characters in an entry. Five entries and the frame are about 700 tokens."""
_MAX_SYMPTOM_LENGTH, _MAX_REMEDY_LENGTH, _MAX_NAMES_LENGTH = 80, 70, 80
_MAX_COMMAND_LENGTH, _MAX_FAILED_COMMAND_LENGTH = 60, 48
_MAX_COMPLAINT_LENGTH, _MAX_CAUSE_LENGTH, _MAX_SHORT_REMEDY_LENGTH, _MAX_SUBJECT_LENGTH = 150, 240, 120, 60
"""Maximum numbers of characters: of a quoted complaint, a quoted cause or remedy, a quoted remedy that leaves room for the cause,
and the error in the title that replaces an unstated symptom."""
_MAX_PROMPT_QUOTE_LENGTH = 500
"""Maximum number of characters in a quote for ``describe_for_prompt``."""
_MAX_CHANGE_ROWS = 8
"""Maximum number of added lines per change that are searched for names."""
_SYMPTOM_PREFIX_LENGTH = 30
"""Number of leading characters of a symptom that must occur in the evidence of the call that printed it."""
_COMMAND_PREFIX_LENGTH = 80
"""Number of leading characters by which commands are compared."""
_MAX_PLAIN_WORDS = 5
"""Maximum number of plain words in a command: the program and its subcommands, including those after a wrapper."""
_ALLOWED_CHARACTERS = frozenset('"#')
"""Characters that could pass for markup but may occur in entries: quotation marks, and ``#`` in command arguments."""
_COST_NOTE = compile_lazily(r"\d{1,5} (?:failures?|minutes?)|committed")
"""Parts of a scope that contain only numbers and fixed words; the other parts name files and versions."""
_RESULT_COUNT = compile_lazily(
    r"\b\d{1,6} (?:(?:tests?|checks?|specs?|files?) )?"
    r"(?:pass(?:ed|ing)?|fail(?:ed|ing|ures?)?|errors?|warnings?|issues?|skipped|ok|tests?)\b",
    re.IGNORECASE,
)
"""Counts in the output of a check."""
_TIMESTAMP = compile_lazily(r"\d{4}[-/]\d\d[-/]\d\d[T ]?[\d:.,]*Z?|\b\d\d:\d\d:\d\d[\d.,]*|\(\d+(?:\.\d+)?m?s\)")
"""Times, and durations such as Go's ``(0.00s)``."""
_SEVERITY = compile_lazily(r"\A(?:error|fatal|warning): (?:· )?", re.IGNORECASE)
"""A label before an error that only says that it is an error."""
_ASSIGNMENT = compile_lazily(r"[A-Z][A-Z0-9_]{2,40}=\S+")
"""A variable that is set for a command."""
_QUOTED_ASSIGNMENT = compile_lazily(
    r"(?<!\S)(?:\$env:)?([A-Z][A-Z0-9_]{2,40})(?: ?\+?= ?\"[^\"\n]*\"| ?\+?= ?'[^'\n]*'|=\S*\$\S*)"
)
"""A variable that is set to a quoted or computed value. Only its name is shown."""
_SURROUNDINGS = compile_lazily(
    r"(?:\A|(?<=[;&\n]))\s*(?:cd|pushd|Set-Location)\s+(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s;&]+)|(?<!\|)\|(?!\|)[^;&\n]*"
)
"""What a command does not depend on: the change to its folder, and what displays its output."""
_LEADING_ASSIGNMENTS = compile_lazily(r"\A(?:env )?(?:[A-Za-z_]\w*=(?:\"[^\"]*\"|'[^']*'|[^\s\"'][^\s\"']*)? )+")
"""Variable assignments at the start of a command."""
_OPEN_END = compile_lazily(r"\A\S+(?: \S+){0,3} -[ceifp]\Z| …\Z")
"""A program whose inline script is omitted, and a command that ends before an argument that the shell computes."""
_HELP = compile_lazily(r"(?:\A| )(?:--?help|-h|help)\Z")
_DISPLAY = compile_lazily(r"\A(?:echo|which|command)\b|\A(?:gh|glab) \w+ (?:checks|diff|list|status|view|watch)\b")
"""A command that only displays something, in addition to those that read or search (observations/commands.py)."""
_STATUS_SEPARATOR = compile_lazily(r"\s*(?:;|\|\||\n)\s*")
"""What separates commands so that the status of the line is that of the last one."""
_CHECK_PURPOSES = (
    ("test", compile_lazily(r"(?i)\b(?:unit|e2e|[a-z]*test|bats|jest|rspec|spec)s?\b")),
    ("style", compile_lazily(r"(?i)lint|format|\b(?:biome|black|clippy|fmt|prettier|ruff|vet)\b")),
)
"""What a check examines, by words of its signature; any other check builds or compiles."""
_SAME_COMMAND = "the same command"
_OUTSIDE_SANDBOX_NOTE = f" ({OUTSIDE_SANDBOX})"
_COMMAND_RESULT = compile_lazily(r"`(.*)` (passed|ran)(?:: |\Z)")
_CODE_WORD = compile_lazily(r"[^\s()\[\]{},;]+")


def render_entry(candidate: Candidate) -> str:
    """Render one candidate in at most ``MAX_ENTRY_LENGTH`` characters, without anything that looks like a tag.

    The first line has the tier and the id. Labelled lines follow: always symptom, cause and remedy, each possibly "not
    stated"; then proof, summary and further names, as available. A rule of the user is one line.
    """
    quotes, head = QuoteSelector(candidate), f"[{candidate.confidence}] {candidate.id}"
    if candidate.kind == RULE_KIND:
        return _replace_markup(
            f"{RULE_PREFIX}{quotes.quote_rule()} {head}{f' ({APPROVED_LABEL})' if candidate.approved else ''}"
        )
    notes = _list_notes(candidate)
    lines = _Lines(f"{head} ({', '.join(notes)})" if notes else head)
    failed_command = _shorten_command(_find_failed_command(candidate), _MAX_FAILED_COMMAND_LENGTH)
    error = symptom = _describe_error(candidate)
    if " " in failed_command:
        symptom = f"{failed_command}: {error}" if error else f"{failed_command} failed"
    remedy = _describe_remedy(candidate, failed_command)
    is_variant = remedy.startswith(_SAME_COMMAND)
    remedy_command = (
        _SAME_COMMAND if is_variant else remedy.removesuffix(" instead").removesuffix(f" {OUTSIDE_SANDBOX}")
    )
    proof = _describe_proof(candidate, failed_command, remedy_command)
    if remedy and proof.startswith(f"{remedy_command} passed"):
        proof = f"it passed{proof.partition(' passed')[2]}"
    lines.add("symptom", symptom)
    lines.add("remedy", remedy)
    if error:
        lines.placeholders["cause"] += " beyond the error"
    if not symptom:
        title = tokens.reduce_to_tokens(candidate.title, _MAX_SUBJECT_LENGTH)
        place = title if tokens.contains_error(title) else _describe_place(candidate, f"{remedy} {proof}")
        lines.placeholders["symptom"] += f" ({place})" if place else ""
        lines.quote("symptom", quotes.quote_complaint, _MAX_COMPLAINT_LENGTH)
    if quotes.has_reduced_quota() and not remedy and not _is_command(candidate, candidate.remedy):
        lines.quote("remedy", quotes.quote_remedy, _MAX_SHORT_REMEDY_LENGTH)
    call = _find_failed_command(candidate) if is_variant or remedy.endswith(" instead") else ""
    lines.quote("cause", partial(quotes.quote_cause, call=call), _MAX_CAUSE_LENGTH)
    if not lines.has_quote("remedy"):
        lines.quote("remedy", partial(quotes.quote_remedy, call=call), _MAX_CAUSE_LENGTH)
    if symptom:
        lines.quote("symptom", partial(quotes.quote_complaint, is_secondary=True), _MAX_COMPLAINT_LENGTH)
    lines.add("proof", proof)
    if lines.parts["cause"]:
        lines.quote("cause", partial(quotes.quote_cause, only_explaining=True, call=call), _MAX_CAUSE_LENGTH)
    lines.quote("summary", quotes.quote_title, MAX_TITLE_LENGTH)
    if lines.parts["cause"] or not call:  # names in causes that are about something else say nothing either
        # Names from tool output are not listed; a few of them already appear in the symptom.
        statements = " ".join((candidate.cause.replace(CAUSE_SEPARATOR, " "), *list_statements(candidate)))
        names = tokens.list_names(statements, min(lines.count_room("about"), _MAX_NAMES_LENGTH), lines.join())
        lines.add("about", names)
    return _replace_markup(lines.join())


class _Lines:
    """Lines of an entry: labels with their parts. Parts that would make the entry longer than ``MAX_ENTRY_LENGTH`` are omitted."""

    def __init__(self, head: str) -> None:
        self._head = head
        self.parts: dict[str, list[str]] = {"symptom": [], "cause": [], "remedy": []}
        self.placeholders = dict.fromkeys(self.parts, "not stated")

    def join(self) -> str:
        rows = (f"{name}: {'; '.join(parts) or self.placeholders[name]}" for name, parts in self.parts.items())
        return "\n   ".join([self._head, *rows])

    def count_room(self, name: str) -> int:
        """Return the maximum number of characters that one more part of line ``name`` may have."""
        parts = self.parts.get(name)
        overhead = len(f"\n   {name}: ") if parts is None else 2 if parts else -len(self.placeholders[name])
        return MAX_ENTRY_LENGTH - len(self.join()) - overhead

    def add(self, name: str, part: str) -> None:
        """Append ``part`` to a line if it is not empty and fits."""
        if part and len(part) <= self.count_room(name):
            self.parts.setdefault(name, []).append(part)

    def has_quote(self, name: str) -> bool:
        return any(part.startswith('"') for part in self.parts[name])

    def quote(self, name: str, select_quote: Callable[[int], str], limit: int) -> None:
        """Append a quote of at most ``limit`` characters; ``select_quote`` returns a quote within a given length."""
        quote = select_quote(min(self.count_room(name) - 2, limit))
        self.add(name, f'"{quote}"' if quote else "")


def _replace_markup(text: str) -> str:
    return "".join(
        character if character in _ALLOWED_CHARACTERS else tokens.replace_markup(character) for character in text
    )


def describe_for_prompt(candidate: Candidate) -> list[str]:
    """Describe a candidate in one or two texts that are safe for a prompt: its subject, then its rule or its cause and remedy.

    Only the subject of a tainted candidate is described. Tool output appears as typed tokens only.
    """
    quotes, statements = QuoteSelector(candidate), list[str]()
    if candidate.kind == RULE_KIND and not candidate.taint:
        statements = [quotes.quote_rule()]
    elif not candidate.taint:
        statements = [quotes.quote_cause(_MAX_PROMPT_QUOTE_LENGTH), quotes.quote_remedy(_MAX_PROMPT_QUOTE_LENGTH)]
    texts = [_describe_subject(candidate, MAX_TITLE_LENGTH), " ".join(filter(None, statements))]
    return list(dict.fromkeys(filter(None, texts)))


def _list_notes(candidate: Candidate) -> list[str]:
    """List the notes on approval, cost, number of sessions, untrusted sources and repeated tool output that apply."""
    notes = [APPROVED_LABEL] if candidate.approved else []
    notes += [part for part in candidate.scope.split("; ") if _COST_NOTE.fullmatch(part)]
    if len(candidate.sessions) > 1:
        notes.append(f"in {len(candidate.sessions)} sessions")
    sources = "/".join(tokens.shorten_path(source) for source in candidate.taint if source != TOOL_OUTPUT_TAINT)[:20]
    labels = [f"rests on {sources}"] if sources else []
    labels += ["repeats a tool"] if TOOL_OUTPUT_TAINT in candidate.taint else []
    suffix = "" if candidate.approved else ": ask first"
    return notes + ([f"{', '.join(labels)}{suffix}"] if labels else [])


def _find_failed_command(candidate: Candidate) -> str:
    """Return the command that failed with the symptom, in the longest form that the evidence has; empty if there is none."""
    prefix = candidate.symptom[:_SYMPTOM_PREFIX_LENGTH]
    for each in candidate.evidence if prefix else ():
        command, separator, _ = each.summary.rpartition("` failed: ")
        if separator and command[:1] == "`" and prefix in f"{each.summary}{each.content}":
            first_line = each.content.partition("\n")[0]
            line = first_line[2:] if first_line[:2] == "$ " else command[1:]
            return select_failed_part(line, candidate.symptom)
    return ""


def _describe_error(candidate: Candidate) -> str:
    """Return the symptom as typed tokens; empty if it is a statement of the user or the agent, or contains no name."""
    if is_stated(candidate, candidate.symptom):
        return ""
    text = tokens.reduce_to_tokens(_TIMESTAMP.sub(" ", candidate.symptom), _MAX_SYMPTOM_LENGTH)
    return _SEVERITY.sub("", text) if tokens.contains_name(text) else ""


def _describe_remedy(candidate: Candidate, failed_command: str) -> str:
    """Return what was done, as typed tokens; empty if the evidence does not show it.

    If the remedy is a command, it is described as by ``_describe_passed_command``; otherwise by the names that a change removed
    and added and by the changed file, or by the file alone if no name in the change may be shown.
    """
    if _is_command(candidate, candidate.remedy):
        return _describe_passed_command(candidate, failed_command)
    changes = [e for e in candidate.evidence if e.role == "change" and not is_quoted(e)]
    if not changes:
        return ""
    changed = changes[0].summary.removeprefix("changed ")
    base_name = candidate.files[0].replace("\\", "/").rsplit("/", 1)[-1] if candidate.files else changed
    file_name = tokens.shorten_path(base_name)
    location = f" in {file_name}" if file_name else ""
    for removed, added in _list_changes(candidate):
        before, after = (dict.fromkeys(_CODE_WORD.findall(row)) for row in (removed, added))
        added_names, removed_names = (
            _extract_names([word for word in row if word not in other and not (file_name and file_name in word)])
            for row, other in ((after, before), (before, after))
        )
        if added_names or removed_names:
            change = f"{added_names} added" if added_names else f"{removed_names} removed"
            if added_names and removed_names and removed_names != added_names:
                change = f"{removed_names} replaced by {added_names}"
            return f"{change}{location}"
    return f"{file_name} changed" if file_name else ""


def _extract_names(words: list[str]) -> str:
    """Return the names in words of code or, if it has none, of prose; empty if they are abbreviations or numbers."""
    text = " ".join(words)
    limit = _MAX_REMEDY_LENGTH // 2
    if names := tokens.extract_code_names(text, limit):
        return names if tokens.contains_name(names, accepts_single=True) or names.startswith("-") else ""
    names = tokens.reduce_to_tokens(text, limit)
    bare = ((word, word.strip("'….:")) for word in names.split())
    return (
        names if any(tokens.is_name(name) or (word[0] in "'-" and not name.isdecimal()) for word, name in bare) else ""
    )


def _describe_passed_command(candidate: Candidate, failed_command: str) -> str:
    """Return the command that passed, with variables set for it, or its difference from a similar failed command.

    Empty if that is uninformative.
    """
    before, remedy = _find_failed_command(candidate), candidate.remedy.removesuffix(_OUTSIDE_SANDBOX_NOTE)
    after = select_similar_part(remedy, failed_command)
    passed = _shorten_command(after, _MAX_COMMAND_LENGTH)
    location = OUTSIDE_SANDBOX if remedy != candidate.remedy else ""
    added, removed = _find_added_names(after, before), "" if before.endswith("…") else _find_added_names(before, after)
    if _HELP.search(passed):
        return ""
    is_variant = failed_command and passed and are_variants(passed, failed_command)
    if is_variant and (passed == failed_command or added or removed):
        parts = (f"with {added}" if added else "", f"without {removed}" if removed else "", location)
        return " ".join([_SAME_COMMAND, *filter(None, parts)]) if any(parts) else ""
    if location:
        return f"{passed} {location}" if " " in passed else ""
    if " " not in passed or passed == failed_command or _OPEN_END.search(passed):
        return ""
    if _only_displays(passed) or _only_verifies(after, before):
        return ""
    assigned = (word for word in added.split() if _ASSIGNMENT.fullmatch(word))
    assignments = " ".join(word for word in assigned if f"{word.partition('=')[0]}=" not in passed)
    passed += f" with {assignments}" if assignments else ""
    return f"{passed} instead" if len(set(failed_command.split()) & set(passed.split())) > 1 else passed


def _only_displays(command: str) -> bool:
    return bool(_DISPLAY.search(command) or _HELP.search(command)) or normalise(command).action in ("read", "search")


def _only_verifies(command: str, failed_command: str) -> bool:
    """Return whether a command that passed is a check of something other than what failed, so cannot be its remedy.

    A check that takes the place of another program's check, or of another command of the same program, may be.
    """
    check, failed = normalise(command).signature, normalise(failed_command).signature
    if not is_check(check) or not failed:
        return is_check(check)
    if is_check(failed) or _find_purpose(failed) == "style":
        return _find_purpose(check) != _find_purpose(failed)
    return check.partition(" ")[0] != failed.partition(" ")[0]


def _find_purpose(signature: str) -> str:
    return next((purpose for purpose, words in _CHECK_PURPOSES if words.search(signature)), "build")


def _shorten_command(text: str, limit: int) -> str:
    if text.startswith("cd ") and (folder := tokens.shorten_path(text[len("cd ") :].strip("'\""))):
        return f"cd {folder}"
    return tokens.shorten_command(_LEADING_ASSIGNMENTS.sub("", text, count=1), limit, _MAX_PLAIN_WORDS)


def _is_command(candidate: Candidate, text: str) -> bool:
    """Return whether the evidence or the proof shows a command that starts like ``text``."""
    text = text.removesuffix(_OUTSIDE_SANDBOX_NOTE)
    commands = [each.content.partition("\n")[0][2:] for each in candidate.evidence if each.content.startswith("$ ")]
    if proved := _COMMAND_RESULT.match(candidate.proof):
        commands.append(proved[1])
    return bool(text) and any(each.startswith(text[:_COMMAND_PREFIX_LENGTH]) for each in commands)


def _find_added_names(command: str, other: str) -> str:
    """Return the names in ``command`` that ``other`` does not contain, and the variables that only ``command`` sets."""
    other_words = {_strip_folder(word) for word in _CODE_WORD.findall(other)}
    own_words = _CODE_WORD.findall(_QUOTED_ASSIGNMENT.sub(" ", _SURROUNDINGS.sub(" ", command)))
    words = [word for word in own_words if _strip_folder(word) not in other_words]
    names = tokens.extract_code_names(" ".join(words), _MAX_REMEDY_LENGTH)
    variables = dict.fromkeys(_QUOTED_ASSIGNMENT.findall(command))
    parts = [names, *(f"{name}=…" for name in variables if f"{name}=" not in names and f"{name}=" not in other)]
    return tokens.cut_at_word(" ".join(filter(None, parts)), _MAX_REMEDY_LENGTH)


def _strip_folder(word: str) -> str:
    return word.strip("'\"/").rpartition("/")[2]


def _list_changes(candidate: Candidate) -> list[tuple[str, str]]:
    """List pairs of removed and added text: first the remedy's, then one for each of the first added lines of each change."""
    removed, _, added = candidate.remedy.rpartition(" -> ")
    pairs = [(removed, added)]
    for each in candidate.evidence:
        rows = each.content.split("\n")[1:] if each.role == "change" and not is_quoted(each) else []
        pairs += [("", row[1:]) for row in rows if row[:1] == "+"][:_MAX_CHANGE_ROWS]
    return pairs


def _describe_proof(candidate: Candidate, failed_command: str, remedy_command: str) -> str:
    """Return the command that passed, with the counts in its output.

    Empty for a command that merely ran, which proves nothing; likewise for one that displayed something or changed files, unless it
    had failed before or is the remedy.
    """
    found = _COMMAND_RESULT.match(candidate.proof)
    if not found or found[2] != "passed":
        return ""
    line = _select_last_command(found[1])
    part = select_similar_part(line, failed_command)
    if part == line:
        part = next((each for each in reversed(_split_parts(line)) if is_check(normalise(each).signature)), line)
    command = _shorten_command(part, _MAX_COMMAND_LENGTH)
    is_repeated = command in (failed_command, remedy_command)
    if not command or not (is_repeated or (_proves_something(part, command) and not _OPEN_END.search(command))):
        return ""
    matches = _RESULT_COUNT.finditer(candidate.proof[found.end() :])
    counts = list(dict.fromkeys(" ".join(each[0].split()) for each in matches))
    passed = f"{_SAME_COMMAND if command == failed_command else command} passed"
    return f"{passed}: {', '.join(counts[:2])}" if counts else passed


def _select_last_command(line: str) -> str:
    """Return the part of a line whose status is that of the line: the commands before it may have failed."""
    parts = _STATUS_SEPARATOR.split(line)
    has_open_quote = any(part.count("'") % 2 or part.count('"') % 2 for part in parts)
    return line if "<<" in line or has_open_quote else parts[-1]


def _proves_something(line: str, command: str) -> bool:
    return not _only_displays(command) and normalise(line).action not in ("write", "edit")


def _describe_subject(candidate: Candidate, limit: int) -> str:
    """Return the title as typed tokens if they contain a name, else the kind and the place."""
    title = tokens.reduce_to_tokens(candidate.title, limit)
    if tokens.contains_name(title):
        return title
    kind, place = candidate.kind.replace("_", " "), _describe_place(candidate)
    return tokens.cut_at_word(f"{kind}: {place}" if place else kind, limit)


def _describe_place(candidate: Candidate, shown: str = "") -> str:
    """Return the first command that does more than display something, and the first file, without what ``shown`` contains."""
    names = (tokens.shorten_path(name.rsplit("/", 1)[-1]) for name in candidate.files)
    file_name = next(filter(None, names), "")
    quoted = (e.summary[1:].partition("`")[0] for e in candidate.evidence if e.summary[:1] == "`")
    commands = (_shorten_command(each, _MAX_FAILED_COMMAND_LENGTH) for each in quoted)
    command = next((each for each in commands if " " in each and not _only_displays(each)), "")
    parts = [command, f"in {file_name}" if file_name else ""]
    return " ".join(part for part in parts if part and part.removeprefix("in ") not in shown)


# -- parts of a command line -------------------------------------------------------------------------------------------

# A host reports one exit code for a whole line such as ``cargo fmt && cargo test``, so the part that failed has to be inferred.

_PART_SEPARATOR = compile_lazily(r"\s*(?:&&|\|\||;|\n)\s*")
_SETTING = compile_lazily(r"export\s|\$env:|[A-Za-z_]\w*=(?:\"[^\"]*\"|'[^']*'|[^\s\"']*)\Z")
"""A part that only sets variables, which belongs to the part after it."""
_ARGUMENT = compile_lazily(r"[\w./\\:@-]{3,}")
_QUOTED_ARGUMENT = compile_lazily(r"['\"`]([^'\"`]{3,80})['\"`]")
_QUOTED_WEIGHT = 3
"""A quoted name in an error is more often an argument of the failed command than other words are."""
_INCIDENTAL_COMMAND = compile_lazily(
    r"[$\[]|(?:cat|date|echo|head|ls|printf|pwd|sleep|tail|wc|which)\b|git (?:branch|diff|log|show|status|stash pop)\b"
)
"""Expressions of PowerShell, and commands that rarely fail and often surround the one that matters."""


def select_failed_part(command: str, error: str) -> str:
    """Return the part of a command line that probably printed ``error``; the whole line if it has one part, or is a script.

    The part is the one whose program the error begins with, else the one that shares most names with the error, else the
    last one that is not incidental: after ``&&``, the parts before it have passed. The whole line if all are incidental.
    """
    parts = _split_parts(command)
    program = error.partition(": ")[0]
    if program == "fatal" or GIT_MESSAGES.match(error):
        program = "git"
    parts = [part for part in parts if _strip_settings(part).partition(" ")[0] == program] or parts
    if len(parts) == 1:
        return parts[0]
    shared = [_count_shared_names(part, error) for part in parts]
    if max(shared) and shared.count(max(shared)) == 1:
        return parts[shared.index(max(shared))]
    acting_parts = [part for part in parts if _is_acting(part)]
    return acting_parts[-1] if acting_parts else command


def select_similar_part(command: str, other: str) -> str:
    """Return the first part of a command line that is a variant of ``other``, a shortened command; the whole line if none is."""
    for part in _split_parts(command) if other else ():
        if are_variants(tokens.shorten_command(part), other):
            return part
    return command


def are_variants(command: str, other: str) -> bool:
    """Return whether two shortened commands have the same program and subcommands.

    The third word is a subcommand as well if it is alphabetic, as in ``gh pr view``, but not after ``test``.
    """
    words, other_words = command.split()[:3], other.split()[:3]
    have_third_words = len(words) == len(other_words) == 3 and words[1] != "test"
    is_operand = not have_third_words or not (words[2].isalpha() and other_words[2].isalpha())
    return words[:2] == other_words[:2] and (is_operand or words[2] == other_words[2])


def _strip_settings(part: str) -> str:
    return part.rpartition("; ")[2]


def _is_acting(part: str) -> bool:
    command = _strip_settings(part)
    return tokens.has_purpose(command) and not _INCIDENTAL_COMMAND.match(command)


def _count_shared_names(part: str, error: str) -> int:
    names = {name.strip(".:") for name in _ARGUMENT.findall(part)}
    shared = names.intersection(name.strip(".:") for name in _ARGUMENT.findall(error))
    quoted = names.intersection(_QUOTED_ARGUMENT.findall(error))
    return len(shared) + (_QUOTED_WEIGHT - 1) * len(quoted)


def _split_parts(command: str) -> list[str]:
    """Split a command line at ``&&``, ``||``, ``;`` and line breaks; omit comments, and do not split scripts and quoted separators."""
    pieces = [piece for piece in _PART_SEPARATOR.split(command) if piece and not piece.startswith("#")]
    if "<<" in command or any(piece.count("'") % 2 or piece.count('"') % 2 for piece in pieces):
        return [command]
    parts: list[str] = []
    settings = ""
    for piece in pieces:
        if _SETTING.match(piece):
            settings += f"{piece}; "
        else:
            parts.append(settings + piece)
            settings = ""
    return parts or [command]
