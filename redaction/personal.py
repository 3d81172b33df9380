"""Redacts personal data before text is staged, added to the memory or offered: e-mail addresses, numbers, names in home paths.

Forms that also have other uses need further evidence: a check digit, a length that the country prescribes, a plus sign, an adjacent
word. Text that only looks like personal data is left unchanged: ``git@github.com:``, ``user@host`` after ``ssh``,
``@types/node@1.2``, addresses that belong to nobody (noreply, example.com), test card numbers, versions, times, ids. A home folder
becomes ``~``, so that a path remains useful.

This redaction is not applied when logs are read, because paths in them have to be resolved. The user's settings can turn it off.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from functools import cache
from re import Match, Pattern

from mind_skills.redaction.lazy_pattern import compile_lazily

_MAX_PASSES = 4
"""Maximum number of passes. Another pass is needed if a replacement exposes the edge of another match, as in redaction/secrets.py."""


@cache
def is_personal_redaction_enabled() -> bool:
    """Return whether the settings enable redaction of personal data. The result is cached."""
    from mind_skills.settings.lenient import should_redact_personal_data

    return should_redact_personal_data()


def redact_personal_if_address(text: str) -> str:
    """Redact personal data, but only if ``text`` contains an ``@``. Use it for ids, whose digits may look like a telephone number."""
    return redact_personal(text) if "@" in text else text


def redact_personal(text: str) -> str:
    """Redact personal data, unless the settings turn this redaction off. Idempotent."""
    if not is_personal_redaction_enabled():
        return text
    for _ in range(_MAX_PASSES):
        if (redacted := _redact_once(text)) == text:
            break
        text = redacted
    return text


def _redact_once(text: str) -> str:
    if "@" in text:
        text = _replace(text, "email", _MAIL, _is_personal_address)
    if any(map(text.__contains__, _HOME_HINTS)):
        text = _replace_homes(text)
    if _NUMBER_HINT.search(text):
        for kind, pattern, is_personal in _NUMBERS_BY_KIND:
            text = _replace(text, kind, pattern, is_personal)
    return text


def _replace(text: str, kind: str, pattern: Pattern[str], is_personal: Callable[[Match[str]], bool]) -> str:
    """Replace each match that is personal with a marker. The group ``label``, if the pattern has one, remains before the marker."""

    def replace_match(match: Match[str]) -> str:
        if not is_personal(match):
            return match[0]
        return f"{match['label'] if pattern.groupindex else ''}[redacted:{kind}]"

    return pattern.sub(replace_match, text)


# -- addresses --------------------------------------------------------------------------------------------------------

_MAIL = compile_lazily(
    r"(?:(?<=u003c)|(?<![A-Za-z0-9._%+/@-])(?!u003c))([A-Za-z0-9][A-Za-z0-9._%+-]{0,63})@((?:[A-Za-z0-9-]{1,63}\.){1,6}([A-Za-z]{2,12}))"
    r"(?![A-Za-z0-9_@(\[-]|\.[A-Za-z0-9]|:[A-Za-z0-9~/.])"
)
_ROLE_ACCOUNTS = compile_lazily(
    r"(?:no-?reply|do-?not-?reply|notifications?|git|root|postmaster|mailer-daemon|you|your|user|username|someone|name|email"
    r"|foo|bar|test|security|support|info|help|contact|hello|admin|webmaster|abuse)(?:[+.-].*)?\Z",
    re.IGNORECASE,
)
"""Local parts that are not personal: automatic senders, roles in an organisation, and names used in examples."""
_EXAMPLE_DOMAINS = compile_lazily(
    r"(?:.*\.)?(?:example\.[a-z]+|[a-z0-9-]+\.(?:example|test|invalid|local|localhost)|noreply\.[a-z0-9.-]+"
    r"|domain\.com|email\.com|company\.com|[a-z0-9.-]+\.gserviceaccount\.com)\Z",
    re.IGNORECASE,
)
"""Domains that are reserved (RFC 2606, 6761, 6762), used for noreply addresses or service accounts, or common in examples."""
_GENERIC_DOMAINS = frozenset(
    """com org net edu gov mil int info biz name pro mobi app dev tech online site store shop blog cloud email live world
    agency company digital media studio systems software solutions services group team work xyz""".split()
)
"""Top-level domains of personal addresses, in addition to the two-letter country domains."""
_SOURCE_SUFFIXES = frozenset({"py", "sh", "md", "so", "cc", "js", "ts"})
"""Suffixes of files that are also country domains. In ``word@word.py``, a suffix is more likely."""
_LOGIN = compile_lazily(r"\b(?:ssh|scp|sftp|rsync|mosh|ssh-copy-id|ProxyJump)\b[^\n|;&]{0,80}\Z")


def _is_personal_address(match: Match[str]) -> bool:
    local, domain, top_level_domain = match[1], match[2], match[3].lower()
    is_country_domain = len(top_level_domain) == 2 and not (
        top_level_domain in _SOURCE_SUFFIXES and domain.count(".") == 1
    )
    if (
        not (is_country_domain or top_level_domain in _GENERIC_DOMAINS)
        or _ROLE_ACCOUNTS.match(local)
        or _EXAMPLE_DOMAINS.match(domain)
    ):
        return False
    return _LOGIN.search(match.string, max(0, match.start() - 100), match.start()) is None


# -- home paths -------------------------------------------------------------------------------------------------------

_NOT_SHARED_FOLDER = r"(?!(?:linuxbrew|[Ss]hared|[Pp]ublic|[Dd]efault|\.\.?)(?:[/\\\s]|\Z))"
_HOME_HINTS = ("home", "sers", "SERS", "Settings", "SETTINGS", "settings")
_UNIX_HOME = compile_lazily(
    r"(?<![\w.~-])(?<!GET )(?<!POST )(?<!PUT )/home[0-9]{0,2}/{1,2}(?:\./)?"
    + _NOT_SHARED_FOLDER
    + r"[\w.@][\w.@-]{0,63}(?=/)"
)
"""The rest of a path must follow, because ``/home/settings`` could also be a web page."""
_MAC_HOME = compile_lazily(rf"(?<![\w.~:-])/Users/{_NOT_SHARED_FOLDER}[\w.@][\w.@-]{{0,63}}(?=[/\s\"'`;:,)\]}}>]|\Z)")
_WINDOWS_HOME = compile_lazily(
    r"(?<![A-Za-z0-9])(?:[A-Za-z]:|/mnt/[a-z]|(?<![\w.~/-])/[a-z](?=[\\/]{1,4}Users))"
    r"(\\{1,4}|/)(?i:Users|Documents and Settings)\1" + _NOT_SHARED_FOLDER + r"[^\\/:*?\"<>|\r\n]{1,40}?(?=\1)"
)
_PROJECT_HOME = compile_lazily(r"(?<=[/\\])-(home|Users)-[A-Za-z0-9_]{1,64}(?=-)")
"""A home folder within a folder name in which Claude Code encodes a project's path."""


_SHARED_ACCOUNTS = frozenset(
    """root user users username ubuntu debian fedora centos alpine arch runner node app apps vscode dev developer admin administrator git
    work workspace home shared public default linuxbrew codespace gitpod vagrant docker deploy jovyan me you www www-data ec2-user
    app-user service postgres mysql redis nobody daemon guest student demo example all none host master name
    unknown testuser nodejs nextjs nonroot appuser pwuser runneradmin circleci codespaces azureuser opc jenkins ansible nginx apache mongodb
    mariadb elasticsearch kibana logstash grafana prometheus airflow kafka rabbitmq solr spark hadoop gitlab gitlab-runner""".split()
)
"""Accounts of nobody in particular."""
ORDINARY_NAMES = frozenset(
    """data web api src test tests build project projects code main local opt var tmp usr etc bin lib mnt media server client team
    will mark grant bill frank max art rich guy rob pat sue dot jack hope grace faith joy dean king page miles chase drew ray lance
    earl duke bob chip cliff dale glen heath basil ruby python rust go java swift julia claude codex gemini opencode agent bot ai
    model ci system my your the entity worker builder coder ops lab research store shop blog site cloud remote origin config cache temp
    backup engineer agents tools tool alpha beta pi zero nova atlas sky star sun moon robin summer autumn amber crystal""".split()
)
"""Names that are also words."""
_SEPARATOR = r"(?:\\{0,4}/|\\{1,4}(?:u00(?:2[Ff]|5[Cc]))?|%(?:25){0,2}(?:2[Ff]|5[Cc]))"
"""A separator in a path, also percent-encoded or as an escape of JSON."""
_SEPARATORS = rf"{_SEPARATOR}{{1,2}}(?:\.{_SEPARATOR})?"
_DRIVE = rf"(?<![A-Za-z0-9])(?:[A-Za-z](?::|%3[Aa])|/mnt/[a-z]){_SEPARATOR}"
_ENCODED_PATH = r"(?:\A|[^\w-]|-(?:[a-z]|var|export)|\b[A-Za-z]-)-"
"""The beginning of a folder name that encodes a path, such as a project's in Claude Code."""
_ROOT = r"(?:\A|(?<!GET)(?<!POST)(?<!PUT)[\s=:(]|/(?:net|nfs|mnt|export|data))/"
"""What precedes the folder of all homes, if its name also has other uses."""
_NAME = r"((?!u00[0-9A-Fa-f]{2})\w[\w.@]{0,40}(?:-[\w.]{1,20})?)"
_NAME_IN_FOLDER = r"(\w{1,40})"
_FILE_COMMANDS = "cd|pushd|ls|cat|less|head|tail|vim?|nano|cp|mv|ln|rm|du|find|source"
_PLACES: dict[tuple[str, str], tuple[tuple[Pattern[str], Pattern[str]], ...]] = {
    hint: tuple((compile_lazily(rf"(?:{before})\Z"), compile_lazily(after)) for before, after in places)
    for hint, places in {
        ("home", "/\\%-s0123456789"): (
            (rf"{_SEPARATOR}|\A", _SEPARATORS + _NAME),
            (_SEPARATOR, rf"{_SEPARATORS}[A-Z]{{2,15}}{_SEPARATOR}(?=[a-z]){_NAME}(?=[/\\])"),
            (_ENCODED_PATH, f"-{_NAME_IN_FOLDER}"),
            (_ROOT, rf"(?:s|[0-9]{{1,2}}){_SEPARATORS}{_NAME}(?=[/\\])"),
        ),
        # A lower-case "users" follows a drive or a backslash, because "/users/42" is often a web page.
        ("sers", "/\\%-"): (
            (rf"{_SEPARATOR}U|\\u|{_DRIVE}u", _SEPARATORS + _NAME),
            (f"{_ENCODED_PATH}U", f"-{_NAME_IN_FOLDER}"),
        ),
        ("USER", "=NS"): (
            (rf"\\|{_DRIVE}", f"S{_SEPARATORS}{_NAME}"),
            (r"(?<!\w)|\bSUDO_", rf"(?:NAME)?=[\"']?{_NAME}"),
        ),
        ("LOGNAME", "="): ((r"(?<!\w)", rf"=[\"']?{_NAME}"),),
        (" and Settings", "/\\%"): (("Documents", _SEPARATORS + _NAME),),
        ("/run/media/", ""): (("", _NAME),),
        ("pytest-of-", ""): (("", _NAME),),
        ("uid=", "123456789"): (("", rf"(?:50[0-9]|[1-9][0-9]{{3,9}})\({_NAME}"),),
        (":x:100", "0123456789"): ((r"(?:\A|[\n\"'`])([A-Za-z_][\w.-]{0,31})", "[0-9]:[0-9]{1,10}:"),),
        ("~", ""): ((rf"\b(?:{_FILE_COMMANDS}) ", f"{_NAME}(?=/)"),),
    }.items()
}
"""The places that show the name of a user: a hint, the characters that may follow it (any if none), what precedes and what follows it."""
_MAX_HINTS, _PLACE_REACH = 40, 40
"""Maximum number of occurrences of a hint in a text that are read, and maximum length of what precedes one."""
IN_PLACE = compile_lazily(
    rf"(?:(?:home(?:s|[0-9]{{1,2}})?|[Uu]sers|USERS| and Settings)(?:{_SEPARATORS}|-)|(?:USER|LOGNAME|USERNAME)=[\"']?|/media/|pytest-of-"
    rf"|\b(?:{_FILE_COMMANDS}) ~|[ug]id=[0-9]{{1,10}}\(|[rwxsStT-]{{9}}[.+@]? +[0-9]{{1,6}} (?:[\w.-]{{1,32}} +)?)\Z"
)
"""What precedes a name that is an account."""
_PROMPT = compile_lazily(
    r"(?:\A|(?<=[\n\[(]))(?:\([\w. -]{1,40}\) )?(?P<name>[A-Za-z_][A-Za-z0-9_.-]{0,31})@"
    r"(?:[\w.-]{1,60}(?::[^\n$#%>]{0,80}| [^\s$#%>]{1,80})\]?[$#%>]|[A-Za-z][\w.-]{0,59} [^\s$#%>]{1,80} [$%])(?=\s|\Z)"
)
_PROMPT_HINT = compile_lazily(r"@[\w.-]{1,60}[: ][^\n$#%>]{0,80}[$#%>]")
_WINDOWS_ACCOUNT = compile_lazily(
    r"\\(?<=[A-Z0-9]\\)(?P<name>[a-z][\w-]{2,19}(?:\.[a-z][\w-]{4,19})?)(?:\r?$|(?P<rights>:\())", re.MULTILINE
)
"""An account of a domain or a machine on a line of its own, or before its rights in the output of ``icacls``."""
_DOMAIN = compile_lazily(r"(?:^|(?P<space> ))(?!HK)[A-Z][A-Z0-9-]{1,14}\Z", re.MULTILINE)
_SOURCE_FILE = compile_lazily(
    r"\.(?:[cm]?[jt]sx?|py|go|rs|rb|md|mdx|html?|s?css|json|ya?ml|toml|txt|log|vue|svg|png)\Z"
)
_FOLDER_SUFFIX = compile_lazily(r"\.(?:[A-Z][A-Z0-9-]*|[0-9]{3})(?:\.[0-9]{3})?\Z")
"""What Windows appends to the name of a folder in ``Users`` if another account has the same name."""


def find_user_names(text: str) -> set[str]:
    """Return the names of users in home paths, in any notation, in variables, accounts and the prompts of shells."""
    names: set[str] = set()
    for (hint, next_characters), places in _PLACES.items():
        if hint not in text:
            continue
        end = 0
        for _ in range(_MAX_HINTS):
            index = text.find(hint, end)
            if index < 0:
                break
            end = index + len(hint)
            if next_characters and text[end : end + 1] not in next_characters:
                continue
            for before, after in places:
                right = after.match(text, end)
                name = right[1] if right is not None and after.groups else ""
                if right is None or name in names:
                    continue
                left = before.search(text, max(0, index - _PLACE_REACH), index)
                if left is not None:
                    names.update(_spell_name(name or left[1], hint.isupper()))
    if "@" in text and _PROMPT_HINT.search(text) is not None:
        names.update(match["name"] for match in _PROMPT.finditer(text))
    if "\\" in text:
        for match in _WINDOWS_ACCOUNT.finditer(text):
            domain = _DOMAIN.search(text, max(0, match.start() - _PLACE_REACH), match.start())
            if domain is not None and (match["rights"] or not domain["space"]):
                names.add(match["name"])
    return {name for name in names if name and not name.isdigit() and name.lower() not in _SHARED_ACCOUNTS}


def _spell_name(name: str, is_folded: bool) -> Iterator[str]:
    """Yield a name in a place, and how it may be written elsewhere. ``is_folded``: upper case may be that of the place."""
    name = name.rstrip(".@")
    if _SOURCE_FILE.search(name):
        return
    for spelling in {name, _FOLDER_SUFFIX.sub("", name)}:
        yield spelling
        if is_folded and spelling.isupper():
            yield spelling.lower()


def _replace_homes(text: str) -> str:
    own_home = os.path.expanduser("~")
    if own_home.startswith(("/home/", "/Users/")) and own_home in text:
        text = re.sub(re.escape(own_home) + r"(?![\w.@-])", "~", text)
    for pattern in (_UNIX_HOME, _MAC_HOME, _WINDOWS_HOME):
        text = pattern.sub("~", text)
    return _PROJECT_HOME.sub(r"-\1-~", text)


# -- numbers ----------------------------------------------------------------------------------------------------------

_NUMBER_HINT = compile_lazily(r"[0-9](?:[ .()/-]{0,3}[0-9A-Z]){6}")
"""A pre-check: a text without a match of this expression is not searched for ``_NUMBERS_BY_KIND``."""
_COUNTRY_CODES = frozenset(
    """1 7 20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90
    91 92 93 94 95 98""".split()
) | {str(code) for start, end in ((211, 269), (290, 299), (350, 389), (420, 423), (500, 509), (590, 599), (670, 692),
                                  (850, 856), (880, 888), (960, 979), (992, 998)) for code in range(start, end + 1)}  # fmt: skip
"""Telephone country codes (ITU-T E.164; those with three digits as ranges)."""
_IBAN_LENGTHS = {
    name: int(length)
    for name, length in (
        pair.split(":")
        for pair in """AD:24 AE:23 AL:28 AT:20 AZ:28 BA:20 BE:16 BG:22 BH:22 BR:29 BY:28 CH:21 CR:22 CY:28 CZ:24 DE:22 DK:18
        DO:28 EE:20 EG:29 ES:24 FI:18 FO:18 FR:27 GB:22 GE:22 GI:23 GL:18 GR:27 GT:28 HR:21 HU:28 IE:22 IL:23 IQ:23 IS:26
        IT:27 JO:30 KW:30 KZ:20 LB:28 LC:32 LI:21 LT:20 LU:20 LV:21 LY:25 MC:27 MD:24 ME:22 MK:19 MR:27 MT:31 MU:30 NL:18
        NO:15 PK:24 PL:28 PS:29 PT:25 QA:29 RO:24 RS:22 SA:24 SE:24 SI:19 SK:24 SM:27 TN:24 TR:26 UA:29 VA:22 VG:24
        XK:20""".split()
    )
}
"""IBAN lengths by country (SWIFT, IBAN registry)."""
_TEST_CARDS = frozenset(
    """4242424242424242 4000056655665556 4111111111111111 4012888888881881 4000000000000002 4000000000009995 4000002500003155
    5555555555554444 2223003122003222 5105105105105100 378282246310005 371449635398431 6011111111111117
    6011000990139424 3566002020360505""".split()
)
"""Test card numbers published by payment providers."""


def _extract_digits(text: str) -> str:
    return "".join(c for c in text if c.isdigit())


def _is_international_phone(match: Match[str]) -> bool:
    text, digits = match[0], _extract_digits(match[0]).removeprefix("00" if match[0].startswith("00") else "")
    is_line_start = match.start() == 0 or match.string[match.start() - 1] == "\n"
    is_separated = (
        text.lstrip("+0123456789")[:1] == " "
        if is_line_start or text.startswith("00")
        else len(digits) >= 10 or not text[1:].isdigit()
    )
    return is_separated and 8 <= len(digits) <= 15 and any(digits[:length] in _COUNTRY_CODES for length in (1, 2, 3))


def _is_american_phone(match: Match[str]) -> bool:
    digits = _extract_digits(match[0])
    is_fictitious = digits[3:8] == "55501"  # 555-0100 to 555-0199 are reserved for fiction
    return not (is_fictitious or digits[0] in "01" or digits[3] in "01")


def _is_labelled_phone(match: Match[str]) -> bool:
    return 7 <= len(_extract_digits(match[0][len(match["label"]) :])) <= 15


def _is_iban(match: Match[str]) -> bool:
    account = match[0].replace(" ", "")
    if len(account) != _IBAN_LENGTHS.get(account[:2]):
        return False
    return int("".join(str(int(c, 36)) for c in account[4:] + account[:4])) % 97 == 1


def has_luhn_digit(digits: str) -> bool:
    """Return whether the last digit is the Luhn check digit of the other digits (ISO/IEC 7812-1)."""
    doubled = (sum(divmod(2 * int(c), 10)) if index % 2 else int(c) for index, c in enumerate(reversed(digits)))
    return sum(doubled) % 10 == 0


def _is_card_number(match: Match[str]) -> bool:
    digits = _extract_digits(match[0])
    prefix = int(digits[:4])
    is_issued = (
        digits[0] == "4"
        or 5100 <= prefix <= 5599
        or 2221 <= prefix <= 2720
        or digits[:2] in ("34", "37", "35", "62", "65")
        or prefix == 6011
    )
    return is_issued and has_luhn_digit(digits) and digits not in _TEST_CARDS


def _is_date(year: str, month: str, day: str) -> bool:
    return 1900 <= int(year) <= 2099 and 1 <= int(month) <= 12 and 1 <= int(day) <= 31


def _is_italian_id(match: Match[str]) -> bool:
    """Check a codice fiscale: its last letter is computed from the other characters (decree of 23 December 1976)."""
    odd = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)
    values = [int(c, 36) - 10 if c.isalpha() else int(c) for c in match[0]]
    return sum(odd[value] if index % 2 == 0 else value for index, value in enumerate(values[:15])) % 26 == values[15]


def _is_spanish_id(match: Match[str]) -> bool:
    """Check a DNI or NIE: its last letter encodes the number modulo 23."""
    number, letter = match[0][:-1].rstrip("-"), match[0][-1]
    return "TRWAGMYFPDXBNJZSQVHLCKE"[int(number.translate(str.maketrans("XYZ", "012"))) % 23] == letter


def _is_brazilian_id(match: Match[str]) -> bool:
    """Check a CPF: it ends with two check digits modulo 11."""
    digits = [int(c) for c in _extract_digits(match[0])]
    for length in (9, 10):
        weighted = sum(digit * weight for digit, weight in zip(digits, range(length + 1, 1, -1), strict=False))
        if weighted * 10 % 11 % 10 != digits[length]:
            return False
    return len(set(digits)) > 1


def _is_french_id(match: Match[str]) -> bool:
    """Check a NIR: the number and its key add up to a multiple of 97."""
    number = match[0].replace(" ", "").replace("2A", "19").replace("2B", "18")
    return 97 - int(number[:13]) % 97 == int(number[13:])


def _is_chinese_id(match: Match[str]) -> bool:
    """Check a resident identity number (GB 11643): it contains a date, and a check digit modulo 11."""
    number = match[0]
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    check = "10X98765432"[sum(int(c) * weight for c, weight in zip(number, weights, strict=False)) % 11]
    return check == number[17].upper() and _is_date(number[6:10], number[10:12], number[12:14])


def _is_korean_id(match: Match[str]) -> bool:
    """Check a resident registration number: it contains a date, and a check digit modulo 11."""
    digits = _extract_digits(match[0])
    check_digit = (11 - sum(int(c) * (index % 8 + 2) for index, c in enumerate(digits[:12])) % 11) % 10
    century = "19" if digits[6] in "12" else "20"
    return check_digit == int(digits[12]) and _is_date(century + digits[:2], digits[2:4], digits[4:6])


def _is_personal_by_form(match: Match[str]) -> bool:
    """Accept any match: the numbers of the United States and the United Kingdom have no check digit."""
    return True


_NO_TIME_ZONE = r"(?!(?<=:[0-9]{2} )\+[01][0-9][034][05] )"
"""Excludes the offset of a time zone after a time, which a number may follow, as in ``git blame``."""
_NUMBER_START, _NUMBER_END = r"(?<![\w+./#-])", r"(?![\w/-]|[.,][0-9])"
_NUMBERS_BY_KIND: tuple[tuple[str, Pattern[str], Callable[[Match[str]], bool]], ...] = tuple(
    (kind, compile_lazily(pattern), is_personal)
    for kind, pattern, is_personal in (
        (
            "iban",
            r"(?<![A-Za-z0-9])[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?![A-Za-z0-9])",
            _is_iban,
        ),
        ("card", rf"{_NUMBER_START}(?:[0-9]{{4}}[ -]?){{3}}[0-9]{{4}}{_NUMBER_END}", _is_card_number),
        ("card", rf"{_NUMBER_START}3[47][0-9]{{2}}[ -]?[0-9]{{6}}[ -]?[0-9]{{5}}{_NUMBER_END}", _is_card_number),
        (
            "national-id",
            rf"{_NUMBER_START}(?!000|666|9)[0-9]{{3}}-(?!00)[0-9]{{2}}-(?!0000)[0-9]{{4}}{_NUMBER_END}",
            _is_personal_by_form,
        ),
        (
            "national-id",
            r"(?<![A-Za-z0-9])[A-Z]{6}[0-9]{2}[A-EHLMPRST][0-9]{2}[A-Z][0-9]{3}[A-Z](?![A-Za-z0-9])",
            _is_italian_id,
        ),
        ("national-id", rf"{_NUMBER_START}(?:[0-9]{{8}}|[XYZ][0-9]{{7}})-?[A-Z]{_NUMBER_END}", _is_spanish_id),
        (
            "national-id",
            rf"{_NUMBER_START}[0-9]{{3}}\.[0-9]{{3}}\.[0-9]{{3}}-[0-9]{{2}}{_NUMBER_END}",
            _is_brazilian_id,
        ),
        (
            "national-id",
            rf"{_NUMBER_START}[12] ?[0-9]{{2}} ?(?:0[1-9]|1[0-2]) ?(?:[0-9]{{2}}|2[AB]) ?[0-9]{{3}} ?[0-9]{{3}} ?[0-9]{{2}}{_NUMBER_END}",
            _is_french_id,
        ),
        ("national-id", rf"{_NUMBER_START}[1-9][0-9]{{16}}[0-9Xx]{_NUMBER_END}", _is_chinese_id),
        ("national-id", rf"{_NUMBER_START}[0-9]{{6}}-[1-4][0-9]{{6}}{_NUMBER_END}", _is_korean_id),
        (
            "national-id",
            (
                r"(?<![A-Za-z0-9])(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]"
                r"(?: [0-9]{2} [0-9]{2} [0-9]{2} |[0-9]{6})[A-D](?![A-Za-z0-9])"
            ),
            _is_personal_by_form,
        ),
        (
            "phone",
            (
                rf"(?<![\w+./-]){_NO_TIME_ZONE}(?:\+[1-9][0-9]{{0,2}}(?:[ .-]?(?:\([0-9]{{1,4}}\)|[0-9]{{1,4}})){{2,6}}"
                rf"|00[1-9][0-9]{{0,2}}(?:[ -][0-9]{{2,5}}){{2,5}}){_NUMBER_END}"
            ),
            _is_international_phone,
        ),
        (
            "phone",
            rf"{_NUMBER_START}(?:\([0-9]{{3}}\) ?|[0-9]{{3}}-)[0-9]{{3}}-[0-9]{{4}}{_NUMBER_END}",
            _is_american_phone,
        ),
        (
            "phone",
            r"(?i)(?P<label>\b(?:phone|tel|telephone|telefon|téléphone|teléfono|telefone|mobile|handy|fax|whatsapp)(?: ?(?:number|no\.?))?"
            r"[\"']?\s{0,2}[:=]\s{0,2}[\"']?)\+?[0-9(][0-9 ()/.-]{5,18}[0-9]" + r"(?![\w-])",
            _is_labelled_phone,
        ),
    )
)
