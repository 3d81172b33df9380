"""A command is named by the program that does the work and by the package or machine that it is for, whatever wraps it."""

from __future__ import annotations

import pytest

from mind_skills.observations.commands import is_check, is_same_command, normalise

NAMED = [
    ("pnpm --filter @x/y test", "pnpm test [@x/y]"),
    ("pnpm --filter=@x/y run test:unit", "pnpm run test:unit [@x/y]"),
    ("pnpm -r test", "pnpm test"),
    ("npm -w packages/a run build", "npm run build [packages/a]"),
    ("npm run test -w a -- --watch=false", "npm run test [a]"),
    ("npm --prefix web test", "npm test [web]"),
    ("yarn workspace a test", "yarn test [a]"),
    ("turbo run test --filter=web", "turbo run test [web]"),
    ("make -C sub test", "make test [sub]"),
    ("make -j4 -Csub CC=clang test", "make test [sub]"),
    ("make -j test", "make test"),
    ("make -j 4 test", "make test"),
    ("cargo +nightly test -p core --features full", "cargo test [core]"),
    ("mvn -pl core -q test", "mvn test [core]"),
    ("./gradlew :app:test", "gradlew :app:test"),
    ("uv run --with pytest-x -p 3.12 pytest -k a", "pytest"),
    ("uv run python -m pytest", "pytest"),
    (".venv/bin/python3.11 -W ignore -m coverage run -m pytest", "pytest"),
    ("PYTHONPATH=. uvx --from ruff ruff check .", "ruff check"),
    ("poetry -C sub run pytest", "pytest [sub]"),
    ("bundle exec rake spec", "rake spec"),
    ("npx -p typescript tsc --noEmit", "tsc"),
    ("mise exec node@20 -- npm test", "npm test"),
    ("fnm exec --using 20 npm test", "npm test"),
    ("nix develop .#x -c npm test", "npm test"),
    ("nix develop --command bash -c 'make check'", "make check"),
    ('nix-shell -p nodejs --run "npm test"', "npm test"),
    ("docker exec -it -u root web pytest -x", "pytest [web]"),
    ("docker compose -f a.yml exec -T web npm test", "npm test [web]"),
    ("docker compose run --rm -e A=b app bundle exec rspec", "rspec [app]"),
    ("docker compose up -d", "docker compose up"),
    ("kubectl exec -n a pod-1 -c c -- pytest", "pytest [pod-1]"),
    ("ssh -p 22 user@host 'cd /srv && make test'", "make test [host]"),
    ("ssh host uptime -p", "uptime [host]"),
    ("bash -lc 'cd a && npm test'", "npm test"),
    ("sudo -u bob timeout -k 5 60 env -u X A=b go test ./...", "go test"),
    ("cd x && z y && pytest", "pytest"),
    ("git ls-files | xargs -n 10 prettier --check", "prettier"),
    ("find . -name x | xargs grep foo", "find"),
    ("git -C /r -c a=b commit -C HEAD", "git commit"),
    ('$env:CI="1"; npm test', "npm test"),
    ("for f in a b; do\n  node $f\ndone", "node $f"),
    ("timeout 60", "timeout"),
    ("bash run.sh -c x", "bash run.sh"),
]


@pytest.mark.parametrize(("command", "signature"), NAMED, ids=[command[:50] for command, _ in NAMED])
def test_a_signature_names_the_program_that_does_the_work_and_its_package_or_machine(
    command: str, signature: str
) -> None:
    assert normalise(command).signature == signature


def test_the_same_script_of_two_packages_is_two_commands() -> None:
    one, other = normalise("pnpm --filter a test").signature, normalise("pnpm --filter b test").signature
    assert [is_same_command(one, other), is_same_command(one, one), is_check(one)] == [False, True, True]


def test_the_name_of_a_package_does_not_make_a_command_a_check() -> None:
    assert not is_check(normalise("pnpm --filter test-utils dev").signature)


def test_a_pipe_hides_the_status_inside_a_nested_shell_command_too() -> None:
    assert [
        normalise(line).hides_status for line in ("bash -c 'make | tail'", "bash -c make | tail", "ssh h make")
    ] == [
        True,
        True,
        False,
    ]


def test_a_deeply_nested_shell_command_is_recognised_as_a_run() -> None:
    line = "make"
    for _ in range(6):
        line = f"ssh h {line!r}" if "'" not in line else f"sh -c {line}"
    assert normalise(line).action == "run"


SHELL_OF_WINDOWS = [
    ("$found = Get-Content a.txt; npm test", "npm test"),
    ("git commit -m @'\nfix: this\n\nnpm test is green\n'@; git push", "git commit && git push"),
    ("./build.ps1 `\n  -Out b `\n  -Force", "build.ps1"),
    ("(Get-Content a.txt) -replace 'a', 'b'; npm test", "npm test"),
    ('$x.Count; $LASTEXITCODE; [Environment]::NewLine; "all of it"; npm test', "npm test"),
    ("& 'C:\\Program Files\\node\\node.exe' a.js", "node a.js"),
    ("$PY -m pytest", "$PY pytest"),
    ("$note = 'all of it'; foreach ($x in $all) { npm test }", "npm test"),
    ("wsl.exe -d Ubuntu -- bash -lc 'cd a && npm test'", "npm test"),
    ("npx @biomejs/biome check .", "biome check"),
    ("end=$((SECONDS + 60)); npm test", "npm test"),
]


@pytest.mark.parametrize(
    ("command", "signature"), SHELL_OF_WINDOWS, ids=[command[:40] for command, _ in SHELL_OF_WINDOWS]
)
def test_variables_values_and_here_strings_are_no_programs(command: str, signature: str) -> None:
    assert normalise(command).signature == signature


def test_cmdlets_that_search_read_or_write_are_no_runs() -> None:
    lines = ["Get-Content a.txt | Select-String b", "Get-ChildItem", "Set-Content a.txt b", "npm test"]
    assert [normalise(line).action for line in lines] == ["search", "read", "write", "run"]
