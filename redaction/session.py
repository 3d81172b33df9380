"""What one session must not show: values that were redacted anywhere in it, values that its commands print, and names of users.

A value is recognised where something identifies it: a name, a place, the command that printed it. The same value also stands elsewhere,
where nothing does. Every text that is read is therefore noted in the session's ``SessionSecrets``, and every text that is stored or
shown is cleaned with it, whether it was read before or after the value was recognised. Values are stored as truncated keyed digests,
so that the state of a running session contains no value, and too little of one to confirm a guess.
"""

from __future__ import annotations

import os
import re
from binascii import Error, a2b_base64
from collections import deque
from collections.abc import Iterator
from itertools import islice
from zlib import crc32

try:
    from _blake2 import blake2b  # as in store/project.py
except ImportError:  # pragma: no cover -- an interpreter other than CPython
    from hashlib import blake2b

from mind_skills.redaction.assignments import find_stems, lower_preserving_offsets
from mind_skills.redaction.decoding import decode
from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.redaction.personal import (
    IN_PLACE,
    ORDINARY_NAMES,
    find_user_names,
    is_personal_redaction_enabled,
    redact_personal,
)
from mind_skills.redaction.random_values import FOREIGN_STEMS, is_object_id, names_public, names_secret
from mind_skills.redaction.secrets import find_announced, redact
from mind_skills.redaction.values import (
    compute_explained_share,
    is_base64,
    is_chosen,
    is_digits,
    is_generated,
    is_identifier,
    is_public_address,
    is_reference,
    is_setting,
    is_wordlike,
)

# -- what commands print -----------------------------------------------------------------------------------------------

_NAME = r"(?:secret|token(?!iz)|passw|passphrase|pwd|api_?-?key|[a-z_]_key|key_|credential|_pass|auth_|_dsn|_pat\b|otp|salt|senha)"
_FILE = (
    r"(?![^\s;&|]*(?:\.git[/\\]|\.(?:pyi?|[jt]sx?|mjs|go|rs|rb|erb|java|mdx?|[ch]|cc|cpp|cs|kt|php|swift|sh|html|s?css|vue|lock|snap|sql|rst|log|output)\b))"
    r"[^\s;&|]*(?:secrets?\b|token|passw|credential|api.?key|private.?key|\.key\b|\.pem\b|\.env\b|\.netrc|\.npmrc|\.pypirc|\.pgpass"
    r"|id_(?:rsa|ed25519|ecdsa)\b|[/\\]keys?[/\\])"
)
_SETTINGS_FILE = (
    r"(?:[\w.@~:/\\-]{0,200}[/\\])?(?:\.env(?:rc)?(?:[.-][\w-]{1,30}){0,3}|[\w-]{1,40}\.env|userlist\.txt|sasl_passwd|\.(?:netrc|npmrc|pypirc|pgpass|git-credentials|htpasswd|bashrc|zshrc|zshenv|z?profile|bash_profile)"
    r"|credentials(?:\.[a-z]{2,5})?|\.?secrets?(?:\.[\w-]{1,20})?\.(?:ya?ml|json|toml|env|ini|properties|txt)|[\w.-]{0,40}\.tfvars"
    r"|[\w-]{0,30}vault[\w-]{0,30}\.ya?ml)"
)
"""The name of a file whose values are secrets."""
_PRINTERS_OF_SECRETS = (
    # password stores and services
    r"(?<![/.])(?:go)?pass(?: show| -c)?(?: -\w+)* (?!(?:ls|insert|rm|edit|generate|init|git|find|grep|-|\d)\b)(?=\S*/)",
    r"(?:op|bw|lpass|rbw|keepassxc-cli|chamber|infisical|doppler|conjur)\b[^\n;&|]* (?:read|get|show|password|download|export)\b",
    r"(?:vault|bao)\b[^\n;&|]* (?:read|get|print|unwrap|create)\b",
    r"(?:aws|awslocal)\b[^\n;&|]*(?:get-secret-value|get-parameters?\b|get-login-password|get-session-token|export-credentials)",
    r"gcloud\b[^\n;&|]*(?:secrets versions access|print-(?:access|identity)-token)",
    r"az\b[^\n;&|]*(?:secret show|keys? list|list-keys|get-access-token|credential|list-secrets)",
    r"(?:kubectl|oc|k)\b[^\n;&|]*(?:get (?:-\S+ )*secrets?\b|create token)",
    r"(?:security find-\w+-password|secret-tool lookup|keyring get|gh auth token|glab auth token|git credential fill)",
    r"(?:sops\b[^\n;&|]*(?:-d\b|decrypt)|(?:gpg2?|age)\b[^\n;&|]*(?:\s-\w*d\w*\b|--decrypt)|ansible-vault (?:view|decrypt))",
    r"dotenv\b[^\n;&|]* get\b|keyctl (?:print|pipe|read)\b|rails\.application\.(?:credentials|secrets)",
    r"argocd admin initial-password|rclone reveal|wg showconf|nmcli\b[^\n;&|]*(?:\s-s\b|--show-secrets)[^\n;&|]*(?:psk|password|secret)",
    r"vault write\b[^\n;&|]*(?:secret-id|/creds?/|/login\b|token)|vault operator (?:init|rekey|generate-root)",
    r"mcp__[a-z0-9_-]{0,30}(?:onepassword|1password|bitwarden|keychain|infisical|doppler|lastpass|secrets?_?manager)\w{0,30}__\w",
    r"mcp__[\w-]{0,60}(?:get|read|fetch|describe|list)[\w-]{0,30} [^\n]{0,200}(?<=\s)secrets?(?!\S)",
    r"(?:rails|rake)\b[^\n;&|]* (?:credentials:(?:show|fetch)|secret\b)|eyaml decrypt|npm token create|heroku auth:token",
    r"(?:trufflehog|gitleaks|ggshield|detect-secrets)\b",
    (
        r"(?:(?<=\A)|(?<=[;&|(] )|(?<=run )|(?<=exec )|(?<=sudo )|(?<=bash )|(?<=node )|(?<=python )|(?<=python3 )|(?<=\.py )|(?<=[./]))"
        r"[\w-]*(?:reset|create|generate|rotate|show|get|print|reveal)[-_:](?:\w+[-_])?(?:password|passphrase|secret|token|api[-_]?key"
        r"|credentials?)s?(?:\.(?:sh|py|js|ts|rb|php))?(?=\s|\Z)"
    ),
    # generators
    r"openssl rand|gpg\b[^\n;&|]*--gen-random|\burandom\b|pwgen|apg\b|makepasswd|mkpasswd|xkcdpass|diceware",
    r"wg genkey|age-keygen|phx\.gen\.secret|key:generate|generate-vapid-keys|generate_key|htpasswd -\w*n",
    r"secrets?\.token_|token_(?:hex|urlsafe)|randomBytes|SecureRandom|securerandom|random_bytes|get_random_secret_key",
    # files of secrets
    rf"(?:cat|head|tail|less|more|bat|type|get-content|gc|base64|xxd|strings|read)\s[^\n;&|]{{0,80}}?(?<=[\s\"'=<:@]){_FILE}",
)
"""Commands whose output is a secret."""
_PRINTERS_OF_NAMED = (
    rf"(?:printenv|getenv|environ|environment\]|env\[|env\.fetch|process\.env|\$env:)[\s\S]*{_NAME}|{_NAME}[^\n]*(?:printenv|getenv)",
    rf"(?:echo|printf|puts|print|write-(?:output|host)|log)\b[^\n;&|]*\$[^\n;&|]{{0,30}}{_NAME}",
    rf"(?:print|puts|echo|log|dump)[ (][^\n;&|]{{0,80}}(?:settings|config|secrets|credentials)\b[^\n;&|]{{0,40}}{_NAME}",
    rf"(?:jq|yq|dasel|crudini|dotenv|xmllint)\b[^\n;&]*(?:{_NAME}|\bkey\b)",
    (
        rf"(?:grep|rg|awk|sed|findstr|select-string)\b[^\n;&]*{_NAME}[^\n;&]*"
        r"(?:\b(?:cut|awk|sed)\b|\.(?:env|ya?ml|json|toml|ini|conf|cfg|properties)\b|rc\b)"
    ),
    (
        r"(?:terraform|tofu|pulumi|heroku|consul|etcdctl|redis-cli|npm|git config|aws configure|vercel|flyctl|fly|railway|defaults|reg)\b"
        rf"[^\n;&|]*\b(?:output|get|query|config:get|read|show)\b[^\n;&|]*{_NAME}"
    ),
    rf"(?:local|session)storage\b[\s\S]{{0,80}}{_NAME}",
    rf"(?:psql|mysql|mariadb|sqlite3|mongosh?|clickhouse-client)\b[\s\S]*(?:select|find)[\s\S]*{_NAME}",
    r"\buuidgen\b|base64 (?:-\w+ )*(?:-\w*[dD]\b|--decode)",
)
"""Commands that print what they name, which is a secret; others may be named, too."""
_KEEPERS_OF_SETTINGS = (
    "doppler infisical chamber teller vault bao akeyless aws az gcloud kubectl oc helm heroku dokku fly flyctl railway vercel netlify"
    " systemctl launchctl wrangler supabase eb cf scalingo clever argocd terraform tofu terragrunt pulumi consul etcdctl nomad rancher"
    " docker docker-compose podman ansible-inventory kamal circleci glab dotenvx direnv firebase ibmcloud oci doctl scw"
).split()
"""Programs that keep the settings of others, among which are secrets under any name."""
_PRINTS_SETTINGS = compile_lazily(
    rf"(?<![\w./-])(?:{'|'.join(_KEEPERS_OF_SETTINGS)})\s[^\n;&|]{{0,400}}?(?<!\w)(?:secrets?(?!\s(?:list|ls)\b)|env|environment"
    rf"|config(?:maps?|uration)?|variables?|vars?|values"
    r"|show|outputs?|inspect|describe|credentials?|dump|printenv|state|manifest|-o ?(?:yaml|json)|--(?:json|plain|reveal|show-values?)"
    r"|get-secret-value|list-secrets)(?![\w/.-]*/)|(?<![\w./-])(?:env|printenv|set|export -p|declare -[xp]{1,2})(?=\s*(?:[|;&\n\"']|\Z))"
    r"|/proc/[^\s/]{1,20}/environ|\bsystemctl cat|\.tfstate\b"
    r"|(?:os\.environ|process\.env|\bENV\.to_h|\bgetenv\(\))(?=[\s)\"',;}]|\Z)"
    r"|\b(?:local|session)Storage\b|\bdocument\.cookie|(?<![a-z])cookies?(?:_get|_list|\.get|\(\)|\.txt)|(?:get|list)_?(?:all_?)?cookies?"
    r"|(?:print|pp|log|dump|inspect|vars|dir|puts|p)[( ]{1,2}(?:\w{1,30}[.(]){0,4}(?:[Ss]ettings|[Cc]onfig)"
    r"(?:\(\)|\.(?:model_dump(?:_json)?|dict|to_h|inspect|as_dict|json)(?:\(\))?)?\s?(?:\)|\Z|[\"'])",
    re.IGNORECASE,
)
_KEEPER_HINTS = (
    *(f"{name} " for name in _KEEPERS_OF_SETTINGS if "env" not in name),
    "env",
    "tfstate",
    "set |",
    "export -p",
    "declare -",
    "storage",
    "cookie",
    "settings)",
    "settings.",
    "config)",
)
_PRINTS_SECRET = compile_lazily(rf"(?<![\w-])(?:{'|'.join(_PRINTERS_OF_SECRETS)})", re.IGNORECASE)
_PRINTS_NAMED = compile_lazily(rf"(?<![\w-])(?:{'|'.join(_PRINTERS_OF_NAMED)})", re.IGNORECASE)
_NAMES_SECRET = compile_lazily(
    rf"{_NAME}|(?<![a-z])(?:keys?|pass|pw|env|environ|creds?|pat|auth|random|wallet)(?![a-z])", re.IGNORECASE
)
_PRINTS_DIGEST = compile_lazily(
    r"--hash\b|\bdgst\b|\bgit (?!config|credential)"
    r"|\.git[/\\]|sha\d*sum|shasum|md5|b2sum|cksum|digest|checksum|commit|docker (?:ps|images|run|build)"
    r"|[_.]id\b",
    re.IGNORECASE,
)
"""Any command that names a secret, and whose whole output looks like one, prints that secret, unless it prints digests or ids."""
_PRINTER_HINTS = (
    *(
        "secret",
        "pass",
        "token",
        "cred",
        "key",
        "pw",
        "get-",
        "gen",
        "rand",
        "vault",
        "uuid",
        "op ",
        "bw ",
        "gpg",
        "sops",
        "age",
        "salt",
        "otp",
    ),
    *("eyaml", "rbw ", "conjur", "rclone", "wg ", "nmcli", "bitwarden"),
    *("base64", "rc", "id_", ".pem", "dsn", "_pat", "auth", "senha", "kennwort", "env", "wallet", "tfvars"),
)
"""Every match of the two expressions contains one of these."""
_USES_FILE = compile_lazily(
    rf"(?<![\w-])(?:cat|head|tail|less|more|bat|type|get-content|gc|read|write|edit|multiedit|update|create|view|open|grep|rg|awk|sed"
    rf"|search|git (?:-\S{{1,60}} ){{0,3}}(?:show|diff|log -p|stash show|cat-file)"
    rf"|apply_patch|[\w-]{{0,80}}_files?|str_replace\w{{0,20}})\s[^\n;&|]{{0,120}}?(?<![\w.-]){_SETTINGS_FILE}(?![\w./\\-])",
    re.IGNORECASE,
)
"""A command or a tool that prints or writes a file whose values are secrets."""
_WRITTEN_FILE = compile_lazily(rf"(?:>{{1,2}}|\btee(?: -a)?) ?[\"']?({_SETTINGS_FILE})(?![\w./\\-])", re.IGNORECASE)
_FILE_LINE = compile_lazily(rf"{_SETTINGS_FILE}[:-](?:[0-9]{{1,6}}[:-])?", re.IGNORECASE)
_FILE_LINES = compile_lazily(rf"\n{_SETTINGS_FILE}[:-]", re.IGNORECASE)
"""The beginning of a line of such a file, as ``grep`` prints it."""
_FILE_HINTS = (
    ".env",
    ".netrc",
    ".npmrc",
    ".pypirc",
    ".pgpass",
    "credentials",
    "htpasswd",
    "secret",
    ".tfvars",
    "vault",
)
_OTHER_FILE_HINTS = ("shrc", "zshenv", "profile", "userlist.txt", "sasl_passwd")
"""Every name of such a file contains one of these; those of the second group are looked for in commands only."""
_PRINTS_RECORD_KEY = compile_lazily(r"(?:jq|yq|dasel)\b[^\n;&]*\bkey\b")
_NAMES_MORE = compile_lazily(_NAME, re.IGNORECASE)
"""A command that prints the field ``key``, and what tells that this is no id of a record."""
_PUBLIC_NAME = compile_lazily(
    r"(?:(?<![sS]ecret)(?<!SECRET)(?<![sS]ecret-)(?i:\b|_|-)(?i:u?u?ids?|sha-?\d*|commits?|digests?|etag|md5|checksum|hash|arn|images?"
    r"|version|revision|ref|fingerprint|layers?|serial|tag|release|build)"
    r"|Ids?|(?<![sS]ecret)ID|Uid|Sha\d*|Digest|Hash|Arn|Version|Revision|Release|Fingerprint|Etag|Image|(?:GPG|PGP)_KEY)\Z"
)
"""The end of a name whose value identifies something."""
_PUBLIC_FORM = compile_lazily(
    r"[^\s]*sha256:[0-9a-f]{64}.{0,2}|(?:[\w-]{1,63}\.){2,8}(?:com|net|org|io|dev|internal|local|app|cloud)"
    r"|[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,6}[a-z]{2,12}"
    r"|[a-z]{2,12}-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[a-z][a-z-]{2,40}-[0-9a-f]{6,8}|[a-z]{2}-[a-z]{4,9}-[0-9]_\w{9}"
)
"""A digest of an image, the name of a machine, an account of a service, and names that end with an id of a resource."""
_MAX_SHORT_LINES = 12
"""In outputs with more lines, which may be code or documents, only what looks generated is a value."""
_MAX_PRINTED_LENGTH = 200_000
_MAX_SENTENCE_WORDS = 2_000
"""So many words in lines of sentences are examined; the last word of a short line always is."""
_WINDOW, _WINDOW_OVERLAP, _MAX_WINDOWS = 1_000, 300, 16
"""A command that prints something is searched for in so many characters at once, since some expressions take quadratic time; of a very
long one, which contains a document, in the first such windows and the last."""
_MIN_GENERATED_LENGTH = 16
_MAX_LINE_WORDS = 3
_PRINTED_WORD = compile_lazily(r"(?<=\x1b)\[[0-9;]{0,12}[A-Za-z]|[^\s\"'`\x1b]+")
_LABEL = compile_lazily(
    r"(?:[A-Z][A-Z0-9_]{2,}|[A-Za-z][A-Za-z_.-]*|base64)[=:](?!//|=)|[(\[{]|[0-9]{1,6}(?:→|: ?)(?:[A-Z0-9_]{1,60}=)?"
)
_SETTING_NAME = compile_lazily(
    r"(?:[0-9]{1,6}(?:→|: ?))?[+-]?[A-Za-z_][\w.-]{0,60}[=:](?!//|=|\Z)|[0-9]{1,6}(?:→|: ?)|[+-]"
)
_VARIABLE = compile_lazily(r"[A-Z][A-Z_]{2,}[A-Z0-9_]*=|[(\[{]|[0-9]{1,6}(?:→|: ?).*")
_ORDINARY_WORD = compile_lazily(
    r"\W*+(?:[A-Za-z][a-z]*+(?:[-_.:/][A-Z]?[a-z]*+)*+|[A-Z_]++|[0-9]++)\W*+\Z|https?://.*|(?:[0-9a-f]{1,31}"
    r"|v?[0-9][0-9.:TZ/+-]*[a-z]{0,3})\Z"
    r"|[~.]{0,2}/(?=[^+=]*\Z)(?:[^/]*[/.]){2}|[\w./@~-]+:[0-9]+(?::.*)?\Z"
)
"""Words, addresses, numbers, short hashes, times and paths."""
_TRAILING = ".,;:)]}>\"'`\\"


def is_public_name(name: str) -> bool:
    """Return whether the value with this name identifies something."""
    return _PUBLIC_NAME.search(name) is not None


def find_written_file(command: str) -> str:
    """Return the file of secrets that a command writes by a redirection; empty if it writes none."""
    match = _WRITTEN_FILE.search(command, 0, _MAX_PRINTED_LENGTH) if ">" in command or "tee" in command else None
    return match[1] if match is not None else ""


def redact_printed(command: str, output: str) -> tuple[str, list[str]]:
    """Redact the values in the output of a command that prints a secret, or what a secret's name refers to; return them as well.

    ``command`` may also be the name of a tool and a file, and ``output`` what it writes there.
    """
    if not 6 <= len(output) <= _MAX_PRINTED_LENGTH:
        return output, []
    lowered, has_file_lines = command.lower(), _has_file_lines(output)
    is_keeper = any(map(lowered.__contains__, _KEEPER_HINTS))
    if not (has_file_lines or is_keeper) and not any(map(lowered.__contains__, _PRINTER_HINTS)):
        return output, []
    is_kept = is_keeper and _prints(_PRINTS_SETTINGS, command)
    is_secret = _prints(_PRINTS_SECRET, command)
    is_file = any(map(lowered.__contains__, (*_FILE_HINTS, *_OTHER_FILE_HINTS))) and _prints(_USES_FILE, command)
    is_named = is_secret or is_file or _prints(_PRINTS_NAMED, command)
    value = output.strip().removeprefix("=> ").strip(" \n\r\t\"'`")
    if not is_named and not has_file_lines:
        is_value = is_digits(value) or is_base64(value) or is_chosen(value)
        is_named = is_value and _prints(_NAMES_SECRET, command) and not _prints(_PRINTS_DIGEST, command)
        if not is_named and not is_kept:
            return output, []
    is_only_word = not is_file and is_named and len(_PRINTED_WORD.findall(value[: 2 * _MAX_LENGTH])) == 1
    is_long = output.count("\n") > 2 * _MAX_SHORT_LINES or len(_LINE.findall(output)) > _MAX_SHORT_LINES
    names_key = not is_secret and _NAMES_PASSWORD.search(command) is None
    is_record_key = not is_secret and _prints(_PRINTS_RECORD_KEY, command) and _NAMES_MORE.search(command) is None
    values: list[str] = []
    parts: list[str] = []
    copied_until = sentence_words = 0
    for line in _LINE.finditer(output):
        file_line = _FILE_LINE.match(line[0])
        if not (is_named or is_kept) and file_line is None:
            continue
        is_line_of_file = is_file or file_line is not None
        line_start = line.start() + (file_line.end() if file_line is not None else 0)
        words = [word for word in _PRINTED_WORD.finditer(output, line_start, line.end()) if len(word[0]) > 1]
        is_sentence = len(words) > _MAX_LINE_WORDS or not (is_named or is_line_of_file)
        sentence_words += len(words) if is_sentence else 0
        first = len(words) - 1 if not is_sentence or sentence_words > _MAX_SENTENCE_WORDS else 0
        for index, word in enumerate(words[first:], first):
            before = words[index - 1][0] if index else ""
            label = (_SETTING_NAME if is_line_of_file else _LABEL).match(word[0])
            is_name = label is not None and (
                (is_line_of_file and (not index or before.lstrip("0123456789→:") in ("", "export", "set")))
                or _VARIABLE.fullmatch(label[0])
                or label[0] == "base64:"
                or (not is_only_word and label[0].islower() and is_wordlike(label[0][:-1]))
            )
            start = word.start() + (label.end() if label is not None and is_name else 0)
            value = output[start : word.end()]
            value = value if is_only_word else value.rstrip(_TRAILING)
            name = label[0][:-1] if label is not None and is_name else _find_name(words, index)
            if (
                (name and _PUBLIC_NAME.search(name) is not None)
                or (label is not None and not is_name and _PUBLIC_NAME.search(label[0][:-1]) is not None)
                or (names_key and is_identifier(value))
                or (is_record_key and is_digits(value))
                or output.startswith('":', start + len(value))
                or is_object_id(value)
                or _PUBLIC_FORM.fullmatch(value) is not None
                or (is_line_of_file and is_identifier(value) and _NAMES_MORE.search(name) is None)
            ):
                continue
            if not is_line_of_file and (is_long or (is_sentence and not is_secret)):
                is_value = _looks_random(value) and (is_named or bool(name) or not is_digits(value))
                is_value = is_value and (not is_sentence or is_secret or is_kept or _is_plain(value))
            else:
                is_value = _is_printed_value(value, is_only_word, is_secret) or (is_line_of_file and is_setting(value))
            if is_value:
                values += [value, word[0]] if is_only_word else [value]
                # What looks like a label may be the beginning of the value.
                parts += [output[copied_until : word.start() if is_only_word else start], "[redacted:secret]"]
                copied_until = start + len(value)
    return "".join([*parts, output[copied_until:]]), values


def _prints(pattern: re.Pattern[str], command: str) -> bool:
    """Return whether a command matches, also in the middle of a long one."""
    step = _WINDOW - _WINDOW_OVERLAP
    starts = dict.fromkeys(
        (*range(0, max(1, len(command) - _WINDOW), step)[:_MAX_WINDOWS], max(0, len(command) - _WINDOW))
    )
    return any(pattern.search(command, start, start + _WINDOW) is not None for start in starts)


def _find_name(words: list[re.Match[str]], index: int) -> str:
    """Return the name before a value on its line: the last of the two words before it that contains a letter."""
    for word in reversed(words[max(0, index - 2) : index]):
        if any(map(str.isalpha, word[0])):
            return word[0].rstrip(":=,\\")
    return ""


_LINE = compile_lazily(r"[^\n]+")
_NAMES_PASSWORD = compile_lazily(
    r"pass(?!ed|ing|es\b)|pwd|secret|credential|senha|kennwort|contrase|clave\b", re.IGNORECASE
)


_ASKED = compile_lazily(
    r"(?<![a-z])(?:(?<!by)(?<!com)pass(?:word|wd|phrase|code|wort)?s?|pwd|pin|otp|secrets?|tokens?|credentials?|(?:api|access|private"
    r"|secret|license|auth)"
    r"[ _-]?keys?|(?:verification|recovery|backup|one-time|2fa|mfa|auth(?:entication)?)[ _-]codes?|kennwort|schlüssel|contraseña|clave"
    r"|senha|chave|mot de passe|(?:your|the|ihr|tu|votre) [\w-]{2,20} key|jeton|clé|password|chiave|wachtwoord|hasło|lösenord|şifre"
    r"|парол[ья]|токен|ключ|密码|密碼|密钥|口令|令牌|パスワード|トークン|キー|비밀번호|토큰|비번)(?![a-z])",
    re.IGNORECASE,
)


_REQUEST = compile_lazily(
    r"(?<![a-z])(?:paste|provide|enter|send|share|give me|supply|need|tell me|what is|gib|nenne|schick|brauche|envía|dame"
    r"|indica|envoie|donne|пришли|введите|нужен|请|提供|教えて|入力|알려|입력)",
    re.IGNORECASE,
)
_QUESTION = compile_lazily(r"[^?？.!\n]+[?？]")
_MAX_REQUEST_LENGTH = 400
_REQUEST_ENDS = frozenset(":?：？.。!")


_ASKED_FOR_OTHER = compile_lazily(
    r"\b(?:where|which|what)\b[^?\n]{0,40}\b(?:commit|header|file|path|branch|variable|column|field|function|test|package|version|library"
    r"|endpoint|route|name|id|cache)\b|\bwhere\b|\b(?:called|named)\b|\bshould (?:I|we)\b(?! (?:use|set|enter|type))",
    re.IGNORECASE,
)
"""A question about the code that handles a secret."""


def asks_for_secret(text: str) -> bool:
    """Return whether a prompt or a question names a secret, and does not ask for something else about it."""
    return _ASKED.search(text) is not None and _ASKED_FOR_OTHER.search(text) is None


def prompts_for_secret(text: str) -> bool:
    """Return whether a text ends with a prompt, a question or a request for a secret, or contains a question for one near its end."""
    text = text[-_MAX_REQUEST_LENGTH:].rstrip()
    if not text or text[-1] not in _REQUEST_ENDS:
        return False
    if ("?" in text or "？" in text) and any(map(asks_for_secret, _QUESTION.findall(text))):
        return True
    last = text[text.rfind("\n") + 1 :]
    return asks_for_secret(last) and (text[-1] in ":?：？" or _REQUEST.search(last) is not None)


def _has_file_lines(output: str) -> bool:
    """Return whether an output may contain lines of a file of secrets."""
    return any(map(output.__contains__, _FILE_HINTS)) and _FILE_LINES.search(f"\n{output}") is not None


def _looks_random(value: str) -> bool:
    """Return whether a word of a long output is a value."""
    if is_digits(value) or is_base64(value) or is_chosen(value):
        return True
    return (
        len(value) >= _MIN_GENERATED_LENGTH and is_generated(value) and not (is_wordlike(value) or is_reference(value))
    )


def _is_plain(value: str) -> bool:
    """Return whether a word among others, such as those of code, is random letters and digits, but no public key."""
    if is_digits(value):
        return True
    return (
        _PLAIN.fullmatch(value) is not None
        and not value.startswith("AAAA")
        and compute_explained_share(value) <= _MAX_PLAIN_SHARE
    )


_PLAIN = compile_lazily(r"[A-Za-z0-9+/_=-]{16,}|[A-Za-z0-9]{4,}[!@#$%^&*][A-Za-z0-9!@#$%^&*]{4,}")
_MAX_PLAIN_SHARE = 0.5


def _is_printed_value(value: str, is_only_word: bool, is_secret: bool) -> bool:
    """Return whether a printed word is a value rather than a word of a message. ``is_secret``: the command prints nothing else."""
    if len(value) < 6 or value.startswith("[redacted:") or is_public_address(value):
        return False
    if is_digits(value) or is_chosen(value) or is_base64(value):
        return True
    if _ORDINARY_WORD.match(value) or (value.isidentifier() and is_wordlike(value)):
        return is_only_word and is_secret and len(value) >= 8 and value.isalpha()
    if is_reference(value) and (is_wordlike(value) or not any(map(str.isalpha, value))):
        return False
    return is_only_word or (len(value) >= 12 and not is_wordlike(value) and (is_generated(value) or len(value) >= 20))


_MAX_MESSAGE_LENGTH, _COMMIT_LENGTH = 3_000, 40
_NAMES_ACCOUNT = compile_lazily(
    r"(?<![a-z])(?:wi-?fi|wlan|s?ftp|vpn|webhook|creds?|root|admin|rotated?|log this|plesk|cpanel|mysql)(?![a-z])"
)


_NO_MESSAGE = compile_lazily(r"\w\([\"'\w]|[;{]\s*\Z|^\s*(?:[0-9]{4}-[0-9]{2}-|\[)")
"""Code, or a line of a log, in a message."""
_NAMED_ID = compile_lazily(
    r"(?i:users?|accounts?|orders?|sessions?|tenants?|customers?|clients?|requests?|projects?|devices?|root|benutzer\w*|usu[aá]rio"
    r"|пользовател\w*|用户|ids?)"
    r"[\"'`]?[\s:=#]{1,3}[\"'`]?[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
)
_MACHINE_OR_VERSION = compile_lazily(r"[a-z][\w.-]*@(?:[0-9][\w.-]*|[a-z][\w.-]*)\Z|[^*]*\*{3}")
_OPENING_MARKS = "(<[{*_|=+~“”„‚‘’«»‹›「」『』【】（）"


def _strip_sentence(word: str) -> str:
    """Return a word without the marks of a sentence, and without the name before an equals sign or a colon."""
    word = word.strip(_OPENING_MARKS).rstrip(_OPENING_MARKS + ".,;:)]}>")
    return word.rpartition("=")[2] if is_digits(word.rpartition("=")[2]) else word


# -- the memory --------------------------------------------------------------------------------------------------------

_MIN_LENGTH, _MAX_LENGTH = 8, 400
"""Shorter values would also be found in other words."""
_MAX_HEADER_FIELDS = 50
_MAX_PASSES = 6
_PIECE_LENGTH, _MIN_CUT_LENGTH = 8, 10
"""The number of characters at either end of a value by which it is recognised after it was cut, and the minimum length of such a value."""
_MAX_VALUES, _MAX_NAMES = 5_000, 50
"""Once so many values are remembered, everything that looks generated is replaced, because further values cannot be told from it."""
_OTHER_STEMS = ("otp", "salt", "unlock", "login", "logon", "cred", " code", *FOREIGN_STEMS)
_OTHER_ASCII_STEMS = tuple(filter(str.isascii, _OTHER_STEMS))
"""Stems of further words for secrets, which people write in sentences."""
_FIELDS = ('"auth"', "authori", "hmac", "jwt")
"""Further words, which are rare elsewhere."""
_MAX_SHORT_LENGTH = 4_000
"""Only a text of at most this length, such as a message, is searched for the other stems, too."""
_REACH_BEFORE, _REACH_AFTER, _MAX_WORD_LENGTH, _MAX_PARTS = 80, 140, 120, 64
"""A text is searched only around words that may name a secret: this many characters before and after them, to the ends of words, and
at most so many parts for each word. Searching all of it would double the time that reading a log takes."""
_VARIABLE_VALUE = compile_lazily(r"=(?<=[A-Z0-9_]{3}=)[\"']?(?=[A-Za-z0-9+/_-]{20})")
"""A variable in upper case and the beginning of a long value."""
_SPACE = compile_lazily(r"\s")
_VALUE = compile_lazily(
    r"(?<![A-Za-z0-9_-])(?=[A-Za-z0-9!@#$%^&*+/_=~.?-]{8})[A-Za-z_+/=-]{0,40}+"
    r"(?:[0-9]+[A-Za-z]++[0-9_+/=!@#$%^&*?-]|[0-9a-fA-F]+-[0-9a-fA-F]{4}-|[0-9]*[!@#$%^&*?][A-Za-z0-9]|[0-9]++[!@#$%^&*?]"
    r"|[0-9]{2,8}(?![0-9.:-]))"
    r"|(?<![A-Za-z0-9_-])(?=[A-Za-z]{16})(?:[a-z]*+[A-Z]++){4}"
    r"|(?<![A-Za-z0-9_-])(?=[A-Za-z+/]{0,40}[0-9])(?=[a-z0-9+/]*[A-Z])(?=[A-Z0-9+/]*[a-z])[A-Za-z0-9+/]{24}"
)
"""The beginning of what is a value more often than a word, a number, a time or a version."""
_START = compile_lazily(
    r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f][0-9A-Fa-f])|(?<=\s-[A-Za-z])|(?<=\[0m))[^\s\"'`]"
)
_JOINT = compile_lazily(
    r"\\(?=[!-&(-/:-@[-_{-~])|[\"'`][ \t]*(?:[+.&,]|\\|\|\|)?[ \t]*(?:\n[ \t]*(?:[0-9]{1,6}[ \t]*[→:|\t ][ \t]*)?)?"
    r"(?:[+.&][ \t]*)?[bfru]?[\"'`]|\\?\n[ \t]*(?:[|>#*+] )?|\\n"
)
"""What stands between the parts of a value that is cut over two lines or joined in code."""
_RUN = compile_lazily(r"[^\s\"'`<>(){}\[\]|,;…]{8,}")
_ENCODED = compile_lazily(r"(?:[A-Za-z0-9+/]{12,4096}+|[A-Za-z0-9_-]{12,4096}+)={0,2}")
_PERCENT_ENCODED = compile_lazily(r"(?=[\w.~+*-]{0,400}%[89A-Fa-f])[\w%.~+*-]{8,}")
_HEX = compile_lazily(r"(?:[0-9a-fA-F]{2}){8,}")
_DIGITS = compile_lazily(r"[0-9]+")
_BEFORE_MARKER = compile_lazily(
    r"(?<![^\s\"'`=:@,;(<\[])(?P<head>[^\s\"'`=:@,;(<\[]{8})[^\s\"'`=:@,;(<\[]{0,400}(?=\[redacted:)"
)
"""What stands directly before a marker, which may be the beginning of the redacted value."""
_SPLIT = compile_lazily(r"[\s\"'`,;]+")
_WORD = compile_lazily(r"[^\W_]+")
_JOINED_WORDS = compile_lazily(
    r"%(?:25){1,2}(?:2[Ff]|5[Cc])|%[0-9A-Fa-f]{2}|\\+(?:u00(?:2[Ff]|5[Cc])|[nrtu](?=[A-Za-z0-9]))|[^\W_]+(?:[-._][^\W_]+)*+"
)
"""An escape, which looks like the beginning of a word, or words that are joined as those of a name may be."""
_MAX_NAME_LENGTH, _MAX_NAMELESS = 32, 20_000
"""Maximum length of a name, and number of words without a name that are remembered while a session is read."""


State = tuple[bytes, list[tuple[bytes, int, int]], list[tuple[int, int]], list[bytes]]
"""The key; the digest, length and head of each value; the length (negative for an end) and digest of each piece; the names' digests."""


class SessionSecrets:
    """The values and user names of one session, as keyed digests.

    ``note`` each text that is read, and ``clean`` each text before it is stored or shown.
    """

    __slots__ = (
        "_header",
        "_key",
        "_last_texts",
        "_lengths",
        "_nameless",
        "_names",
        "_noted",
        "_piece_lengths",
        "_pieces",
        "_seed",
        "_spelled_names",
        "_values",
        "is_prompted",
        "user_command",
    )

    def __init__(self) -> None:
        self._key = os.urandom(16)
        self._seed = crc32(self._key)
        self._values: dict[tuple[bytes, int], int] = {}
        """The head of each value, by its digest and length."""
        self._lengths: dict[int, list[int]] = {}
        """The lengths of the values with each head, in descending order."""
        self._pieces: dict[tuple[int, int], None] = {}
        """The beginnings and ends of values: their lengths, which are negative for an end, and their digests."""
        self._piece_lengths: set[int] = set()
        self._names: dict[bytes, None] = {}
        self._spelled_names: list[str] | None = []
        """The names themselves, or None if some of them are only known as digests. They are not part of the state."""
        self._nameless: set[str] = set()
        """Joined words that contain none of the names. They are not part of the state."""
        self._last_texts: deque[int] = deque(maxlen=64)
        self._header: dict[str, str] = {}
        self._noted: set[str] = set()
        """The values that need not be digested again. They are not part of the state."""
        self.user_command = ""
        """The last command that the user ran in the session, and whether the last text asks for a secret. Neither is part of the state."""
        self.is_prompted = False

    def dump(self) -> State:
        """Return the state for ``restore``, which contains no value."""
        values = [(*key, head) for key, head in self._values.items()]
        return self._key, values, list(self._pieces), list(self._names)

    def restore(self, state: State) -> None:
        """Continue a session from a state that ``dump`` returned."""
        self._key, values, pieces, names = state
        self._seed = crc32(self._key)
        self._noted.clear()
        self._nameless.clear()
        self._spelled_names = None if names else []
        self._values.clear()
        self._lengths.clear()
        for digest, length, head in values:
            self._add_digest(digest, length, head)
        self._pieces = dict.fromkeys(pieces)
        self._piece_lengths = {length for length, _ in pieces}
        self._names = dict.fromkeys(names)

    def is_header(self, key: str, value: str) -> bool:
        """Return whether a short field of a record has the value that it had in the last record with it."""
        is_same = self._header.get(key) == value
        if not is_same and len(self._header) < _MAX_HEADER_FIELDS:
            self._header[key] = value
        return is_same

    def note(self, text: str) -> None:
        """Remember the values in a text that a name or a place announces, or that are near a word for secrets, and user names."""
        text_hash = hash(text)
        if len(text) < _MIN_LENGTH or text_hash in self._last_texts:  # many texts are emitted twice
            return
        self._last_texts.append(text_hash)
        lowered = lower_preserving_offsets(text)
        stems = find_stems(lowered)
        for start, stop, _ in find_announced(text, lowered, stems):
            self._remember(text[start:stop])
        if part := _select_parts(text, lowered, stems):
            self.note_values(part)
        for name in find_user_names(text):
            if name not in self._noted and len(self._names) < _MAX_NAMES:
                self._noted.add(name)
                self._nameless.clear()
                for spelling in {name, re.sub(r"[^A-Za-z0-9]", "-", name)}:
                    self._names[self._digest(spelling)] = None
                    if self._spelled_names is not None:
                        self._spelled_names.append(spelling)

    def note_values(self, text: str) -> None:
        """Remember all values that redaction finds in a text."""
        values: list[str] = []
        redact(text, values)
        for value in values:
            self._remember(value)

    def note_output(self, command: str, output: str) -> str:
        """Note the output of a command, and return it without the values that the command printed."""
        output, values = redact_printed(command, output)
        for value in values:
            self._remember(value, is_printed=True)
        return output

    def note_generated(self, answer: str) -> None:
        """Remember the words of a long answer to a question for a secret that look generated."""
        for word in _PRINTED_WORD.findall(answer):
            if _looks_random(word.strip(_TRAILING)):
                self._remember(word.strip(_TRAILING), is_printed=True)

    def note_message(self, message: str, is_of_user: bool = True) -> None:
        """Remember what looks generated in a line of a message that names a secret, or an account if it is the user's, and in the next.

        Forty digits that no word precedes directly are a commit, and a UUID after the name of a thing is its id.
        """
        is_announced = False
        for line in message[:_MAX_MESSAGE_LENGTH].splitlines():
            lowered = line.lower()
            if is_of_user:
                is_named = names_secret(lowered) or _NAMES_ACCOUNT.search(lowered) is not None
            else:
                is_named = _ASKED.search(line) is not None
            if (is_named or is_announced) and not names_public(lowered) and _NO_MESSAGE.search(line) is None:
                for word in map(_strip_sentence, _PRINTED_WORD.findall(_NAMED_ID.sub(" ", line))):
                    for value in {word, word.rstrip("!?")}:
                        is_value = is_digits(value) or is_chosen(value) or is_base64(value)
                        if (
                            is_value
                            and len(value) != _COMMIT_LENGTH
                            and not (_MACHINE_OR_VERSION.match(value) or is_reference(value))
                        ):
                            self._remember(value, is_printed=True)
            is_announced = is_named

    def note_answer(self, answer: str) -> None:
        """Remember the words of an answer to a question for a secret that may be one."""
        for word in _PRINTED_WORD.findall(answer.strip().removesuffix("\\n")):
            if _is_printed_value(word, " " not in answer.strip(), False):
                self._remember(word, is_printed=True)

    def hide(self, text: str) -> str:
        """Replace the values and names of the session, and personal data, in a text that is redacted already."""
        text = self.hide_values(text)
        return self._replace_names(redact_personal(text)) if is_personal_redaction_enabled() else text

    def clean(self, text: str) -> str:
        """Return a text as it may be stored and shown: redacted, and without the values and names of the session.

        A replacement may show the edge of something else, so that this is repeated until nothing changes, at most ``_MAX_PASSES`` times;
        cleaning the result again changes nothing. Clean a text before it is cut, because a part of a value is not recognised.
        """
        for _ in range(_MAX_PASSES):
            cleaned = self.hide_values(redact(self.hide_values(text)))
            if cleaned == text:
                break
            text = cleaned
        return self._replace_names(redact_personal(text)) if is_personal_redaction_enabled() else text

    def _digest(self, value: str) -> bytes:
        return blake2b(value.encode("utf-8", "surrogatepass"), digest_size=5, key=self._key).digest()

    def _digest_piece(self, piece: str) -> int:
        """Return 24 bits, which tell too little of a piece to guess its value. A checksum suffices, and takes a tenth of the time."""
        return crc32(piece.encode("utf-8", "surrogatepass"), self._seed) & 0xFFFFFF

    def _remember(self, value: str, is_printed: bool = False) -> None:
        if value in self._noted or len(self._values) >= _MAX_VALUES:
            return
        self._noted.add(value)
        parts = _SPLIT.split(value)
        # In the address of a webhook or a link, only some segments are secret, and in a connection string, the fields after some names.
        fields = (part.partition("=")[2] for part in parts if ";" in value)
        segments = {value.rpartition("/")[2], *filter(_looks_random, value.split("/"))}
        for part in {_remove_joints(value)[0], *segments, *parts, *fields}:
            if is_memorable(part, is_printed):
                # In the name of an error, digits have become a letter (observations/results.py).
                nameless = _DIGITS.sub("N", part)
                spellings = {part, *_decode_value(part), *((nameless,) if is_memorable(nameless, is_printed) else ())}
                for spelling in spellings:
                    self._add(spelling)

    def _add(self, value: str) -> None:
        lowered = value.lower()
        self._add_digest(self._digest(lowered), len(value), self._digest_piece(lowered[:_PIECE_LENGTH]) & 0xFFFF)
        if len(value) >= _MIN_CUT_LENGTH:
            for length in _find_piece_lengths(value):
                piece = lowered[:length] if length > 0 else lowered[length:]
                self._pieces[length, self._digest_piece(piece)] = None
                self._piece_lengths.add(length)

    def _add_digest(self, digest: bytes, length: int, head: int) -> None:
        self._values[digest, length] = head
        lengths = self._lengths.setdefault(head, [])
        if length not in lengths:
            lengths.append(length)
            lengths.sort(reverse=True)

    def hide_values(self, text: str) -> str:
        """Replace the values that the session has shown so far in a text that is redacted already."""
        if not self._values or len(text) < _MIN_LENGTH:
            return text
        spans = [*self._find_values(text), *self._find_encoded(text)]
        if _JOINT.search(text):
            joined, offsets = _remove_joints(text)
            spans += [
                (offsets[start], offsets[stop - 1] + 1)
                for start, stop in (*self._find_values(joined), *self._find_encoded(joined))
            ]
        if (decoded := decode(text)) is not None:
            spans += [decoded.get_original_span(start, stop) for start, stop in self._find_values(decoded.text)]
        if "[redacted:" in text:
            spans += [
                match.span()
                for match in _BEFORE_MARKER.finditer(text)
                if self._digest_piece(match["head"].lower()) & 0xFFFF in self._lengths
            ]
        if len(self._values) >= _MAX_VALUES:
            spans += [match.span() for match in _RUN.finditer(text) if _looks_generated(match[0])]
        parts: list[str] = []
        copied_until = 0
        for start, stop in sorted(spans):
            if stop > copied_until:
                if start >= copied_until:
                    parts += [text[copied_until:start], "[redacted:secret]"]
                copied_until = stop
        return "".join([*parts, text[copied_until:]])

    def _find_values(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield the spans of values, and of what begins or ends like one."""
        lowered, end = lower_preserving_offsets(text), 0
        begin_lengths = [length for length in self._piece_lengths if length > 0]
        for match in _START.finditer(lowered):
            start = match.start()
            if start < end or len(head := lowered[start : start + _PIECE_LENGTH]) < _PIECE_LENGTH:
                continue
            # Few words begin like a value, whole or cut.
            lengths = self._lengths.get(self._digest_piece(head) & 0xFFFF, ())
            for length in lengths:
                stop = start + length
                is_whole = length >= 2 * _MIN_LENGTH or not lowered[stop : stop + 1].isalnum()
                if stop <= len(lowered) and is_whole and (self._digest(lowered[start:stop]), length) in self._values:
                    yield start, stop
                    end = stop
                    break
            else:
                for length in begin_lengths if lengths else ():
                    piece = text[start : start + length]
                    if (length, self._digest_piece(piece.lower())) in self._pieces and _is_piece(piece):
                        run = _RUN.match(text, start)
                        end = run.end() if run is not None else start + length
                        yield start, end
                        break
        end_lengths = [-length for length in self._piece_lengths if length < 0]
        for run in _RUN.finditer(text) if end_lengths else ():
            ended = run[0].rstrip(_TRAILING)
            for length in end_lengths:
                piece = ended[-length:]
                if (-length, self._digest_piece(piece.lower())) in self._pieces and _is_piece(piece):
                    yield run.start(), run.start() + len(ended)

    def _find_encoded(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield the spans of base64, hexadecimal digits and percent-encoded letters that contain a value."""
        runs = [*_ENCODED.finditer(text), *(_PERCENT_ENCODED.finditer(text) if "%" in text else ())]
        for run in runs:
            for decoded in _decode_value(run[0]):
                if next(self._find_values(decoded), None) is not None:
                    yield run.span()

    def _replace_names(self, text: str) -> str:
        names = self._spelled_names
        if names is not None and not any(map(text.__contains__, names)):
            return text
        if not self._names or all(map(self._nameless.__contains__, _JOINED_WORDS.findall(text))):
            return text
        parts: list[str] = []
        copied_until = 0
        for match in _JOINED_WORDS.finditer(text):
            if match[0] in self._nameless:
                continue
            spans = self._find_names(match[0])
            if not spans and len(match[0]) <= _MAX_WORD_LENGTH:
                self._nameless.add(match[0])
            end = 0
            for start, stop in spans:
                if start >= end and not _is_ordinary(
                    text, match[0][start:stop], match.start() + start, match.start() + stop
                ):
                    parts += [text[copied_until : match.start() + start], "[redacted:user]"]
                    copied_until, end = match.start() + stop, stop
        if len(self._nameless) > _MAX_NAMELESS:
            self._nameless.clear()
        return "".join([*parts, text[copied_until:]])

    def _find_names(self, joined: str) -> list[tuple[int, int]]:
        """Return the spans of the names among joined words, of up to three words each, the longest first at each start."""
        if joined[0] in "%\\":
            return []
        words = [match.span() for match in _WORD.finditer(joined)]
        return [
            (start, stop)
            for index, (start, _) in enumerate(words)
            for _, stop in reversed(words[index : index + 3])
            if stop - start <= _MAX_NAME_LENGTH and self._digest(joined[start:stop]) in self._names
        ]


def _select_parts(text: str, lowered: str, stems: list[str]) -> str:
    """Return the parts of a text in which a word for secrets is near something that may be a value."""
    spans: list[tuple[int, int]] = []
    words = [*stems, *_FIELDS]
    if len(text) <= _MAX_SHORT_LENGTH:
        words += _OTHER_ASCII_STEMS if lowered.isascii() else _OTHER_STEMS
    for word in filter(lowered.__contains__, words):
        index = lowered.find(word)
        count = 0
        while index >= 0 and count < _MAX_PARTS:
            start, stop = max(0, index - _REACH_BEFORE), index + _REACH_AFTER
            if _VALUE.search(text, start, stop) is not None:
                spans.append((start, stop))
                count += 1
            index = lowered.find(word, stop)
    if "=" in text:
        variables = islice(_VARIABLE_VALUE.finditer(text), _MAX_PARTS)
        spans += [(max(0, match.start() - _REACH_BEFORE), match.end() + _REACH_AFTER) for match in variables]
    parts: list[str] = []
    end = 0
    for start, stop in sorted(spans):
        if start > end:
            parts.append("\n")
            end = max(end, text.rfind(" ", max(0, start - _MAX_WORD_LENGTH), start) + 1 or start)
        if stop > end:
            space = _SPACE.search(text, stop, stop + _MAX_WORD_LENGTH)
            begin, end = end, space.start() if space is not None else stop + _MAX_WORD_LENGTH
            parts.append(text[begin:end])
    return "".join(parts)


def _decode_value(value: str) -> Iterator[str]:
    """Yield the texts that a value may encode: with escapes, in base64, or in hexadecimal digits."""
    if (escaped := decode(value)) is not None and _MIN_LENGTH <= len(escaped.text) < len(value):
        yield escaped.text
    if "%" in value:
        from urllib.parse import unquote

        if _MIN_LENGTH <= len(unquoted := unquote(value)) < len(value):
            yield unquoted
    data: list[bytes] = []
    try:
        if _HEX.fullmatch(value):
            data.append(bytes.fromhex(value))
        unpadded = value.rstrip("=").replace("-", "+").replace("_", "/")
        data.append(a2b_base64(unpadded + "=" * (-len(unpadded) % 4), strict_mode=True))
    except (Error, ValueError):
        pass
    for each in data:
        try:
            text = each.decode().strip()
        except ValueError:
            continue
        if len(text) >= _MIN_LENGTH and text.isprintable():
            yield text


_KNOWN_BEGINNING = compile_lazily(r"(?:[A-Za-z]{2,12}[0-9]{0,2}[-_.]){0,4}")
"""The beginning of a value that tells its issuer and that other values have as well."""


def _find_piece_lengths(value: str) -> Iterator[int]:
    """Yield the lengths of the pieces by which a value is recognised after it was cut, that of an end as a negative number."""
    beginning = _KNOWN_BEGINNING.match(value)
    length = (beginning.end() if beginning is not None else 0) + _PIECE_LENGTH
    if is_digits(value) and value[14:15] not in "14" and "-" in value:
        length = 18  # other UUIDs begin with the time
    if value.startswith("eyJ"):  # base64 of JSON
        length = len(value)
    for begin in (length, length + _PIECE_LENGTH // 2):
        if 2 * length <= len(value) + _PIECE_LENGTH and _is_piece(value[:begin]):
            yield begin
            break
    for end in (_PIECE_LENGTH, _PIECE_LENGTH * 3 // 2):
        if _is_piece(value[-end:]):
            yield -end
            break


def _is_piece(piece: str) -> bool:
    """Return whether a piece of a value is so random that nothing else in a session is likely to begin or end with it.

    It contains no space: in a few thousand sequences of words, some have the digest of a piece by chance.
    """
    return (
        len(piece) >= _PIECE_LENGTH
        and " " not in piece
        and not (piece.isdigit() or is_wordlike(piece))
        and (
            not _ORDINARY_PIECE.fullmatch(piece)
            or (len(piece) > _PIECE_LENGTH and piece.lower() != piece != piece.upper())
        )
        and len(set(piece)) > _PIECE_LENGTH // 2
    )


_ORDINARY_PIECE = compile_lazily(r"[^A-Za-z]*|[A-Za-z]+[0-9]*|[0-9.:/_-]+[A-Za-z]*")


def _looks_generated(word: str) -> bool:
    return is_memorable(word) and (len(word) >= 20 or is_chosen(word) or is_generated(word)) and not is_wordlike(word)


def is_memorable(value: str, is_printed: bool = False) -> bool:
    """Return whether a value may be replaced everywhere in a session, because it is no word or name that also has other uses."""
    if not _MIN_LENGTH <= len(value) <= _MAX_LENGTH or value.startswith("[redacted:"):
        return False
    if value.isalpha() and (value.islower() or value.isupper() or value.istitle()):
        return is_printed and not is_wordlike(value)
    if is_digits(value) or is_chosen(value) or is_base64(value):
        return True
    if is_printed and not _ORDINARY_WORD.match(value):
        return not is_reference(value) or not is_wordlike(value)
    return not is_reference(value) and not (is_wordlike(value) and not any(map(str.isdigit, value)))


def _remove_joints(text: str) -> tuple[str, list[int]]:
    """Return the text without ``_JOINT``, and the original index of each of its characters."""
    pieces: list[str] = []
    offsets: list[int] = []
    position = 0
    for start, stop in [*(match.span() for match in _JOINT.finditer(text)), (len(text), len(text))]:
        pieces.append(text[position:start])
        offsets += range(position, start)
        position = stop
    return "".join(pieces), offsets


def _is_ordinary(text: str, name: str, start: int, stop: int) -> bool:
    """Return whether a name may be a word or an option here, because it is one elsewhere and is not in a home path or an account."""
    if len(name) > 2 and name.lower() not in ORDINARY_NAMES:
        return False
    return text[stop : stop + 1] != "@" and IN_PLACE.search(text, max(0, start - 64), start) is None
