import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.observations.commands import Command, is_check, is_same_command, normalise

PLAIN = [
    ("cmd /c npm test", Command("npm test", "", "run", False)),
    ('cmd.exe //c "npm test"', Command("npm test", "", "run", False)),
    ("powershell -NoProfile -Command npm test", Command("npm test", "", "run", False)),
    ("cmd build.bat", Command("cmd", "build.bat", "run", False)),
    ("cd /x && go test ./cmd/... 2>&1 | tail -20", Command("go test", "./cmd/...", "run", True)),
    ("FOO=1 sudo timeout 30 uv run pytest tests/x.py -k a", Command("pytest", "tests/x.py a", "run", False)),
    ("npx tsc --noEmit", Command("tsc", "", "run", False)),
    ("poetry run python -m pytest -x", Command("pytest", "", "run", False)),
    ("bun test src/a.test.ts > out.log 2>&1", Command("bun test", "src/a.test.ts", "run", False)),
    ("go test ./... | tee log.txt | grep FAIL", Command("go test", "./...", "run", True)),
    ("cat > a.py <<'EOF'\nprint('x && y')\nEOF\npython a.py", Command("python a.py", "", "run", False)),
    ("cat > a <<E\nEach && x\nE\ncat >> b <<E\nElse && y\nE\n./verify", Command("verify", "", "run", False)),
    ("git log -3; git check-ignore a", Command("git log && git check-ignore", "a", "read", False)),
    ("sed -i 's/a/b/' f.py", Command("sed", "s/a/b/ f.py", "edit", False)),
    ("sed -n '1,20p' f.py", Command("sed", "1,20p f.py", "read", False)),
    ('git add -A && git commit -m "fix: it\'s"', Command("git add && git commit", "fix: it's", "run", False)),
    ("git -C /repo status --short", Command("git status", "", "read", False)),
    ("gh pr edit 12 --body $'it\\'s\\nlong'", Command("gh pr edit", "12 text", "run", False)),
    ("# a note with 'one quote\ngh pr list", Command("gh pr list", "", "run", False)),
    ("grep -rn foo src | head", Command("grep", "foo src", "search", True)),
    ("for i in 1 2; do pytest; done", Command("pytest", "", "run", False)),
    ("rtk bun test", Command("rtk bun test", "", "run", False)),
    ("echo hi > a.txt", Command("", "", "write", False)),
    ("git log -1 --format='%an <%ae>' HEAD", Command("git log", "HEAD", "read", False)),
    ("command -v entire", Command("which", "entire", "read", False)),
    ("git config --get user.name", Command("git config", "user.name", "read", False)),
    ("test -f a.txt && echo there", Command("", "", "other", False)),
    ("node --test test/a.js", Command("node --test", "test/a.js", "run", False)),
    ("python manage.py test app -v 2", Command("python manage.py test", "app 2", "run", False)),
    ("python build/report.py data.csv", Command("python report.py", "data.csv", "run", False)),
    ("npm test | ConvertFrom-Json", Command("npm test", "", "run", True)),
    ("", Command("", "", "other", False)),
]


@pytest.mark.parametrize(("command", "expected"), PLAIN, ids=[command[:40] for command, _ in PLAIN])
def test_a_command_is_recognised_without_its_wrappers(command, expected):
    assert normalise(command) == expected


@given(st.text(max_size=300) | st.lists(st.sampled_from(list("ab \"'`$(){};&|<>\n\\#-=")), max_size=60).map("".join))
def test_no_command_makes_the_normaliser_raise(command):
    assert len(normalise(command)) == 4


def test_a_repetition_of_a_command_is_recognised():
    pairs = [
        ("go test", "go test"),
        ("go build && go test", "go test"),
        ("rtk bun test", "bun test"),
        ("gh pr edit", "gh pr view"),
        ("npm run lint", "npm run build"),
        ("", ""),
    ]
    assert [is_same_command(one, other) for one, other in pairs] == [True, True, True, False, False, False]


def test_comparing_two_commands_is_symmetric():
    names = ["go test", "go build && go test", "rtk bun test", "bun test", "gh pr edit", ""]
    assert [is_same_command(a, b) for a in names for b in names] == [
        is_same_command(b, a) for a in names for b in names
    ]


def test_tests_builds_linters_and_reproductions_are_checks():
    checks = [
        "go test",
        "npm run lint",
        "tsc",
        "cargo build",
        "python reproduce.py",
        "mise run test:ci",
        "golangci-lint run",
    ]
    others = ["gh pr edit", "git commit", "latest", "curl", "contest", ""]
    assert ([is_check(name) for name in checks], [is_check(name) for name in others]) == ([True] * 7, [False] * 6)
