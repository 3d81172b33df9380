"""Which programs run another one, and which options take a value: the table by which a command line is taken apart.

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

from typing import NamedTuple

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
