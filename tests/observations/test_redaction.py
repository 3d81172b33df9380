"""Planted secrets go, harmless lines stay. The secrets are joined from pieces so that no scanner takes them for real."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.observations.redaction import redact

LETTERS = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF" * 4
UPPER = "Q7ZK2M9XPL4R8TBN" * 4
HEX = "9f86d081884c7d659a2feaa0c55ad015" * 2
PEM = "\n".join("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"[n:] + LETTERS[:n] for n in range(8))
DASHES = "-" * 5

SECRETS: dict[str, tuple[str, str]] = {
    "aws access key": ("key AK" + "IA" + UPPER[:16] + " ok", UPPER[:16]),
    "aws temporary key": ("AS" + "IA" + UPPER[:16], UPPER[:16]),
    "aws secret in an ini file": ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYzzzzzzzKEY", "bPxRfiCY"),
    "aws secret in the environment": ("export AWS_SECRET_ACCESS_KEY=" + LETTERS[:40], LETTERS[:40]),
    "google api key": ("AI" + "za" + LETTERS[:35], LETTERS[:35]),
    "google oauth token": ("ya" + "29." + LETTERS[:60], LETTERS[:60]),
    "google client secret": ("GOC" + "SPX-" + LETTERS[:28], LETTERS[:28]),
    "github personal": ("gh" + "p_" + LETTERS[:36], LETTERS[:36]),
    "github oauth": ("gh" + "o_" + LETTERS[:36], LETTERS[:36]),
    "github user": ("gh" + "u_" + LETTERS[:36], LETTERS[:36]),
    "github server": ("gh" + "s_" + LETTERS[:36], LETTERS[:36]),
    "github refresh": ("gh" + "r_" + LETTERS[:70], LETTERS[:36]),
    "github fine grained": ("github" + "_pat_" + LETTERS[:22] + "_" + LETTERS[:59], LETTERS[:22]),
    "github token in a clone url": (
        "git clone https://x-access-token:gh" + "s_" + LETTERS[:36] + "@github.com/a/b",
        LETTERS[:36],
    ),
    "gitlab personal": ("gl" + "pat-" + LETTERS[:20], LETTERS[:20]),
    "gitlab deploy": ("gl" + "dt-" + LETTERS[:20], LETTERS[:20]),
    "gitlab job": ("gl" + "cbt-" + LETTERS[:20], LETTERS[:20]),
    "slack bot": ("xo" + "xb-123456789012-1234567890123-" + LETTERS[:24], LETTERS[:24]),
    "slack app": ("xa" + "pp-1-A012-345-" + LETTERS[:24], LETTERS[:24]),
    "slack webhook": ("https://hooks.slack.com/serv" + "ices/T00000000/B00000000/" + LETTERS[:24], LETTERS[:24]),
    "discord webhook": ("https://discord.com/api/web" + "hooks/123456789012345678/" + LETTERS[:60], LETTERS[:60]),
    "stripe live": ("sk" + "_live_" + LETTERS[:24], LETTERS[:24]),
    "stripe restricted": ("rk" + "_test_" + LETTERS[:24], LETTERS[:24]),
    "stripe webhook": ("wh" + "sec_" + LETTERS[:32], LETTERS[:32]),
    "npm": ("np" + "m_" + LETTERS[:36], LETTERS[:36]),
    "npmrc": ("//registry.example.test/:_auth" + "Token=" + HEX[:8] + "-abcd-4abc-8abc-" + HEX[:12], HEX[:12]),
    "pypi": ("py" + "pi-AgEIcHlwaS5vcmc" + LETTERS[:80], LETTERS[:80]),
    "openai": ("sk" + "-" + LETTERS[:48], LETTERS[:48]),
    "openai project": ("sk" + "-proj-" + LETTERS[:20] + "_" + LETTERS[:20], LETTERS[:20]),
    "anthropic": ("sk" + "-ant-api03-" + LETTERS[:90] + "-AA", LETTERS[:90]),
    "openrouter": ("sk" + "-or-v1-" + HEX, HEX),
    "deepseek": ("sk" + "-" + HEX[:32], HEX[:32]),
    "hugging face": ("hf" + "_" + LETTERS[:34], LETTERS[:34]),
    "sendgrid": ("SG" + "." + LETTERS[:22] + "." + LETTERS[:43], LETTERS[:43]),
    "digitalocean": ("dop" + "_v1_" + HEX, HEX),
    "shopify": ("shp" + "at_" + HEX[:32], HEX[:32]),
    "databricks": ("da" + "pi" + HEX[:32], HEX[:32]),
    "vault": ("hv" + "s." + LETTERS[:24], LETTERS[:24]),
    "linear": ("lin" + "_api_" + LETTERS[:40], LETTERS[:40]),
    "jwt": ("ey" + "JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0." + LETTERS[:43], LETTERS[:43]),
    "bearer header": ("Authorization: Bearer " + LETTERS[:32], LETTERS[:32]),
    "bearer in curl": ("curl -H 'authorization: bearer " + LETTERS[:32] + "'", LETTERS[:32]),
    "basic header": ("Authorization: Basic dXNlcjpodW50ZXIyaHVudGVy" + "Mg==", "dXNlcjpodW50ZXIy"),
    "curl user": ("curl -u admin:hunter2x https://example.test", "hunter2x"),
    "rsa key": (f"{DASHES}BEGIN RSA PRIVATE KEY{DASHES}\n{PEM}\n{DASHES}END RSA PRIVATE KEY{DASHES}", "MIIEvQ"),
    "openssh key": (
        f"{DASHES}BEGIN OPENSSH PRIVATE KEY{DASHES}\n{PEM}\n{DASHES}END OPENSSH PRIVATE KEY{DASHES}\n",
        "MIIEvQ",
    ),
    "key in json": (
        '{"private_key": "'
        f"{DASHES}BEGIN PRIVATE KEY{DASHES}\\n" + PEM.replace("\n", "\\n") + f'\\n{DASHES}END PRIVATE KEY{DASHES}"}}',
        "MIIEvQ",
    ),
    "key without its end": (f"{DASHES}BEGIN EC PRIVATE KEY{DASHES}\n{PEM}", "MIIEvQ"),
    "key without its begin": (f"cut here\n{PEM}\n{DASHES}END EC PRIVATE KEY{DASHES}\ndone", "gEAAoIBAQC7VJTU"),
    "postgres url": ("DATABASE_URL=postgres://app:s3cr3tpw@db.internal:5432/app", "s3cr3tpw"),
    "mongodb url": ("mongodb+srv://root:Tr0ub4dor@cluster0.example.test/?retryWrites=true", "Tr0ub4dor"),
    "redis url without a user": ("redis://:p4ssw0rdLong@cache:6379/0", "p4ssw0rdLong"),
    "basic auth url": ("https://deploy:Zx81spectrum@ci.example.test/job", "Zx81spectrum"),
    "env password": ("DB_PASSWORD=correcthorse", "correcthorse"),
    "env password quoted": ("export PGPASSWORD='hunter2!'", "hunter2!"),
    "yaml password": ("  password: hunter22", "hunter22"),
    "json password": ('{"user": "a", "password": "hunter2x"}', "hunter2x"),
    "escaped json password": ('"{\\"password\\": \\"hunter2x\\"}"', "hunter2x"),
    "json token": ('"accessToken": "' + LETTERS[:24] + '"', LETTERS[:24]),
    "api key in python": ("api_key = '" + LETTERS[:20] + "'", LETTERS[:20]),
    "api key header": ("X-Api-Key: " + HEX[:32], HEX[:32]),
    "client secret": ("client_secret=" + LETTERS[:32] + "&grant_type=x", LETTERS[:32]),
    "token in a query": ("GET /hook?token=" + HEX[:24] + "&x=1", HEX[:24]),
    "command line flag": ("mysql --password s3cretpw db", "s3cretpw"),
    "command line flag with equals": ("tool --api-key=" + LETTERS[:20], LETTERS[:20]),
    "rails master key": ("SECRET_KEY_BASE=" + HEX, HEX),
    "connection string": ("Server=db;User Id=sa;Password=Passw0rd2024;Encrypt=true", "Passw0rd2024"),
    "azure account key": ("AccountName=x;AccountKey=" + LETTERS[:86] + "==;EndpointSuffix=y", LETTERS[:86]),
}

HARMLESS = (
    "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
    "Updating d14236d0..e1623085",
    "image: sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    '"integrity": "sha512-V8cVRfR4iTVh6d6E7CqVyrfr0Ee0VlJGgmSLp2eBjZDRqBb7uqxEvrVTQeXoDbvB1Cwbe8pxLEZQ0tDXOKIiIA=="',
    "session 01a1fbf8-d366-7a13-b658-55f80b758f6d resumed",
    "request id: 550e8400-e29b-41d4-a716-446655440000",
    "/home/dev/projects/service/node_modules/.pnpm/typescript@5.9.2/node_modules/typescript/lib/tsc.js:12:3",
    "token validation failed for the third argument",
    "Unexpected token '}' at position 4096",
    "SyntaxError: Unexpected token: identifier42",
    "the password must have at least 12 characters",
    "password: string;",
    "password: Optional[str] = None",
    'password: "Enter your password"',
    "const token = getToken(request)",
    "token = request.headers.get('x-token')",
    "secret = os.environ['APP_SECRET']",
    "apiKey: process.env.OPENAI_API_KEY,",
    "API_KEY=${OPENAI_API_KEY}",
    "API_KEY=$API_KEY",
    "token: ${{ secrets.GITHUB_TOKEN }}",
    "token: <token>",
    "password=<your-password>",
    "password: '{{ vault_password }}'",
    "password=********",
    "api_key=YOUR_API_KEY_HERE",
    "api_key = 'your-api-key-here-123'",
    "max_tokens: 4096",
    "tokens_used=123456",
    "Original token count: 1089",
    "total tokens: 51411",
    "secretName: app-tls-secret",
    "tokenizer = AutoTokenizer.from_pretrained('bert-base-uncased')",
    "key = f'{prefix}-{number}'",
    "primary key: customer_id_2024",
    "cache key: node-modules-20240101-linux",
    "PASSWORD_FILE=/run/secrets/db_password",
    "private_key_path = /etc/ssl/private/server.key",
    "postgres://localhost:5432/app",
    "postgres://user:${PGPASSWORD}@db/app",
    "http://127.0.0.1:18080/v1/messages",
    "git@github.com:owner/repo.git",
    "docker run -u 1000:1000 image",
    "git push -u origin feature:main",
    "pip install sk-learn-contrib-something-long-name",
    "class sk-fading-circle-animation-element-number12",
    "https://registry.example.test/npm_config_something",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "the Bearer of this letter",
    "Authorization: Bearer $TOKEN",
    "grep -r 'BEGIN PRIVATE KEY' .",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl dev@example",
    "getAccessTokenFromRefreshTokenOrThrow",
    "tests/test_password_reset_token_2024.py::test_token_expires_after_24_hours PASSED",
    "AssertionError: expected token_count == 12345678",
    "if (token === previousToken) return",
    "return { privateKey: ed25519Seed, publicKey: ed25519Public }",
    "encryptedIpnsPrivateKey: testEncryptedIpnsPrivateKey,",
    "await page.fill('#password', user.password)",
)


@pytest.mark.parametrize("case", SECRETS)
def test_a_planted_secret_is_gone(case: str) -> None:
    text, secret = SECRETS[case]
    cleaned = redact(text)
    assert secret in text
    assert secret not in cleaned
    assert "[redacted:" in cleaned


@pytest.mark.parametrize("case", SECRETS)
def test_what_stands_around_a_secret_stays(case: str) -> None:
    text, _ = SECRETS[case]
    cleaned = redact(f"before it\n{text}\nafter it")
    assert cleaned.startswith("before it\n")
    assert cleaned.endswith("\nafter it")


@pytest.mark.parametrize("text", HARMLESS)
def test_a_harmless_line_is_not_touched(text: str) -> None:
    assert redact(text) == text


def test_there_are_enough_of_both() -> None:
    assert len(SECRETS) >= 40
    assert len(HARMLESS) >= 40


def test_every_line_of_an_environment_file_is_judged_by_itself() -> None:
    assert redact("HOST=localhost\nDB_PASSWORD=correcthorse\nPORT=5432\nAPI_TOKEN=abc123def456\n") == (
        "HOST=localhost\nDB_PASSWORD=[redacted:password]\nPORT=5432\nAPI_TOKEN=[redacted:secret]\n"
    )


PIECES = st.sampled_from(
    [text for text, _ in SECRETS.values()]
    + list(HARMLESS)
    + ["token", "password", "=", ": ", '"', "\n", " ", "--", "://", "@", "sk-"]
)


@given(
    st.lists(st.one_of(PIECES, st.text(max_size=20), st.text(string.printable, max_size=20)), max_size=8).map("".join)
)
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once = redact(text)
    assert redact(once) == once


@given(st.text(max_size=400))
def test_a_text_without_a_hint_is_returned_as_it_is(text: str) -> None:
    lowered = text.lower()
    if not any(
        word in lowered
        for word in ("pass", "pwd", "secret", "token", "key", "cred", "auth", "://", "curl", "bearer", *"-_.")
    ):
        assert redact(text) == text


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
    ],
)
def test_the_cost_follows_the_length(piece: str) -> None:
    """Each rule reads a bounded stretch from each place: a quadratic one would not end within the patience of anybody."""
    text = piece * (200_000 // len(piece))
    assert len(redact(text)) <= 6 * len(text)
