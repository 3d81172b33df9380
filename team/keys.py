"""The key of a team, and the digests made with it: equal for all members, and computable only by them.

The server never receives the key. Without the key, nobody can check a guess against a digest.
"""

from __future__ import annotations

import binascii
import re
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import blake2b
from typing import NamedTuple

from mind_skills.errors import MindSkillsError

KEY_BYTES = 32
DIGEST_BYTES = 16
_TEAM_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


class TeamKey(NamedTuple):
    """The name of a team and its secret key of 32 bytes."""

    team: str
    secret: bytes

    @property
    def code(self) -> str:
        """The text that members type to join: name, a dot, and the key in base64."""
        return f"{self.team}.{urlsafe_b64encode(self.secret).decode().rstrip('=')}"

    def digest(self, purpose: str, *parts: str) -> bytes:
        """Return 16 bytes that identify ``parts`` within the team; digests for different purposes are never equal."""
        mac = blake2b(key=self.secret, digest_size=DIGEST_BYTES)
        for part in (purpose, *parts):
            data = part.encode("utf-8", "surrogatepass")
            mac.update(len(data).to_bytes(8, "big") + data)
        return mac.digest()


def create_key(team: str) -> TeamKey:
    """Create a key for a new team. Raises MindSkillsError if the name is invalid."""
    if not _TEAM_NAME.fullmatch(team):
        hint = "Use up to 40 lower-case letters, digits and dashes."
        raise MindSkillsError("team_code", f"{team!r} cannot be the name of a team", hint)
    return TeamKey(team, secrets.token_bytes(KEY_BYTES))


def parse_code(text: str) -> TeamKey:
    """Parse the text that `team init` printed. Raises MindSkillsError, whose message does not repeat the secret text."""
    team, _, encoded = text.strip().partition(".")
    try:
        secret = urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4))
    except (binascii.Error, ValueError):
        secret = b""
    if not _TEAM_NAME.fullmatch(team) or len(secret) != KEY_BYTES:
        hint = "Copy all of what `mind-skills team init` printed: a name, a dot and 43 characters."
        raise MindSkillsError("team_code", "this is not the code of a team", hint)
    return TeamKey(team, secret)
