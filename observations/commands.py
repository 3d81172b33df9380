"""What a shell command is, apart from how it was wrapped: its signature, its target, and whether it reads, writes or runs.

Source of the lists: the commands of real sessions. A wrapper or a pipe that is not known here makes two commands
look different, never the same.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from mind_skills.observations.wrappers import SHELLS, inner_words, names_no_program, plain_words, program_of, segments
from mind_skills.redaction.lazy_pattern import compile_later

if TYPE_CHECKING:
    from mind_skills.observations.model import Action

MAX_LENGTH = 4_000
"""A longer command is a script pasted into the shell; its head names it."""
MAX_SEGMENTS = 12
MAX_DEPTH = 3
"""Lines of shell within lines of shell, as in ``ssh host "sh -c '...'"``."""

_BEFORE = frozenset({"!", "{", "}", "if", "while", "until"})
_SILENT = frozenset(
    "cd pushd popd z zi export set source . sleep true false : unset pwd wait for do then done fi esac else case in local read "
    "shift test [ [[ Set-Location Push-Location Pop-Location foreach try catch finally return throw Test-Path Start-Sleep".split()
)
_ECHOES = frozenset({"echo", "printf", "yes", "clear", "Write-Output", "Write-Host"})
_READERS = frozenset(
    "cat head tail less more nl bat wc stat file ls tree diff cmp jq yq du df which type env printenv hexdump xxd od "
    "strings awk cut sort uniq column date ps pgrep lsof uname id whoami "
    "Get-Content Get-ChildItem Get-Item Get-Process Get-Command Select-Object Measure-Object Format-Table Format-List "
    "Where-Object Sort-Object ForEach-Object Group-Object Get-Date Get-Location Out-String Out-Null ConvertFrom-Json".split()
)
_SEARCHERS = frozenset("grep egrep fgrep rg ag ack find fd locate Select-String".split())
_GIT_READS = frozenset("diff log show status blame grep branch remote rev-parse ls-files describe shortlog".split())
_WRITERS = frozenset(
    "tee touch mkdir cp mv rm rmdir ln chmod chown dd Set-Content Add-Content Out-File New-Item Remove-Item Copy-Item Move-Item".split()
)
_INTERPRETERS = frozenset("python python2 python3 node ruby perl bash sh zsh php deno tsx ts-node lua Rscript".split())
_ACTIONS: dict[str, Action] = {
    **dict.fromkeys(_WRITERS, "write"),
    **dict.fromkeys(_READERS, "read"),
    **dict.fromkeys(_SEARCHERS, "search"),
    **dict.fromkeys(("patch", "apply_patch"), "edit"),
}
"""What a program does; all others run something."""
_GIT: dict[str, Action] = {**dict.fromkeys(_GIT_READS, "read"), "grep": "search", "apply": "edit", "am": "edit"}
_WORD = compile_later(r"[a-z:][a-z0-9_:-]{0,30}\Z")
_ASSIGNMENT = compile_later(r"(?:\$env:)?[A-Za-z_][A-Za-z0-9_]*=")
_HEREDOC = compile_later(r"<<-?\s*(['\"]?)(\w+)\1")
_DUPLICATE = compile_later(r"[\d>&](?:(?:(?<=>)|(?<=\d)>)(?:&\d?-?|\s*/dev/null)|(?<=&)>>?\s*/dev/null)")
"""``2>&1``, ``&> /dev/null``, ``2>/dev/null``: by its first character, since that is sought fast."""
_ANSI_C = compile_later(r"\$'(?:[^'\\]|\\.)*'")
"""A $'...' string of bash, which shlex does not know: it may hold quotes and whole documents."""
_SUM = compile_later(r"\$\(\([^()\n]*\)\)")
_HERE_STRING = compile_later(r"@(['\"])[ \t]*\r?\n.*?\n\1@", re.DOTALL)
"""A document within a command of PowerShell; a backtick at the end of its lines continues them."""
_QUOTED = compile_later(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"")
_COMMENT = compile_later(r"^[^\S\n]*#[^\n]*\n?", re.MULTILINE)
_SCOPE = compile_later(r" \[[^\]]*\]")
_REDIRECT = compile_later(r"(?<![<>&\d])\d?>{1,2}\s*(?!&)([^\s;&|]+)")
_SUBCOMMANDS: dict[str, int] = {
    **dict.fromkeys(
        "git go cargo pip poetry dotnet mvn gradle terraform systemctl brew apt apt-get composer".split(), 1
    ),
    **dict.fromkeys("deno rails mix swift tmux".split(), 1),
    **dict.fromkeys("docker kubectl gh npm pnpm yarn bun make just task mise uv aws turbo nx".split(), 2),
    "gcloud": 3,
    **dict.fromkeys(
        "pytest jest mocha tsc eslint mypy pyright flake8 pylint black prettier phpunit rspec shellcheck".split(), 0
    ),
}
"""How many words after the program say what it does."""
_CHECKS = compile_later(
    r"(?:^|[ :/_.-])(?:tests?|spec|pytest|unittest|jest|vitest|mocha|tox|nox|check|ci|lint|vet|clippy|ruff|mypy|pyright|"
    r"eslint|biome|tsc|typecheck|type-check|build|compile|golangci-lint|shellcheck|flake8|pylint|rspec|phpunit|ctest|"
    r"verify|validate|reproduce|repro|e2e|bench|cypress|playwright|svelte-check|rubocop|ktlint|detekt|prettier)"
    r"(?:$|[ :._-])"
)


_ORDER: tuple[Action, ...] = ("run", "edit", "write", "search", "read", "other")
"""Of a compound command: running something outweighs editing, editing outweighs looking."""


class Command(NamedTuple):
    """``signature`` joins the parts of a compound command with `` && ``; ``target`` is what its last part was aimed at.

    Behind a part stands in brackets which package, folder, container or machine it is for, where an option says so:
    ``pnpm test [@x/y]``. What wraps a command is no part of it, but for that.
    """

    signature: str
    target: str
    action: Action
    hides_status: bool
    """The exit code is that of head, tail or the like, not of the command that matters."""


@lru_cache(256)
def normalise(command: str) -> Command:
    """Read one command line; never raises. An empty line gives empty fields and the action ``other``."""
    text, written, parts = _parts(command, 0)
    kept = [part for part in parts if part.signature] or [part for part in parts if part.action != "other"]
    if not kept:
        return Command("", "", "write" if written or _redirected(text) else "other", False)
    action: Action = kept[0].action if len(kept) == 1 else min([part.action for part in kept], key=_ORDER.index)
    if action in ("read", "other") and (written or _redirected(text)):
        action = "write"
    if action == "run":
        kept = [part for part in kept if part.action == "run"]
    signatures = list(dict.fromkeys(part.signature for part in kept if part.signature))
    last = kept[-1]
    return Command(" && ".join(signatures), last.target, action, last.hides_status)


def _parts(command: str, depth: int) -> tuple[str, bool, list[Command]]:
    """The line without what only feeds its commands, whether a here-document of it goes into a file, and the commands."""
    text, written = command[:MAX_LENGTH].replace("\\\n", " "), False
    if "<<" in text:
        text, written = _without_heredocs(text)
    if ">&" in text or "/dev/null" in text:
        text = _DUPLICATE.sub(" ", text)
    if "#" in text:
        text = _COMMENT.sub("", text)
    if "$'" in text:
        text = _ANSI_C.sub(" 'text' ", text)
    if "$((" in text:
        text = _SUM.sub("0", text)
    if "@'" in text or '@"' in text:
        text = _HERE_STRING.sub(" 'text' ", text)
    if "`\n" in text:
        text = text.replace("`\n", " ")
    return (
        text,
        written,
        [part for words in segments(text)[:MAX_SEGMENTS] for part in _part(words, depth)][:MAX_SEGMENTS],
    )


@lru_cache(512)
def is_check(signature: str) -> bool:
    """Whether the command verifies: a test runner, a build, a linter, a type checker, a reproduction script."""
    return bool(_CHECKS.search(_SCOPE.sub("", signature)))


def same(first: str, second: str) -> bool:
    """Whether two signatures name the same command: equal, one a part of the other, or one a wrapped form of the other."""
    if not first or not second:
        return False
    if first == second:
        return True
    mine, other = first.split(" && "), second.split(" && ")
    return any(a == b or _variant(a, b) for a in mine for b in other if is_check(a) or is_check(b) or a == b)


def _variant(first: str, second: str) -> bool:
    """``rtk bun test`` and ``bun test``: one ends with the other, at a word."""
    longer, shorter = (first, second) if len(first) > len(second) else (second, first)
    return longer.endswith(" " + shorter) and len(shorter) > 3


def _redirected(text: str) -> bool:
    """Whether it prints into a file."""
    return ">" in text and _REDIRECT.search(_QUOTED.sub("q", text)) is not None


def _without_heredocs(text: str) -> tuple[str, bool]:
    """Drop the bodies of here-documents: they are data, often whole programs in another language."""
    found = _HEREDOC.search(text)
    if not found:
        return text, False
    first_line, _, rest = text[found.end() :].partition("\n")
    _, _, after = rest.partition("\n" + found.group(2))
    return text[: found.start()] + " " + first_line + "\n" + after.lstrip("\n"), ">" in first_line or ">" in text[
        : found.start()
    ]


class _Stage(NamedTuple):
    """One command of a pipeline, without what wraps it."""

    words: list[str]
    scopes: list[str]
    """Packages, folders, containers and machines that its wrappers name."""
    fed: bool = False
    """``xargs`` runs it, with what the stages before it print."""
    line: list[Command] | None = None
    """It is a whole line of shell that another shell reads."""

    @property
    def program(self) -> str:
        """The name of what is run, without its folder."""
        return program_of(self.words)


def _part(pipeline: list[list[str]], depth: int) -> list[Command]:
    """One command of a list: the stage of its pipeline that matters; more than one where that is a line of its own."""
    stages = [stage for words in pipeline if (stage := _unwrap(words, depth)).words]
    if not stages:
        return []
    chosen = stages[0]
    if len(stages) > 1:
        telling = [one for one in stages if one.program not in _ECHOES and one.program not in _READERS]
        acting = [one for one in telling if one.fed and one.program not in _SEARCHERS]
        chosen = next(iter(acting or telling), chosen)
    hides = chosen is not stages[-1]
    if chosen.line is not None:
        scopes = chosen.scopes
        return [
            part._replace(signature=_scoped(part.signature, scopes), hides_status=part.hides_status or hides)
            for part in chosen.line
        ]
    program = chosen.program
    if program in _SILENT or program in _ECHOES or names_no_program(chosen.words):
        return []
    plain, scopes = plain_words(chosen.words)
    signature, target = _name(program, chosen.words[1:], plain)
    signature = _scoped(signature, [*chosen.scopes, *scopes])
    return [Command(signature, target, _action(program, chosen.words, plain), hides)]


def _scoped(signature: str, scopes: list[str]) -> str:
    named = [scope[:60].replace("[", "(").replace("]", ")") for scope in dict.fromkeys(scopes) if scope.strip("./")]
    return f"{signature} [{' '.join(named)}]" if named and signature else signature


def _unwrap(words: list[str], depth: int) -> _Stage:
    scopes: list[str] = []
    fed = False
    while words:
        first = words[0]
        if ("=" in first and _ASSIGNMENT.match(first)) or first in _BEFORE:
            words = words[1:]
            continue
        if first[:1] == "$" and words[1:2] == ["="]:  # $found = Get-Content a.txt
            words = words[2:] if len(words) > 3 or "-" in words[-1] else []
            continue
        if first == "command" and words[1:2] in (["-v"], ["-V"]):
            words = ["which", *words[2:]]
        wrapped = inner_words(words)
        if wrapped is None:
            break
        row, inner, named = wrapped
        fed = fed or first == "xargs"
        scopes += named
        shell = row.shell or (row.before and program_of(words) in SHELLS)
        if shell or (len(inner) == 1 and " " in inner[0]):
            line = " ".join(inner) if row.shell else inner[0]
            if depth < MAX_DEPTH:
                return _Stage(words, scopes, fed, _parts(line, depth + 1)[2])
            break
        words = inner
    return _Stage(words, scopes, fed)


def _name(program: str, arguments: list[str], plain: list[str]) -> tuple[str, str]:
    """Signature and target: the words that say what is done, and the words that say to what."""
    if program in _INTERPRETERS:
        options = arguments[: arguments.index(plain[0])] if plain and plain[0] in arguments else arguments
        if "-c" in options or "-e" in options:
            return f"{program} -c", " ".join(plain)[:120]
        script = plain[0].rsplit("/", 1)[-1][:60] if plain else ""
        if "--test" in arguments:  # the test runner that node brings
            return f"{program} --test", " ".join(plain)[:200]
        said = plain[1:2] if plain[1:] and _WORD.match(plain[1]) and is_check(plain[1]) else []  # manage.py test
        return " ".join([program, script, *said]).strip(), " ".join(plain[1 + len(said) :])[:200]
    if program not in _SUBCOMMANDS and plain and plain[0] in _SUBCOMMANDS:  # a wrapper that is not in the list
        behind = arguments[arguments.index(plain[0]) :]
        words, scopes = plain_words(behind)
        inner, target = _name(plain[0], behind[1:], words)
        return _scoped(f"{program} {inner}", scopes), target
    verbs: list[str] = []
    # make CC=clang test, cargo +nightly test
    words = [word for word in plain if word[0] != "+" and not _ASSIGNMENT.match(word)]
    for word in words[: _SUBCOMMANDS.get(program, 1 if _WORD.match(program) else 0)]:
        if not _WORD.match(word):
            break
        verbs.append(word)
    if program in _READERS or program in _SEARCHERS or program in _WRITERS:
        verbs = []
    rest = list(plain)
    for verb in verbs:
        rest.remove(verb)
    return " ".join([program, *verbs]), " ".join(rest)[:200]


def _action(program: str, words: list[str], plain: list[str]) -> Action:
    if program in ("sed", "perl"):
        return "edit" if any(word.startswith("-i") or word == "-pi" for word in words[1:]) else "read"
    if program == "git":
        verb = plain[0] if plain else ""
        return _GIT.get(verb, "read" if verb == "config" and "--get" in words else "run")
    return _ACTIONS.get(program, "run")
