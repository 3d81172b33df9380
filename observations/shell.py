"""Parses shell commands into pipelines and words, and removes wrapper programs, using a table of wrappers and options.

Each row of the table consists of the name of a program, or of several programs separated by commas, followed by options and operands.
A name may have several words.

``--name -n``   the option's value is the next word
``-j?``         the option's value is the next word if that is a number
``@--filter``   the value names a scope (a part of the project, or a machine); the same command in two scopes counts as two
``1`` ``@1``    number of operands before the wrapped command; with ``@``, the first operand names a scope
``>-c``         the wrapped command follows this option; without the option, no command is wrapped
``|``           only the options before the first operand are in the table; after it, the same letters have another meaning
``$``           the wrapped command is a shell command line (a shell's argument or a single word with spaces always counts as one)

The programs in ``_WRAPPERS`` run another program; those in ``_PROGRAMS`` do not. Options without a value need no entry. If an
option with a value is missing, its value counts as an operand and may become part of a signature. Source: the programs' manuals.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from mind_skills.redaction.lazy_pattern import compile_lazily

_OPERATOR_CHARACTERS = frozenset(";&()\n|<>")
"""Characters that an operator may begin with."""
_OPERATORS = frozenset({"&&", "||", ";", "&", "\n", "(", ")", ";;", "|&"})
_TOKEN = compile_lazily(
    r"[();<>|&\n]++|#[^\n]*+|(?:\$'(?:[^'\\]++|\\.)*+'|(?:[^ \t\r();<>|&\n'\"\\$]++|\$(?!'))++"
    r"|'[^']*+'|\"[^\"\\]*+(?:\\.[^\"\\]*+)*+\"|\\.)++|['\"\\$]",
    re.DOTALL,
)
"""An operator, a comment, a word with its quoted parts, or an unclosed quote."""
_WORD = compile_lazily(
    r"(?:\$'(?:[^'\\]++|\\.)*+'|(?:[^ \t\r\n'\"\\$]++|\$(?!'))++"
    r"|'[^']*+'|\"[^\"\\]*+(?:\\.[^\"\\]*+)*+\"|\\.)++|['\"\\$]",
    re.DOTALL,
)
"""A word with its quoted parts, or an unclosed quote; operators are part of words."""
_QUOTES = ("'", '"', "\\")
_PIECE = compile_lazily(
    r"\$'((?:[^'\\]++|\\.)*+)'|'([^']*+)'|\"([^\"\\]*+(?:\\.[^\"\\]*+)*+)\"|\\(.)|((?:[^'\"\\$]++|\$(?!'))++)",
    re.DOTALL,
)
_ESCAPED = compile_lazily(r"\\([\"\\])")


def split_words(text: str) -> list[str]:
    """Split a text into words, and remove their quotes. If a quote is unclosed, split at whitespace and leave all quotes."""
    tokens: list[str] = _WORD.findall(text)
    return text.split() if _has_unclosed_quote(tokens) else list(map(_unquote, tokens))


def _has_unclosed_quote(tokens: list[str]) -> bool:
    return any(map(tokens.__contains__, _QUOTES))


def _unquote(word: str) -> str:
    if not any(map(word.__contains__, _QUOTES)):
        return word
    quote = word[0]
    if quote in "'\"" and word[-1] == quote and word.count(quote) == 2 and (quote == "'" or "\\" not in word):
        return word[1:-1]  # the common case: quotes around the entire word
    return "".join(
        ansi or single or _ESCAPED.sub(r"\1", double) or escaped or plain
        for ansi, single, double, escaped, plain in _PIECE.findall(word)
    )


def split_commands(text: str) -> list[list[list[str]]]:
    """Split a command line into commands, each a pipeline of word lists.

    Redirections are dropped, but the number before one, such as the 2 of ``2>&1``, remains as a word after other words.
    """
    commands = split_closed_commands(text)
    # A line with an unclosed quote is invalid in a shell, but its words identify the command.
    return _group(text.replace("\n", " ; ").split(), str) if commands is None else commands


def split_closed_commands(text: str) -> list[list[list[str]]] | None:
    """Split a command line as ``split_commands`` does, several times faster than ``shlex``; None if a quote is unclosed."""
    tokens: list[str] = _TOKEN.findall(text)
    return None if _has_unclosed_quote(tokens) else _group(tokens, _unquote)


def _group(tokens: list[str], unquote: Callable[[str], str]) -> list[list[list[str]]]:
    stage: list[str] = []
    command = [stage]
    commands = [command]
    skip_next = False
    for token in tokens:
        if skip_next:
            skip_next = False
        elif token[0] == "#":
            continue
        elif token[0] not in _OPERATOR_CHARACTERS:
            if stage or not token.isdigit():
                stage.append(unquote(token))
        elif token in _OPERATORS or not token.strip(";&()\n"):
            stage = []
            command = [stage]
            commands.append(command)
        elif "|" in token and not token.strip(
            ";&()|\n"
        ):  # also a line that ends with it, and the one after parentheses
            stage = []
            command.append(stage)
        elif token.startswith((">", "<")) or token in ("&>", ">&", "&>>"):
            skip_next = True
        else:
            stage.append(token)
    return [command for command in commands if any(command)]


_ARITHMETIC = compile_lazily(r"\$?\(\((?:[^()]++|\([^()]*+\))*+\)\)")
_MARK = compile_lazily(r"\\.|\$'(?:[^'\\]++|\\.)*+'|'[^']*+'|\"|[$<>]\(|[()`]", re.DOTALL)
_QUOTED_MARK = compile_lazily(r"\\.|\"|\$\(|`", re.DOTALL)
"""What begins or ends quotes, parentheses or substitutions outside and inside double quotes."""


def split_substitutions(text: str, replace: Callable[[str], str]) -> list[str]:
    """Return the command lines that a line's substitutions contain, at any depth and the inner first, and then the line itself.

    Each substitution is replaced with what ``replace`` returns for its command line.
    """
    if "((" in text:
        text = _ARITHMETIC.sub("0", text)
    if not any(mark in text for mark in ("$(", "`", "<(", ">(")):
        return [text]
    found: list[str] = []
    stack: list[tuple[str, list[str]]] = [("", [])]  # what is open, and the pieces of its command line
    start = position = 0
    while match := (_QUOTED_MARK if stack[-1][0] == '"' else _MARK).search(text, position):
        mark, position = match[0], match.end()
        opened, pieces = stack[-1]
        if mark == opened == '"' or (mark == ")" and opened == "("):
            stack.pop()
        elif mark in ('"', "("):
            stack.append((mark, pieces))
        elif (mark, opened) in ((")", "$("), ("`", "`")):
            found.append("".join([*pieces, text[start : match.start()]]))
            stack.pop()
            stack[-1][1].append(replace(found[-1]))
            start = position
        elif mark[1:] == "(" or mark == "`":
            pieces.append(text[start : match.start()])
            stack.append(("`" if mark == "`" else "$(", []))
            start = position
    stack[-1][1].append(text[start:])
    lines = {id(pieces): pieces for _, pieces in reversed(stack)}  # several, if something is unclosed
    return [*found, *map("".join, lines.values())]


DOCUMENT = compile_lazily(r"(?<!<)<<(?!<)-?\s*(['\"\\]?)([\w.-]+)['\"]?")
"""The beginning of a here-document: its quotation mark, and the word that ends it."""


class Document(NamedTuple):
    """A here-document: the line that reads it, its text, and whether the shell leaves the text as it is."""

    line: str
    text: str
    is_literal: bool


def cut_documents(text: str) -> tuple[str, list[Document]]:
    """Return a command line without its here-documents, and the here-documents."""
    lines = text.split("\n")
    ends = {line.strip(): index for index, line in enumerate(lines)}
    kept: list[str] = []
    documents: list[Document] = []
    index = 0
    while index < len(lines):
        line, index = lines[index], index + 1
        kept.append(DOCUMENT.sub(" ", line) if "<<" in line else line)
        for match in DOCUMENT.finditer(line) if "<<" in line else ():
            if ends.get(match[2], 0) < index:
                kept[-1] = line
                continue
            end = next(n for n in range(index, len(lines)) if lines[n].strip() == match[2])
            documents.append(Document(line, "\n".join(lines[index:end]), bool(match[1])))
            index = end + 1
    return "\n".join(kept), documents


_WRAPPERS = """
sudo -u --user -g --group -p -C -h -r -t -T -D
doas -u -C
time -f --format -o --output
timeout, gtimeout -s --signal -k --kill-after 1
nice -n --adjustment
ionice -c -n --class --classdata
chrt, taskset, direnv exec, nvm exec, nvm run 1
env -u --unset -C --chdir
stdbuf -i -o -e --input --output --error
nohup, setsid, command, builtin, unbuffer, then, do, else, cross-env, yarn exec, hatch run, pipenv run, \
bundle exec, rbenv exec, pyenv exec, nodenv exec, asdf exec
exec -a
caffeinate -t -w
xvfb-run -n -s -e -f -w --server-args --server-num --error-file
strace -e -o -p -s -a -P
ltrace -e -o -p -s -a
flock -w --timeout -E -c 1
chroot @1
watch -n --interval
xargs -n -I -P -L -d -a -s -E --max-args --max-procs --max-lines --replace --delimiter --arg-file
parallel -j --jobs
dotenv -e -f -v
dotenvx run -f --env-file -e
op run --env-file
doppler run -p -c --project --config
infisical run --env --path --projectId
aws-vault exec -d 1
npx, bunx, bun x, yarn dlx -p --package
npm exec, npm x @-w @--workspace @--prefix -p --package
pnpm exec @-F @--filter @-C @--dir
pnpm dlx --package
uvx --from --with -p --python --with-requirements --with-editable --index --index-url --env-file
uv run --with --with-requirements --with-editable -p --python --extra --group --no-group --only-group --env-file --index \
--index-url --extra-index-url --cache-dir --link-mode @--package @--project @--directory
uv tool run --from --with -p --python
pipx run --spec --python --index-url
poetry run @-C @--directory @-P @--project
pdm run @-p @--project
rye run @-p
pixi run -e --environment @--manifest-path
conda run, mamba run, micromamba run -n --name -p --prefix --cwd
mise exec, mise x >-- >-c >--command -C --cd
volta run --node --npm --yarn
fnm exec --using
python -m -W -X
python3 -m -W -X
py -m
python -m coverage run --source --rcfile --omit --include --data-file
python3 -m coverage run --source --rcfile --omit --include --data-file
coverage run -m --source --rcfile --omit --include --data-file
nix develop >-c >--command -i -k --override-input
nix shell >-c >--command
nix-shell >--run >--command -p -I -A
devbox run -c --config
docker exec -u --user -w --workdir -e --env --env-file --detach-keys @1
docker container exec, podman exec -u --user -w --workdir -e --env --env-file @1
docker run -u --user -w --workdir -e --env --env-file -v --volume -p --publish --name --network --net --entrypoint --platform \
--mount -h --hostname -m --memory --cpus -l --label --add-host --dns --gpus --shm-size --pull --restart --ulimit --cap-add \
--cap-drop --device --ip --tmpfs --security-opt @1
docker container run, podman run -u --user -w --workdir -e --env --env-file -v --volume -p --publish --name --network \
--entrypoint --platform @1
docker compose exec, docker-compose exec -u --user -w --workdir -e --env --index @1
docker compose run -u --user -w --workdir -e --env --env-from-file -v --volume -p --publish --name --entrypoint -l --label --pull @1
docker-compose run -u --user -w --workdir -e --env -v --volume -p --publish --name --entrypoint -l --label @1
kubectl exec -n --namespace -c --container --context --kubeconfig @1
oc exec -n --namespace -c --container --context @1
ddev exec @-s @--service -d --dir
lando ssh >-c -s --service
fly ssh console, flyctl ssh console >-C >--command @-a @--app
ssh -p -i -l -o -F -J -L -R -D -b -E -e -m -O -Q -S -W -w -B @1 $
vagrant ssh >-c >--command
su >-c -s --shell -g -G
script >-c
bash >-c -o -O --rcfile --init-file
sh, zsh, dash >-c -o
fish >-c
pwsh $ >-c >-Command >-command -File -ExecutionPolicy -WorkingDirectory
powershell, powershell.exe $ >-c >-Command >-command -File -ExecutionPolicy
cmd $ >/c >/C >//c
wsl >-e >--exec >-- -d --distribution -u --user --cd
"""
_PROGRAMS = """
git | -C -c --git-dir --work-tree --namespace
npm @-w @--workspace @--prefix @-C --loglevel --registry --userconfig --cache
pnpm @-F @--filter @--filter-prod @-C @--dir --reporter --loglevel --workspace-concurrency
yarn @--cwd
yarn workspace @1
bun @--filter @-F @--cwd -t --test-name-pattern --timeout --preload
turbo @--filter @-F --concurrency --cache-dir
nx @-p @--projects @--project -c --configuration -t --targets --target
lerna @--scope --concurrency --ignore
rush @-t @--to @-o @--only
just -f --justfile @-d @--working-directory
task @-d @--dir -t --taskfile
make, gmake @-C @--directory -f --file --makefile -j? -l? -I -o -W
ninja @-C -j -k -l -f
cmake -S -B --build --preset -G -j --target --config
mise @-C @--cd -j --jobs -E --env
go @-C
cargo @-p @--package @--manifest-path -C --features -F --target --target-dir --profile --bin --test --example --bench -j --jobs \
--config --color --message-format -Z
uv @--project @--directory --config-file --cache-dir
poetry @-C @--directory @-P @--project
gradle, gradlew @-p @--project-dir -b --build-file -c -I --init-script
mvn, mvnw @-pl @--projects -f --file -P --activate-profiles -s --settings -T
dotnet --verbosity -v -c --configuration -f --framework -r --runtime -o --output --filter --logger
docker | -H --host -c --context --config -l --log-level
docker compose -f --file -p --project-name --profile --env-file --project-directory --ansi
docker-compose -f --file -p --project-name --profile --env-file --project-directory
kubectl -n --namespace --context --kubeconfig --cluster -s --server -o --output
oc -n --namespace --context
helm -n --namespace --kube-context --kubeconfig -f --values
gh -R --repo --json --jq -q --template
terraform, tofu @-chdir
aws --region --profile --output --query --endpoint-url
gcloud --project --region --zone --format --account
flutter -d --device-id
xcodebuild @-scheme @-project @-workspace -destination -configuration -sdk -derivedDataPath
swift @--package-path -c --configuration --filter
composer @-d @--working-dir
mix do
fly, flyctl @-a @--app
pytest, py.test -p
python, python3, py | -W -X
tmux | -L -S -f -t
"""


class Row(NamedTuple):
    """A parsed row of the table."""

    is_wrapper: bool
    """Whether the program runs another program."""
    value_options: frozenset[str]
    number_options: frozenset[str]
    scope_options: frozenset[str]
    command_options: frozenset[str]
    """Options that the wrapped command follows."""
    operand_count: int
    names_scope: bool
    """Whether the first operand names a scope."""
    takes_shell_line: bool
    lists_only_leading_options: bool
    """Whether only the options before the first operand are in the table."""


def _parse_row(words: list[str], is_wrapper: bool) -> Row:
    scopes = frozenset(word[1:] for word in words if word[0] == "@" and not word[1:].isdecimal())
    operand = next((word for word in words if word.lstrip("@").isdecimal()), "0")
    return Row(
        is_wrapper,
        value_options=frozenset(word for word in words if word[0] == "-" and word[-1] != "?") | scopes,
        number_options=frozenset(word[:-1] for word in words if word[0] == "-" and word[-1] == "?"),
        scope_options=scopes,
        command_options=frozenset(word[1:] for word in words if word[0] == ">"),
        operand_count=int(operand.lstrip("@")),
        names_scope=operand[0] == "@",
        takes_shell_line="$" in words,
        lists_only_leading_options="|" in words,
    )


def _parse_table() -> dict[tuple[str, ...], Row]:
    rows: dict[tuple[str, ...], Row] = {}
    for text, is_wrapper in ((_PROGRAMS, False), (_WRAPPERS, True)):
        for line in text.strip().split("\n"):
            words = line.split()
            end = next((index for index, word in enumerate(words) if index and not word[0].isalpha()), len(words))
            if words[0].startswith("python") and words[1:2] == ["-m"]:  # here the option is part of the name
                end = 2 if words[2:3] != ["coverage"] else 4
            row = _parse_row(words[end:], is_wrapper)
            rows.update((tuple(name.split()), row) for name in " ".join(words[:end]).split(", "))
    return rows


TABLE = _parse_table()
NAME_PREFIXES = frozenset(name[:length] for name in TABLE for length in range(1, len(name) + 1))
"""All prefixes of the names in the table, as tuples of words."""
SHELLS = frozenset("bash sh zsh dash fish pwsh powershell cmd".split())
_EXPRESSION = compile_lazily(
    r"\$\w+(?:\.|\Z)|\$env:|[-{+]|\[[\w.]+\]::|@[({]|\.\w+\Z|.*\s(?!.*\.(?:exe|cmd|bat)\Z)", re.DOTALL
)
"""A first word that is not a program: a PowerShell value, an operator, or text."""
_PYTHON = compile_lazily(r"python[\d.]+\Z")


def unwrap(words: list[str]) -> tuple[Row, list[str], list[str]] | None:
    """Return a wrapper's row, the wrapped command, and the scopes that the wrapper names; None if no command is wrapped."""
    name: tuple[str, ...] = (get_program(words),)
    result: tuple[Row, list[str], list[str]] | None = None
    scopes: list[str] = []
    index = 1
    while name in NAME_PREFIXES:
        row = TABLE.get(name)
        while index < len(words) and words[index][:1] == "-" and (*name, words[index]) not in NAME_PREFIXES:
            if row and row.command_options and _is_command_option(row, words[index]):
                return (row, words[index + 1 :], scopes) if words[index + 1 :] else None
            index += 1 if words[index] == "--" else _count_option_words(row, words, index, scopes)
        if row and row.is_wrapper:
            if row.command_options:
                if name[0] in SHELLS and not any(_is_command_option(row, word) for word in words[index : index + 1]):
                    return None  # bash FILE runs a script
                option = next((n for n in range(index, len(words)) if _is_command_option(row, words[n])), len(words))
                result = (row, words[option + 1 :], scopes)
            else:
                result = (row, *_skip_operands(row, words, index, scopes))
        if index >= len(words):
            break
        name, index = (*name, words[index]), index + 1
    return result if result and result[1] else None


def _is_command_option(row: Row, word: str) -> bool:
    """Return whether the wrapped command follows this option. Short options may be combined, as in ``-lc``."""
    if word in row.command_options:
        return True
    are_short_options = word[:1] == "-" and word[1:].isalpha()
    return are_short_options and word.endswith("c") and "-c" in row.command_options


def _skip_operands(row: Row, words: list[str], index: int, scopes: list[str]) -> tuple[list[str], list[str]]:
    """Skip the wrapper's operands at ``index`` and any options after them.

    Return the wrapped command, and ``scopes`` with the scopes that the first operand and the options name.
    """
    operands = words[index : index + row.operand_count]
    index += row.operand_count
    # A machine is identified by its name, without the user name.
    scope_names = (
        [*scopes, *(operand.rpartition("@")[2] if row.takes_shell_line else operand for operand in operands[:1])]
        if row.names_scope
        else list(scopes)
    )
    while row.operand_count and index < len(words) and words[index][:1] == "-":  # kubectl exec POD -c NAME -- COMMAND
        index += 1 if words[index] == "--" else _count_option_words(row, words, index, scope_names)
    return words[index:], scope_names


def _count_option_words(row: Row | None, words: list[str], index: int, scopes: list[str]) -> int:
    """Return the number of words of an option and its value. If the option names a scope, add the scope to ``scopes``."""
    word, next_word = words[index], words[index + 1 : index + 2]
    if row is None:
        return 1
    name, has_value, value = word.partition("=")
    if has_value and name in row.scope_options:
        scopes.append(value)
    elif word in row.value_options:
        scopes += next_word if word in row.scope_options else []
        return 2
    elif word in row.number_options:
        return 2 if next_word and next_word[0].isdecimal() else 1
    elif word[:2] in row.scope_options and word[1:2] != "-":
        scopes.append(word[2:])
    return 1


def get_program(words: list[str]) -> str:
    """Return the program's name without its folder and ``.exe``; ``python3`` for ``python3.11``."""
    name = re.split(r"[/\\]", words[0])[-1][:60].removesuffix(".exe")
    return "python3" if name[:6] == "python" and _PYTHON.match(name) and name[:7] != "python2" else name


def get_operands(words: list[str]) -> tuple[list[str], list[str]]:
    """Return the words that are neither options nor values of options, and the scopes that the command names."""
    name: tuple[str, ...] = (get_program(words),)
    row = TABLE.get(name)
    operands: list[str] = []
    scopes: list[str] = []
    index = 1
    while index < len(words):
        word = words[index]
        if word == "--":
            operands += [operand for operand in words[index + 1 :] if operand and operand[0] != "-"]
            break
        if word[:1] == "-":
            index += (
                1
                if row and row.lists_only_leading_options and operands
                else _count_option_words(row, words, index, scopes)
            )
            continue
        index += 1
        if word:
            operands.append(word)
        if not word or (*name, word) not in NAME_PREFIXES or len(operands) > len(name):
            continue
        name = (*name, word)
        row = TABLE.get(name, row)
        if name in TABLE and TABLE[name].names_scope and not TABLE[name].is_wrapper:  # yarn workspace NAME COMMAND
            scopes += words[index : index + 1]
            operands.pop()
            index += 1
    return operands, scopes


def is_expression(words: list[str]) -> bool:
    """Return whether these words are a shell's value or expression, which runs no program."""
    first = words[0]
    if first[:1] == "$" and len(words) == 1 and first.isupper():  # a shell variable that holds the program
        return first == "$LASTEXITCODE"
    return _EXPRESSION.match(first) is not None and not (first[:1] == "$" and first[1:].isupper())
