"""Personal data is redacted, text that resembles it stays, and a setting switches this off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.redaction import personal
from mind_skills.redaction.personal import (
    find_user_names,
    has_luhn_digit,
    redact_personal,
    redact_personal_if_address,
)
from mind_skills.redaction.secrets import redact
from mind_skills.redaction.session import SessionSecrets
from tests.redaction.harmless import HARMLESS


@pytest.fixture(autouse=True)
def _clear_cached_setting() -> Iterator[None]:
    personal.is_personal_redaction_enabled.cache_clear()
    yield
    personal.is_personal_redaction_enabled.cache_clear()


def _card(start: str, length: int = 16) -> str:
    """A card number with this beginning and a valid check digit."""
    body = start + "".join(Random(start).choices("0123456789", k=length - 1 - len(start)))
    return next(body + check for check in "0123456789" if has_luhn_digit(body + check))


def _iban(country: str, length: int) -> str:
    """An account number with valid check digits."""
    body = "".join(Random(country).choices("0123456789", k=length - 4))
    rest = int("".join(str(int(c, 36)) for c in f"{body}{country}00")) % 97
    return f"{country}{98 - rest:02}{body}"


CARD, IBAN = _card("4539"), _iban("DE", 22)
RESIDENT = next(
    f"850101-123456{check}"
    for check in range(10)
    if check == (11 - sum(int(c) * (at % 8 + 2) for at, c in enumerate("850101123456")) % 11) % 10
)
"""A resident number of Korea with a valid check digit."""
PERSONAL = {
    "jane.doe@firma.de": "email",
    "j_d+tag@mail.some-firm.co.uk": "email",
    "jane@corp.com": "email",
    "+49 30 901820 12": "phone",
    "+14155552671": "phone",
    "+1 (415) 555-2671": "phone",
    "0049 30 9018 2012": "phone",
    "212-867-5309": "phone",
    "(212) 867-5309": "phone",
    CARD: "card",
    " ".join(CARD[at : at + 4] for at in range(0, 16, 4)): "card",
    "-".join(CARD[at : at + 4] for at in range(0, 16, 4)): "card",
    IBAN: "iban",
    " ".join(IBAN[at : at + 4] for at in range(0, 22, 4)): "iban",
    _iban("FR", 27): "iban",
    "123-45-6789": "national-id",
    "12345678Z": "national-id",
    "X1234567L": "national-id",
    "RSSMRA85T10A562S": "national-id",
    "529.982.247-25": "national-id",
    "11010519491231002X": "national-id",
    "AB123456C": "national-id",
    RESIDENT: "national-id",
}
AROUND = ("{}", "see {} there", '"{}"', "value={}", "<{}>", "a\n{}\nb", "({})", "x: {},")


@pytest.mark.parametrize("text", PERSONAL)
def test_personal_data_is_redacted_in_any_surrounding_text(text: str) -> None:
    for around in AROUND:
        if text.startswith("+1415") and around in ("{}", "a\n{}\nb"):
            continue  # this is a line of a patch that adds digits
        assert redact_personal(around.format(text)) == around.format(f"[redacted:{PERSONAL[text]}]")


LIMITS = {
    "phone": "«+45 12 34 56» ¦ +45 12 34 5 ¦ «+49 3012 3456 7890 1» ¦ +49 3012 3456 7890 12 ¦ «+4930901820» ¦ +493090182 ¦ «+49 3090182»"
    " ¦ «+49-30-901820» ¦ 0049-30-90182 ¦ «0049 30 90182» ¦ +999 30 901820 ¦ +210 30 901820 ¦ 212-555-0199 ¦ «212-555-0200»"
    " ¦ 112-867-5309 ¦ 012-867-5309 ¦ 212-167-5309 ¦ 212-067-5309 ¦ «200-200-2000» ¦ tel: «0301234» ¦ tel: 03 01 23"
    " ¦ fax: «030 123 456 789 012» ¦ tel: 0301234567890123",
    "national-id": "«12345678-Z» ¦ 12345678-A ¦ «Y1234567X» ¦ «Z1234567R» ¦ Y1234567Z ¦ 111.111.111-11 ¦ 529.982.247-26"
    " ¦ 529.982.247-35 ¦ «2 55 08 14 168 025 38» ¦ 2 55 08 14 168 025 39 ¦ «1 85 05 2A 006 084 35» ¦ «1 85 05 2B 006 084 62»",
    "card": " ¦ ".join(f"«{_card(start)}»" for start in "5100 5599 2221 2720 6011 34 37 3528 62 65 4".split())
    + "".join(f" ¦ {_card(start)}" for start in "5099 5600 2220 2721 6010 6012 36 61 64 1".split())
    + f" ¦ «{_card('34', 15)}» ¦ «{_card('37', 15)}»",
    "email": "«jane@a.run.py» ¦ jane@run.py ¦ «jane@corp.LIVE» ¦ jane@corp.abc ¦ «jane@corp.io» ¦ admin.x@corp.io",
    "iban": f"«{IBAN}» ¦ AT{IBAN[2:]} ¦ QQ{IBAN[2:]}",
}  # fmt: skip
"""Numbers and addresses; guillemets stand around those that are personal."""


@pytest.mark.parametrize("kind", LIMITS)
def test_exactly_what_is_personal_is_redacted_at_the_limits_of_its_form(kind: str) -> None:
    for text in LIMITS[kind].split(" ¦ "):
        assert redact_personal(re.sub("[«»]", "", f"a {text}, b")) == re.sub(
            "«.*»", f"[redacted:{kind}]", f"a {text}, b"
        )


def test_a_telephone_number_at_the_start_of_a_line_needs_a_blank_since_a_patch_adds_digits() -> None:
    text = "+4930901820\n+49-30-901820\n+49 30 901820"
    assert redact_personal(text) == text.replace("+49 30 901820", "[redacted:phone]")
    assert redact_personal("+49 30 901820\n") == "[redacted:phone]\n"


def test_ids_are_redacted_only_if_their_dates_exist() -> None:
    def resident(date: str) -> str:
        number = f"441915{date}372"
        return number + "10X98765432"[sum(int(c) * 2 ** (17 - at) for at, c in enumerate(number)) % 11]

    for date in ("19000101", "20991231", "19491130"):
        assert redact_personal(resident(date)) == "[redacted:national-id]", date
    for date in ("18991231", "21000101", "20000001", "20001301", "20000100", "20000132"):
        assert redact_personal(resident(date)) == resident(date)


def test_the_last_letter_of_an_italian_id_depends_on_every_letter_and_digit_before_it() -> None:
    odd, even = "BAKPLCQDREVOSFTGUHMINJWZYX", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # a letter's place here is its value
    for letter, digit in zip(odd, "01234567890123456789012345", strict=True):
        code = f"{letter}{letter}LQVE{digit}9A{digit}3F20{digit}"
        values = [(even if at % 2 else odd).index(c if c.isalpha() else even[int(c)]) for at, c in enumerate(code)]
        last = sum(values) % 26
        assert redact_personal(f"see {code}{even[last]}") == "see [redacted:national-id]"
        assert redact_personal(f"see {code}{even[last - 1]}") == f"see {code}{even[last - 1]}"


def test_personal_data_in_ids_is_redacted_only_if_there_is_an_address() -> None:
    assert redact_personal_if_address("212-867-5309") == "212-867-5309"
    assert redact_personal_if_address("jane@corp.com 212-867-5309") == "[redacted:email] [redacted:phone]"


def test_an_address_stays_after_a_command_that_logs_in_on_the_same_line() -> None:
    assert redact_personal("scp a " + "b" * 60 + " jane@corp.com") == "scp a " + "b" * 60 + " jane@corp.com"
    for before in ("ssh x; mail ", "ssh x\nmail ", "ssh " + "b" * 100 + " "):
        assert redact_personal(f"{before}jane@corp.com") == f"{before}[redacted:email]"


def test_a_number_after_a_word_for_a_telephone_is_redacted() -> None:
    assert redact_personal("Phone: 0171 1234567") == "Phone: [redacted:phone]"
    assert redact_personal("Tel: 030 - 123 456") == "Tel: [redacted:phone]"
    assert redact_personal('"mobile": "0171/1234567"') == '"mobile": "[redacted:phone]"'


def test_personal_data_next_to_an_escape_or_a_time_is_redacted() -> None:
    assert redact_personal("\\u003cjane@firma.de\\u003e") == "\\u003c[redacted:email]\\u003e"
    assert redact_personal("at 10:00:22 +49 30 901820 12") == "at 10:00:22 [redacted:phone]"


SIMILAR = (
    "git@github.com:owner/repo.git",
    "ssh deploy@prod.corp.com uptime",
    "rsync -a build/ jane@prod.corp.com:/srv/app",
    "git@github.com: Permission denied (publickey).",
    "npm i @types/node@20.1.2 left-pad@1.3.0",
    "https://unpkg.com/react@18.2.0/umd/react.production.min.js",
    "49699333+dependabot[bot]@users.noreply.github.com",
    "Co-authored-by: Bot <noreply@anthropic.com>",
    "someone@example.com and dev@example.test",
    "icon@2x.png self.w@x.shape a@b.T x@y.to(device)",
    "@app.route('/x') @pytest.fixture",
    "postgres://app:[redacted:password]@db.corp.com:5432/app",
    "python 3.11.7 on 2024-01-01 10:00:00 +0200",
    "+2024-01-01 10:00\n-2024-01-01 09:59\n+1234567890",
    "@@ -100,12 +120,14 @@ def main",
    "1700000000000 1700000000000000 20240101120000",
    "192.168.100.101:8080 and 10.0.0.1-10.0.0.255",
    "trace 4bf92f3577b34da6a3ce929d0e0e4736 id 7312345678901234567",
    "4242 4242 4242 4242 is a card for tests, 4111111111111111 too",
    "v1.2.3-20240101.123456 build 12345678 and issue #12345678",
    "call 415-555-0123 in a film",
    "5e1d0a7c42 (dev 2025-03-04 15:16:17 +1100 2471) return None",
    '"reviewed by \\u003csupport@firma.de\\u003e"',
    "ci-deploy@shop-prod.iam.gserviceaccount.com",
    "d='M12 2 3 3 0 003 3h2a3 3 0 003-3 2 2 0 012 2v11'",
    "GET /home/settings/x 200 and https://site.test/home/jane/x",
    "/home/settings and /home/linuxbrew/.linuxbrew/bin",
    "/Users/Shared/x and C:\\Users\\Public\\x",
    "~/src/a.py and src/home/jane/x",
    "123-456-789 000-12-3456 12345678A",
    "0x1234567890abcdef 1234567890123456789",
)


@pytest.mark.parametrize("text", SIMILAR)
def test_text_that_only_resembles_personal_data_stays(text: str) -> None:
    assert redact_personal(text) == text


def test_nothing_but_home_folders_changes_in_harmless_lines() -> None:
    changed = {text for text in HARMLESS if redact_personal(text) != text}
    assert {text for text in changed if "home/" not in text and "Users" not in text} == set()


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("/home/jane/src/a.py:3:1", "~/src/a.py:3:1"),
        ('File "/home/jane.doe/x.py", line 1', 'File "~/x.py", line 1'),
        ("file:///home/jane/x", "file://~/x"),
        ("PATH=/home/jane/bin:/usr/bin", "PATH=~/bin:/usr/bin"),
        ("cd /Users/jane", "cd ~"),
        ("/Users/jane/Library/x", "~/Library/x"),
        ("C:\\Users\\Jane Doe\\x.txt", "~\\x.txt"),
        ('"C:\\\\Users\\\\jane\\\\x"', '"~\\\\x"'),
        ("/mnt/c/Users/jane/x and /c/Users/jane/y", "~/x and ~/y"),
        ("c:/users/jane/x and C:\\USERS\\JANE\\x", "~/x and ~\\x"),
        ("C:\\Documents and Settings\\Jane Doe\\x", "~\\x"),
        ("/home//jane/x, /home/./jane/x and /home2/jane/x", "~/x, ~/x and ~/x"),
        ("~/.claude/projects/-home-jane-work-app/1.jsonl", "~/.claude/projects/-home-~-work-app/1.jsonl"),
    ],
)
def test_a_home_folder_in_a_path_becomes_a_tilde(text: str, left: str) -> None:
    assert redact_personal(text) == left
    assert redact_personal(left) == left


SHOWN = (
    *("cwd: c:/users/«N»/x", r"C:\users\«N»\x", "/mnt/c/users/«N»", "/home//«N»//x", "/home/./«N»/x", r"\u002fhome\u002f«N»\u002fx"),
    *("%252Fhome%252F«N»%252Fx", "/homes/«N»/x", "/net/homes/«N»/x", "/home2/«N»/x", r"C:\Documents and Settings\«N»\x", "cd ~«N»/x"),
    *("USERNAME=«N»", 'SUDO_USER="«N»"', "LOGNAME=«N»", "«N»@box shop % ls", "«N»@box ~/shop $ ls", "(venv) «N»@box:~/shop$ make"),
    *("/run/media/«N»/disk", "/tmp/pytest-of-«N»/pytest-3", "uid=1000(«N») gid=1000(«N»)", "uid=501(«N»)", "-mnt-c-Users-«N»-x"),
    *("«N»:x:1000:1000::/srv/x:/bin/bash", "CORP\\«N»", "a.txt CORP\\«N»:(I)(F)", "DESKTOP-7K3J\\«N»", "/home/AD/«N»/x"),
)  # fmt: skip
"""Places that show the name of a user."""


@pytest.mark.parametrize("place", SHOWN)
def test_a_name_that_a_place_shows_is_replaced_there_and_in_sentences(place: str) -> None:
    session = SessionSecrets()
    session.note(f"Error: cannot open\n{place.replace('«N»', 'jdoe')}\nmake: failed")
    assert "jdoe" not in session.clean(place.replace("«N»", "jdoe"))
    assert session.clean("the account jdoe has no rights") == "the account [redacted:user] has no rights"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (r"C:\USERS\JDOE\shop", {"JDOE", "jdoe"}),
        (r"C:\Users\jdoe.CORP\x and C:\Users\jane.000\x", {"jdoe.CORP", "jdoe", "jane.000", "jane"}),
        ("/home/CORP/jdoe/x", {"CORP", "jdoe"}),
    ],
)
def test_a_name_is_also_known_without_what_its_place_adds(text: str, names: set[str]) -> None:
    assert find_user_names(text) == names


NAMELESS = (
    *("DB_USER=shop_rw", "NEO4J_USERNAME=graphs", "USERNAME=runneradmin", "uid=0(root) uid=999(redis) uid=1000(elasticsearch)"),
    *("adding-home-screen-widgets", "inputs.home-manager.packages", "--home-dir /app", "./home-snap/app", "loving home; his"),
    *("features/home/hero.test.tsx", "src/home2/main/x", "GET /homes/featured/x", "https://h.test/homes/x/y", "/users/jdoe/settings"),
    *("@import '~bootstrap/scss'", "~weekly/monthly", "https://h.test/~jdoe/x", "https://h.test/media/jdoe/x", "C:\\Users\\\\u003cyou"),
    *("npm i left-pad@1.3.0 x % y", "shop@1.0.0 test # all", "src\\main", "API\\Models", "HKLM\\software", "say DONE\\next to it"),
    *("/tmp/pytest-of-unknown/x", "redis:x:101:101::/srv/redis:/bin/sh", "-rw-r--r-- 1 grower staff 12 Jan 1 10:00 x"),
)  # fmt: skip


@pytest.mark.parametrize("text", NAMELESS)
def test_words_and_accounts_of_services_are_no_names(text: str) -> None:
    assert find_user_names(text) == set()


def test_a_name_that_is_also_a_word_is_replaced_in_lists_of_files() -> None:
    session = SessionSecrets()
    session.note("cd /home/mark/shop")
    assert session.clean("drwxr-xr-x 2 mark mark 64 mark\nuid=1000(mark)") == (
        "drwxr-xr-x 2 [redacted:user] [redacted:user] 64 mark\nuid=1000([redacted:user])"
    )


def test_the_users_own_home_folder_becomes_a_tilde_without_a_path_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/jane")
    assert redact_personal("cd /home/jane && ls") == "cd ~ && ls"
    assert redact_personal("cd /home/jane-2") == "cd /home/jane-2"


def test_the_setting_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = tmp_path / "mine.toml"
    monkeypatch.setenv("MIND_SKILLS_CONFIG", str(mine))
    mine.write_text("redact_personal_data = false\n")
    assert redact_personal("jane@corp.com") == "jane@corp.com"
    mine.unlink()
    assert redact_personal("jane@corp.com") == "jane@corp.com"


def test_only_the_value_false_in_the_users_settings_switches_personal_redaction_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mind_skills.settings.lenient import should_redact_personal_data

    mine = tmp_path / "mine.toml"
    monkeypatch.setenv("MIND_SKILLS_CONFIG", str(mine))
    assert should_redact_personal_data() is True
    mine.write_text("redact_personal_data = false\n")
    assert should_redact_personal_data() is False
    mine.write_text("redact_personal_data = 0\n")
    assert should_redact_personal_data() is True
    mine.write_text("not toml")
    assert should_redact_personal_data() is True


PIECES = st.sampled_from([*PERSONAL, *SIMILAR, *HARMLESS[:40], " ", "\n", "@", "+", "/home/", "Users"])


@given(st.lists(st.one_of(PIECES, st.text(max_size=20)), max_size=6).map("".join))
def test_redacting_personal_data_twice_changes_nothing_more(text: str) -> None:
    once = redact_personal(redact(text))
    assert redact_personal(once) == once


@pytest.mark.parametrize("piece", ["a@", "a.a@a.", "+1 ", "1 2", "4539 ", "/home/a", "DE89 ", "@", "0049 30 "])
def test_long_repetitive_texts_are_searched_for_personal_data_in_time(piece: str) -> None:
    """A quadratic expression would take minutes."""
    text = piece * (200_000 // len(piece))
    assert len(redact_personal(text)) <= 6 * len(text)
