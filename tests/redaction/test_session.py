"""A session shows no value that it redacted elsewhere, that a command printed, and no name of a user; ordinary words stay."""

from __future__ import annotations

import marshal
import os
import re
from base64 import b64encode
from random import Random

import pytest

from mind_skills.redaction import personal
from mind_skills.redaction.session import SessionSecrets, find_written_file, prompts_for_secret, redact_printed
from tests.redaction.attack_harmless import RECORDS, fill
from tests.redaction.attack_sessions import (
    KINDS,
    KNOWN_FORMS,
    PRINTED,
    REPEATED,
    SENTENCES,
    SYNTAXES,
    VALUES,
    attack_all,
)
from tests.redaction.attack_sessions import fill as fill_secret

DEEP = bool(os.environ.get("MIND_SKILLS_DEEP"))
DRAWS = 200 if DEEP else 1
SECRET = "7f3k9Qz2Lm8Xw4Rt6Yb1"
KEY = f"API_KEY={SECRET}"


def _note(*texts: str) -> SessionSecrets:
    session = SessionSecrets()
    for text in texts:
        session.note(text)
    return session


@pytest.mark.parametrize("group", KINDS)
def test_almost_no_printed_or_repeated_secret_is_left(group: str) -> None:
    found = list(attack_all(DRAWS, group))
    allowed = {form: 0.003 if form in KNOWN_FORMS else 0.03 for form in VALUES}
    shares = {
        form: sum(left.left for _, each, left in found if each == form)
        / (sum(left.draws for _, each, left in found if each == form) + 100)
        for form in VALUES
    }
    assert {form: share for form, share in shares.items() if share > allowed[form]} == {}, [
        (kind, left.example) for kind, _, left in found if left.left
    ]


@pytest.mark.parametrize(
    "place",
    [
        "Authorization: Bearer «S»",
        "Authorization: «S»",
        "Set-Cookie: sid=«S»; Path=/",
        "https://h.test/a?X-Amz-Signature=«S»&y=1",
        "https://s.blob.core.windows.net/c?sv=2022&sig=«S»",
        "db.internal:5432:shop:app:«S»",
        "https://hooks.slack.com/services/T01ABCDEF/B02GHIJKL/«S»",
        "https://discord.com/api/webhooks/123456789012345678/«S»",
        "mysql -u app -p'«S»' shop",
        "curl -u admin:«S» https://h.test",
        "docker login -u app -p «S» r.test",
        "redis-cli -a «S» ping",
        "CREATE USER app IDENTIFIED BY '«S»'",
        '{"auths":{"r.test":{"auth":"«S»"}}}',
    ],
)
@pytest.mark.parametrize("length", [0, 5_000], ids=["short", "long"])
def test_a_secret_that_only_its_place_shows_stands_in_no_other_text(place: str, length: int) -> None:
    for form in ("hex", "uuid", "token"):
        for number in range(DRAWS):
            secret = VALUES[form](Random(number))
            session = _note("a plain line\n" * (length // 13) + fill_secret(place, secret))
            assert secret not in session.clean(f"So I use {secret} for the request."), form


@pytest.mark.parametrize("before", [True, False], ids=["earlier", "later"])
@pytest.mark.parametrize("text", REPEATED)
def test_a_value_that_is_redacted_in_one_text_stands_in_no_other(text: str, before: bool) -> None:
    other = fill_secret(text, SECRET)
    session = _note(*([other, KEY] if before else [KEY, other]))
    assert SECRET[:10] not in session.clean(other)


@pytest.mark.parametrize(
    ("noted", "shown"),
    [
        ("password=Grün&Blau2024", "Gr%C3%BCn%26Blau2024"),
        (KEY, "N2YzazlRejJMbThYdzRSdDZZYjE="),
        (f"TOKEN={SECRET}", SECRET.upper()),
        (KEY, b64encode(f"user:{SECRET}".encode()).decode()),
        (KEY, SECRET.encode().hex()),
        ("PASSWORD='x!$Kd8&pQ2#w#Z9v'", "x\\!\\$Kd8\\&pQ2\\#w\\#Z9v"),
        ("PASSWORD='x!$Kd8&pQ2#w#Z9v'", "x%21%24Kd8%26pQ2%23w%23Z9v"),
        ("PASSWORD='x!<Kd8&pQ2#w#Z9v'", "x!\\u003cKd8\\u0026pQ2#w#Z9v"),
        ("PASSWORD='x!<Kd8&pQ2#w#Z9v'", "x!&lt;Kd8&amp;pQ2#w#Z9v"),
    ],
)
def test_a_value_is_found_in_another_spelling(noted: str, shown: str) -> None:
    assert _note(noted).clean(f"it sent {shown} there") == "it sent [redacted:secret] there"


@pytest.mark.parametrize(
    ("secret", "shown", "cleaned"),
    [
        (SECRET, f"{SECRET[:8]}...", "[redacted:secret]"),
        (SECRET, f"...{SECRET[-8:]}", "[redacted:secret]"),
        (SECRET, f"{SECRET[:9]}…{SECRET[-8:]}", "[redacted:secret]…[redacted:secret]"),
        (SECRET, f"{SECRET[:12]}xxxx", "[redacted:secret]"),
        ("sk-zz-9wK4mZ7pQ2xV5nB8", "sk-zz-9wK4mZ7p", "[redacted:secret]"),
        ("sk-zz-9wK4mZ7pQ2xV5nB8", "sk-zz-other-names", "sk-zz-other-names"),
        ("0192f3a4-b7c1-7abc-8def-0123456789ab", "0192f3a4-b7c1", "0192f3a4-b7c1"),
        ("7f3a9b21-c4d5-4e6f-8a9b-0c1d2e3f4a5b", "7f3a9b21", "[redacted:secret]"),
    ],
)
def test_the_beginning_or_end_of_a_value_is_found(secret: str, shown: str, cleaned: str) -> None:
    assert _note(f"api_key={secret}").clean(f"it is {shown} there") == f"it is {cleaned} there"


def test_a_session_with_too_many_values_shows_nothing_that_looks_generated() -> None:
    random = Random(1)
    session = _note(*("\n".join(f"api_key={VALUES['token'](random)}" for _ in range(20)) for _ in range(300)))
    late = VALUES["token"](random)
    texts = (f"it is {late} there", "the release-2024-05 of shop-server is in src/server/main.py")
    assert [session.clean(text) for text in texts] == ["it is [redacted:secret] there", texts[1]]


@pytest.mark.parametrize(
    ("noted", "text"),
    [
        ('password: "postgres"', "start postgres and wait for postgres"),
        ('POSTGRES_PASSWORD="development"', "the development server"),
        ("password=abc12", "version abc12 is out"),
        ('secret: "https://h.test/a/b"', "see https://h.test/a/b"),
    ],
)
def test_words_short_values_and_addresses_are_not_remembered(noted: str, text: str) -> None:
    assert _note(noted).clean(text) == text


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("cat src/token.py", "def token():\n    return make2()"),
        ("grep -rn secret src", "src/secret_store.py:12:secret2 = load()"),
        ("git log --grep token --format=%H -1", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"),
        ("ls secrets", "db-2024.txt\nkey2.pem"),
        ("printenv TOKEN_URL API_PORT", "https://h.test/oauth2/token\n8080"),
        ("jq -r .tokenType x.json", "bearer"),
        ("op read op://a/b/c", "[ERROR] could not read secret: item not found"),
        ("tail -3 /private/tmp/a.output", "Node.js v24.13.0"),
        ("jq -r .key issue.json", "SHOP-1234"),
        ("jq -r '.issues[].key' x.json", "SHOP-12\nSHOP-13"),
        ("jq -r .branchKey x.json", "feature/SHOP-12-add-login2"),
        ("gh api x | jq -r .token_version", "v1.2.3-rc.1"),
        ("yq .matrix.key ci.yml", "ubuntu-22.04-lts"),
        ("jq -r .s3.key x", "backups/2024/05/db-001.tar.gz"),
        ("jq -r .token_address t.json", "0x6B175474E89094C44Da98b954EedeAC495271d0F"),
        ("cat docs/tokens.txt", "\n".join(f"color-token-{n}: blue-{n}00" for n in range(30))),
        (
            "Read /srv/shop/.env",
            "NODE_ENV=production\nPORT=8080\nREGION=eu-west-1\nHOST=db-1.internal\nSINCE=2024-05-01",
        ),
        ("Grep PORT", "src/a.py:3:PORT = 1\n.env:3:PORT=8080"),
        ("cat .git/refs/heads/token-fix", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"),
        ("jq -r .key issue.json", "550e8400-e29b-41d4-a716-446655440000"),
        ("docker inspect shop", '"Id": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"'),
        ("kubectl get pod shop -o yaml", "  uid: 550e8400-e29b-41d4-a716-446655440000\n  image: shop:1.2.3"),
        (
            "terraform show",
            'resource "aws_vpc" "main" {\n    id   = "vpc-0a1b2c3d4e5f60718"\n    name = "shop-main"\n}',
        ),
        ("aws sts get-caller-identity --output json", '{"Arn": "arn:aws:iam::123456789012:user/bob-2024"}'),
        (
            "docker exec web env",
            "GPG_KEY=7169605F62C751356D054A26A821E680E5FA6305\nPYTHON_SHA256=9f86d081884c7d659a2feaa0c55ad0159f86d081884c7d659a2feaa0c55ad015",
        ),
        ("heroku config:set x", "Setting RELEASE=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b and restarting... done, v12"),
        ("systemctl show shop", "Id=shop.service\nInvocationID=25bb94a7c407e0e292a0d88bb7bf7bf5\nMainPID=812"),
        (
            "python -c 'import app; print(app.settings)'",
            "Settings(release='9f86d081884c7d659a2feaa0c55ad015a3bf4f1b', theme='solarized-dark-256')",
        ),
        ("uuidgen; echo Session ID", "Session ID: 550e8400-e29b-41d4-a716-446655440000"),
        (
            "git log -p -- .env.example",
            "commit 7f3a9b21c4d54e6f8a9b0c1d2e3f4a5b6c7d8e9f\nDate: 2026-11-20\n\nindex 1a2b3c4..5d6e7f8 100644\n-A=https://a-1.h.test\n",
        ),
        ("git log --oneline -- config/secrets.yml", "7f3a9b2 Rotate keys2024 of S3\n9d8e7f6 Add v2.0.1-rc4\n"),
        (
            "terraform state pull > x.tfstate; cat x.tfstate",
            '{"ami": "ami-0a1b2c3d4e5f67890", "id": "i-0abcd1234ef567890", "etag": "9b2cf535f27731c974343645a3985328"}',
        ),
    ],
)
def test_what_commands_print_that_is_no_value_stays(command: str, output: str) -> None:
    assert redact_printed(command, output) == (output, [])


def test_printed_values_are_redacted_and_remembered_whatever_they_look_like() -> None:
    session = SessionSecrets()
    assert session.note_output("pass show shop/db", "zebrafish\n") == "[redacted:secret]\n"
    assert session.note_output("printenv API_KEY", SECRET) == "[redacted:secret]"
    document = "cat > notes.txt <<'END'\n" + "a plain line\n" * 400 + "END\n"
    assert SessionSecrets().note_output(f"{document}op read op://shop/db", "zebrafish\n") == "[redacted:secret]\n"
    assert session.clean(f"it is {SECRET}") == "it is [redacted:secret]"


def test_the_state_contains_no_value_and_continues_the_session() -> None:
    session = _note(KEY, "cd /home/jdoe/shop")
    state = marshal.dumps(session.dump())
    assert (SECRET.encode() in state, SECRET[:8].encode() in state, b"jdoe" in state) == (False, False, False)
    resumed = SessionSecrets()
    resumed.restore(marshal.loads(state))
    resumed.note("TOKEN=9wK4mZ7pQ2xV5nB8")
    assert resumed.clean(f"{SECRET} 9wK4mZ7pQ2xV5nB8 of jdoe") == (
        "[redacted:secret] [redacted:secret] of [redacted:user]"
    )
    assert resumed.dump()[1][: len(session.dump()[1])] == session.dump()[1]


def test_cleaning_twice_changes_nothing_more() -> None:
    session = _note(KEY, "cd /home/jdoe/shop")
    texts = ["C--Users-jdoe-shop", "password=Winter2024!", "/home/jdoe/x"]
    texts += [fill_secret(text, SECRET) for text in (*REPEATED, *SENTENCES, *SYNTAXES)]
    for text in texts:
        assert session.clean(session.clean(text)) == session.clean(text)


def test_records_digests_and_ids_stay_in_a_session_full_of_secrets() -> None:
    session = SessionSecrets()
    for command, output in PRINTED:
        session.note_output(command, fill_secret(output, VALUES["token"](Random(command))))
    lines = [fill(line, Random(f"{line} {number}")) for line in RECORDS for number in range(6)]
    for line in lines:
        session.note(line)
    changed = [line for line in lines if session.clean(line) != line]
    assert (len(lines) >= 500, len(changed) <= 0.01 * len(lines)) == (True, True), changed


# -- names of users ----------------------------------------------------------------------------------------------------

PLACES = (
    *("C--Users-«N»-src-app", "~/.claude/projects/-home-«N»-src/x.jsonl", "/mnt/c/Users/«N»", "HOME=/home/«N»", "PWD=/Users/«N»"),
    *("-v /home/«N»:/work", r"\\wsl.localhost\Ubuntu\home\«N»\src", r"\\wsl$\Ubuntu\home\«N»", "?p=%2Fhome%2F«N»%2Fsrc"),
    *("file:///home/«N»/x", "file:///C:/Users/«N»/x", r"C:\\Users\\«N»\\x", "C:/Users/«N»", r"C:\Users\«N»>dir", "/c/Users/«N»/x"),
    *("«N»@box:~/src$ ls", "[«N»@box src]$ ls", "USER=«N»", r'{"cwd":"\/home\/«N»\/x"}', "/export/home/«N»/x", "`/home/«N»`"),
)  # fmt: skip
"""Places that show the name of a user, also to a session that has seen no other."""
MENTIONS = (
    "drwxr-xr-x 2 «N» «N» 4096 x",
    "chown «N»:«N» x",
    "uid=1000(«N»)",
    "ssh «N»@10.0.0.2",
    "/run/media/«N»",
    "ask «N».",
)
"""Mentions of a name that only another text of the session gives away."""


@pytest.fixture(autouse=True)
def _clear_cached_setting() -> None:
    personal.is_personal_redaction_enabled.cache_clear()


@pytest.mark.parametrize("name", ["jdoe", "jane.doe", "maria_k", "Dmitri", "xq7"])
@pytest.mark.parametrize("place", PLACES)
def test_a_name_in_a_home_path_or_a_prompt_is_replaced_there_and_elsewhere(place: str, name: str) -> None:
    text = place.replace("«N»", name)
    session = _note(text)
    shown = [session.clean(each) for each in (text, *(mention.replace("«N»", name) for mention in MENTIONS))]
    assert [each for each in shown if name in each] == []


@pytest.mark.parametrize("place", ["/home/«N»/x", "C--Users-«N»-src", "«N»@box:~$ ls", "/srv/%2Fhome%2F«N»"])
def test_a_name_that_is_also_a_word_is_replaced_only_in_paths_and_accounts(place: str) -> None:
    session = _note("cd /home/mark/x")
    assert "mark" not in session.clean(place.replace("«N»", "mark"))
    assert session.clean("mark it, the mark stays") == "mark it, the mark stays"


@pytest.mark.parametrize("account", ["root", "runner", "ubuntu", "node", "vscode", "user"])
def test_shared_accounts_and_web_pages_are_no_names(account: str) -> None:
    session = _note(f"/home/{account}/x", "GET /users/jdoe/settings", "[email@h.test]")
    text = f"the {account} of jdoe"
    assert session.clean(text) == text


def test_names_stay_if_personal_data_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mind_skills.redaction.session.is_personal_redaction_enabled", lambda: False)
    assert _note("/home/jdoe/x").clean("HOME=/home/jdoe") == "HOME=/home/jdoe"


UUID_OF_A_USER = "3f0b2c7e-6a1d-4f8e-9b3a-2c5d7e8f9a0b"
COMMIT = "9be0a77d1c02b7a9d5e64f3b8a1c2d3e41f49698"
DIGITS = "9be0a77d1c02b7a9d5e64f3b8a1c2d3e"


@pytest.mark.parametrize(
    ("message", "later", "shown"),
    [
        (f"wifi: guest, then {DIGITS}", f"It is {DIGITS}.", "It is [redacted:secret]."),
        ("the password is “Winter2024!”", "I use Winter2024! now", "I use [redacted:secret] now"),
        (f"db passwords\nstaging {DIGITS}", f"staging: {DIGITS}", "staging: [redacted:secret]"),
        (f"revert {COMMIT}, it changed the password check", f"git show {COMMIT}", f"git show {COMMIT}"),
        (f"user {UUID_OF_A_USER} can't log in", f"id='{UUID_OF_A_USER}'", f"id='{UUID_OF_A_USER}'"),
        ("login fails in next-auth@5.0.0-beta.25", "next-auth@5.0.0-beta.25", "next-auth@5.0.0-beta.25"),
        ("await login(process.env.E2E_PASS!)", "process.env.E2E_PASS!", "process.env.E2E_PASS!"),
    ],
)
def test_a_message_about_an_account_hides_its_values_and_no_commits_ids_versions_or_code(
    message: str, later: str, shown: str
) -> None:
    session = _note(message)
    session.note_message(message)
    assert session.clean(later) == shown


def test_a_value_is_hidden_in_the_name_of_an_error_whose_digits_are_replaced_and_at_the_edge_of_a_mark() -> None:
    session = _note("API_KEY=lDUVUnPIrgIuw4aSqBBfJ7v3JR5kSTnoi7nMDakc")
    assert [
        session.hide_values(text)
        for text in ("KeyError: 'lDUVUnPIrgIuwNaSqBBfJNvNJRNkSTnoiNnMDakc'", "shop:lDUVUnPIrgIuw/[redacted:password]")
    ] == ["KeyError: '[redacted:secret]'", "shop:[redacted:secret][redacted:password]"]


LINES = "line abcdef\n" * 12
PRINTED_AT_EDGES: tuple[tuple[str, str], ...] = (
    (
        "op read x",
        "abcde ¦ «q7w8e9» ¦ «zebrafish» ¦ zebrafi ¦ two words ¦ => «q7w8e9» ¦ '«q7w8e9»' ¦ «API_KEY=q7w8e9r2»",
    ),
    ("op read x", "a: «q7w8e9r2t5y6» ¦ a: q7w8e9r2t5y ¦ the token is «q7w8e9r2t5y6» now ok ¦ " + "abc" * 67_000),
    ("op read x", f"{LINES}x «q7w8e9r2t5y6u1i3» ¦ {LINES}x q7w8e9r2t5y6u1i ¦ {LINES[12:]}x «q7w8e9r2t5y6»"),
    ("printenv API_KEY", "it was so «q7w8e9r2t5y6u1i3» ¦ it was so q7w8e9r2t5y6u1i ¦ «q7w8e9» ¦ horse9 ¦ shop-12"),
    ("jq .key x", UUID_OF_A_USER),
    ("jq .token x", f"«{UUID_OF_A_USER}»"),
    ("cat .env", "PORT=8080\nexport FOO=«q7w8e9»\nBAR=horse ¦ FOO_ID=q7w8e9 ¦ 1→FOO=«q7w8e9»\n2→BAR=x"),
    ("env", "FOO=«q7w8e9r2t5y6u1i3»\nBAR=x ¦ FOO=q7w8e9r2\nBAR=x"),
    ("grep -r x .", ".env:3:FOO=«q7w8e9»\na.py:3:FOO=q7w8e9"),
    ("echo auth", f"«{DIGITS}»"),
    ("git auth", DIGITS),
    ("x" * 3_000 + " op read x " + "y" * 3_000, "«q7w8e9»"),
)
"""Commands, and what they print, in which guillemets stand around every value that is remembered."""


@pytest.mark.parametrize(("command", "outputs"), PRINTED_AT_EDGES)
def test_exactly_the_printed_values_are_redacted_and_returned(command: str, outputs: str) -> None:
    for text in outputs.split(" ¦ "):
        redacted, values = redact_printed(command, re.sub("[«»]", "", text))
        assert redacted == re.sub("«[^»]*»", "[redacted:secret]", text)
        assert set(re.findall("«([^»]*)»", text)) <= {*values}


@pytest.mark.parametrize(
    ("noted", "texts"),
    [
        (KEY, f"«{SECRET}» ¦ «{SECRET.upper()}» ¦ «{SECRET[:8]}» ¦ {SECRET[:7]} ¦ «{SECRET[-8:]}» ¦ {SECRET[-7:]} ¦ «{SECRET}»x"),
        (KEY, f"«{SECRET[:9]}zz» ¦ «zz{SECRET[-8:]}» ¦ «x{SECRET}» ¦ «{SECRET}{SECRET}» ¦ «{SECRET[:9]}\n{SECRET[9:]}»"),
        ("password=abcd1234", "«abcd1234» ¦ abcd12345 ¦ zabcd1234 ¦ «abcd1234»! ¦ abcd-1234"),
        ("password=abcd123", "abcd123"),
        ("password=abcd1234efgh5678", "«abcd1234efgh5678»x ¦ abcd1234"),
        ("password=abcd1234efgh567", "«abcd1234efgh567» ¦ abcd1234efgh567x"),
        ("api_key=k9Qz2Lm8Xw", "«k9Qz2Lm8» ¦ «Qz2Lm8Xw» «k9Qz2Lm8Xw» ¦ k9Qz2[redacted:secret] ¦ «k9Qz2Lm8X»[redacted:secret]"),
        ("api_key=k9Qz2Lm8X", "«k9Qz2Lm8X» ¦ k9Qz2Lm8 ¦ 9Qz2Lm8X"),
        ("api_key=k9k9k9k9k9k9Qz2Lm8Xw", "k9k9k9k9k9k9 ¦ «Qz2Lm8Xw»"),
        ("api_key=zz_live_q7w8e9r2t5y6u1i3", "zz_live_ ¦ zz_live_q7w8 ¦ «zz_live_q7w8e9r2» ¦ q7w8e9r2"),
        ("token=https://h.test/a/q7w8e9r2t5y6u1", "«q7w8e9r2t5y6u1» ¦ https://h.test/b"),
        ('password="Server=db;Pwd=q7w8e9r2t"', "«q7w8e9r2t» ¦ Server=db"),
        (f"user: wifi\n{DIGITS}", f"«{DIGITS}»"),
        (f"user: wifi\n\n{DIGITS}", DIGITS),
        (f"user: wifi commit {DIGITS}", DIGITS),
        (f"agent: wifi {DIGITS}", DIGITS),
        (f"agent: “{DIGITS}” is the token", f"«{DIGITS}»"),
        ("answer: q7w8e9r2\\n", "«q7w8e9r2»"),
        ("answer: it is zebrafish or q7w8e9r2", "zebrafish ¦ q7w8e9r2"),
        (f"long answer: it is {DIGITS}, for shop-2024.", f"«{DIGITS}» ¦ shop-2024"),
    ],
)  # fmt: skip
def test_exactly_the_noted_values_and_their_long_beginnings_and_ends_are_hidden(noted: str, texts: str) -> None:
    session = SessionSecrets()
    kind, _, said = noted.partition(": ")
    {
        "user": session.note_message,
        "agent": lambda text: session.note_message(text, False),
        "answer": session.note_answer,
        "long answer": session.note_generated,
    }.get(kind, session.note)(said or noted)
    for text in texts.split(" ¦ "):
        for around in (text, f"it {text} x"):
            assert session.clean(re.sub("[«»]", "", around)) == re.sub("«[^»]*»", "[redacted:secret]", around)


def test_a_field_is_a_header_while_its_value_does_not_change() -> None:
    session = SessionSecrets()
    fields = (("cwd", "/a"), ("cwd", "/a"), ("cwd", "/b"), ("cwd", "/b"), ("id", "/b"))
    assert [session.is_header(*field) for field in fields] == [False, True, False, True, False]


def test_a_name_of_three_words_is_replaced_whole_and_a_short_one_only_in_its_places() -> None:
    session = _note("cd /home/anna.lopez.ruiz/x; cd /home/al/x")
    text = "ask «anna.lopez.ruiz», -«anna-lopez-ruiz»-src anna.lopez xanna.lopez.ruiz, al did, «al»@box, Users/«al»"
    assert session.clean(re.sub("[«»]", "", text)) == re.sub("«[^»]*»", "[redacted:user]", text)


def test_prompts_requests_and_questions_for_a_secret_end_a_text_or_stand_near_its_end() -> None:
    asked = ("Password: ", "What is the token?", "Please paste the token.", "token?\nOk.", "x" * 400 + " token:")
    other = ("Password", "Where is the token?", "The token is set.", "the token? " + "x" * 400 + ":", "token:\nnow:")
    assert ([*map(prompts_for_secret, asked)], [*map(prompts_for_secret, other)]) == ([True] * 5, [False] * 5)
    commands = ("echo x > .env", "echo x >> a/.env.local", "x | tee -a .netrc", "echo x > a.txt", "cat .env")
    assert [*map(find_written_file, commands)] == [".env", "a/.env.local", ".netrc", "", ""]
