"""Every drawn key of a published form is redacted, and the rules are built from the table of these forms."""

from __future__ import annotations

import os
import re
from random import Random

import pytest

from mind_skills.redaction import random_values
from mind_skills.redaction.prefixes import (
    ALPHABETS,
    ISSUERS,
    KEY_FORMATS,
    MARKED_FORMATS,
    SOURCES_DATE,
    build_expression,
)
from mind_skills.redaction.random_values import find_random_tokens
from mind_skills.redaction.secrets import redact
from mind_skills.redaction.values import compute_explained_share
from tests.redaction.planted import DASHES, WRAPPED
from tests.redaction.published_tokens import ISSUED, PUBLISHED

DRAWS = 200 if os.environ.get("MIND_SKILLS_DEEP") else 3
"""Draws per maker: 200 in a full run."""
SOURCES = {"issuer", "gitleaks", "betterleaks", "kingfisher", "trufflehog", "public code"}


def _pieces(secret: str) -> set[str]:
    return {secret[at : at + 6] for at in range(len(secret) // 2, len(secret) - 5)}


@pytest.mark.parametrize("kind", ISSUED)
def test_no_six_characters_of_a_drawn_key_are_left(kind: str) -> None:
    random = Random(kind)
    around = tuple(WRAPPED.values())
    left = []
    for number in range(DRAWS):
        for maker in ISSUED[kind]:
            secret, text = maker(random), around[number % len(around)]
            done = redact(text.format(secret))
            rest = text.format("")
            if any(piece in done and piece not in rest for piece in _pieces(secret)):
                left.append(secret)
    # An ambiguous form must look random, and a few draws do not: at most 1 in 100 in a full run, none in the sample.
    judged = any(form.is_ambiguous for form in KEY_FORMATS if form.kind == kind)
    assert len(left) <= (DRAWS * len(ISSUED[kind]) // 100 if judged else 0), left[:3]


def test_there_are_at_least_125_kinds_of_keys_with_sources_and_the_date_of_these() -> None:
    assert len({rule.name for rule in ISSUERS} | {form.kind for form in MARKED_FORMATS}) >= 125
    assert {form.source for form in KEY_FORMATS} | {form.source for form in MARKED_FORMATS} == SOURCES
    assert re.fullmatch(r"20\d\d-[01]\d-[0-3]\d", SOURCES_DATE)
    assert set(PUBLISHED) <= set(ISSUED)


def test_every_form_of_a_key_uses_defined_alphabets() -> None:
    for form in KEY_FORMATS:
        re.compile(build_expression(form.body))
        assert all(run in ALPHABETS for run in re.findall(r"([a-z0-9]+)\*", form.body))
    assert build_expression("alnum*3 - hex*2+ _ digit*1-4") == r"[A-Za-z0-9]{3}\-[a-f0-9]{2,}_[0-9]{1,4}"
    with pytest.raises(KeyError):
        build_expression("unheard*3")


@pytest.mark.parametrize(
    "text",
    [
        "napi_create_external_buffer_with_finalizer_2024",
        "re_compile_pattern_with_flags_and_more_of_them",
        "fw_update_available_notification_v2_handler",
        "live_reload_server_with_hot_module_replacement_1",
        "live_migration_of_database_schema_2024_q1_step",
        "key_bindings_for_the_terminal_emulator_window_42",
        "rnd_generator_seed_initialisation_vector_test1",
        "API-REFERENCE-DOCUMENTATION-V2",
        "pa-11y-accessibility-checker-configuration-file",
        "fc-match-font-configuration-2-15-0-linux-amd64",
        "ak_partition_key_column_of_table_12",
        "EAAAccessibilityAnnotationAttributeContainerElementFactory12345",
        "MTAccessibilityElementFactory.create1.NewInstanceOfTheFactoryInTheContainer",
        "cog_wheel_animation_keyframes_of_loading_screen_and_more",
        "tr_dev_environment_variables",
        "test_9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
        "browser: bb_test_fixture_for_browser_automation",
        "access-production-logs and access-sandbox-only",
    ],
)
def test_a_name_that_begins_like_a_key_stays(text: str) -> None:
    assert redact(text) == text


# -- random tokens without a published form ---------------------------------------------------------------------------


def _token(seed: int, length: int = 32) -> str:
    return "".join(Random(seed).choices("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", k=length))


def _found(text: str) -> list[str]:
    return [text[start:stop] for start, stop in find_random_tokens(text, text.split())]


@pytest.mark.parametrize(
    "text",
    ["use the api key {} now", "token {}", "{} is our signing key", "the passphrase ({})", "credentials for CI: {}"],
)
def test_a_long_random_token_near_a_word_for_a_secret_is_redacted(text: str) -> None:
    for seed in range(5):
        assert _token(seed) not in redact(text.format(_token(seed)))
        assert _found(text.format(_token(seed))) == [_token(seed)]


@pytest.mark.parametrize(
    "text",
    [
        "it printed {} and stopped",
        "the keyboard shows {}",
        "token\nlines\n{}",
        f"the api key{' ' * 80}{{}}",
        "the secret's integrity sha512-{}",
        "SHA256:{} is the fingerprint of the access key",
        "call toolu_{} used the token",
        "the public key ssh-ed25519 AAAAC3{}",
    ],
)
def test_a_long_random_token_stays_without_a_word_for_a_secret_or_if_it_is_public(text: str) -> None:
    assert _found(text.format(_token(1))) == []


@pytest.mark.parametrize(
    "name",
    [
        "getAccessTokenFromRefreshTokenOrThrow2",
        "claude-opus-4-1-20250805",
        "meta-llama/Llama-3.3-70B-Instruct-Turbo",
        "/usr/lib/python3.11/site-packages/pip/_internal",
        "refresh of commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
        "of user 01a1fbf8-d366-7a13-b658-55f80b758f6d",
        "dist/assets/index-DiwrgTda.js",
    ],
)
def test_a_readable_name_near_a_word_for_a_secret_stays(name: str) -> None:
    assert _found(f"the token {name} works") == []


def test_the_explained_share_counts_pairs_of_letters_that_are_common_in_names() -> None:
    assert compute_explained_share("configuration") == pytest.approx(10 / 12)  # nf and gu are no common pairs
    assert compute_explained_share("20240101123456") == 1.0
    assert compute_explained_share("") == compute_explained_share("ab") == 1.0
    assert compute_explained_share("Zk3Jq8vXn2Lw9Rt5Yb7Hc1Md") <= random_values.MAX_EXPLAINED_SHARE
    assert compute_explained_share("getAccessToken") > random_values.MAX_EXPLAINED_SHARE
    assert 0.4 <= random_values.MAX_EXPLAINED_SHARE <= random_values.MAX_PREFIXED_SHARE < 0.7
    assert DASHES not in ALPHABETS
