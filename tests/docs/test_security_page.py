"""The page on security states the numbers of its own tests."""

from __future__ import annotations

import pytest

from mind_skills.redaction.prefixes import ISSUERS, MARKED_KEYS
from tests.hooks.poison import FRAMES, SOURCES
from tests.hooks.test_hostile_sessions import CASES
from tests.redaction.attack import KINDS
from tests.redaction.harmless import HARMLESS
from tests.redaction.planted import WRAPPED
from tests.redaction.published_tokens import ISSUED
from tests.redaction.test_secrets import PLACED, SAMPLES
from tests.testkit.hostile.payloads import PAYLOADS, PLACES
from tests.testkit.paths import ROOT

KEYS = len({rule.name for rule in (*ISSUERS, *MARKED_KEYS)})


@pytest.mark.parametrize(
    "statement",
    [
        f"keys of {KEYS} kinds (",
        f"| {KEYS} kinds of keys by form",
        f"plants {len(SAMPLES)} secrets of {len({*ISSUED, *PLACED})} kinds, generated during the test, in {len(WRAPPED)} contexts each",
        f"and {len(set(HARMLESS))} harmless lines (",
        f"generates secrets of {sum(map(len, KINDS.values()))} kinds, 200 each",
        f"puts a lesson with {len(PAYLOADS)} payloads in {len(PLACES)} places of a session, {len(CASES)} cases,",
        f"{len(SOURCES)} sources, four hosts; {len(FRAMES)} frames",
    ],
)
def test_the_page_on_security_states_how_much_is_tested(statement: str) -> None:
    assert statement in " ".join((ROOT / "docs" / "security.md").read_text().split())
