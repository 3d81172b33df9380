"""Planted secrets are redacted, harmless lines stay, and each rule detects a secret that no other rule detects."""

from __future__ import annotations

import random
import shutil
import string
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mind_skills.redaction import assignments, secrets
from mind_skills.redaction.contexts import SECRET_CONTEXTS
from mind_skills.redaction.prefixes import ISSUERS, KEY_FORMATS, MARKED_KEYS
from mind_skills.redaction.secrets import group_by_head, group_by_hint, redact
from tests.redaction.harmless import HARMLESS
from tests.redaction.planted import PLACED as PLACED_EVERYWHERE
from tests.redaction.planted import WORD, WRAPPED, body
from tests.redaction.planted_tools import TOOLS
from tests.redaction.published_tokens import ISSUED
from tests.testkit.examples import WHOLE

SEED = 20240101
PLACED = PLACED_EVERYWHERE | TOOLS
AROUND = ("{}", "one line\n{}\nanother", '"{}"', "> {}", "- {}")
CASES = [(name, case) for name, cases in PLACED.items() for case in cases]
SAMPLES = [maker(Random(SEED)) for makers in ISSUED.values() for maker in makers]
AMBIGUOUS = {form.kind for form in KEY_FORMATS if form.is_ambiguous}
"""Kinds whose body must look random, which a few in a thousand do not (test_prefixes.py bounds their share)."""
SAMPLES += [PLACED[name][case](Random(SEED))[0] for name, case in CASES]


def _is_redacted(secret: str, text: str) -> bool:
    """Whether neither the secret nor its beginning or end is left."""
    cleaned = redact(text)
    assert secret in text
    return secret[-14:] not in cleaned and secret[:24] not in cleaned and "[redacted:" in cleaned


@pytest.mark.parametrize("name", ISSUED)
def test_a_key_of_a_known_issuer_is_redacted_in_any_surrounding_text(name: str) -> None:
    keys = [maker(Random(SEED)) for maker in ISSUED[name]]
    left = [(where, s) for s in keys for where, text in WRAPPED.items() if not _is_redacted(s, text.format(s))]
    assert left == []


@pytest.mark.parametrize(("name", "case"), CASES)
def test_a_secret_that_its_place_or_name_gives_away_is_redacted(name: str, case: str) -> None:
    text, secret = PLACED[name][case](Random(SEED))
    assert _is_redacted(secret, text)


@settings(max_examples=40 if WHOLE else 5)
@given(st.integers(0, 2**64))
def test_keys_and_placed_secrets_with_any_random_body_are_redacted(seed: int) -> None:
    keys = {name: maker(Random(seed)) for name, makers in ISSUED.items() if name not in AMBIGUOUS for maker in makers}
    assert [name for name, secret in keys.items() if not _is_redacted(secret, f"x={secret}\n")] == []
    placed = {(name, case): PLACED[name][case](Random(seed)) for name, case in CASES}
    assert [where for where, (text, secret) in placed.items() if not _is_redacted(secret, text)] == []


@pytest.mark.parametrize("text", SAMPLES)
def test_the_lines_around_a_secret_stay(text: str) -> None:
    cleaned = redact(f"before it\n{text}\nafter it")
    assert cleaned.startswith("before it\n")
    assert cleaned.endswith("\nafter it")


@pytest.mark.parametrize("text", HARMLESS)
def test_a_harmless_line_is_not_changed(text: str) -> None:
    for around in AROUND:
        line = around.replace("{}", text)
        assert redact(line) == line


def test_a_password_that_ends_like_markdown_emphasis_is_redacted() -> None:
    passwords = ("kT9vQ2" + "x**", "pQ7$" + "m2x**")
    assert [redact(f"we log in with {password} and that password") for password in passwords] == [
        "we log in with [redacted:password] and that password"
    ] * len(passwords)


def test_there_are_enough_planted_secrets_and_harmless_lines() -> None:
    assert (len(SAMPLES) >= 60, len({*ISSUED, *PLACED}) >= 25, len(set(HARMLESS)) >= 120) == (True, True, True)


# -- without a rule, its secret is missed ------------------------------------------------------------------------------


def _missed(name: str) -> bool:
    """Whether some planted secret of that name is left."""
    issued = [(secret, f"x: {secret}\n") for maker in ISSUED.get(name, ()) if (secret := maker(Random(SEED)))]
    placed = [(secret, text) for maker in PLACED.get(name, {}).values() for text, secret in [maker(Random(SEED))]]
    return any(secret in redact(text) for secret, text in (*issued, *placed))


@pytest.mark.parametrize("name", sorted({rule.name for rule in (*ISSUERS, *MARKED_KEYS)}))
def test_a_key_is_missed_without_the_rule_of_its_issuer(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "_find_generated", lambda text, long_words: [])
    monkeypatch.setattr(secrets, "MARKED_KEYS", [rule for rule in MARKED_KEYS if rule.name != name])
    monkeypatch.setattr(secrets, "_RULES_BY_HEAD", group_by_head([rule for rule in ISSUERS if rule.name != name]))
    assert _missed(name)


@pytest.mark.parametrize("name", [rule.name for rule in SECRET_CONTEXTS])
def test_a_secret_is_missed_without_the_rule_of_its_place(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "_find_generated", lambda text, long_words: [])
    monkeypatch.setattr(
        secrets, "_CONTEXTS_BY_HINT", group_by_hint([rule for rule in SECRET_CONTEXTS if rule.name != name])
    )
    assert _missed(name)


@pytest.mark.parametrize("name", assignments.SECRET_NAMES)
def test_a_secret_is_missed_without_its_name_on_the_list(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "_find_generated", lambda text, long_words: [])
    monkeypatch.setattr(
        secrets,
        "find_stems",
        lambda lowered: [other for other in assignments.SECRET_NAMES if other in lowered and other != name],
    )
    assert _missed(name)


def test_a_key_block_is_missed_without_the_rule_for_key_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "find_key_blocks", lambda text: ())
    assert _missed("key block")


def test_a_secret_in_a_column_is_missed_without_the_rule_for_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "find_column_secrets", lambda text, lowered, stems: ())
    assert _missed("columns")


def test_many_private_keys_without_a_begin_marker_are_all_redacted_at_once() -> None:
    random, end = Random(5), "-----END " + "PRIVATE KEY-----"
    text = "".join(f"note {number}\n{body(random, WORD, 64)}\n{end}\n" for number in range(7))
    assert redact(text) == "".join(f"note {number}\n[redacted:private-key]\n" for number in range(7))
    assert redact(f"{end}\n{text}") == f"{end}\n{redact(text)}"


def test_a_redaction_mark_is_not_taken_for_the_name_of_the_value_after_it() -> None:
    text = "DB_PWD=u94YfVy72" + "\n=u94YfVy72" * 8
    assert redact(text) == "DB_PWD=[redacted:password]" + "\n=u94YfVy72" * 8
    assert redact('[redacted:password] token="u94YfVy72k8"') == '[redacted:password] token="[redacted:secret]"'


@pytest.mark.parametrize("before", ["[redacted:", "[redacted: ", "[redacted:{", "[redacted:password,"])
def test_text_that_only_begins_like_a_redaction_mark_hides_no_password(before: str) -> None:
    assert redact(f"{before}password=u94YfVy72k8") == f"{before}password=[redacted:password]"
    nested = 40 * f'password:"{before}"' + "passwd:u94YfVy72k8"
    assert "u94YfVy72k8" not in redact(nested)
    assert redact(redact(nested)) == redact(nested)


def test_every_cookie_of_a_long_line_is_redacted() -> None:
    random = Random(6)
    cookies = [body(random, WORD, 32) for _ in range(200)]
    line = "Cookie: " + "; ".join(f"a{number}={each}" for number, each in enumerate(cookies))
    assert redact(line) == "Cookie: " + "; ".join(f"a{number}=[redacted:cookie]" for number in range(200))


def test_every_rule_has_a_planted_secret_and_every_planted_secret_a_rule() -> None:
    assert set(ISSUED) == {rule.name for rule in (*ISSUERS, *MARKED_KEYS)}
    assert set(PLACED) == {rule.name for rule in SECRET_CONTEXTS} | set(assignments.SECRET_NAMES) | {
        "key block",
        "columns",
    }


@pytest.mark.parametrize("value", ["Winter2025!", "MySecret#1", "summer-2024!"])
@pytest.mark.parametrize(
    "text",
    [
        "JWT_SECRET={}",
        '"client_secret": "{}"',
        "--token {}",
        '{{"key": "API_TOKEN", "value": "{}"}}',
        '{{"variable_type": "env_var", "key": "DB_PASSWORD", "value": "{}"}}',
        "- key: DB_PASSWORD\n  value: {}",
        '{{\\"key\\":\\"API_TOKEN\\",\\"value\\":\\"{}\\"}}',
        '{{\\"name\\": \\"DB_PASSWORD\\", \\"value\\": \\"{}\\"}}',
    ],
)
def test_a_secret_that_people_choose_is_redacted_under_every_name(text: str, value: str) -> None:
    assert value not in redact(text.format(value))


# -- other properties of redaction ------------------------------------------------------------------------------------


def test_each_line_of_an_environment_file_is_redacted_separately() -> None:
    assert redact("HOST=localhost\nDB_PASSWORD=correcthorse\nPORT=5432\nAPI_TOKEN=abc123def456\n") == (
        "HOST=localhost\nDB_PASSWORD=[redacted:password]\nPORT=5432\nAPI_TOKEN=[redacted:secret]\n"
    )


PIECES = st.sampled_from(
    [*SAMPLES, *HARMLESS, "token", "password", "=", ": ", '"', "\n", " ", "--", "://", "@", "sk-", "eyJ", "name: "]
)


@given(
    st.lists(st.one_of(PIECES, st.text(max_size=20), st.text(string.printable, max_size=20)), max_size=8).map("".join)
)
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once = redact(text)
    assert redact(once) == once


@given(st.text(max_size=400))
def test_a_text_without_a_hint_is_not_changed(text: str) -> None:
    lowered = text.lower()
    if not any(
        word in lowered
        for word in ("pass", "pwd", "secret", "token", "key", "cred", "auth", "://", "curl", "bearer", *"-_.$~")
    ):
        assert redact(text) == text


@pytest.mark.parametrize("name", ["jwt.signingkey: ", "signingkey=", "  signingkey: ", "user.signingkey = "])
def test_a_secret_signing_key_is_no_key_of_git(name: str) -> None:
    value = "".join(random.Random(name).choices(string.hexdigits[:16], k=64))
    assert value not in redact(f"app\n{name}{value}")


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "eyJ",
        "eyJaaaaaaaa.",
        "token=",
        'password: "',
        "-----BEGIN PRIVATE KEY-----\n",
        "-----END PRIVATE KEY-----\n",
        "://a:b",
        " -u a:",
        " -p",
        "name: PASSWORD value ",
    ],
)
def test_the_number_of_function_calls_grows_in_proportion_to_the_length(piece: str) -> None:
    once, four_times = (piece * (length // len(piece)) for length in (1_000, 4_000))
    assert len(redact(four_times)) <= 6 * len(four_times)  # and every expression is compiled before calls are counted
    assert count_calls(four_times) <= 6 * count_calls(once)  # it would be 16 times if the cost were quadratic


def count_calls(text: str) -> int:
    """The number of functions, ours and the library's, that are called while a text is redacted.

    The cost within a single expression is tested in tests/test_regular_expressions.py.
    """
    counted = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal counted
        counted += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        redact(text)
    finally:
        sys.setprofile(before)
    return counted


def test_a_key_that_escapes_split_into_short_pieces_is_redacted() -> None:
    key = "xo" + "xp-q9G%3DUW7RU%3Dg0sRx%3DkE1W"
    assert redact(f"it is {key} now") == "it is [redacted:slack-token] now"


def test_key_markers_that_share_their_dashes_are_not_duplicated_and_hide_no_key() -> None:
    begin, end = "-----BEGIN " + "PRIVATE KEY-----", "END " + "PRIVATE KEY-----"
    body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC" * 2
    assert secrets.redact(begin + end) == begin + end
    assert secrets.redact(f"-----{end}{begin[5:]}") == f"-----{end}{begin[5:]}"
    assert secrets.redact(f"{begin}{end}{body}\n-----{end} and on") == "[redacted:private-key] and on"
    assert (
        secrets.redact(f"-----{end}{begin[5:]}\n{body}\n-----{end} and on")
        == f"-----{end}[redacted:private-key] and on"
    )


def test_the_version_of_the_rules_changes_with_each_of_their_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [path.name for path in Path(secrets.__file__).parent.glob("*.py")]
    folder = shutil.copytree(Path(secrets.__file__).parent, tmp_path / "redaction")
    before = secrets.compute_rules_version()
    monkeypatch.setattr(secrets, "__file__", str(folder / "secrets.py"))
    assert secrets.compute_rules_version() == before
    versions = {before}
    for name in names:
        with (folder / name).open("ab") as module:
            module.write(b"# another rule\n")
        versions.add(secrets.compute_rules_version())
    assert len(versions) == len(names) + 1


SEED_WORDS = "abandon ability able about above absent absorb abstract absurd abuse access accident"


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        (f"the recovery phrase {SEED_WORDS}", "the recovery phrase [redacted:seed-phrase]"),
        (f"mnemonic {SEED_WORDS}", "mnemonic [redacted:seed-phrase]"),
        ("the token is Qw!er#ty$uiop now", "the token is [redacted:secret] now"),
        ("pwd is Qw!er#ty$uiop", "pwd is [redacted:password]"),
        ("la clave es Qwer!tyuiop$", "la clave es [redacted:password]"),
        ("das Kennwort ist Qwer!tyuiop$", "das Kennwort ist [redacted:password]"),
        ("пароль Qw!er#ty$uiop", "пароль [redacted:password]"),
        ("try Xk!vQz#rTw$b", "try [redacted:password]"),
        ("echo Hunterpw | kinit admin", "echo [redacted:password] | kinit admin"),
        ("sqlplus system/manager@orcl", "sqlplus system/[redacted:password]@orcl"),
        ("{SSHA}abcdefghijklmnopqrstuvwxyz", "{SSHA}[redacted:password-hash]"),
    ],
)
def test_a_secret_in_a_text_without_digits_and_assignments_is_redacted(text: str, redacted: str) -> None:
    assert redact(text) == redacted


@pytest.mark.parametrize("frame", ["", "{:6}→", "{:6}\t", "a/b.yml:{}:", "a/b.yml-{}-", "{}:", "+", "> ", "web-1  | "])
@pytest.mark.parametrize(
    "text",
    [
        "kind: Secret\nmetadata:\n{filler}\nstringData:\n{values}type: Opaque\n",
        "apiVersion: v1\nstringData:\n{values}kind: Secret\nmetadata:\n{filler}\n",
        "secretGenerator:\n- literals:\n{values}",
        "image: shop\nsecrets:\n{values}",
        "[secrets]\n{values}",
    ],
)
def test_every_value_of_a_block_of_secrets_is_redacted_whatever_a_tool_printed_before_each_line(
    text: str, frame: str
) -> None:
    random = Random(1)
    secrets = [body(random, WORD, 24) for _ in range(20)]
    filler = "\n".join(f"  label-{letter}: shop" for letter in "abcdefgh")
    values = "".join(f"  live_{place}: {secret}\n" for place, secret in enumerate(secrets))
    if "literals" in text:
        values = values.replace("  live", "  - live").replace(": ", "=")
    lines = text.format(filler=filler, values=values).split("\n")
    framed = "\n".join(frame.format(number) + line for number, line in enumerate(lines, start=95))
    redacted = redact(framed)
    assert [secret for secret in secrets if secret in redacted] == []
    assert redact(redacted) == redacted
    assert [line for line in framed.split("\n") if not any(secret in line for secret in secrets)] == [
        line for line in redacted.split("\n") if "[redacted:" not in line
    ]


def test_a_value_behind_line_numbers_is_redacted_beside_a_diff() -> None:
    secret = body(Random(1), WORD, 24)
    text = f"@@ -1 +1 @@\n-a\n+b\n     1→env:\n     2→- name: DB_PASSWORD\n     3→  value: {secret}\n"
    assert redact(text) in {text.replace(secret, f"[redacted:{kind}]") for kind in ("password", "secret")}


@pytest.mark.parametrize(
    "text",
    [
        " env:\n - name: DB_PASSWORD\n-  value: {0}\n+  value: {1}\n - name: PORT\n",
        " kind: Secret\n metadata:\n   name: shop\n stringData:\n   host: db\n-  live: {0}\n+  live: {1}\n",
        " image: shop\n secrets:\n-  live: {0}\n+  live: {1}\n   mode: dev\n",
        " [secrets]\n-live = '{0}'\n-gone = 1\n+live = '{1}'\n",
        "-const API_KEY =\n+const KEY =\n-  '{0}'\n+  '{0}'\n ;\n",
        "-## Old password\n+## New password\n \n-{0}\n+{1}\n",
    ],
)
def test_values_below_a_name_in_a_diff_are_redacted_as_removed_and_as_added(text: str) -> None:
    random = Random(1)
    secrets = [body(random, WORD, 24) for _ in range(2)]
    redacted = redact("--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n" + text.format(*secrets))
    assert [secret for secret in secrets if secret in redacted] == []
    assert redact(redacted) == redacted


@pytest.mark.parametrize(
    "lines",
    [
        ("    41→", "    42→", "    43→"),
        ("     9\t", "    10\t", "    11\t"),
        ("41:", "42-", "43-"),
        ("L41: ", "L42: ", "L43: "),
        ("a/b.yml:9:", "a/b.yml-10-", "a/b.yml-11-"),
        ("+", "+", "+"),
        ("> ", "> ", "> "),
        ("web-1  | ", "web-1  | ", "web-1  | "),
        ("cafebabe (Bo Li 2026-11-20 10:00:00 +0100 41) ", "cafebabe (Bo Li 2026-11-20 10:00:00 +0100 42) ", ""),
        ("2026-11-20T10:00:00.1234567Z ", "2026-11-20T10:00:01.1234567Z ", "2026-11-20T10:00:02.1234567Z "),
        ("Nov 20 10:00:00 host app[12]: ", "Nov 20 10:00:01 host app[12]: ", "Nov 20 10:00:02 host app[12]: "),
        ("[0] ", "[0] ", "[0] "),
        ("│ ", "│ ", "│ "),
    ],
)
@pytest.mark.parametrize(
    "text",
    ["- name: DB_PASSWORD\n  value: {}\n- name: PORT", "## Staging password\n{}\n", "const API_KEY =\n  '{}'\n;"],
)
def test_a_value_below_its_name_is_redacted_whatever_a_tool_printed_before_each_line(
    text: str, lines: tuple[str, ...]
) -> None:
    framed = "\n".join(map("".join, zip(lines, text.split("\n"), strict=False)))
    secret = body(Random(1), WORD, 24)
    assert redact(framed.format(secret)) in {framed.format(f"[redacted:{kind}]") for kind in ("password", "secret")}
