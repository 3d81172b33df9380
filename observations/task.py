"""The task inside the prompt of a benchmark harness: what a person wrote, without the template around it.

SWE-agent and mini-swe-agent send one long prompt in which the issue stands between sentences of the harness. Those
would otherwise be taken for the words of a user.
"""

from __future__ import annotations

import re

from mind_skills.redaction.lazy_pattern import compile_later

_DESCRIBED, _ENDS = "<pr_description>", "</pr_description>"
_INTRODUCED = "Consider the following PR description:"
_LEAD = compile_later(
    r"\A\s*We're currently solving the following [^\n]{1,80}?\. (?:Here's the issue text:\s*ISSUE:\s*)?"
)
_TAIL = compile_later(r"^[^\S\n]*INSTRUCTIONS:[^\S\n]*$.*", re.MULTILINE | re.DOTALL)


def task_of(prompt: str) -> str:
    """The task of a harness's prompt; the prompt itself where it is of no known template."""
    _, opened, rest = prompt.partition(_DESCRIBED)
    described, closed, _ = rest.partition(_ENDS)
    if opened and closed:
        return described.strip().removeprefix(_INTRODUCED).strip()
    return _TAIL.sub("", _LEAD.sub("", prompt, count=1), count=1).strip() or prompt
