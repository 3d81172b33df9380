"""Whether a skill keeps to the format: the rules of Agent Skills, and what its authors advise."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

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


def name(doc: Document) -> Iterator[Flaw]:
    """The name: 1 to 64 lowercase letters, digits and single hyphens inside, and the folder's."""
    if doc.fields is None:
        return
    line, said = doc.line_of("name"), unicodedata.normalize("NFKC", doc.said("name"))
    if not said:
        yield Flaw("name-missing", "error", "it has no name", f"Add the line `name: {doc.folder}`.", SPEC, line)
        return
    if len(said) > NAME:
        yield Flaw(
            "name-long",
            "error",
            f"its name has {len(said)} characters",
            f"{NAME} is the most there may be.",
            SPEC,
            line,
        )
    wrong = sorted({char for char in said if char != "-" and not char.isalnum()} | {c for c in said if c != c.lower()})
    if wrong:
        shown = " ".join(ascii(char)[1:-1] for char in wrong[:8])
        hint = "Use lowercase letters, digits and hyphens."
        yield Flaw("name-characters", "error", f"its name holds {shown}", hint, SPEC, line)
    elif not said.isascii():
        hint = "Use a-z, 0-9 and hyphens: the specification names those, though its validator lets more pass."
        yield Flaw("name-ascii", "warning", "its name holds letters beyond a-z", hint, SPEC, line)
    if said.startswith("-") or said.endswith("-") or "--" in said:
        hint = "Put single hyphens between words, none at either end."
        yield Flaw("name-hyphens", "error", "its name has a hyphen too many", hint, SPEC, line)
    if said != unicodedata.normalize("NFKC", doc.folder):
        hint = "Make both the same: hosts list a skill under one or the other."
        yield Flaw("name-folder", "error", "its name is not the name of its folder", hint, SPEC, line)


def description(doc: Document) -> Iterator[Flaw]:
    """The description: 1 to 1024 characters, what it does and when to use it."""
    if doc.fields is None:
        return
    line, said = doc.line_of("description"), doc.said("description")
    if not said:
        hint = 'Add a description: what the skill does, and "Use when ...". It is all that a host reads at first.'
        yield Flaw("description-missing", "error", "it has no description", hint, SPEC, line)
    elif len(said) > DESCRIPTION:
        hint = f"{DESCRIPTION} is the most there may be; the body has room."
        yield Flaw("description-long", "error", f"its description has {len(said)} characters", hint, SPEC, line)
    elif not _TRIGGER.search(said):
        hint = 'Say when to use it, as in "Use when a test fails with ...": without it, no agent thinks of it.'
        yield Flaw("description-trigger", "warning", "its description does not say when to use it", hint, SPEC, line)


def keys(doc: Document) -> Iterator[Flaw]:
    """No other key than the six that are portable."""
    for key in sorted(set(doc.fields or ()) - set(KEYS)):
        shown = ascii(key)[1:-1][:60]
        if key in EXTRAS:
            said = f"the key {shown} is Claude Code's own"
            hint = "Other hosts pass over it, and packagers refuse it. Leave it out, or keep the skill to Claude Code."
            yield Flaw("key-host", "error", said, hint, CLAUDE_CODE, doc.line_of(key))
        else:
            hint = f"The keys are {', '.join(KEYS)}; anything else belongs into metadata."
            yield Flaw("key-unknown", "error", f"there is no key {shown}", hint, SPEC, doc.line_of(key))


def compatibility(doc: Document) -> Iterator[Flaw]:
    """Compatibility, where it is given: text of at most 500 characters."""
    value = (doc.fields or {}).get("compatibility")
    if value is None or (isinstance(value, str) and len(value) <= COMPATIBILITY):
        return
    said = (
        f"its compatibility has {len(value)} characters" if isinstance(value, str) else "its compatibility is not text"
    )
    hint = f"Write a sentence of at most {COMPATIBILITY} characters, or leave it out."
    yield Flaw("compatibility", "error", said, hint, SPEC, doc.line_of("compatibility"))


def metadata(doc: Document) -> Iterator[Flaw]:
    """Metadata, where it is given: a table of texts."""
    value = (doc.fields or {}).get("metadata")
    if value is None or (isinstance(value, dict) and all(isinstance(each, str) for each in value.values())):
        return
    hint = "Write one `key: text` a line below it, indented."
    yield Flaw("metadata", "error", "its metadata is no table of texts", hint, SPEC, doc.line_of("metadata"))


def size(doc: Document) -> Iterator[Flaw]:
    """The body: something, and not more than an agent should read at once."""
    lines, tokens = doc.body.count("\n") + 1, len(doc.body) // PER_TOKEN
    if not doc.body.strip():
        yield Flaw("body-empty", "warning", "it says nothing beyond its description", "Say what to do.", OURS)
    if lines > LINES or tokens > TOKENS:
        said = f"its body has {lines} lines, about {tokens} tokens"
        hint = (
            f"Stay below {LINES} lines and {TOKENS} tokens: an agent reads all of it. Move the rest into references/."
        )
        yield Flaw("body-long", "warning", said, hint, SPEC, doc.body_line)
