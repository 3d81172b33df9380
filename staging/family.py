"""Family keys of learnings: equal for the same kind of error in all projects and on all hosts.

A family key consists of typed tokens only: error codes, error classes, words from closed lists, and names of packages
and recognised programs. It contains no path, no title and no other text of a session. It is coarser than the
fingerprint (staging/identity.py), which identifies one learning in one project; docs/detection.md reports how reliable
both are.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from mind_skills.detectors.model import Evidence, FindingKind
from mind_skills.observations.commands import normalise
from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.staging.tokens import is_error_class
from mind_skills.store.project import digest_text

MAX_TEXT_LENGTH = 500
"""Maximum number of characters of an error that are read, the same number that a candidate stores."""
MAX_MESSAGE_WORDS = 8
MIN_MESSAGE_WORDS = 3
"""Minimum number of words from the closed list in a message that identifies an error without a code, class or package."""
MAX_PACKAGE_LENGTH = 60

_TOOL_CODE = compile_lazily(
    r"(?<![\w-])(?:TS\d{4,5}|CS\d{4}|SC\d{4}|E0\d{3}|[A-Z]{1,4}\d{3,4}|ERR_[A-Z][A-Z_]{2,40}|ORA-\d{5}|SQLSTATE\[\w{5}\]"
    r"|MSB\d{4}|NU\d{4}|DL\d{4})(?![\w-])"
)
"""Codes of compilers, linters and package managers. Each belongs to one tool, so the name of the program would add nothing."""
_SYSTEM_CODE = compile_lazily(
    r"\b(?:E(?:ACCES|ADDRINUSE|AGAIN|BADF|BUSY|CONNREFUSED|CONNRESET|EXIST|INVAL|ISDIR|MFILE|NOENT|NOSPC|NOTDIR|NOTEMPTY"
    r"|NOTFOUND|PERM|PIPE|RESOLVE|ROFS|TIMEDOUT|UNSUPPORTEDPROTOCOL|BADENGINE|LIFECYCLE|OTP|INTEGRITY)"
    r"|SIG(?:ABRT|BUS|FPE|ILL|KILL|PIPE|SEGV|TERM))\b|\b(?:HTTP|status|status code|returned error:?) ([45]\d\d)\b"
)
"""Codes of operating systems, HTTP and package managers, which any program can print."""
_CLASS = compile_lazily(r"(?<![\w.])(?:\w{1,40}\.){0,4}([A-Z]\w{2,60})(?=[:(\s]|\Z)")
_PACKAGE = compile_lazily(
    r"(?:No module named|Cannot find (?:module|package)|Can't resolve|Could not resolve|cannot find package"
    r"|provides? package|the requirement|Unable to locate package|No matching distribution found for"
    r"|unresolved import|can't find crate for|Missing (?:module|package)) ['\"`‘“]?(@[\w.-]{1,40}/[\w.-]{1,40}|[A-Za-z][\w.-]{1,60}"
    r"(?:/[\w.-]{1,40}){0,4})"
)
_COMMAND_NOT_FOUND = compile_lazily(
    r"([\w.+-]{1,40}): (?:command )?not found|command not found: ([\w.+-]{1,40})"
    r"|(?:unrecognized (?:sub)?command|term|unknown (?:sub)?command:?) ['\"`‘]([\w.+-]{1,40})['\"`’]"
)
_FILE_ENDING = compile_lazily(
    r"\.(?:c|cc|cpp|css|go|h|html|java|js|json|jsx|md|mjs|pkl|py|rb|rs|scss|sh|svg|toml|ts|tsx|vue|ya?ml)\Z"
)
_SHELL_ERROR = compile_lazily(r"\s*(?:(?:/usr)?/bin/)?(?:bash|zsh|sh|dash|fish|\(eval\)):")
_WORD = compile_lazily(r"[a-z]+(?:'t)?")
_QUOTED = compile_lazily(r"`[^`\n]{0,200}`|'[^'\n]{1,200}'(?!\w)|\"[^\"\n]{0,200}\"|‘[^’\n]{0,200}’|\S{0,200}[/\\]\S*")
_CANNOT = compile_lazily(r"\b(?:can't|can not|couldn't|could not|unable to|failed to|cannot)(?!\w)")
_DID_NOT = compile_lazily(r"\b(?:didn't|doesn't|does not|did not|isn't|wasn't|aren't)(?!\w)")

_GENERIC_CLASSES = frozenset(
    """AggregateError AssertionError AttributeError BaseException CalledProcessError Error Exception IndexError
    JSONDecodeError KeyError NameError OSError ParserError RangeError ReferenceError RuntimeError RuntimeException
    SyntaxError TypeError UserWarning ValueError ValidationError Warning""".split()
)
"""Classes that indicate a failure without identifying it."""
_GENERIC_CODES = frozenset({"EEXIST", "EINVAL", "ENOENT", "HTTP 400", "HTTP 404", "HTTP 500"})
"""Codes that indicate a failure without identifying it."""
_GENERIC_MESSAGE_WORDS = frozenset(
    """argument cannot code command directory exist expected file found input invalid match missing module name no
    not object on open option output read return returned status such type undefined unexpected unknown value
    write""".split()
)
_MESSAGE_WORDS = _GENERIC_MESSAGE_WORDS | frozenset(
    """abort aborted accept access account address administrator again agent already ambiguous api array ascii asset
    attempt authenticated authentication author authorization auto background bad based bind binary blocked branch
    branches broken browser buffer build bundle busy cache cached call cancelled certificate change changed changes
    character checkout checksum circular class client clone closed cmdlet commit commits committed compatible
    compile compiler component config configuration configured conflict conflicts connect connected connection constant
    constraint container conversion corrupt corrupted create credential credentials cross cycle cyclic daemon data
    database deadlock decode default definition delete denied dependencies dependency deploy deprecated descriptor
    destination detached device disabled disk diverged dns docker document driver duplicate dynamic empty encode engine
    engines entry environment equal escape exceeded exceeds executable exited exists expired export exported expression
    externally fast fetch field files filesystem flag flags foreign format formatting forward frozen full function gpg
    gateway git globally group handle hash header heap here heredoc history hook hooks host hostname identifier identity
    ignored image implicit implicitly import imports incompatible indentation index infinite initialize inline install
    installed instance integrity interactive interpreter interrupt interrupted iterable join json key keyboard keychain
    keyring killed kernel large length library limit link linker list local located lock locked lockfile lockdir log
    login loop loopback macro main managed manifest map memory merge merged message metadata method migration mismatch
    module modules mount mounted multiple mutable namespace network newline node null number old operation order origin
    overflow overwrite overwritten owned owner ownership package packages parameter parent parse parser partition
    passphrase password path pathspec peer pending permission permissions permitted pipe pipeline platform plugin point
    pointer pool port positional prefix privilege privileged process processes profile project prompt property protected
    protocol proxy public pull push python query quota quote range rate read-only rebase recipe recognized recursion
    redirect ref refname reference reflog refs refspec refused region registry reject rejected relation release remote
    remove rename replace repository request requested require required requires reserved reset resolution resolve
    resolved resource revision role root rule runner runtime safe sandbox schema scope script section secret secure
    segmentation server service session shared shell signal signature signed signing size snapshot socket solver source
    space specified stack staged stale stash state stdin stopped storage stream string strict subcommand submodule
    subprocess subscription supported suite switch symbol symlink syntax system table tag target task temp template
    temporary term terminal terminated test threshold thread time timed timeout token too tracked tracking transaction
    transport tree trust trusted truncated tty unable unauthorized unavailable undeclared unhandled unicode unique
    unmerged unreachable unrecognized unrelated unresolved unsafe unset unstaged unsupported unterminated untracked
    update upstream uri url usage used user utf valid variable verify version versions virtual volume wait workflow
    working workspace worktree wrapper wrong xcode yaml zero""".split()
)
"""Words of error messages that reveal nothing about the project in which they were printed."""
_PROGRAMS: frozenset[str] = frozenset(
    """ansible ansible-playbook apt apt-get ast-grep aws az bazel biome black brew buf bun bundle bunx cargo cdk chmod choco
    clang clang-tidy claude clippy cmake codex codesign composer conda corepack coverage cp crontab curl cypress dart deno detekt
    dig docker dotnet elixir esbuild eslint fd ffmpeg firebase flake8 flutter fly fnm fnox forge gcc gcloud gdb gem
    gemini gh git gitleaks glab go gofmt goimports golangci-lint goreleaser gpg gpgconf gradle gradlew grep gsutil
    helm hk iex isort java javac jest jj jq julia just kill kotlinc ktlint kubectl lefthook ln make mamba markdownlint
    meson mise mix mkdir mocha mv mvn mypy nc next ng ninja nix node npm npx nvm nx opencode openssl op pdm perl pg_dump
    php phpunit pip pip3 pipenv pipx pixi pkl playwright pnpm podman poetry powershell pre-commit prek prettier prisma
    psql pwsh pylint pyright pytest python python3 rails rake rg rm rsync rspec rubocop ruby ruff rustc rustfmt rustup
    sbt scala scp sed semgrep shellcheck shfmt skaffold sqlite3 ssh ssh-add ssh-keygen sudo supabase svelte-check swift
    swiftc swiftlint systemctl tar task tauri terraform tmux tox trivy tsc tsx turbo uv uvx vercel vite vitest wget wrangler
    wsl xcodebuild xcrun yarn yq zig""".split()
)
_SUBCOMMANDS = frozenset(
    """add am api apply audit auth bench blame branch build cache check checkout cherry-pick ci clean clone clippy
    commit compile compose config cp create delete deploy dev diff doc down enable env exec explain export fetch fix fmt
    format generate get help import info init inspect install issue kill lint list lock log login logout logs ls
    ls-files merge migrate mod mv outdated pack plan pr prune publish pull push python rebase release remove repo reset
    restart restore rev-parse revert rm rollback run sbom scan serve show start stash status stop submodule switch sync tag
    test tidy tool typecheck uninstall unlink up update upgrade use validate verify version vet view watch which
    workflow worktree""".split()
)
_WRAPPERS = frozenset("bun bunx corepack deno just make mise npm npx nx pnpm poetry task turbo uv uvx yarn".split())
"""Programs that run other programs; the name of a command includes up to two words after them, rather than one."""
_PREFIXES = frozenset({"env", "rtk", "sudo", "time"})


_REPAIR_SUBCOMMANDS = frozenset(
    """auth clean config fetch init install login logout migrate prune pull rebase remove reset restore stash sync
    uninstall unlink update upgrade""".split()
)
_REPAIR_PROGRAMS = frozenset("apt apt-get brew chmod choco gpgconf kill ln ssh-add ssh-keygen systemctl".split())
"""Programs that repair something, as the subcommands above do. Any other command in a remedy usually repeats or checks something."""
_TEST_RUN = compile_lazily(
    r"(?:^|[ :])(?:\w{0,20}tests?|pytest|vitest|jest|mocha|rspec|phpunit|unittest|spec|e2e)(?:[ :]|\Z)"
)


class FamilyKey(NamedTuple):
    """The parts of a family key, as typed tokens. ``error`` and ``package`` are never both empty."""

    kind: str
    """Always ``learning``: rules of the user have no family."""
    error: str
    """An error code, else an error class, else the words in the message that are in the closed list."""
    package: str
    """The package or command that the error names as missing."""
    program: str
    """The program that failed, with its subcommands; ``shell`` for the shell itself; empty if the error code or the package
    suffices, or if the program is not recognised."""
    remedy: str
    """The program and subcommands of the remedy if it is a command that repairs something, such as ``npm install``;
    empty otherwise, or if the error is the code of a tool."""

    @property
    def digest(self) -> str:
        """32 hex digits that identify the family; the same on every machine."""
        return digest_text("\0".join(("family", *self)), 16)


def build_family_key(
    kind: FindingKind, *, symptom: str, remedy: str = "", evidence: Iterable[Evidence] = ()
) -> FamilyKey | None:
    """Return the family key of a learning, or None if its typed tokens do not identify a family.

    The arguments are the fields of a Finding or Candidate with these names; both give the same key. Rules of the user
    have no family. Pure, and linear in the length of the texts. Everything but ``package`` comes from closed lists or has
    the form of a code or class; before a key leaves the machine, its package must be checked to be public.
    """
    text = " ".join(symptom[:MAX_TEXT_LENGTH].split())
    if kind == "user_rule" or not text:
        return None
    tool_code = _TOOL_CODE.search(text)
    package = _find_package(text)
    if tool_code or package:
        error = tool_code[0] if tool_code else _find_class(text)
        return FamilyKey("learning", error, package, "", "" if tool_code else _name_repair(remedy))
    command = _find_failed_command(text, evidence)
    program = _find_printing_program(text) or _name_program(command)
    error = _find_system_code(text)
    if not error and program and not _TEST_RUN.search(command):
        error = _find_class(text) or _find_message(text)
    return FamilyKey("learning", error, "", program, _name_repair(remedy)) if error else None


def _find_system_code(text: str) -> str:
    codes = (f"HTTP {found[1]}" if found[1] else found[0] for found in _SYSTEM_CODE.finditer(text))
    return next((code for code in codes if code not in _GENERIC_CODES), "")


def _find_class(text: str) -> str:
    """Return the first error class that is not generic, without its modules."""
    names = (found[1] for found in _CLASS.finditer(text))
    return next((name for name in names if is_error_class(name) and name not in _GENERIC_CLASSES), "")


def _find_message(text: str) -> str:
    """Return the words of a message that are in the closed list, in order; empty if they do not identify an error.

    Quoted names and paths are skipped; phrases such as "unable to" count as "cannot", and "didn't" as "not".
    """
    plain = _QUOTED.sub(" ", text).lower()
    plain = _DID_NOT.sub("not", _CANNOT.sub("cannot", plain))
    words = list(dict.fromkeys(word for word in _WORD.findall(plain) if word in _MESSAGE_WORDS))[:MAX_MESSAGE_WORDS]
    is_informative = len(words) >= MIN_MESSAGE_WORDS and len(set(words) - _GENERIC_MESSAGE_WORDS) > 1
    return " ".join(words) if is_informative else ""


def _find_package(text: str) -> str:
    """Return the package or recognised program that an error names as missing; empty if it names none, or a file.

    A path after the name is dropped, unless the package is scoped or a Go module.
    """
    found = _PACKAGE.search(text)
    if found is None:
        command = _COMMAND_NOT_FOUND.search(text)
        name = next(filter(None, command.groups()), "") if command else ""
        return name if name in _PROGRAMS else ""
    name = found[1].rstrip(".,:;").lower()[:MAX_PACKAGE_LENGTH]
    first = name.partition("/")[0]
    if name[0] == "@" or ("/" in name and "." in first):  # a scoped package, or a Go module, which begins with a domain
        return name
    return "" if _FILE_ENDING.search(name) else first.partition(".")[0]


def _find_failed_command(text: str, evidence: Iterable[Evidence]) -> str:
    """Return the command in the evidence that printed an error; empty if there is none."""
    for each in evidence:
        if each.role == "symptom" and each.content.startswith("$ "):
            command, _, printed = each.content[2:].partition("\n")
            if text[:60] in " ".join(printed.split()):
                return command
    return ""


def _find_printing_program(text: str) -> str:
    """Return the program whose prefix an error message begins with, if it is a shell or Git; else empty."""
    return "shell" if _SHELL_ERROR.match(text) else "git" if text.startswith("fatal: ") else ""


def _name_program(command: str) -> str:
    """Return the first recognised program of a command line with its recognised subcommands; empty if there is none."""
    for part in normalise(command).signature.split(" && "):
        words = part.split()
        while words and words[0] in _PREFIXES:
            words = words[1:]
        if words and words[0] in _PROGRAMS:
            limit = 2 if words[0] in _WRAPPERS else 1
            return " ".join([words[0], *(word for word in words[1 : limit + 1] if word in _SUBCOMMANDS | _PROGRAMS)])
    return ""


def _name_repair(remedy: str) -> str:
    """Return the program and subcommands of a remedy if it is a command that repairs something, else an empty string."""
    program = _name_program(remedy)
    words = program.split()
    return program if words and (words[0] in _REPAIR_PROGRAMS or set(words[1:]) & _REPAIR_SUBCOMMANDS) else ""
