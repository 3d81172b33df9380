"""Normalises shell commands: determines their signature, target and action, regardless of wrappers.

Source of the lists: commands in real sessions. A command behind a wrapper that is not in the table of shell.py has a different
signature from the same command without the wrapper.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from mind_skills.observations.shell import (
    DOCUMENT,
    SHELLS,
    cut_documents,
    get_operands,
    get_program,
    is_expression,
    split_commands,
    unwrap,
)
from mind_skills.redaction.lazy_pattern import compile_lazily

if TYPE_CHECKING:
    from mind_skills.observations.model import Action

MAX_LENGTH = 4_000
"""Maximum number of characters examined. A longer command is a pasted script, and its beginning identifies it."""
MAX_COMMANDS = 12
"""Maximum number of commands of a command line that are examined."""
MAX_DEPTH = 3
"""Maximum nesting of command lines, as in ``ssh host "sh -c '...'"``."""

_PREFIX_WORDS = frozenset({"!", "{", "}", "if", "while", "until"})
_IGNORED_PROGRAMS = frozenset(
    "cd pushd popd z zi export set source . sleep true false : unset pwd wait for do then done fi esac else case in local read "
    "shift test [ [[ Set-Location Push-Location Pop-Location foreach try catch finally return throw Test-Path Start-Sleep".split()
)
_PRINTERS = frozenset({"echo", "printf", "yes", "clear", "Write-Output", "Write-Host"})
_READERS = frozenset(
    "cat head tail less more nl bat wc stat file ls tree diff cmp jq yq du df which type env printenv hexdump xxd od "
    "strings awk cut sort uniq column date ps pgrep lsof uname id whoami "
    "Get-Content Get-ChildItem Get-Item Get-Process Get-Command Select-Object Measure-Object Format-Table Format-List "
    "Where-Object Sort-Object ForEach-Object Group-Object Get-Date Get-Location Out-String Out-Null ConvertFrom-Json".split()
)
_SEARCHERS = frozenset("grep egrep fgrep rg ag ack find fd locate Select-String".split())
_GIT_READS = frozenset(
    "diff log show status blame grep branch remote rev-parse ls-files describe shortlog check-ignore".split()
)
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
"""Actions by program, except sed, perl and git (see ``_get_action``). The action of any other program is ``run``."""
_GIT_ACTIONS: dict[str, Action] = {**dict.fromkeys(_GIT_READS, "read"), "grep": "search", "apply": "edit", "am": "edit"}
_WORD = compile_lazily(r"[a-z:][a-z0-9_:-]{0,30}\Z")
_ASSIGNMENT = compile_lazily(r"(?:\$env:)?[A-Za-z_][A-Za-z0-9_]*=")
_DISCARDED_OUTPUT = compile_lazily(r"[\d>&](?:(?:(?<=>)|(?<=\d)>)(?:&\d?-?|\s*/dev/null)|(?<=&)>>?\s*/dev/null)")
"""``2>&1``, ``&> /dev/null``, ``2>/dev/null``. The expression begins with a character class because that makes the search fast."""
_ANSI_C = compile_lazily(r"\$'(?:[^'\\]|\\.)*'")
"""A ``$'...'`` string of bash, which shell.py does not support, and which may contain quotes and entire documents."""
_ARITHMETIC = compile_lazily(r"\$\(\([^()\n]*\)\)")
_HERE_STRING = compile_lazily(r"@(['\"])[ \t]*\r?\n.*?\n\1@", re.DOTALL)
"""A here-string of PowerShell."""
_QUOTED = compile_lazily(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"")
_COMMENT = compile_lazily(r"^[^\S\n]*#[^\n]*\n?", re.MULTILINE)
_SCOPE = compile_lazily(r" \[[^\]]*\]")
_REDIRECT = compile_lazily(r"(?<![<>&\d])\d?>{1,2}\s*(?!&)([^\s;&|]+)")
_SUBCOMMANDS: dict[str, int] = {
    program: count
    for count, programs in (
        (0, "pytest jest mocha tsc eslint mypy pyright flake8 pylint black prettier phpunit rspec shellcheck"),
        (1, "git go cargo pip poetry dotnet mvn gradle terraform systemctl brew apt apt-get composer"),
        (1, "deno rails mix swift tmux"),
        (2, "docker kubectl gh npm pnpm yarn bun make just task mise uv aws turbo nx"),
        (3, "gcloud"),
    )
    for program in programs.split()
}
"""Maximum number of subcommand words after the program, by program."""
_CHECK = compile_lazily(
    r"(?:^|[ :/_.-])(?:tests?|spec|pytest|unittest|jest|vitest|mocha|tox|nox|check|ci|lint|vet|clippy|ruff|mypy|pyright|"
    r"eslint|biome|tsc|typecheck|type-check|build|compile|golangci-lint|shellcheck|flake8|pylint|rspec|phpunit|ctest|nextest|"
    r"verify|validate|reproduce|repro|e2e|bench|cypress|playwright|svelte-check|rubocop|ktlint|detekt|prettier)"
    r"(?:$|[ :._-])"
)


_MAX_PRINTED_STATUSES = 8
_STATUS = r"\$(?:\?|\{\?\}|\{PIPESTATUS\[\d\]\})"
_KEPT_STATUS = compile_lazily(rf"([A-Za-z_]\w{{0,30}})={_STATUS}")
_PRINTED_STATUS = compile_lazily(
    rf"(?P<before>[^$]{{0,80}})(?:{_STATUS}|\$\{{?(?P<name>[A-Za-z_]\w{{0,30}})\}}?)(?P<after>[^$]{{0,80}})"
)
"""A variable that keeps an exit code, and what ``echo`` prints: a code, or a variable, with the text around it."""
_PRIORITY: tuple[Action, ...] = ("run", "edit", "write", "search", "read", "other")
"""Actions in order of priority. A compound command has the action of its command with the highest priority."""


class Command(NamedTuple):
    """A normalised command.

    ``signature`` joins the signatures of the relevant commands of a compound command with `` && ``; ``target`` is the target of the
    last of them. The signature of each command ends with the packages, folders, containers and machines that its options and
    wrappers name, in brackets: ``pnpm test [@x/y]``. Wrappers in the table of shell.py contribute nothing else.
    """

    signature: str
    target: str
    action: Action
    hides_status: bool
    """Whether the exit code is that of a later command in the pipeline, such as ``head``, rather than of the relevant command."""


@lru_cache(256)
def normalise(command: str) -> Command:
    """Normalise a command line. Never raises; an empty line has an empty signature and target, and the action ``other``."""
    text, writes_file, parts = _parse_line(command, 0)
    relevant = [part for part in parts if part.signature] or [part for part in parts if part.action != "other"]
    if not relevant:
        return Command("", "", "write" if writes_file or _redirects_to_file(text) else "other", False)
    action: Action = min([part.action for part in relevant], key=_PRIORITY.index)
    if action in ("read", "other") and (writes_file or _redirects_to_file(text)):
        action = "write"
    if action == "run":
        relevant = [part for part in relevant if part.action == "run"]
    signatures = list(dict.fromkeys(part.signature for part in relevant if part.signature))
    last = relevant[-1]
    return Command(" && ".join(signatures), last.target, action, last.hides_status)


def _parse_line(command: str, depth: int) -> tuple[str, bool, list[Command]]:
    """Return the line without data such as its here-document, whether the here-document is written to a file, and the commands."""
    text, writes_file = command[:MAX_LENGTH].replace("\\\n", " "), False
    if "<<" in text:
        text, writes_file = _remove_documents(text, is_cut=len(command) > MAX_LENGTH)
    if ">&" in text or "/dev/null" in text:
        text = _DISCARDED_OUTPUT.sub(" ", text)
    if "#" in text:
        text = _COMMENT.sub("", text)
    if "$'" in text:
        text = _ANSI_C.sub(" 'text' ", text)
    if "$((" in text:
        text = _ARITHMETIC.sub("0", text)
    if "@'" in text or '@"' in text:
        text = _HERE_STRING.sub(" 'text' ", text)
    if "`\n" in text:
        text = text.replace("`\n", " ")
    commands = [part for words in split_commands(text)[:MAX_COMMANDS] for part in _parse_pipeline(words, depth)]
    return text, writes_file, commands[:MAX_COMMANDS]


@lru_cache(512)
def is_check(signature: str) -> bool:
    """Return whether a command with this signature is a check: a test run, build, linter, type checker or reproduction script."""
    return bool(_CHECK.search(_SCOPE.sub("", signature)))


def is_same_command(first: str, second: str) -> bool:
    """Return whether two signatures have a command in common. A check and its wrapped form are the same command."""
    if not first or not second:
        return False
    if first == second:
        return True
    pairs = [(a, b) for a in first.split(" && ") for b in second.split(" && ")]
    return any(a == b or (_is_wrapped_form(a, b) and (is_check(a) or is_check(b))) for a, b in pairs)


@lru_cache(64)
def list_printed_statuses(command: str) -> list[tuple[str, str]]:
    """Return what a command line prints before and after the exit code of a check, for its last few such lines, without repetitions.

    Only the status of a check counts: of other commands, such a line usually tries out an error that is to be expected.
    """
    text = command[:MAX_LENGTH]
    if "<<" in text:
        text, _ = _remove_documents(text, is_cut=len(command) > MAX_LENGTH)
    found: dict[tuple[str, str], None] = {}
    kept: dict[str, bool] = {}  # variables that keep a status, and whether it is that of a check
    is_of_check = False
    for pipeline in split_commands(text)[:MAX_COMMANDS]:
        words = pipeline[0]
        if len(words) == 1 and (assigned := _KEPT_STATUS.fullmatch(words[0])):
            kept[assigned[1]] = is_of_check
        elif words and words[0] == "echo" and (printed := _PRINTED_STATUS.fullmatch(" ".join(words[1:]))):
            if kept.get(printed["name"], False) if printed["name"] else is_of_check:
                found[printed["before"], printed["after"]] = None
        else:
            is_of_check = any(
                is_check(part) for each in _parse_pipeline(pipeline, 0) for part in each.signature.split(" && ")
            )
            continue
        is_of_check = False
    return list(found)[-_MAX_PRINTED_STATUSES:]


def _is_wrapped_form(first: str, second: str) -> bool:
    """Return whether one signature ends with the other at a word boundary, as ``rtk bun test`` ends with ``bun test``."""
    longer, shorter = (first, second) if len(first) > len(second) else (second, first)
    return longer.endswith(" " + shorter) and len(shorter) > 3


def _redirects_to_file(text: str) -> bool:
    return ">" in text and _REDIRECT.search(_QUOTED.sub("q", text)) is not None


def _remove_documents(text: str, *, is_cut: bool) -> tuple[str, bool]:
    """Return the text without its here-documents, and whether one is written to a file. The last one of a cut text has no end."""
    text, documents = cut_documents(text)
    begun = DOCUMENT.search(text) if is_cut else None
    if begun:
        text = text[: begun.start()] + " " + text[begun.end() :].partition("\n")[0]
    return text, bool(documents or begun) and ">" in text


class _Stage(NamedTuple):
    """One command of a pipeline, without its wrappers."""

    words: list[str]
    scopes: list[str]
    """Packages, folders, containers and machines named by the wrappers."""
    is_run_by_xargs: bool = False
    """Whether ``xargs`` runs the command, with arguments from the output of the previous stages."""
    nested_commands: list[Command] | None = None
    """The commands of a nested command line, which another shell runs; None if the stage has no nested command line."""

    @property
    def program(self) -> str:
        """The program's name without its folder."""
        return get_program(self.words)


def _parse_pipeline(pipeline: list[list[str]], depth: int) -> list[Command]:
    """Return the relevant command of a pipeline or, if it runs a nested command line, that line's commands. The list may be empty."""
    stages = [stage for words in pipeline if (stage := _unwrap(words, depth)).words]
    if not stages:
        return []
    chosen = stages[0]
    if len(stages) > 1:
        informative = [stage for stage in stages if stage.program not in _PRINTERS and stage.program not in _READERS]
        xargs_stages = [stage for stage in informative if stage.is_run_by_xargs and stage.program not in _SEARCHERS]
        chosen = next(iter(xargs_stages or informative), stages[0])
    hides_status = chosen is not stages[-1]
    if chosen.nested_commands is not None:
        scopes = chosen.scopes
        return [
            part._replace(signature=_add_scopes(part.signature, scopes), hides_status=part.hides_status or hides_status)
            for part in chosen.nested_commands
        ]
    program = chosen.program
    if program in _IGNORED_PROGRAMS or program in _PRINTERS or is_expression(chosen.words):
        return []
    operands, scopes = get_operands(chosen.words)
    signature, target = _build_signature(program, chosen.words[1:], operands)
    signature = _add_scopes(signature, [*chosen.scopes, *scopes])
    return [Command(signature, target, _get_action(program, chosen.words, operands), hides_status)]


def _add_scopes(signature: str, scopes: list[str]) -> str:
    names = [scope[:60].replace("[", "(").replace("]", ")") for scope in dict.fromkeys(scopes) if scope.strip("./")]
    return f"{signature} [{' '.join(names)}]" if names and signature else signature


def _unwrap(words: list[str], depth: int) -> _Stage:
    """Remove the wrappers of a command. If it passes a command line to another shell, parse that line as well."""
    scopes: list[str] = []
    is_run_by_xargs = False
    while words:
        first = words[0]
        if ("=" in first and _ASSIGNMENT.match(first)) or first in _PREFIX_WORDS:
            words = words[1:]
            continue
        if first[:1] == "$" and words[1:2] == ["="]:  # $found = Get-Content a.txt
            words = words[2:] if len(words) > 3 or "-" in words[-1] else []
            continue
        if first == "command" and words[1:2] in (["-v"], ["-V"]):
            words = ["which", *words[2:]]
        wrapped = unwrap(words)
        if wrapped is None:
            break
        row, inner, wrapper_scopes = wrapped
        is_run_by_xargs = is_run_by_xargs or first == "xargs"
        scopes += wrapper_scopes
        is_shell_line = row.takes_shell_line or (row.command_options and get_program(words) in SHELLS)
        if is_shell_line or (len(inner) == 1 and " " in inner[0]):
            line = " ".join(inner) if row.takes_shell_line else inner[0]
            if depth < MAX_DEPTH:
                return _Stage(words, scopes, is_run_by_xargs, _parse_line(line, depth + 1)[2])
            break
        words = inner
    return _Stage(words, scopes, is_run_by_xargs)


def _build_signature(program: str, arguments: list[str], operands: list[str]) -> tuple[str, str]:
    """Return the signature (the program with its script or subcommands) and the target (the remaining operands)."""
    if program in _INTERPRETERS:
        options = arguments[: arguments.index(operands[0])] if operands and operands[0] in arguments else arguments
        if "-c" in options or "-e" in options:
            return f"{program} -c", " ".join(operands)[:120]
        script = operands[0].rsplit("/", 1)[-1][:60] if operands else ""
        if "--test" in arguments:  # node's own test runner
            return f"{program} --test", " ".join(operands)[:200]
        has_subcommand = len(operands) > 1 and _WORD.match(operands[1]) and is_check(operands[1])  # manage.py test
        subcommand = operands[1:2] if has_subcommand else []
        return " ".join([program, script, *subcommand]).strip(), " ".join(operands[1 + len(subcommand) :])[:200]
    if program not in _SUBCOMMANDS and operands and operands[0] in _SUBCOMMANDS:  # a wrapper that is not in the table
        inner_arguments = arguments[arguments.index(operands[0]) :]
        words, scopes = get_operands(inner_arguments)
        inner, target = _build_signature(operands[0], inner_arguments[1:], words)
        return _add_scopes(f"{program} {inner}", scopes), target
    verbs: list[str] = []
    # Ignore CC=clang in "make CC=clang test", and +nightly in "cargo +nightly test".
    words = [word for word in operands if word[0] != "+" and not _ASSIGNMENT.match(word)]
    for word in words[: _SUBCOMMANDS.get(program, 1 if _WORD.match(program) else 0)]:
        if not _WORD.match(word):
            break
        verbs.append(word)
    if program in _READERS or program in _SEARCHERS or program in _WRITERS:
        verbs = []
    rest = list(operands)
    for verb in verbs:
        rest.remove(verb)
    return " ".join([program, *verbs]), " ".join(rest)[:200]


def _get_action(program: str, words: list[str], operands: list[str]) -> Action:
    if program in ("sed", "perl"):
        return "edit" if any(word.startswith("-i") or word == "-pi" for word in words[1:]) else "read"
    if program == "git":
        verb = operands[0] if operands else ""
        return _GIT_ACTIONS.get(verb, "read" if verb == "config" and "--get" in words else "run")
    return _ACTIONS.get(program, "run")
