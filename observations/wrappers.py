"""Which programs run another one, and which options take a value: the table by which the words of a command are taken apart.

A row is a program with the words that belong to its name, then options and operands:

``--name -n``   these options take the next word as their value
``-j?``         this one takes it where it is a number
``@--filter``   its value names the part of a project, or the machine, at which the command is aimed: two of them are two commands
``1`` ``@1``    so many operands stand before the command that it runs; with ``@`` the first of them is such a name
``>-c``         the command stands behind this option; without it nothing is run
``|``           its options stand before its first word; behind that the same letters mean something else
``$``           the rest is a line of shell, as after ``>`` whenever it is a single word

Rows of ``_WRAPPERS`` run another program, those of ``_PROGRAMS`` do the work themselves. Options that take no value need no
entry. Source: the manuals of these programs. One that is missing makes two commands look different, never the same.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from mind_skills.redaction.lazy_pattern import compile_later

_MARKS = frozenset(";&()\n|<>")
"""What an operator begins with."""
_OPERATORS = frozenset({"&&", "||", ";", "&", "\n", "(", ")", ";;", "|&"})
_TOKEN = compile_later(
    r"[();<>|&\n]++|(?:[^ \t\r();<>|&\n'\"\\]++|'[^']*+'|\"[^\"\\]*+(?:\\.[^\"\\]*+)*+\"|\\.)++|['\"\\]", re.DOTALL
)
"""Operators, or a word with all its quoted parts, or a quote that nothing closes."""
_WORD = compile_later(r"(?:[^ \t\r\n'\"\\]++|'[^']*+'|\"[^\"\\]*+(?:\\.[^\"\\]*+)*+\"|\\.)++|['\"\\]", re.DOTALL)
"""The same where nothing is an operator."""
_STRAY = ("'", '"', "\\")
_PIECE = compile_later(r"'([^']*+)'|\"([^\"\\]*+(?:\\.[^\"\\]*+)*+)\"|\\(.)|([^'\"\\]++)", re.DOTALL)
_ESCAPED = compile_later(r"\\([\"\\])")


def words(text: str) -> list[str]:
    """The words of a text, without their quotes; parted by blanks alone where a quote is not closed."""
    found = _read(_WORD, text)
    return text.split() if found is None else found


def _tokens(text: str) -> list[str]:
    """Words without their quotes, and operators."""
    found = _read(_TOKEN, text)
    # The shell would not run it, but its words still name it.
    return text.replace("\n", " ; ").split() if found is None else found


def _read(form: re.Pattern[str], text: str) -> list[str] | None:
    """What the form finds, without quotes; None where a quote is not closed."""
    found: list[str] = form.findall(text)
    quotes = [quote for quote in _STRAY if quote in text]
    if not quotes:
        return found
    if any(map(found.__contains__, quotes)):
        return None
    return [_unquoted(word) if any(map(word.__contains__, quotes)) else word for word in found]


def _unquoted(word: str) -> str:
    first = word[0]
    if first in "'\"" and word[-1] == first and word.count(first) == 2 and (first == "'" or "\\" not in word):
        return word[1:-1]  # nearly always the quotes are around the whole word
    return "".join(
        single or _ESCAPED.sub(r"\1", double) or escaped or plain
        for single, double, escaped, plain in _PIECE.findall(word)
    )


def segments(text: str) -> list[list[list[str]]]:
    """Commands of a list, each a pipeline of word lists."""
    stage: list[str] = []
    command = [stage]
    commands = [command]
    skip = False
    for word in _tokens(text):
        if skip:
            skip = False
        elif word[:1] not in _MARKS:
            if stage or not word.isdigit():
                stage.append(word)
        elif word in _OPERATORS or not word.strip(";&()\n"):
            stage = []
            command = [stage]
            commands.append(command)
        elif word == "|":
            stage = []
            command.append(stage)
        elif word.startswith((">", "<")) or word in ("&>", ">&", "&>>"):
            skip = True
        else:
            stage.append(word)
    return [command for command in commands if any(command)]


_WRAPPERS = """
sudo -u --user -g --group -p -C -h -r -t -T -D
doas -u -C
time -f --format -o --output
timeout -s --signal -k --kill-after 1
gtimeout -s --signal -k --kill-after 1
nice -n --adjustment
ionice -c -n --class --classdata
chrt 1
taskset 1
env -u --unset -C --chdir
stdbuf -i -o -e --input --output --error
nohup
setsid
command
exec -a
builtin
caffeinate -t -w
unbuffer
xvfb-run -n -s -e -f -w --server-args --server-num --error-file
strace -e -o -p -s -a -P
ltrace -e -o -p -s -a
flock -w --timeout -E -c 1
chroot @1
watch -n --interval
then
do
else
xargs -n -I -P -L -d -a -s -E --max-args --max-procs --max-lines --replace --delimiter --arg-file
parallel -j --jobs
cross-env
dotenv -e -f -v
dotenvx run -f --env-file -e
op run --env-file
doppler run -p -c --project --config
infisical run --env --path --projectId
aws-vault exec -d 1
direnv exec 1
npx -p --package
bunx -p --package
bun x -p --package
npm exec @-w @--workspace @--prefix -p --package
npm x @-w @--workspace @--prefix -p --package
pnpm exec @-F @--filter @-C @--dir
pnpm dlx --package
yarn exec
yarn dlx -p --package
uvx --from --with -p --python --with-requirements --with-editable --index --index-url --env-file
uv run --with --with-requirements --with-editable -p --python --extra --group --no-group --only-group --env-file --index \
--index-url --extra-index-url --cache-dir --link-mode @--package @--project @--directory
uv tool run --from --with -p --python
pipx run --spec --python --index-url
poetry run @-C @--directory @-P @--project
pdm run @-p @--project
hatch run
pipenv run
rye run @-p
pixi run -e --environment @--manifest-path
conda run -n --name -p --prefix --cwd
mamba run -n --name -p --prefix --cwd
micromamba run -n --name -p --prefix --cwd
bundle exec
rbenv exec
pyenv exec
nodenv exec
asdf exec
mise exec >-- >-c >--command -C --cd
mise x >-- >-c >--command -C --cd
volta run --node --npm --yarn
fnm exec --using
nvm exec 1
nvm run 1
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
docker container exec -u --user -w --workdir -e --env --env-file @1
docker run -u --user -w --workdir -e --env --env-file -v --volume -p --publish --name --network --net --entrypoint --platform \
--mount -h --hostname -m --memory --cpus -l --label --add-host --dns --gpus --shm-size --pull --restart --ulimit --cap-add \
--cap-drop --device --ip --tmpfs --security-opt @1
docker container run -u --user -w --workdir -e --env --env-file -v --volume -p --publish --name --network --entrypoint --platform @1
docker compose exec -u --user -w --workdir -e --env --index @1
docker compose run -u --user -w --workdir -e --env --env-from-file -v --volume -p --publish --name --entrypoint -l --label --pull @1
docker-compose exec -u --user -w --workdir -e --env --index @1
docker-compose run -u --user -w --workdir -e --env -v --volume -p --publish --name --entrypoint -l --label @1
podman exec -u --user -w --workdir -e --env --env-file @1
podman run -u --user -w --workdir -e --env --env-file -v --volume -p --publish --name --network --entrypoint --platform @1
kubectl exec -n --namespace -c --container --context --kubeconfig @1
oc exec -n --namespace -c --container --context @1
ddev exec @-s @--service -d --dir
lando ssh >-c -s --service
fly ssh console >-C >--command @-a @--app
flyctl ssh console >-C >--command @-a @--app
ssh -p -i -l -o -F -J -L -R -D -b -E -e -m -O -Q -S -W -w -B @1 $
vagrant ssh >-c >--command
su >-c -s --shell -g -G
script >-c
bash >-c -o -O --rcfile --init-file
sh >-c -o
zsh >-c -o
dash >-c -o
fish >-c
pwsh >-c >-Command >-command -File -ExecutionPolicy -WorkingDirectory
powershell >-c >-Command >-command -File -ExecutionPolicy
powershell.exe >-c >-Command >-command -File -ExecutionPolicy
cmd >/c
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
make @-C @--directory -f --file --makefile -j? -l? -I -o -W
gmake @-C @--directory -f --file --makefile -j? -l? -I -o -W
ninja @-C -j -k -l -f
cmake -S -B --build --preset -G -j --target --config
mise @-C @--cd -j --jobs -E --env
go @-C
cargo @-p @--package @--manifest-path -C --features -F --target --target-dir --profile --bin --test --example --bench -j --jobs \
--config --color --message-format -Z
uv @--project @--directory --config-file --cache-dir
poetry @-C @--directory @-P @--project
gradle @-p @--project-dir -b --build-file -c -I --init-script
gradlew @-p @--project-dir -b --build-file -c -I --init-script
mvn @-pl @--projects -f --file -P --activate-profiles -s --settings -T
mvnw @-pl @--projects -f --file -P --activate-profiles -s --settings -T
dotnet --verbosity -v -c --configuration -f --framework -r --runtime -o --output --filter --logger
docker | -H --host -c --context --config -l --log-level
docker compose -f --file -p --project-name --profile --env-file --project-directory --ansi
docker-compose -f --file -p --project-name --profile --env-file --project-directory
kubectl -n --namespace --context --kubeconfig --cluster -s --server -o --output
oc -n --namespace --context
helm -n --namespace --kube-context --kubeconfig -f --values
gh -R --repo --json --jq -q --template
terraform @-chdir
tofu @-chdir
aws --region --profile --output --query --endpoint-url
gcloud --project --region --zone --format --account
flutter -d --device-id
xcodebuild @-scheme @-project @-workspace -destination -configuration -sdk -derivedDataPath
swift @--package-path -c --configuration --filter
composer @-d @--working-dir
mix do
fly @-a @--app
flyctl @-a @--app
python | -W -X
python3 | -W -X
py | -W -X
tmux | -L -S -f -t
"""


class Row(NamedTuple):
    """What is known of a program and the words that belong to its name."""

    runs: bool
    """It runs another program."""
    valued: frozenset[str]
    numbered: frozenset[str]
    scopes: frozenset[str]
    before: frozenset[str]
    """Options behind which the command stands."""
    operands: int
    named: bool
    """The first operand names a part of the project, or a machine."""
    shell: bool
    first: bool
    """Its options are known before its first word only."""


def _row(words: list[str], runs: bool) -> Row:
    marked = [word for word in words if word[0] in "@>"]
    operand = next((word for word in words if word.lstrip("@").isdecimal()), "0")
    scopes = frozenset(word[1:] for word in marked if word[0] == "@" and not word[1:].isdecimal())
    before = frozenset(word[1:] for word in marked if word[0] == ">")
    numbered = frozenset(word[:-1] for word in words if word[0] == "-" and word[-1] == "?")
    valued = frozenset(word for word in words if word[0] == "-" and word[-1] != "?") | scopes
    return Row(
        runs, valued, numbered, scopes, before, int(operand.lstrip("@")), operand[0] == "@", "$" in words, "|" in words
    )


def _table() -> dict[tuple[str, ...], Row]:
    found: dict[tuple[str, ...], Row] = {}
    for text, runs in ((_PROGRAMS, False), (_WRAPPERS, True)):
        for line in text.strip().split("\n"):
            words = line.split()
            end = next((at for at, word in enumerate(words) if at and not word[0].isalpha()), len(words))
            if words[0].startswith("python") and words[1:2] == ["-m"]:  # an option that belongs to the name
                end = 2 if words[2:3] != ["coverage"] else 4
            found[tuple(words[:end])] = _row(words[end:], runs)
    return found


TABLE = _table()
BEGUN = frozenset(name[:length] for name in TABLE for length in range(1, len(name) + 1))
"""The beginnings of all names in it."""
SHELLS = frozenset("bash sh zsh dash fish pwsh powershell cmd".split())
_EXPRESSION = compile_later(
    r"\$\w+(?:\.|\Z)|\$env:|[-{+]|\[[\w.]+\]::|@[({]|\.\w+\Z|.*\s(?!.*\.(?:exe|cmd|bat)\Z)", re.DOTALL
)
"""A first word that names no program: a value of PowerShell, an operator, or a text."""
_PYTHON = compile_later(r"python[\d.]+\Z")


def inner_words(words: list[str]) -> tuple[Row, list[str], list[str]] | None:
    """The words that a wrapper runs, and the packages and machines that it names; None where these words wrap nothing."""
    name: tuple[str, ...] = (program_of(words),)
    found: tuple[Row, list[str], list[str]] | None = None
    scopes: list[str] = []
    at = 1
    while name in BEGUN:
        row = TABLE.get(name)
        while at < len(words) and words[at][:1] == "-" and (*name, words[at]) not in BEGUN:
            if row and row.before and _behind(row, words[at]):
                return (row, words[at + 1 :], scopes) if words[at + 1 :] else None
            at += 1 if words[at] == "--" else _width(row, words, at, scopes)
        if row and row.runs:
            if row.before:
                if name[0] in SHELLS:  # the first word is a script of its own
                    return None
                begins = next((place for place in range(at, len(words)) if _behind(row, words[place])), len(words))
                found = (row, words[begins + 1 :], scopes)
            else:
                found = (row, *_behind_operands(row, words, at, scopes))
        if at >= len(words):
            break
        name, at = (*name, words[at]), at + 1
    return found if found and found[1] else None


def _behind(row: Row, word: str) -> bool:
    """Whether the command stands behind this option; the letters of several may be put together, as in ``-lc``."""
    if word in row.before:
        return True
    return "-c" in row.before and word[:1] == "-" and word[1:2] != "-" and word.endswith("c") and word[1:].isalpha()


def _behind_operands(row: Row, words: list[str], at: int, scopes: list[str]) -> tuple[list[str], list[str]]:
    operands = words[at : at + row.operands]
    at += row.operands
    # Of a machine its name tells it from others, and not who logs in there.
    named = (
        [*scopes, *(one.rpartition("@")[2] if row.shell else one for one in operands[:1])]
        if row.named
        else list(scopes)
    )
    while row.operands and at < len(words) and words[at][:1] == "-":  # kubectl exec POD -c NAME -- COMMAND
        at += 1 if words[at] == "--" else _width(row, words, at, named)
    return words[at:], named


def _width(row: Row | None, words: list[str], at: int, scopes: list[str]) -> int:
    """How many words an option takes; the package that it names is added to ``scopes``."""
    word, after = words[at], words[at + 1 : at + 2]
    if row is None:
        return 1
    name, given, value = word.partition("=")
    if given and name in row.scopes:
        scopes.append(value)
    elif word in row.valued:
        scopes += after if word in row.scopes else []
        return 2
    elif word in row.numbered:
        return 2 if after and after[0].isdecimal() else 1
    elif word[:2] in row.scopes and word[1:2] != "-":
        scopes.append(word[2:])
    return 1


def program_of(words: list[str]) -> str:
    """The name of the program, without its folder."""
    if not words:
        return ""
    name = re.split(r"[/\\]", words[0])[-1][:60].removesuffix(".exe")
    return "python3" if name[:6] == "python" and _PYTHON.match(name) and name != "python2" else name


def plain_words(words: list[str]) -> tuple[list[str], list[str]]:
    """The words of a command that are neither options nor their values, and the packages and folders that options name."""
    name: tuple[str, ...] = (program_of(words),)
    row = TABLE.get(name)
    plain: list[str] = []
    scopes: list[str] = []
    at = 1
    while at < len(words):
        word = words[at]
        if word == "--":
            plain += [each for each in words[at + 1 :] if each and each[0] != "-"]
            break
        if word[:1] == "-":
            at += 1 if row and row.first and plain else _width(row, words, at, scopes)
            continue
        at += 1
        if word:
            plain.append(word)
        if not word or (*name, word) not in BEGUN or len(plain) > len(name):
            continue
        name = (*name, word)
        row = TABLE.get(name, row)
        if name in TABLE and TABLE[name].named and not TABLE[name].runs:  # yarn workspace NAME COMMAND
            scopes += words[at : at + 1]
            plain.pop()
            at += 1
    return plain, scopes


def names_no_program(words: list[str]) -> bool:
    """Whether these words are a value or an expression of a shell, and run nothing."""
    first = words[0]
    if first[:1] == "$" and len(words) == 1 and first.isupper():  # a program that a variable of the shell names
        return first == "$LASTEXITCODE"
    return _EXPRESSION.match(first) is not None and not (first[:1] == "$" and first[1:].isupper())
