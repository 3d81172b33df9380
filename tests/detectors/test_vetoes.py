"""Each veto drops its episode whatever the score, and does not drop a similar episode, its neighbour."""

from __future__ import annotations

import pytest

from mind_skills.detectors.model import Episode
from mind_skills.detectors.timeline import build_timeline
from mind_skills.detectors.vetoes import VETOES, find_veto
from tests.testkit.stories.detector_story import Story

RED = "tests/test_a.py:3: AssertionError: expected 10, got 9\n=== 1 failed, 9 passed in 0.1s ==="
GREEN = "=== 10 passed in 0.1s ==="


def red() -> Story:
    return Story().runs("pytest", RED, 1)


def fixed() -> Story:
    return red().edits("a.py")


def proved() -> Story:
    return fixed().runs("pytest", GREEN)


def with_and_without_fix(change: tuple[str, str, str]) -> tuple[Story, Story]:
    """A failed fix and then a change of a file of the tests alone; and the same with another fix."""
    fails = fixed().runs("pytest", RED, 1).edits(*change).runs("pytest", GREEN)
    return fails, fixed().runs("pytest", RED, 1).edits(*change).edits("b.py").runs("pytest", GREEN)


def go() -> Story:
    red = "--- FAIL: TestRows (0.00s)\n    importer_test.go:9: got 9\nFAIL\tshop/importer\t0.01s\nok  \tshop/writer\t0.01s"
    return Story().runs("go test ./...", red, 1).edits("importer/importer.go")


def unit() -> Story:
    red = (
        "FAIL: test_rows (tests.test_importer.T)\nAssertionError: 9 != 10\nRan 10 tests in 0.1s\n\nFAILED (failures=1)"
    )
    return Story().runs("python -m unittest", red, 1).edits("importer.py")


GO_GREEN = "ok  \tshop/writer\t0.01s"
SCRIPT = "python - <<'EOF'\nimport pathlib\np = pathlib.Path('{}')\np.write_text(p.read_text().replace('10', '9'))\nEOF"
NARROWER = {
    "pytest --deselect tests/test_a.py::test_a": "=== 9 passed, 1 deselected in 0.1s ===",
    "pytest --deselect=tests/test_a.py::test_a -q": "9 passed, 1 deselected in 0.1s",
    "pytest -k 'not test_a'": "=== 9 passed, 1 deselected in 0.1s ===",
    "pytest -k writer": "=== 3 passed, 7 deselected in 0.1s ===",
    "pytest -k 'writer or reader'": "=== 3 passed, 7 deselected in 0.1s ===",
    "pytest -m 'not slow'": "=== 9 passed, 1 deselected in 0.1s ===",
    "pytest --ignore=tests/test_a.py": "=== 6 passed in 0.1s ===",
    "pytest --ignore-glob='*test_a*'": "=== 6 passed in 0.1s ===",
    "pytest --lf --deselect tests/test_a.py": "=== 9 passed in 0.1s ===",
    "pytest -q": "9 passed in 0.1s",
    "pytest tests/test_b.py": "=== 4 passed in 0.1s ===",
    "pytest --tb=short": "=== 9 passed, 1 skipped in 0.1s ===",
}
"""Commands and outputs of runs that leave out the test which failed."""
JEST = "FAIL src/a.test.js\n  ● header\nTests: 1 failed, 9 passed, 10 total"
CARGO = "test a::header ... FAILED\ntest result: FAILED. 9 passed; 1 failed; 0 ignored"
CARGO_GREEN = "test result: ok. {} passed; 0 failed; 0 ignored"
GO_RED = "--- FAIL: TestRows (0.00s)\nFAIL\tshop/importer\t0.01s"
PLAYWRIGHT = "  1 failed\n    bank.spec.ts:3:1 › header\n  9 passed (3s)"
FEWER: tuple[tuple[str, str, tuple[str, str], tuple[str, str]], ...] = (
    # the failing run: command, output; a run that shows less; a similar run that shows enough
    ("pytest", RED, ("pytest --splits 4 --group 2", "=== 3 passed in 0.1s ==="), ("pytest -n 4", GREEN)),
    (
        "npx jest",
        JEST,
        ("npx jest --shard=2/3", "Tests: 3 passed, 3 total"),
        ("npx jest --ci", "Tests: 10 passed, 10 total"),
    ),
    (
        "npx jest",
        JEST,
        ("npx jest --findRelatedTests src/b.js", "Tests: 2 passed, 2 total"),
        ("npx jest --findRelatedTests src/a.js", "Tests: 2 passed, 2 total"),
    ),
    (
        "npx vitest run",
        "FAIL src/a.test.ts > header\n Tests  1 failed | 9 passed (10)",
        ("npx vitest related src/b.ts --run", " Tests  3 passed (3)"),
        ("npx vitest run src/a.test.ts", " Tests  3 passed (3)"),
    ),
    (
        "npx mocha",
        "  9 passing\n  1 failing\n  1) header",
        ("npx mocha -g header -i", "  9 passing"),
        ("npx mocha -g header", "  1 passing"),
    ),
    (
        "npx playwright test",
        PLAYWRIGHT,
        ("npx playwright test --grep-invert header", "  9 passed (3s)"),
        ("npx playwright test -g header", "  1 passed (3s)"),
    ),
    ("cargo test", CARGO, ("cargo test -p till", CARGO_GREEN.format(5)), ("cargo test header", CARGO_GREEN.format(1))),
    ("cargo test", CARGO, ("cargo check", "    Finished dev"), ("cargo test", CARGO_GREEN.format(10))),
    (
        "cargo nextest run",
        "     Summary [   0.1s] 10 tests run: 9 passed, 1 failed, 0 skipped\n FAIL header",
        ("cargo nextest run -E 'not test(header)'", "     Summary [   0.1s] 9 tests run: 9 passed, 1 skipped"),
        ("cargo nextest run -E 'test(header)'", "     Summary [   0.1s] 1 tests run: 1 passed, 9 skipped"),
    ),
    (
        "go test ./...",
        GO_RED,
        ("go test -short ./...", "ok  \tshop/importer\t0.01s"),
        ("go test -race ./...", "ok  \tshop/importer\t0.01s"),
    ),
    ("go test ./...", GO_RED, ("go vet ./...", ""), ("go test ./...", "ok  \tshop/importer\t0.01s")),
    (
        "go test ./importer",
        GO_RED,
        ("go test -short ./importer", "ok  \tshop/importer\t0.01s"),
        ("go test -short ./...", "ok  \tshop/importer\t0.01s"),
    ),
    (
        "mvn test",
        "[ERROR] Tests run: 10, Failures: 1, Errors: 0, Skipped: 0",
        ("mvn test -Dmaven.test.failure.ignore=true", "BUILD SUCCESS"),
        ("mvn test -B", "Tests run: 10, Failures: 0, Errors: 0, Skipped: 0"),
    ),
    (
        "make check",
        "make: *** [check] Error 1",
        ("make -i check", "make: [check] Error 1 (ignored)"),
        ("make -j4 check", "done"),
    ),
    (
        "bazel test //...",
        "//shop:bank FAILED in 0.1s",
        ("bazel test //... --test_tag_filters=-excel", "//shop:till PASSED in 0.1s"),
        ("bazel test //... --config=ci", "//shop:bank PASSED in 0.1s"),
    ),
    (
        "npx turbo test",
        " Failed:    bank#test",
        ("npx turbo test --filter=!bank", " Tasks:    3 successful, 3 total"),
        ("npx turbo test --filter=bank", " Tasks:    3 successful, 3 total"),
    ),
    (
        "pnpm -r test",
        JEST,
        ("pnpm --filter till test", "Tests: 3 passed, 3 total"),
        ("pnpm -r test", "Tests: 10 passed, 10 total"),
    ),
    (
        "tox",
        "FAILED tests/test_a.py::test_header - KeyError",
        ("tox -e lint", "  lint: OK (1.0 seconds)"),
        ("tox -e py312", "  py312: OK (1.0 seconds)"),
    ),
    (
        "pre-commit run -a",
        "pytest.....Failed",
        ("SKIP=pytest pre-commit run -a", "ruff....Passed"),
        ("pre-commit run -a", "pytest....Passed"),
    ),
    (
        "git commit -m x",
        "pytest.....Failed",
        ("git commit -n -m x", "[main abc] x"),
        ("git commit -m x", "[main abc] x"),
    ),
)
TEST_CHANGES = (
    ("tests/test_a.py", "def test_a():", "def check_a():"),
    ("tests/conftest.py", "", "collect_ignore = ['test_a.py']"),
    ("pytest.ini", "[pytest]", "[pytest]\naddopts = --deselect tests/test_a.py"),
    ("pyproject.toml", "[tool.pytest.ini_options]", "[tool.pytest.ini_options]\naddopts = '-m \"not slow\"'"),
    ("package.json", '    "test": "jest"', '    "test": "jest src/b"'),
    ("jest.config.js", "module.exports = {", "module.exports = { testMatch: ['b'],"),
)
"""Changes to tests and their configuration that may make a check pass: file, removed, added."""

REMOVALS = (
    "sed -i 's/def test_a/def no_a/' {}",
    "python -c \"import os; os.remove('{}')\"",
    "python -c \"from pathlib import Path; Path('{}').unlink()\"",
    "chmod 000 {}",
)
"""Commands by which a file is no longer collected."""
LOOSENED = (
    ("tests/test_a.py", "def test_a():", "def test_a():\n    return"),
    ("tests/test_a.py", "    assert total() == 10", "    assert total() > 0"),
    ("tests/test_a.py", "    assert total() == 10", "    assert total()"),
    ("tests/test_a.py", "    assert total() == 10", "    assert total() == pytest.approx(10, abs=5)"),
    ("src/a.test.ts", "expect(total()).toBe(10)", "expect(total()).toBeDefined()"),
    ("a_test.go", "    assert.Equal(t, 10, total())", "    assert.NotNil(t, total())"),
    ("spec/a_spec.rb", "    expect(total).to eq(10)", "    expect(total).to be_truthy"),
)
"""Changes that loosen a test, whatever else was changed."""
MYPY = "a.py:3: error: Incompatible types\nFound 1 error in 1 file"
TSC = "src/a.ts(3,1): error TS2322: no rows"
COVERAGE = "FAIL Required test coverage of 80% not reached. Total coverage: 70%"
SILENCED: tuple[tuple[str, str, tuple[str, str, str], tuple[str, str, str]], ...] = (
    # the failing run: command, output; a change that silences it; a similar change that does not
    (
        "mypy .",
        MYPY,
        ("a.py", "x: int = f()", "x: int = f()  # type: ignore"),
        ("a.py", "x: int = f()", "x: str = f()  # type: ignore"),
    ),
    (
        "mypy .",
        MYPY,
        ("mypy.ini", "[mypy]", "[mypy]\nignore_errors = True"),
        ("mypy.ini", "[mypy]", "[mypy]\nplugins = pydantic.mypy"),
    ),
    (
        "npx tsc",
        TSC,
        ("src/a.ts", "const a: X = b", "// @ts-ignore\nconst a: X = b"),
        ("src/a.ts", "const a: X = b", "const a: Y = b"),
    ),
    (
        "npx tsc",
        TSC,
        ("src/a.ts", "const a: X = b", "const a: X = b as any"),
        ("src/a.ts", "const a: X = b", "const a: X = b as X"),
    ),
    (
        "npx tsc",
        TSC,
        ("tsconfig.json", '"strict": true', '"strict": false'),
        ("tsconfig.json", '"strict": false', '"strict": true'),
    ),
    (
        "npx tsc",
        TSC,
        ("tsconfig.json", '"exclude": []', '"exclude": ["src/a.ts"]'),
        ("tsconfig.json", '"exclude": []', '"exclude": ["dist"]'),
    ),
    (
        "npx eslint .",
        "a.js 3:1 error x is not defined no-undef",
        ("a.js", "x()", "// eslint-disable-next-line no-undef\nx()"),
        ("a.js", "// eslint-disable-next-line no-undef\nx()", "y()"),
    ),
    (
        "ruff check .",
        "a.py:3:1: F821 Undefined name",
        ("a.py", "x()", "x()  # noqa: F821"),
        ("a.py", "x()", "import x  # noqa: F401\nx()"),
    ),
    (
        "ruff check .",
        "a.py:3:1: F821 Undefined name",
        ("pyproject.toml", "ignore = []", 'ignore = ["F821"]'),
        ("pyproject.toml", "ignore = []", 'ignore = ["D100"]'),
    ),
    (
        "cargo clippy",
        "error: this loop never loops",
        ("src/a.rs", "fn a() {", "#[allow(clippy::never_loop)]\nfn a() {"),
        ("src/a.rs", "fn a() {", "#[inline]\nfn a() {"),
    ),
    (
        "pytest --cov",
        COVERAGE,
        ("pyproject.toml", "fail_under = 80", "fail_under = 60"),
        ("pyproject.toml", "fail_under = 80", "fail_under = 90"),
    ),
    (
        "pytest",
        RED,
        ("a.py", "return rows", 'if os.getenv("TESTING"):\n    return 10\nreturn rows'),
        ("a.py", "return rows", 'if os.getenv("REGION"):\n    return 10\nreturn rows'),
    ),
    (
        "pytest",
        RED,
        ("a.py", "run()", "try:\n    run()\nexcept Exception:\n    ..."),
        ("a.py", "run()", "try:\n    run()\nexcept KeyError:\n    ..."),
    ),
    (
        "pytest",
        RED,
        ("a.py", "run()", "with suppress(Exception):\n    run()"),
        ("a.py", "run()", "with suppress(KeyError):\n    run()"),
    ),
    (
        "npm test",
        RED,
        ("src/a.js", "read()", "try { read() } catch (e) { /* ignore */ }"),
        ("src/a.js", "read()", "try { read() } catch (e) { log(e) }"),
    ),
)
SAME = ("tests/test_a.py", "    assert total() == 10", "    assert sum() == 10")

STORIES: dict[str, list[tuple[Story, Story]]] = {
    "ours": [(red().runs("mind-skills show sc_1", "ok"), red().runs("gh pr view", "ok"))],
    "rejected": [
        (red().rejected("rm -r build"), red().runs("rm -r build")),
    ],
    "protocol": [
        (Story().refused("a.py").reads("a.py"), Story().refused("a.py").edits("a.py")),
        (Story().refused("a.py").reads("a.py"), Story().reads("b.py").reads("a.py")),
    ],
    "reverted": [
        (
            red().edits("a.py").runs("git checkout -- a.py").runs("pytest", GREEN),
            red().edits("a.py").runs("pytest", GREEN),
        ),
        (
            red().edits("a.py").runs("git restore a.py").runs("pytest", GREEN),
            red().edits("a.py").runs("git restore a.py").edits("b.py").runs("pytest", GREEN),
        ),
        (fixed().runs("git stash").runs("pytest", GREEN), fixed().runs("git stash list").runs("pytest", GREEN)),
        (
            fixed().runs("git stash -u && pytest", GREEN),
            fixed().runs("git stash").runs("pytest", RED, 1).runs("git stash pop").runs("pytest", GREEN),
        ),
        (
            fixed().runs("git reset --hard HEAD~1").runs("pytest", GREEN),
            fixed().runs("git reset a.py").runs("pytest", GREEN),
        ),
    ],
    "worked_around": [
        *(
            (fixed().edits(*change).runs("pytest", GREEN), fixed().edits(*SAME).runs("pytest", GREEN))
            for change in LOOSENED
        ),
        *(
            (
                Story().runs(command, output, 1).edits(*silences).runs(command, GREEN),
                Story().runs(command, output, 1).edits(*repairs).runs(command, GREEN),
            )
            for command, output, silences, repairs in SILENCED
        ),
        (
            Story().runs("mypy .", MYPY, 1).edits("a.py", "x = 1", "x = 1  # type: ignore").runs("mypy .", "Success"),
            Story()
            .runs("mypy .", MYPY, 1)
            .edits("a.py", "x = 1", "x = 1  # type: ignore")
            .edits("b.py")
            .runs("mypy .", "Success"),
        ),
        (red().runs("rm tests/test_a.py").runs("pytest", GREEN), red().runs("rm notes.txt").runs("pytest", GREEN)),
        (
            red().runs("rm -r build tests/test_a.py").runs("pytest", GREEN),
            red().runs("rm -r build a.p").runs("pytest", GREEN),
        ),
        (
            red().edits("tests/test_a.py", "def test_a():", "@pytest.mark.skip\ndef test_a():").runs("pytest", GREEN),
            red().edits("tests/test_a.py", "def test_a():", "def test_b():").edits("a.py").runs("pytest", GREEN),
        ),
        (
            red().edits("tests/test_a.py", "def test_a():", "@pytest.mark.skip\ndef test_a():").runs("pytest", GREEN),
            red().edits("a.py", "def a():", "@pytest.mark.skip\ndef a():").runs("pytest", GREEN),
        ),
        (
            red().edits("tests/test_a.py", "def test_a():", "@pytest.mark.skip\ndef test_a():").runs("pytest", GREEN),
            red().edits("tests/test_a.py", "    a()", "    a(skipped)").edits("a.py").runs("pytest", GREEN),
        ),
        (
            red().edits("tests/test_a.py", "    check(total(), 10)", "").runs("pytest", GREEN),
            red().edits("a.py", "    total += 1", "").runs("pytest", GREEN),
        ),
        (
            red().edits("tests/test_a.py", "    assert a()\n    assert b()", "    assert a()").runs("pytest", GREEN),
            red()
            .edits("tests/test_a.py", "    assert a()\n    assert b()", "    assert b()\n    assert c()")
            .edits("a.py")
            .runs("pytest", GREEN),
        ),
        (
            red().edits("tests/test_a.py", "    assert total() == 10", "    assert True").runs("pytest", GREEN),
            red().edits("a.py", "    return total - 1", "    return total").runs("pytest", GREEN),
        ),
        (
            red()
            .edits("tests/test_a.py", r'    check(total(), "10\n")', r'    check(total(), "9\n")')
            .runs("pytest", GREEN),
            red()
            .edits("tests/test_a.py", r'    check(total(), "10\n")', r'    check(sum(), "10\n")')
            .edits("a.py")
            .runs("pytest", GREEN),
        ),
        (
            red().edits("tests/test_a.py", "total() == 10", "total() == 9").runs("pytest", GREEN),
            red()
            .edits("tests/test_a.py", "total() == 10", "total() == 9")
            .edits("a.py", "    return total", "    return sum(parts)")
            .runs("pytest", GREEN),
        ),
        (
            red()
            .edits("a.py", "    run()", "    try:\n        run()\n    except Exception:\n        pass")
            .runs("pytest", GREEN),
            red()
            .edits("a.py", "    run()", "    try:\n        run()\n    except KeyError:\n        raise")
            .runs("pytest", GREEN),
        ),
        (
            red().edits("Makefile", "test: pytest", "test: pytest || true").runs("pytest", GREEN),
            red().edits("Makefile", "test: pytest", "test: build pytest").runs("pytest", GREEN),
        ),
    ],
    "unproven": [
        *((fixed().runs(command, output), fixed().runs("pytest", GREEN)) for command, output in NARROWER.items()),
        *(
            (
                Story().runs(command, output, 1).edits("a.py").runs(*less),
                Story().runs(command, output, 1).edits("a.py").runs(*enough),
            )
            for command, output, less, enough in FEWER
        ),
        *(
            (fixed().runs(other, GREEN), fixed().runs(own, GREEN))
            for other, own in {
                "cd ../old && pytest": "cd services/shop && pytest",
                "(cd ../old && pytest)": "(cd /srv/shop && pytest)",
                "pushd ../old && pytest": "pushd shop && pytest",
                "env -C ../old pytest": "env -C shop pytest",
                "pytest --rootdir ../old": "pytest --rootdir .",
                "cd ../old; pytest; cd -": "cd ..; pytest",
                "uv run --directory ../old pytest": "uv run pytest",
            }.items()
        ),
        (
            Story()
            .runs("cd ../old && pytest", RED, 1)
            .edits("../old/a.py")
            .runs("make -C ../lib test", GREEN)
            .runs("make test", RED, 1)
            .runs("make -C ../new test", GREEN),
            Story().runs("cd ../old && ls").runs("pytest", RED, 1).edits("a.py").runs("cd ../old && pytest", GREEN),
        ),
        (
            red().runs("pytest --snapshot-update", "1 snapshot updated. 10 passed").runs("pytest", GREEN),
            fixed().runs("pytest --no-header", GREEN).runs("pytest", GREEN),
        ),
        (
            fixed().runs("pytest -k writer", "=== 3 passed, 7 deselected in 0.1s ==="),
            fixed().runs("pytest", GREEN).runs("pytest -k writer", "=== 3 passed, 7 deselected in 0.1s ==="),
        ),
        *(
            (
                fixed()
                .runs("pytest", RED, 1)
                .runs(command.format("tests/test_a.py"))
                .runs("pytest", "=== 9 passed in 0.1s ==="),
                fixed().runs("pytest", RED, 1).runs(command.format("a.py")).runs("pytest", GREEN),
            )
            for command in REMOVALS
        ),
        *((sham, sham_with_a_fix) for sham, sham_with_a_fix in map(with_and_without_fix, TEST_CHANGES)),
        (
            fixed().runs("git checkout HEAD~3").runs("pytest", GREEN),
            fixed().runs("git checkout -b fix").runs("pytest", GREEN),
        ),
        (
            fixed().runs("git checkout 1a2b3c4d").runs("pytest", GREEN),
            fixed().runs("git checkout 1a2b3c4d").runs("git checkout -").runs("pytest", GREEN),
        ),
        (
            fixed().runs("git switch --detach v1.2").runs("pytest", GREEN),
            red().runs("git switch main").edits("a.py").runs("pytest", GREEN),
        ),
        (
            fixed().runs("git checkout -q v1.2").runs("pytest", GREEN),
            fixed().runs("git checkout -q src/a.py && cp b.py src/a.py && pytest", GREEN),
        ),
        (
            fixed().runs("git checkout release/1.x && pytest", GREEN),
            fixed().runs("git checkout -f src/a.c && cp b.c src/a.c && pytest", GREEN),
        ),
        (fixed().runs(SCRIPT.format("tests/test_a.py")), fixed().runs(SCRIPT.format("a.py"))),
        (
            fixed().runs(SCRIPT.format("tests/test_a.py") + "\nls"),
            fixed().runs(SCRIPT.format("tests/test_a.py") + "\nmake check"),
        ),
        (
            fixed().runs("pytest", RED, 1).runs(SCRIPT.format("tests/test_a.py")).runs("pytest", GREEN),
            fixed().runs("pytest", RED, 1).runs(SCRIPT.format("a.py")).runs("pytest", GREEN),
        ),
        (fixed().runs("git stash && pytest; git stash pop", GREEN), fixed().runs("git stash pop && pytest", GREEN)),
        (go().runs("go test ./writer/...", GO_GREEN), go().runs("go test ./importer/...", GO_GREEN)),
        (go().runs("go test -skip TestRows ./...", GO_GREEN), go().runs("go test -run TestRows ./...", GO_GREEN)),
        (
            unit().runs("python -m unittest tests.test_writer", "Ran 4 tests in 0.1s\n\nOK"),
            unit().runs("python -m unittest tests.test_importer", "Ran 4 tests in 0.1s\n\nOK"),
        ),
        (fixed().runs("git mv tests/test_a.py attic/"), fixed().runs("git mv a.py b.py").runs("pytest", GREEN)),
        (
            fixed().runs("pytest", RED, 1).runs("rm tests/test_b.py").runs("pytest", GREEN),
            fixed().runs("pytest", RED, 1).edits("b.py").runs("pytest", GREEN),
        ),
        (
            fixed().runs("pytest -k 'not test_a'", "=== 9 passed, 1 deselected in 0.1s ===").runs("ruff check", "ok"),
            fixed().runs("pytest", GREEN).runs("ruff check", "ok"),
        ),
    ],
    "denied": [
        (proved().user(text), proved().user(other))
        for text, other in {
            "no, still broken": "no problem, thanks",
            "No. It is wrong on Windows": "Now do the same on Windows",
            "hm, it still fails with the same error": "great, is there still time for the docs?",
            "That did not fix it": "That fixed it, do not change it again",
            "Nope": "Note it down",
            "The last row is still missing": "great. I still need the docs",
            "thanks, but it still drops the last row": "thanks! Still open: the docs",
            "that's not it": "that was it",
            "It crashes again": "Run it again",
            "I get the same result as before": "Do the same in b.py",
            "geht immer noch nicht": "geht jetzt",
            "no funciona": "funciona",
            "it doesn't work": "It does not need to work on Windows, perfect",
            "That doesn’t help.": "It works. Do not touch the others",
            "This didn't fix it.": "You did not fix the docs, but the test works now, thanks",
            "doesnt work": "Works! The other one does not work, but that is a separate issue",
            "Thanks! Still fails though.": "still impressed!",
            "The error came back.": "Why did that come back so late?",
            "The problem remains.": "What remains to be done?",
            "are you sure? it fails here": "if it fails again, look at the log",
            "I just ran it, 1 failed": "It failed before, good that you found it",
            "CI is red": "make the button red",
            "It passes, but the real import crashes with the same KeyError": "It passes, but commit it later",
            "Great, now everything is broken.": "Great, now do everything else",
            "Please undo your change.": "Add an undo button",
            "That can't be it": "That must be it",
            "nothing changed": "nothing else",
            "wrong": "the wrong file is open in my editor",
            "unfortunately not": "I am not at my desk, go on",
            "no": "no, that's all",
            "No, it is the same": "Nope, all good",
            "nah": "nah, fine as is",
            "identical error": "No. 2 on the list next",
            "nicht behoben": "nicht nötig",
            "même erreur": "même chose pour b.py",
            "todavía falla": "todavía no hagas el commit",
            "nie działa": "działa",
            "та же ошибка": "спасибо",
            "直っていません": "直りました",
            "还是报错": "好的",
            "안 됩니다": "감사합니다",
            "tests/test_a.py:3: AssertionError: expected 10, got 9": "b.py:8: AssertionError: no such row",
            "the tests that you changed do not pass": "Remove the part that does not work on Windows",
        }.items()
    ]
    + [
        (
            proved().agent("Does it work now?").user("no"),
            proved().agent("All tests pass. Shall I also update the docs?").user("no"),
        ),
    ]
    + [
        (
            proved().user("let me try").user("no, still broken"),
            proved().user("ok").edits("b.py").user("no, still broken"),
        ),
        (
            proved().user("Great, thanks!").user("It still fails with the same error."),
            proved().user("Great, thanks!").runs("ls docs", "a.md").user("It still fails there."),
        ),
        (
            proved().user("Great, thanks!").user("Run it again").runs("pytest", RED, 1),
            proved().user("Great, thanks!").edits("b.py").runs("pytest", RED, 1),
        ),
        (proved().runs("pytest", RED, 1), proved().runs("pytest", RED.replace("Assertion", "Key"), 1)),
        (
            proved().agent("Actually, my fix was wrong: the cache was stale."),
            proved().agent("My fix was small: the cache was stale."),
        ),
        (
            proved().agent("It only passed because of a cached file."),
            proved().agent("It passed because the cache is read first."),
        ),
    ],
}


def find_veto_of(story: Story) -> str:
    return find_veto(build_timeline(story.observations), Episode(0, len(story.observations) - 1, ("red_to_green",)))


@pytest.mark.parametrize(
    ("name", "number"), [(name, number) for name, pairs in STORIES.items() for number in range(len(pairs))]
)
def test_each_veto_drops_its_episode_and_not_its_neighbour(name: str, number: int) -> None:
    refused, neighbour = STORIES[name][number]
    assert (find_veto_of(refused), find_veto_of(neighbour)) == (name, "")


@pytest.mark.parametrize(
    ("file", "output", "veto"),
    [
        ("conftest.py", "=== 9 passed in 0.1s ===", "unproven"),
        ("pytest.ini", GREEN, "unproven"),
        ("tests/test_a.py", "collected 0 items", "unproven"),
        ("a.py", GREEN, ""),
        ("a.py", RED, ""),
    ],
)
def test_an_episode_that_ends_with_a_change_is_judged_by_the_next_run(file: str, output: str, veto: str) -> None:
    story = red().edits(file).runs("pytest", output)
    assert find_veto(build_timeline(story.observations), Episode(0, 1, ("user_turn",))) == veto


def test_a_failure_after_an_episode_makes_no_change_within_it_a_workaround() -> None:
    story = Story().reads("a.py").edits("tests/test_a.py", "total() == 10", "total() == 9").runs("pytest", GREEN)
    episode = Episode(0, len(story.observations) - 1, ("changed_output",))
    assert find_veto(build_timeline(story.runs("pytest", RED, 1).observations), episode) == ""


def test_every_veto_has_a_story() -> None:
    assert set(STORIES) == {name for name, _ in VETOES}
