"""Renders what the next session is shown of one candidate, at staging time, so that its start only joins and prints.

What was said of it, its tier and id; below, symptom, remedy and proof, and what it cost: enough to judge it without opening
anything. Text of tools, of the web and of MCP servers appears as typed tokens only (staging/tokens.py). One short quote
may come from what the user or the main agent said: the cause, and where there is room the turn's last words; what in it
repeats the evidence of a tool becomes typed tokens, too. A candidate that rests on the web or on an MCP server carries a mark.
"""

from __future__ import annotations

from mind_skills.observations.later import compile_later
from mind_skills.staging import tokens
from mind_skills.staging.frame import RULE_MARK, SKILLS, assemble
from mind_skills.staging.identity import normalised
from mind_skills.staging.model import CONTENT, OUTPUT, PER_OFFER, RULE, TITLE, Candidate, quoted

ENTRY = 420
"""Characters of an entry: five of them and the frame are about 700 tokens."""
_QUOTE, _STRANGERS = 300, 120
"""Characters of the quote; the latter where the session held text of strangers, which the agent may repeat in its own words."""
_SYMPTOM, _REMEDY, _COMMAND, _RESULT, _FAILED = 80, 70, 60, 24, 48
_SAME = 30
"""Characters of a symptom by which the call that printed it is known."""
_PLAIN = 5
"""Plain words of a command: its program, and what is asked of it by words, behind a wrapper as well."""
_LEAST = 60
"""Characters of another sentence that are worth telling where it does not fit."""
BETWEEN = " … "
"""Stands between the sentences of a cause, as in detectors/composing/quotes.py."""
_OWN_SIGNS = frozenset('"#')
"""Of the entry itself: in what a command was called with."""
_SPEAKER = compile_later(r"^(?:agent|user): ")
_COST = compile_later(r"\d{1,5} (?:failures?|minutes?)|committed")
"""What of a scope is no word of the log: the rest of it names files and versions."""
_COUNTS = compile_later(r"\d.*[a-z]{2}|[a-z]{2}.*\d")
"""A result that says how many of what."""
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
    head = _quote(candidate, min(room, _QUOTE)) or _name(candidate, min(room, TITLE))
    whole = f"{mark}{head} {tail}" + (f"\n   {'; '.join(facts)}" if facts else "")
    return "".join(sign if sign in _OWN_SIGNS else tokens.unbracketed(sign) for sign in whole)


def told(candidate: Candidate, limit: int = 500) -> list[str]:
    """A candidate in sentences that may reach a prompt: what it is about, and what was said of its cause, unless that rests
    on what anybody may have written. What tools printed is in it as typed tokens only.
    """
    quote = "" if candidate.taint else _quote(candidate, limit)
    return list(dict.fromkeys(filter(None, [_name(candidate, TITLE), quote])))


def _facts(candidate: Candidate) -> list[str]:
    """Symptom, remedy, proof, cost, recurrence and taint, as far as they are known."""
    remedy, proof = _remedy(candidate), _proof(candidate)
    if remedy and proof.startswith(f"{remedy} "):
        remedy, proof = proof, ""
    elif " passed" not in proof:
        proof = ""  # that another command ran as well proves nothing
    symptom = "" if _is_said(candidate, candidate.symptom) else tokens.typed(candidate.symptom, _SYMPTOM)
    failed = _failed(candidate)
    if failed and failed not in proof and failed not in remedy:
        symptom = f"{failed}: {symptom}" if symptom else failed
    stated = (("symptom", symptom), ("remedy", remedy), ("proof", proof))
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
    """The command whose error the symptom is."""
    for each in candidate.evidence:
        ran, sign, _ = each.summary[1:].rpartition("` failed: ") if each.summary[:1] == "`" else ("", "", "")
        if sign and candidate.symptom and candidate.symptom[:_SAME] in f"{each.summary}{each.content}":
            return tokens.command(ran, _FAILED, _PLAIN)
    return ""


def _remedy(candidate: Candidate) -> str:
    """The file that was changed with the names that a change added, else removed; or the command that passed instead."""
    if not any(e.role == "change" for e in candidate.evidence):
        return tokens.command(candidate.remedy, _COMMAND, _PLAIN)
    removed, _, added = candidate.remedy.rpartition(" -> ")
    before, after = (dict.fromkeys(_PIECES.findall(row)) for row in (removed, added))
    new, gone = ([word for word in row if word not in other] for row, other in ((after, before), (before, after)))
    place = tokens.path(candidate.files[0].rsplit("/", 1)[-1]) if candidate.files else ""
    names = tokens.typed(" ".join(new), _REMEDY) or tokens.typed(" ".join(gone), _REMEDY)
    return " ".join(filter(None, (f"{place}:" if place and names else place, names)))


def _proof(candidate: Candidate) -> str:
    """The command that bore it out, and whether it passed or merely ran."""
    found = _RAN.match(candidate.proof)
    command = tokens.command(found[1], _COMMAND, _PLAIN) if found else ""
    if not found or not command:
        return ""
    result = tokens.typed(candidate.proof[found.end() :], _RESULT)
    return f"{command} {found[2]}" + (f": {result}" if _COUNTS.search(result) else "")


def _quote(candidate: Candidate, limit: int) -> str:
    """What was said of the cause, and behind it the complaint and the title where they are other sentences and fit; what
    repeats a tool typed. Of the agent's no more than ``_STRANGERS`` where it read text of strangers.
    """
    printed, heard = _printed(candidate), [_plain(text) for text in _spoken(candidate, "user: ")]
    kept: list[str] = []
    room, agents = limit, _STRANGERS if _strangers(candidate) else limit
    for text in _parts(candidate):
        said = tokens.said(text, CONTENT, printed, candidate.repeats) if _is_said(candidate, text) else ""
        own = any(_plain(text).rstrip("….") in each for each in heard)
        most = room if own else min(room, agents)
        if any(said.rstrip("….") in each for each in kept) or (kept and len(said) > most and most < _LEAST):
            continue
        if said := tokens.cut(said, most):
            kept.append(said)
            room -= len(said) + len(BETWEEN)
            agents -= 0 if own else len(said) + len(BETWEEN)
    return BETWEEN.join(kept)


def _parts(candidate: Candidate) -> list[str]:
    """What could be quoted, the most telling first: the cause, the user's complaint, the rest of the cause, the title."""
    first, *others = _cause(candidate).split(BETWEEN)
    complaints = [e.summary for e in candidate.evidence if e.role == "symptom" and e.summary.startswith("user: ")]
    return [first, candidate.symptom, *others, *(_SPEAKER.sub("", text) for text in complaints[:1]), candidate.title]


def _cause(candidate: Candidate) -> str:
    """The cause; of a candidate for which nothing is stated, as older versions staged them, what was said first."""
    if candidate.cause or candidate.symptom or candidate.remedy:
        return candidate.cause
    return next(iter(_spoken(candidate)), "")


def _is_said(candidate: Candidate, text: str) -> bool:
    """Whether the evidence holds a text as what the user or the main agent said."""
    words = _plain(text).rstrip("….")
    return bool(words) and any(words in _plain(each) for each in _spoken(candidate))


def _name(candidate: Candidate, limit: int) -> str:
    """The title as typed tokens; else kind, command and file."""
    title = tokens.typed(candidate.title, limit)
    if title:
        return title
    names = (tokens.path(name.rsplit("/", 1)[-1]) for name in candidate.files)
    place = next((name for name in names if name), "")
    commands = (tokens.command(e.summary[1:].partition("`")[0]) for e in candidate.evidence if e.summary[:1] == "`")
    about = next((f": {name}" for name in commands if name), "")
    return tokens.cut(candidate.kind.replace("_", " ") + about + (f" in {place}" if place else ""), limit)


def _spoken(candidate: Candidate, who: str = "") -> list[str]:
    """The contents of what was said, the agent's before the user's, who may have pasted what a tool printed."""
    said = [e for e in candidate.evidence if quoted(e) and e.summary.startswith(who)]
    said.sort(key=lambda e: e.summary.startswith("user: "))
    return [text for e in said for text in (e.content, _SPEAKER.sub("", e.summary)) if text.strip()]


def _plain(text: str) -> str:
    return " ".join(normalised(text).replace("*", "").replace("`", "").split())


def _printed(candidate: Candidate) -> str:
    """What tools printed, as far as the evidence holds it, in the form that ``tokens.said`` compares."""
    printed = (f"{e.summary}\n{e.content}" for e in candidate.evidence if not quoted(e) and e.role != "change")
    return tokens.plain("\n".join(printed)).casefold()
