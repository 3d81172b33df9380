"""What a shell command is, apart from how it was wrapped: its signature, its target, and whether it reads, writes or runs.

Source of the lists: the commands of real sessions. A wrapper or a pipe that is not known here makes two commands
look different, never the same.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from mind_skills.observations.shell import segments

if TYPE_CHECKING:
    from mind_skills.observations.model import Action

MAX_LENGTH = 4_000
"""A longer command is a script pasted into the shell; its head names it."""
MAX_SEGMENTS = 12

_WRAPPERS: dict[tuple[str, ...], int] = {
    **dict.fromkeys([("sudo",), ("time",), ("nohup",), ("command",), ("exec",), ("builtin",), ("npx",), ("bunx",)], 1),
    **dict.fromkeys([("nice",), ("stdbuf",), ("env",), ("uvx",), ("pipx",), ("xvfb-run",), ("then",), ("do",)], 1),
    **dict.fromkeys([("uv", "run"), ("poetry", "run"), ("pdm", "run"), ("hatch", "run"), ("pipenv", "run")], 2),
    **dict.fromkeys([("rye", "run"), ("bun", "x"), ("pnpm", "exec"), ("pnpm", "dlx"), ("yarn", "dlx")], 2),
    **dict.fromkeys([("npm", "exec"), ("bundle", "exec"), ("mise", "exec"), ("mise", "x"), ("conda", "run")], 2),
    **dict.fromkeys([("pipx", "run"), ("python", "-m"), ("python3", "-m")], 2),
}
_WRAPPING = frozenset(words[0] for words in _WRAPPERS)
_LIMITING = frozenset({"timeout", "gtimeout"})
_BEFORE = frozenset({"!", "{", "}", "if", "while", "until"})
_SILENT = frozenset(
    "cd pushd popd export set source . sleep true false : unset pwd wait for done fi esac else case in local read shift test [ [[".split()
)
_ECHOES = frozenset({"echo", "printf", "yes", "clear"})
_READERS = frozenset(
    "cat head tail less more nl bat wc stat file ls tree diff cmp jq yq du df which type env printenv hexdump xxd od "
    "strings awk cut sort uniq column date ps pgrep lsof uname id whoami".split()
)
_SEARCHERS = frozenset("grep egrep fgrep rg ag ack find fd locate".split())
_GIT_READS = frozenset("diff log show status blame grep branch remote rev-parse ls-files describe shortlog".split())
_WRITERS = frozenset("tee touch mkdir cp mv rm ln chmod chown dd".split())
_INTERPRETERS = frozenset("python python2 python3 node ruby perl bash sh zsh php deno tsx ts-node lua Rscript".split())
_ACTIONS: dict[str, Action] = {
    **dict.fromkeys(_WRITERS, "write"),
    **dict.fromkeys(_READERS, "read"),
    **dict.fromkeys(_SEARCHERS, "search"),
    **dict.fromkeys(("patch", "apply_patch"), "edit"),
}
"""What a program does; all others run something."""
_GIT: dict[str, Action] = {**dict.fromkeys(_GIT_READS, "read"), "grep": "search", "apply": "edit", "am": "edit"}
_WORD = re.compile(r"[a-z][a-z0-9_:-]{0,30}\Z")
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_HEREDOC = re.compile(r"<<-?\s*(['\"]?)(\w+)\1")
_DUPLICATE = re.compile(r"[\d>&](?:(?:(?<=>)|(?<=\d)>)(?:&\d?-?|\s*/dev/null)|(?<=&)>>?\s*/dev/null)")
"""``2>&1``, ``&> /dev/null``, ``2>/dev/null``: by its first character, since that is sought fast."""
_ANSI_C = re.compile(r"\$'(?:[^'\\]|\\.)*'")
"""A $'...' string of bash, which shlex does not know: it may hold quotes and whole documents."""
_QUOTED = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"")
_COMMENT = re.compile(r"^[^\S\n]*#[^\n]*\n?", re.MULTILINE)
_GIT_FOLDER = re.compile(r"\bgit ((?:-C|-c|--git-dir|--work-tree)[ =]\S+ )+")
_REDIRECT = re.compile(r"(?<![<>&\d])\d?>{1,2}\s*(?!&)([^\s;&|]+)")
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
_CHECKS = re.compile(
    r"(?:^|[ :/_.-])(?:tests?|spec|pytest|unittest|jest|vitest|mocha|tox|nox|check|ci|lint|vet|clippy|ruff|mypy|pyright|"
    r"eslint|biome|tsc|typecheck|type-check|build|compile|golangci-lint|shellcheck|flake8|pylint|rspec|phpunit|ctest|"
    r"verify|validate|reproduce|repro|e2e|bench|cypress|playwright|svelte-check|rubocop|ktlint|detekt|prettier)"
    r"(?:$|[ :._-])"
)


_ORDER: tuple[Action, ...] = ("run", "edit", "write", "search", "read", "other")
"""Of a compound command: running something outweighs editing, editing outweighs looking."""


class Command(NamedTuple):
    """``signature`` joins the parts of a compound command with `` && ``; ``target`` is what its last part was aimed at."""

    signature: str
    target: str
    action: Action
    hides_status: bool
    """The exit code is that of head, tail or the like, not of the command that matters."""


@lru_cache(256)
def normalise(command: str) -> Command:
    """Read one command line; never raises. An empty line gives empty fields and the action ``other``."""
    text, written = command[:MAX_LENGTH].replace("\\\n", " "), False
    if "git -" in text:
        text = _GIT_FOLDER.sub("git ", text)
    if "<<" in text:
        text, written = _without_heredocs(text)
    if ">&" in text or "/dev/null" in text:
        text = _DUPLICATE.sub(" ", text)
    if "#" in text:
        text = _COMMENT.sub("", text)
    if "$'" in text:
        text = _ANSI_C.sub(" 'text' ", text)
    parts = [_part(words) for words in segments(text)[:MAX_SEGMENTS]]
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


@lru_cache(512)
def is_check(signature: str) -> bool:
    """Whether the command verifies: a test runner, a build, a linter, a type checker, a reproduction script."""
    return bool(_CHECKS.search(signature))


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


def _part(pipeline: list[list[str]]) -> Command:
    """One command of a list: the stage of its pipeline that matters, without what wraps it."""
    stages = [stripped for words in pipeline if (stripped := _unwrap(words))]
    if not stages:
        return Command("", "", "other", False)
    chosen = stages[0]
    if len(stages) > 1:
        chosen = next((one for one in stages if one[0] not in _ECHOES and _program(one) not in _READERS), chosen)
    program = _program(chosen)
    if program in _SILENT or program in _ECHOES:
        return Command("", "", "other", False)
    signature, target = _name(program, chosen[1:])
    return Command(signature, target, _action(program, chosen), chosen is not stages[-1])


def _unwrap(words: list[str]) -> list[str]:
    while words:
        first = words[0]
        if ("=" in first and _ASSIGNMENT.match(first)) or first in _BEFORE:
            words = words[1:]
        elif first in _LIMITING:
            words = [word for word in words[1:] if not word.startswith("-")][1:]
        elif first == "command" and words[1:2] in (["-v"], ["-V"]):
            words = ["which", *words[2:]]
        elif (program := _program(words)) not in _WRAPPING:
            return words
        elif (program, *words[1:2]) in _WRAPPERS:
            words = _without_flags(words[2:])
        elif (program,) in _WRAPPERS and len(words) > 1:
            words = _without_flags(words[1:])
        else:
            return words
    return words


def _without_flags(words: list[str]) -> list[str]:
    while words and words[0].startswith("-"):
        words = words[1:]
    return words


def _program(words: list[str]) -> str:
    return words[0].rsplit("/", 1)[-1][:60] if words else ""


def _name(program: str, arguments: list[str]) -> tuple[str, str]:
    """Signature and target: the words that say what is done, and the words that say to what."""
    plain = [word for word in arguments if not word.startswith("-") and word]
    if program in _INTERPRETERS:
        if "-c" in arguments or "-e" in arguments:
            return f"{program} -c", " ".join(plain)[:120]
        script = plain[0].rsplit("/", 1)[-1][:60] if plain else ""
        if "--test" in arguments:  # the test runner that node brings
            return f"{program} --test", " ".join(plain)[:200]
        said = plain[1:2] if plain[1:] and _WORD.match(plain[1]) and is_check(plain[1]) else []  # manage.py test
        return " ".join([program, script, *said]).strip(), " ".join(plain[1 + len(said) :])[:200]
    if program not in _SUBCOMMANDS and plain and plain[0] in _SUBCOMMANDS:  # a wrapper that is not in the list
        inner, target = _name(plain[0], arguments[arguments.index(plain[0]) + 1 :])
        return f"{program} {inner}", target
    verbs: list[str] = []
    for word in plain[: _SUBCOMMANDS.get(program, 1 if _WORD.match(program) else 0)]:
        if not _WORD.match(word):
            break
        verbs.append(word)
    if program in _READERS or program in _SEARCHERS or program in _WRITERS:
        verbs = []
    return " ".join([program, *verbs]), " ".join(plain[len(verbs) :])[:200]


def _action(program: str, words: list[str]) -> Action:
    if program in ("sed", "perl"):
        return "edit" if any(word.startswith("-i") or word == "-pi" for word in words[1:]) else "read"
    if program == "git":
        verb = next((word for word in words[1:] if not word.startswith("-")), "")
        return _GIT.get(verb, "read" if verb == "config" and "--get" in words else "run")
    return _ACTIONS.get(program, "run")
