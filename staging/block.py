"""Render the text that the next session receives for one candidate.

Entries are rendered when candidates are staged, so the start of a session only joins and prints them. An entry holds
the tier and id, then symptom, cause, remedy and proof: enough to judge the candidate without opening anything. Text
from tools, the web and MCP servers appears only as typed tokens (staging/tokens.py); a part without a name is omitted.
Short quotes may come from the user or the main agent (staging/quote.py), plus a few names from the same sentences. A
candidate based on the web or on an MCP server is labelled.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from mind_skills.redaction.lazy_pattern import compile_later
from mind_skills.staging import tokens
from mind_skills.staging.frame import RULE_MARK, SKILLS, assemble
from mind_skills.staging.model import OUTPUT, PER_OFFER, RULE, TITLE, Candidate, is_quoted
from mind_skills.staging.quote import BETWEEN, Quotes, is_said, spoken

ENTRY = 420
"""Maximum number of characters in an entry. Five entries and the frame are about 700 tokens."""
AGREED = "the user agreed"
"""Label of an approved candidate. The frame asks the agent to write a medium one only if the user agrees or it has a
reason."""
_SYMPTOM, _REMEDY, _COMMAND, _FAILED, _ABOUT = 80, 70, 60, 48, 80
_COMPLAINT, _CAUSE, _SHARED, _NEAR = 150, 240, 120, 60
"""Maximum number of characters in a quote, and in the command and file that replace an unstated symptom."""
_ROWS = 8
"""Maximum number of rows of each further change that are searched for names."""
_SAME = 30
"""Length of the symptom prefix that identifies the call that printed it."""
_BEGUN = 80
"""Length of the prefix that identifies a command."""
_PLAIN = 5
"""Plain words in a command: the program and its subcommands, including those after a wrapper."""
_OWN_SIGNS = frozenset('"#')
"""Bracket-like characters that the entry itself contains: quotation marks, and ``#`` in command arguments."""
_COST = compile_later(r"\d{1,5} (?:failures?|minutes?)|committed")
"""Parts of a scope that are not taken from the log; the other parts name files and versions."""
_COUNTS = compile_later(
    r"\b\d{1,6} (?:(?:tests?|checks?|specs?|files?) )?"
    r"(?:pass(?:ed|ing)?|fail(?:ed|ing|ures?)?|errors?|warnings?|issues?|skipped|ok|tests?)\b",
    re.IGNORECASE,
)
"""Counts in the output of a check."""
_STAMP = compile_later(r"\d{4}[-/]\d\d[-/]\d\d[T ]?[\d:.,]*Z?|\b\d\d:\d\d:\d\d[\d.,]*")
_SET = compile_later(r"[A-Z][A-Z0-9_]{2,40}=\S+")
"""A variable that is set for a command."""
_ASSIGNED = compile_later(r"\A(?:env )?(?:[A-Za-z_]\w*=\S* )+")
"""Variables that are set before a command."""
_OPAQUE = compile_later(
    r"\A\S+(?: \S+){0,3} -[ceifp]\Z|\Agit (?:log|status|diff|show)\b|\A(?:ls|cat|echo|which|command)\b"
)
"""A program whose inline script is omitted, or one that only displays something."""
_RAN = compile_later(r"`(.*)` (passed|ran)(?:: |\Z)")
_PIECES = compile_later(r"[^\s()\[\]{},;]+")


def render(candidates: list[Candidate], skills: str = SKILLS) -> str:
    """Return the complete offer for up to ``PER_OFFER`` candidates. ``skills`` is the host's skill folder."""
    return assemble([entry(candidate) for candidate in candidates[:PER_OFFER]], skills)


def entry(candidate: Candidate) -> str:
    """Render one candidate in at most ``ENTRY`` characters, without anything that looks like a tag.

    The first line has the tier and the id; symptom, cause, remedy and proof follow, one per line. Unstated parts are
    marked "not stated".
    """
    quotes, head = Quotes(candidate), f"[{candidate.confidence}] {candidate.id}"
    if candidate.kind == RULE:
        return _without_markup(f"{RULE_MARK}{quotes.rule()} {head}{f' ({AGREED})' if candidate.approved else ''}")
    notes = _notes(candidate)
    lines = _Lines(f"{head} ({', '.join(notes)})" if notes else head)
    failed, error = (
        tokens.command(_ASSIGNED.sub("", _failed_line(candidate), count=1), _FAILED, _PLAIN),
        _error(candidate),
    )
    symptom = f"{failed}: {error}" if " " in failed and error else f"{failed} failed" if " " in failed else error
    remedy, proof = _remedy(candidate, failed), _proof(candidate, failed)
    if remedy and proof.startswith(f"{remedy.removesuffix(' instead')} passed"):
        proof = f"it passed{proof.partition(' passed')[2]}"
    lines.add("symptom", symptom)
    lines.add("remedy", remedy)
    if error:
        lines.unsaid["cause"] += " beyond the error"
    if not symptom:
        lines.unsaid["symptom"] += f" ({_name(candidate, _NEAR)})"
        lines.quote("symptom", quotes.complaint, _COMPLAINT)
    if quotes.is_short() and not remedy:
        lines.quote("remedy", quotes.remedy, _SHARED)
    lines.quote("cause", quotes.cause, _CAUSE)
    if not lines.is_quoted("remedy"):
        lines.quote("remedy", quotes.remedy, _CAUSE)
    if symptom:
        lines.quote("symptom", partial(quotes.complaint, beside=True), _COMPLAINT)
    lines.add("proof", proof)
    if lines.parts["cause"]:
        lines.quote("cause", partial(quotes.cause, more=True), _CAUSE)
    lines.quote("summary", quotes.closing, TITLE)
    lines.add("about", _beside(candidate, lines.text(), min(lines.room("about"), _ABOUT)))
    return _without_markup(lines.text())


class _Lines:
    """Lines of an entry, each a label with its parts. A part that would exceed ``ENTRY`` characters in total is
    omitted.
    """

    def __init__(self, head: str) -> None:
        self._head = head
        self.parts: dict[str, list[str]] = {"symptom": [], "cause": [], "remedy": []}
        self.unsaid = dict.fromkeys(self.parts, "not stated")

    def text(self) -> str:
        """Return the lines joined into one text."""
        rows = (f"{name}: {'; '.join(parts) or self.unsaid[name]}" for name, parts in self.parts.items())
        return "\n   ".join([self._head, *rows])

    def room(self, name: str) -> int:
        """Return how many characters one more part of line ``name`` may have."""
        parts = self.parts.get(name)
        instead = len(f"\n   {name}: ") if parts is None else 2 if parts else -len(self.unsaid[name])
        return ENTRY - len(self.text()) - instead

    def add(self, name: str, part: str) -> None:
        """Append ``part`` to a line if it is not empty and fits."""
        if part and len(part) <= self.room(name):
            self.parts.setdefault(name, []).append(part)

    def is_quoted(self, name: str) -> bool:
        """Return whether a line already contains a quote."""
        return any(part.startswith('"') for part in self.parts[name])

    def quote(self, name: str, take: Callable[[int], str], most: int) -> None:
        """Append a quote of at most ``limit`` characters; ``take`` returns a quote within a given length."""
        said = take(min(self.room(name) - 2, most))
        self.add(name, f'"{said}"' if said else "")


def _without_markup(text: str) -> str:
    return "".join(sign if sign in _OWN_SIGNS else tokens.unbracketed(sign) for sign in text)


def told(candidate: Candidate, limit: int = 500) -> list[str]:
    """Describe a candidate in sentences that are safe for a prompt: its subject, and its stated cause and remedy.

    Cause and remedy are omitted if they rest on untrusted text. Tool output appears as typed tokens only.
    """
    quotes = Quotes(candidate, limit)
    said = (
        []
        if candidate.taint
        else [quotes.rule()]
        if candidate.kind == RULE
        else [quotes.cause(limit), quotes.remedy(limit)]
    )
    return list(dict.fromkeys(filter(None, [_name(candidate, TITLE), " ".join(filter(None, said))])))


def _notes(candidate: Candidate) -> list[str]:
    """List notes on cost, number of sessions and untrusted sources."""
    notes = [AGREED] if candidate.approved else []
    notes += [part for part in candidate.scope.split("; ") if _COST.fullmatch(part)]
    if len(candidate.sessions) > 1:
        notes.append(f"in {len(candidate.sessions)} sessions")
    strangers = "/".join(map(tokens.path, _strangers(candidate)))[:20]
    marks = [f"rests on {strangers}"] if strangers else []
    marks += ["repeats a tool"] if OUTPUT in candidate.taint else []
    ask = "" if candidate.approved else ": ask first"
    return notes + ([f"{', '.join(marks)}{ask}"] if marks else [])


def _strangers(candidate: Candidate) -> list[str]:
    """List the untrusted sources of the candidate other than local tools."""
    return [source for source in candidate.taint if source != OUTPUT]


def _failed_line(candidate: Candidate) -> str:
    """Return the command that failed with the symptom, as completely as the evidence has it."""
    for each in candidate.evidence:
        ran, sign, _ = each.summary[1:].rpartition("` failed: ") if each.summary[:1] == "`" else ("", "", "")
        if sign and candidate.symptom and candidate.symptom[:_SAME] in f"{each.summary}{each.content}":
            whole = each.content.partition("\n")[0]
            return whole[2:] if whole[:2] == "$ " else ran
    return ""


def _error(candidate: Candidate) -> str:
    """Return the error as typed tokens; empty if it was stated by the user or the agent, or contains no name."""
    if is_said(candidate, candidate.symptom):
        return ""
    told = tokens.typed(_STAMP.sub(" ", candidate.symptom), _SYMPTOM)
    return told if tokens.names_something(told) else ""


def _remedy(candidate: Candidate, failed: str) -> str:
    """Return what was done, as typed tokens.

    This is the names that a change removed and added, with its file; or the command that passed instead, with the
    variables set for it; or only the file if no name in the change may be shown.
    """
    changes = [e for e in candidate.evidence if e.role == "change" and not is_quoted(e)]
    if _is_command(candidate, candidate.remedy):
        return _other_command(candidate, failed)
    if not changes:
        return ""
    changed = changes[0].summary.removeprefix("changed ")
    place = tokens.path(candidate.files[0].replace("\\", "/").rsplit("/", 1)[-1] if candidate.files else changed)
    where = f" in {place}" if place else ""
    for removed, added in _changes(candidate):
        before, after = (dict.fromkeys(_PIECES.findall(row)) for row in (removed, added))
        new, gone = ([word for word in row if word not in other] for row, other in ((after, before), (before, after)))
        come, went = (_names_in([word for word in row if place not in word] if place else row) for row in (new, gone))
        if come or went:
            pair = (
                f"{went} replaced by {come}"
                if come and went and went != come
                else f"{come} added"
                if come
                else f"{went} removed"
            )
            return f"{pair}{where}"
    return f"{place} changed" if place else ""


def _names_in(words: list[str]) -> str:
    text = " ".join(words)
    told = tokens.code(text, _REMEDY // 2)
    if not told:
        told = tokens.typed(text, _REMEDY // 2)
    return told if tokens.names_something(told, alone=True) or told.startswith("-") else ""


def _other_command(candidate: Candidate, failed: str) -> str:
    """Return the command that passed; if it starts like the failed one, return what was added to and removed from
    it.
    """
    ran = tokens.command(_ASSIGNED.sub("", candidate.remedy, count=1), _COMMAND, _PLAIN)
    before, after = _failed_line(candidate), candidate.remedy
    come, gone = _differing(after, before), "" if before.endswith("…") else _differing(before, after)
    if failed and ran and " ".join(ran.split()[:2]) == " ".join(failed.split()[:2]) and (ran == failed or come or gone):
        told = ("the same command", f"with {come}" if come else "", f"without {gone}" if gone else "")
        return " ".join(filter(None, told)) if come or gone else ""
    if " " not in ran or ran == failed or _OPAQUE.search(ran):
        return ""
    set_ = " ".join(word for word in come.split() if _SET.fullmatch(word) and word not in ran)
    ran += f" with {set_}" if set_ else ""
    return f"{ran} instead" if len(set(failed.split()) & set(ran.split())) > 1 else ran


def _is_command(candidate: Candidate, text: str) -> bool:
    """Return whether ``text`` is the start of a command that the agent ran."""
    ran = [each.content.partition("\n")[0][2:] for each in candidate.evidence if each.content.startswith("$ ")]
    if proved := _RAN.match(candidate.proof):
        ran.append(proved[1])
    return bool(text) and any(each.startswith(text[:_BEGUN]) for each in ran)


def _differing(command: str, other: str) -> str:
    """Return the names in ``command`` that ``other`` does not contain."""
    known = {_base(word) for word in _PIECES.findall(other)}
    words = [word for word in _PIECES.findall(command) if _base(word) not in known]
    return tokens.code(" ".join(words), _REMEDY)


def _base(word: str) -> str:
    return word.strip("'\"/").rpartition("/")[2]


def _changes(candidate: Candidate) -> list[tuple[str, str]]:
    """List pairs of removed and added text: the remedy first, then added rows of the other changes."""
    removed, _, added = candidate.remedy.rpartition(" -> ")
    pairs = [(removed, added)]
    for each in candidate.evidence:
        rows = each.content.split("\n")[1:] if each.role == "change" and not is_quoted(each) else []
        pairs += [("", row[1:]) for row in rows if row[:1] == "+"][:_ROWS]
    return pairs


def _proof(candidate: Candidate, failed: str) -> str:
    """Return the command that passed, with its counts. Another command that merely ran proves nothing."""
    found = _RAN.match(candidate.proof)
    command = (
        tokens.command(_ASSIGNED.sub("", found[1], count=1), _COMMAND, _PLAIN) if found and found[2] == "passed" else ""
    )
    if not found or not command:
        return ""
    counts = list(dict.fromkeys(" ".join(each[0].split()) for each in _COUNTS.finditer(candidate.proof[found.end() :])))
    return f"{'the same command' if command == failed else command} passed" + (
        f": {', '.join(counts[:2])}" if counts else ""
    )


def _beside(candidate: Candidate, told: str, limit: int) -> str:
    """List names from quotable sentences that the entry does not contain yet.

    Tool output is excluded; a few of its names already appear in the symptom.
    """
    return tokens.named(" ".join((candidate.cause.replace(BETWEEN, " "), *spoken(candidate))), limit, told)


def _name(candidate: Candidate, limit: int) -> str:
    """Return the title as typed tokens if they contain a name, else the kind, command and file."""
    title = tokens.typed(candidate.title, limit)
    return title if tokens.names_something(title) else _place(candidate, limit)


def _place(candidate: Candidate, limit: int) -> str:
    """Return the kind, command and file of a candidate without a quotable sentence."""
    names = (tokens.path(name.rsplit("/", 1)[-1]) for name in candidate.files)
    place = next((name for name in names if name), "")
    commands = (tokens.command(e.summary[1:].partition("`")[0]) for e in candidate.evidence if e.summary[:1] == "`")
    about = next((f": {name}" for name in commands if name), "")
    return tokens.cut(f"{candidate.kind.replace('_', ' ')}{about}{f' in {place}' if place else ''}", limit)
