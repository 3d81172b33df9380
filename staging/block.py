"""Renders what the next session is shown of one candidate, at staging time, so that its start only joins and prints.

What was said of it, its tier and id; below, symptom, remedy and proof, and what it cost: enough to judge it without opening
anything. Text of tools, of the web and of MCP servers appears as typed tokens only (staging/tokens.py), and a part that names
nothing is left out. One short quote may come from what the user or the main agent said (staging/quote.py), and beside it a
few names out of it. A candidate that rests on the web or on an MCP server carries a mark.
"""

from __future__ import annotations

import re

from mind_skills.redaction.lazy_pattern import compile_later
from mind_skills.staging import tokens
from mind_skills.staging.frame import RULE_MARK, SKILLS, assemble
from mind_skills.staging.model import OUTPUT, PER_OFFER, RULE, TITLE, Candidate
from mind_skills.staging.quote import BETWEEN, is_said, quote, spoken

ENTRY = 420
"""Characters of an entry: five of them and the frame are about 700 tokens."""
_QUOTE = 300
"""Characters of the quote."""
_SYMPTOM, _REMEDY, _COMMAND, _ABOUT = 80, 70, 60, 80
_UNSAID = " (cause not stated)"
_ROWS = 8
"""Rows of the other changes in which names are sought."""
_SAME = 30
"""Characters of a symptom by which the call that printed it is known."""
_PLAIN = 5
"""Plain words of a command: its program, and what is asked of it by words, behind a wrapper as well."""
_OWN_SIGNS = frozenset('"#')
"""Of the entry itself: in what a command was called with."""
_COST = compile_later(r"\d{1,5} (?:failures?|minutes?)|committed")
"""What of a scope is no word of the log: the rest of it names files and versions."""
_COUNTS = compile_later(
    r"\b\d{1,6} (?:(?:tests?|checks?|specs?|files?) )?"
    r"(?:pass(?:ed|ing)?|fail(?:ed|ing|ures?)?|errors?|warnings?|issues?|skipped|ok|tests?)\b",
    re.IGNORECASE,
)
"""How many of what, in a result."""
_STAMP = compile_later(r"\d{4}[-/]\d\d[-/]\d\d[T ]?[\d:.,]*Z?|\b\d\d:\d\d:\d\d[\d.,]*")
_SET = compile_later(r"(?<![\w-])([A-Z][A-Z0-9_]{2,40})=[^\s;&|$('\"`]{1,60}")
"""A variable that was set for a command."""
_RAN = compile_later(r"`(.*)` (passed|ran)(?:: |\Z)")
_PIECES = compile_later(r"[^\s()\[\]{},;]+")


def render(candidates: list[Candidate], skills: str = SKILLS) -> str:
    """The whole offer for these candidates, the first five of them. ``skills`` is the host's folder for skills."""
    return assemble([entry(candidate) for candidate in candidates[:PER_OFFER]], skills)


def entry(candidate: Candidate) -> str:
    """One candidate in at most ``ENTRY`` characters: two lines, nothing that looks like a tag."""
    facts = _facts(candidate)
    tail = f"[{candidate.confidence}] {candidate.id}"
    mark = RULE_MARK if candidate.kind == RULE else ""
    room = ENTRY - len(mark) - len(tail) - 5 - sum(len(fact) + 2 for fact in facts)
    head = quote(candidate, min(room, _QUOTE))
    if not head and candidate.symptom:
        head = _place(candidate, min(room, TITLE) - len(_UNSAID)) + _UNSAID
    head = head or _name(candidate, min(room, TITLE))
    whole = f"{mark}{head} {tail}" + (f"\n   {'; '.join(facts)}" if facts else "")
    room = ENTRY - len(whole) - len("; about: ")
    about = _beside(candidate, whole, min(room, _ABOUT)) if facts and room > 0 else ""
    whole += f"; about: {about}" if about else ""
    return "".join(sign if sign in _OWN_SIGNS else tokens.unbracketed(sign) for sign in whole)


def told(candidate: Candidate, limit: int = 500) -> list[str]:
    """A candidate in sentences that may reach a prompt: what it is about, and what was said of its cause, unless that rests
    on what anybody may have written. What tools printed is in it as typed tokens only.
    """
    said = "" if candidate.taint else quote(candidate, limit)
    return list(dict.fromkeys(filter(None, [_name(candidate, TITLE), said])))


def _facts(candidate: Candidate) -> list[str]:
    """Symptom, remedy, proof, cost, recurrence and taint, as far as they are known and name something."""
    failed, error = _failed(candidate), _error(candidate)
    changed, remedy = _remedy(candidate, failed)
    symptom = f"{failed}: {error}" if failed and error else f"{failed} failed" if " " in failed else error
    proof = _proof(candidate, failed)
    if remedy and proof.startswith(f"{remedy} passed"):
        remedy, proof = proof, ""
    stated = (("symptom", symptom), ("remedy", remedy), ("changed", changed), ("proof", proof))
    facts = [f"{name}: {text}" for name, text in stated if text]
    facts += [part for part in candidate.scope.split("; ") if _COST.fullmatch(part)]
    if len(candidate.sessions) > 1:
        facts.append(f"in {len(candidate.sessions)} sessions")
    strangers = "/".join(map(tokens.path, _strangers(candidate)))[:20]
    marks = [f"rests on {strangers}"] if strangers else []
    marks += ["repeats a tool"] if OUTPUT in candidate.taint else []
    return facts + ([f"{', '.join(marks)}: ask first"] if marks else [])


def _strangers(candidate: Candidate) -> list[str]:
    """Whose text it rests on, of those whom nobody here has vouched for."""
    return [source for source in candidate.taint if source != OUTPUT]


def _failed(candidate: Candidate) -> str:
    """The command whose error the symptom is, from the evidence that holds more of it."""
    for each in candidate.evidence:
        ran, sign, _ = each.summary[1:].rpartition("` failed: ") if each.summary[:1] == "`" else ("", "", "")
        if sign and candidate.symptom and candidate.symptom[:_SAME] in f"{each.summary}{each.content}":
            whole = each.content.partition("\n")[0]
            return tokens.command(whole[2:] if whole[:2] == "$ " else ran, _COMMAND, _PLAIN)
    return ""


def _error(candidate: Candidate) -> str:
    """The error, unless somebody said it or it names nothing."""
    if is_said(candidate, candidate.symptom):
        return ""
    told = tokens.typed(_STAMP.sub(" ", candidate.symptom), _SYMPTOM)
    return told if tokens.names_something(told) else ""


def _remedy(candidate: Candidate, failed: str) -> tuple[str, str]:
    """The files that were changed where nothing more is known, and the remedy: the names that a change removed and added,
    with its file, or the command that passed instead with what was set for it. One of them is empty.
    """
    if not any(e.role == "change" for e in candidate.evidence):
        ran = tokens.command(candidate.remedy, _COMMAND, _PLAIN)
        pairs = dict.fromkeys(found[0] for found in _SET.finditer(candidate.remedy) if found[1] not in ran)
        beside = tokens.command(f"env {' '.join(pairs)} env", _REMEDY).removesuffix("env").strip() if pairs else ""
        if ran and beside:
            return "", f"{ran} with {beside}"
        return "", ran if ran != failed and " " in ran else ""  # a program alone says nothing
    place = tokens.path(candidate.files[0].rsplit("/", 1)[-1]) if candidate.files else ""
    for removed, added in _changes(candidate):
        before, after = (dict.fromkeys(_PIECES.findall(row)) for row in (removed, added))
        new, gone = ([word for word in row if word not in other] for row, other in ((after, before), (before, after)))
        come, went = (tokens.typed(" ".join(row), _REMEDY // 2) for row in (new, gone))
        if not tokens.names_something(come, alone=True):
            come = ""
        if come or tokens.names_something(went, alone=True):
            pair = (
                f"{come} (was {went})"
                if come and went != come and tokens.names_something(went, alone=True)
                else come or f"without {went}"
            )
            return "", f"{place}: {pair}" if place else pair
    return place, ""


def _changes(candidate: Candidate) -> list[tuple[str, str]]:
    """What was removed and added, the pair that the remedy is before the rows of the other changes."""
    removed, _, added = candidate.remedy.rpartition(" -> ")
    pairs = [(removed, added)]
    for each in candidate.evidence:
        rows = each.content.split("\n")[1:] if each.role == "change" else []
        pairs += [("", row[1:]) for row in rows if row[:1] == "+"][:_ROWS]
    return pairs


def _proof(candidate: Candidate, failed: str) -> str:
    """The command that passed and what it counted; that another one merely ran proves nothing."""
    found = _RAN.match(candidate.proof)
    command = tokens.command(found[1], _COMMAND, _PLAIN) if found and found[2] == "passed" else ""
    if not found or not command:
        return ""
    counts = list(dict.fromkeys(" ".join(each[0].split()) for each in _COUNTS.finditer(candidate.proof[found.end() :])))
    return f"{'the same' if command == failed else command} passed" + (f": {', '.join(counts[:2])}" if counts else "")


def _beside(candidate: Candidate, told: str, limit: int) -> str:
    """Names in what was said of it that the entry does not tell otherwise: what is left of sentences that were passed over.

    What a tool printed is no part of it: its names are told as the symptom, few of them.
    """
    return tokens.named(" ".join((candidate.cause.replace(BETWEEN, " "), *spoken(candidate))), limit, told)


def _name(candidate: Candidate, limit: int) -> str:
    """The title as typed tokens where they name something; else kind, command and file."""
    title = tokens.typed(candidate.title, limit)
    return title if tokens.names_something(title) else _place(candidate, limit)


def _place(candidate: Candidate, limit: int) -> str:
    """Kind, command and file of a candidate of which no sentence can be told."""
    names = (tokens.path(name.rsplit("/", 1)[-1]) for name in candidate.files)
    place = next((name for name in names if name), "")
    commands = (tokens.command(e.summary[1:].partition("`")[0]) for e in candidate.evidence if e.summary[:1] == "`")
    about = next((f": {name}" for name in commands if name), "")
    return tokens.cut(f"{candidate.kind.replace('_', ' ')}{about}{f' in {place}' if place else ''}", limit)
