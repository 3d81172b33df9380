"""Checks for plain text before a regular expression skip nothing that the expression would match."""

from __future__ import annotations

import random

from mind_skills.redaction import assignments, random_values

PIECES = (
    *("sha256", "SHA1", "md5", "base64", "fingerprint", "integrity", "etag", "nonce", "key", "SECRET", "token"),
    *("arn:aws", "arn:aws-cn:s3:::b", "base64:", "login", "account", "configure set ", "setx ", "set -gx ", "env "),
    *("-p", "/user:", "deploy:", "a%", "DB_", "=", ":", ",", "-", "'", '"', " ", "\t", "x", "9"),
)
_DICE = random.Random(1)
LINES = ["".join(_DICE.choices(PIECES, k=_DICE.randint(0, 8))) for _ in range(5_000)]


def test_the_check_for_public_labels_agrees_with_its_expressions() -> None:
    found = [line for line in LINES if random_values._is_public_label(line)]
    wanted = [
        line
        for line in LINES
        if random_values._ARN.search(line)
        or (random_values._CHECKSUM_LABEL.search(line) and not random_values._KEY_IN_BASE64.search(line))
    ]
    assert (found, len(found) > 100) == (wanted, True)


def test_the_check_for_a_command_before_a_name_agrees_with_its_expression() -> None:
    lines = [line.lower() for line in LINES]
    found = [line for line in lines if assignments._is_command_argument(line, len(line))]
    wanted = [line for line in lines if assignments._COMMAND_PREFIX.search(line, max(0, len(line) - 100))]
    assert (found, len(found) > 100) == (wanted, True)


def test_every_option_has_its_symbol_within_the_characters_that_are_checked_first() -> None:
    options = [line for line in LINES if random_values._OPTION.search(line)]
    assert len(options) > 100
    assert [line for line in options if not set("-:%") & set(line[-random_values._OPTION_SYMBOL_REACH :])] == []
