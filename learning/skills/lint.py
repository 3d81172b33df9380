"""The lint: whether a skill keeps to the format of Agent Skills, is safe to load (safety.py), and differs from the others.

Pure; tasks/skill_files.py reads files and YAML for it.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from mind_skills.learning.skills import safety
from mind_skills.learning.skills.coverage import distinctive_words
from mind_skills.learning.skills.document import CLAUDE_CODE, OURS, SPEC, Document, Flaw
from mind_skills.redaction.lazy_pattern import compile_later

NAME, DESCRIPTION, COMPATIBILITY = 64, 1024, 500
"""Characters, from the specification."""
LINES, TOKENS, PER_TOKEN = 500, 5000, 4
"""Advice of the specification for the body; four characters of English are about one token."""
KEYS = ("name", "description", "license", "compatibility", "metadata", "allowed-tools")
"""The only keys that every host and packager accepts."""
EXTRAS = frozenset(
    "agent argument-hint arguments background context disable-model-invocation disallowed-tools effort hooks model paths"
    " shell user-invocable when_to_use".split()
)
"""Keys that Claude Code reads beyond those, as of 2.1."""
_TRIGGER = compile_later(
    r"\b(?:use[ds]? (?:\w+ )?(?:if|for|to|before|after|this|it|in|on)|when(?:ever)?|trigger\w*|if you|for (?:any|all))\b",
    re.IGNORECASE,
)


def check_name(doc: Document) -> Iterator[Flaw]:
    """The name: 1 to 64 lowercase letters, digits and single hyphens inside, and the folder's."""
    if doc.fields is None:
        return
    line, text = doc.line_of("name"), unicodedata.normalize("NFKC", doc.text_of("name"))
    if not text:
        yield Flaw("name-missing", "error", "it has no name", f"Add the line `name: {doc.folder}`.", SPEC, line)
        return
    if len(text) > NAME:
        yield Flaw(
            "name-long",
            "error",
            f"its name has {len(text)} characters",
            f"{NAME} is the most there may be.",
            SPEC,
            line,
        )
    wrong = sorted({char for char in text if char != "-" and not char.isalnum()} | {c for c in text if c != c.lower()})
    if wrong:
        shown = " ".join(ascii(char)[1:-1] for char in wrong[:8])
        hint = "Use lowercase letters, digits and hyphens."
        yield Flaw("name-characters", "error", f"its name holds {shown}", hint, SPEC, line)
    elif not text.isascii():
        hint = "Use a-z, 0-9 and hyphens: the specification names those, though its validator lets more pass."
        yield Flaw("name-ascii", "warning", "its name holds letters beyond a-z", hint, SPEC, line)
    if text.startswith("-") or text.endswith("-") or "--" in text:
        hint = "Put single hyphens between words, none at either end."
        yield Flaw("name-hyphens", "error", "its name has a hyphen too many", hint, SPEC, line)
    if text != unicodedata.normalize("NFKC", doc.folder):
        hint = "Make both the same: hosts list a skill under one or the other."
        yield Flaw("name-folder", "error", "its name is not the name of its folder", hint, SPEC, line)


def check_description(doc: Document) -> Iterator[Flaw]:
    """The description: 1 to 1024 characters, what it does and when to use it."""
    if doc.fields is None:
        return
    line, text = doc.line_of("description"), doc.text_of("description")
    if not text:
        hint = 'Add a description: what the skill does, and "Use when ...". It is all that a host reads at first.'
        yield Flaw("description-missing", "error", "it has no description", hint, SPEC, line)
    elif len(text) > DESCRIPTION:
        hint = f"{DESCRIPTION} is the most there may be; the body has room."
        yield Flaw("description-long", "error", f"its description has {len(text)} characters", hint, SPEC, line)
    elif not _TRIGGER.search(text):
        hint = 'Say when to use it, as in "Use when a test fails with ...": without it, no agent thinks of it.'
        yield Flaw("description-trigger", "warning", "its description does not say when to use it", hint, SPEC, line)


def check_keys(doc: Document) -> Iterator[Flaw]:
    """No other key than the six that are portable."""
    for key in sorted(set(doc.fields or ()) - set(KEYS)):
        shown = ascii(key)[1:-1][:60]
        if key in EXTRAS:
            message = f"the key {shown} is Claude Code's own"
            hint = "Other hosts pass over it, and packagers refuse it. Leave it out, or keep the skill to Claude Code."
            yield Flaw("key-host", "error", message, hint, CLAUDE_CODE, doc.line_of(key))
        else:
            hint = f"The keys are {', '.join(KEYS)}; anything else belongs into metadata."
            yield Flaw("key-unknown", "error", f"there is no key {shown}", hint, SPEC, doc.line_of(key))


def check_compatibility(doc: Document) -> Iterator[Flaw]:
    """Compatibility, where it is given: text of at most 500 characters."""
    value = (doc.fields or {}).get("compatibility")
    if value is None or (isinstance(value, str) and len(value) <= COMPATIBILITY):
        return
    message = (
        f"its compatibility has {len(value)} characters" if isinstance(value, str) else "its compatibility is not text"
    )
    hint = f"Write a sentence of at most {COMPATIBILITY} characters, or leave it out."
    yield Flaw("compatibility", "error", message, hint, SPEC, doc.line_of("compatibility"))


def check_metadata(doc: Document) -> Iterator[Flaw]:
    """Metadata, where it is given: a table of texts."""
    value = (doc.fields or {}).get("metadata")
    if value is None or (isinstance(value, dict) and all(isinstance(each, str) for each in value.values())):
        return
    hint = "Write one `key: text` a line below it, indented."
    yield Flaw("metadata", "error", "its metadata is no table of texts", hint, SPEC, doc.line_of("metadata"))


def check_size(doc: Document) -> Iterator[Flaw]:
    """The body: something, and not more than an agent should read at once."""
    lines, tokens = doc.body.count("\n") + 1, len(doc.body) // PER_TOKEN
    if not doc.body.strip():
        yield Flaw("body-empty", "warning", "it says nothing beyond its description", "Say what to do.", OURS)
    if lines > LINES or tokens > TOKENS:
        message = f"its body has {lines} lines, about {tokens} tokens"
        hint = (
            f"Stay below {LINES} lines and {TOKENS} tokens: an agent reads all of it. Move the rest into references/."
        )
        yield Flaw("body-long", "warning", message, hint, SPEC, doc.body_line)


SHARED, LEAST = 0.6, 4
"""Two descriptions collide when they share this part of the shorter one's rare words, and at least so many. A word is
rare that no third description holds. Two skills about one matter in other words share about a half of them."""


@lru_cache(maxsize=1024)  # each skill of a folder is compared with all others
def _words(description: str) -> frozenset[str]:
    return frozenset(distinctive_words([description]))


def check_collision(doc: Document) -> Iterator[Flaw]:
    """Another skill of the same name, or with nearly the same description."""
    others = [skill for skill in doc.others if os.path.realpath(skill.path) != os.path.realpath(doc.path)]
    for skill in others:
        if skill.name == doc.folder:
            message = f"there is another skill of this name: {skill.path}"
            yield Flaw("name-taken", "warning", message, "Rename one of them: a host lists only one.", OURS)
    mine = distinctive_words([doc.text_of("description")])
    theirs = [(skill, _words(skill.description)) for skill in others if skill.name != doc.folder]
    count = Counter(word for _, words in theirs for word in words)
    for skill, words in theirs:
        common = {word for word in mine | words if count[word] > (word in words)}
        shared = (mine & words) - common
        if len(shared) >= LEAST and len(shared) >= SHARED * min(len(mine - common), len(words - common)):
            message = f"its description says nearly the same as that of {skill.name}: {', '.join(sorted(shared)[:6])}"
            hint = f"Say what sets it apart, or make one of both: {skill.path}"
            yield Flaw("description-shared", "warning", message, hint, OURS, doc.line_of("description"))


RULES = (
    check_name,
    check_description,
    check_keys,
    check_compatibility,
    check_metadata,
    check_size,
    safety.check_tools,
    safety.check_fetched,
    safety.check_included,
    safety.check_secrets,
    safety.check_hidden,
    safety.check_tags,
    check_collision,
)
"""In the order in which a person would mend them."""


def lint(doc: Document) -> list[Flaw]:
    """What is wrong with a skill: errors first, then warnings, each in the order of the rules. Never raises."""
    flaws = [flaw for rule in RULES for flaw in rule(doc)]
    return sorted(flaws, key=lambda flaw: flaw.severity != "error")
