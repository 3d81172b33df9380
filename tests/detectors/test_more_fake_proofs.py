"""More checks that prove nothing, written after the rules that judge them, and similar checks that are real proofs."""

from __future__ import annotations

import pytest

from tests.detectors.test_fake_proofs import GO, JEST, RED, is_proved

CARGO = "test result: FAILED. 9 passed; 1 failed; 0 ignored"
MAVEN = "[INFO] Tests run: 10, Failures: {}, Errors: 0, Skipped: 0"
TSC = "src/a.ts(3,1): error TS2322: no rows"
ERROR = "Traceback (most recent call last):\nAssertionError: expected 10 rows, got 9"

FAKES: dict[str, tuple[str, str, str, str]] = {
    "the last failed, of which more had failed": (
        "pytest",
        RED.replace("1 f", "2 f"),
        "pytest --lf",
        "=== 1 passed ===",
    ),
    "fewer without a plugin": ("pytest", RED, "pytest -p no:importer", "=== 9 passed in 0.1s ==="),
    "old tests": ("pytest", RED, "git checkout HEAD~3 -- tests/test_importer.py && pytest", "=== 10 passed ==="),
    "maven without tests": ("mvn verify", "Tests run: 10, Failures: 1", "mvn verify -DskipTests=true", "BUILD SUCCESS"),
    "maven, skipped by a property": (
        "mvn test",
        "Tests run: 10, Failures: 1",
        "mvn test -Dmaven.test.skip=true",
        "BUILD SUCCESS",
    ),
    "gradle, left out": (
        "gradle build",
        "10 tests completed, 1 failed",
        "gradle build -x test",
        "BUILD SUCCESSFUL in 1s",
    ),
    "gradle, from a cache": (
        "./gradlew check",
        "10 tests completed, 1 failed",
        "./gradlew check",
        "> Task :check UP-TO-DATE",
    ),
    "ninja": ("ninja test", "FAILED: test", "ninja test", "ninja: no work to do."),
    "a target that exists already": (
        "make check",
        "make: *** [check] Error 1",
        "make check",
        "make: Nothing to be done for 'check'.",
    ),
    "make --touch": ("make build", "importer.c:9: error: no rows", "make -t build", "touch build"),
    "make --question": ("make build", "importer.c:9: error: no rows", "make -q build", ""),
    "a script that does not exist": ("npm test", JEST, "npm test --if-present", ""),
    "a linter that always exits with 0": (
        "ruff check .",
        "src/importer.py:9:1: F821 undefined name",
        "ruff check . --exit-zero",
        "",
    ),
    "in a container, detached": ("docker run app pytest", RED, "docker run -d app pytest", "4f5a8b1c2d3e"),
    "in the background, waited for": ("make build", "importer.c:9: error: no rows", "make build & wait", ""),
    "with nohup": ("python reproduce.py", ERROR, "nohup python reproduce.py > log &", ""),
    "an inverted exit code": ("python reproduce.py", ERROR, "! python reproduce.py", ERROR),
    "an inverted exit code after &&": ("python reproduce.py", ERROR, "cd src && ! python reproduce.py", ERROR),
    "optimised": ("python reproduce.py", ERROR, "python -OO reproduce.py", "done"),
    "optimised by a variable": ("python reproduce.py", ERROR, "PYTHONOPTIMIZE=1 python reproduce.py", "done"),
    "or the date": ("npx tsc", TSC, "npx tsc || date", f"{TSC}\nThu Jan  1 00:00:00 UTC 1970"),
    "or a list": ("npx tsc", TSC, "npx tsc > /dev/null || ls", "src"),
    "errors ignored": ("npx tsc", TSC, "set +e; npx tsc > log; cat log | head -0", ""),
    "a count with a broken test": ("npm test", JEST, "npm test", "10 tests passed, 1 test is broken"),
    "a count with a crashed suite": ("npm test", JEST, "npm test", "Tests: 10 passed, 10 total\n1 suite crashed"),
    "a worker that was killed": ("npm test", JEST, "npm test", "Tests: 10 passed, 10 total\nworker was killed"),
    "a run out of memory": (
        "cargo test",
        CARGO,
        "cargo test",
        "test result: ok. 10 passed; 0 failed\nfatal: out of memory",
    ),
    "a crash after the summary": (
        "cargo test",
        CARGO,
        "cargo test",
        "test result: ok. 10 passed; 0 failed\nSegmentation fault",
    ),
    "in a sibling folder": ("pytest", RED, "cd ../shop-old && pytest", "=== 10 passed in 0.1s ==="),
    "on another branch": ("go test ./...", GO, "git switch main && go test ./...", "ok  \tshop\t0.01s"),
    "on an old tag": ("pytest", RED, "git checkout v1.0 && pytest", "=== 10 passed in 0.1s ==="),
    "without the change": ("pytest", RED, "git stash && pytest; git stash pop", "=== 10 passed in 0.1s ==="),
    "a bazel target that was not built": (
        "bazel test //...",
        "//shop:importer FAILED in 0.1s",
        "bazel test //...",
        "//shop:importer NO STATUS",
    ),
}
PROOFS: dict[str, tuple[str, str, str, str]] = {
    "the one that had failed": ("pytest", RED, "pytest --lf", "=== 1 passed in 0.1s ==="),
    "the last failed, quietly": ("pytest", RED, "pytest --last-failed -q", "1 passed, 9 deselected in 0.1s"),
    "without a plugin": ("pytest", RED, "pytest -p no:randomly", "=== 10 passed in 0.1s ==="),
    "one file restored": (
        "pytest",
        RED,
        "git checkout main -- src/importer.py && pytest",
        "=== 10 passed in 0.1s ===",
    ),
    "errors in the names of tests": (
        "npm test",
        JEST,
        "npm test",
        "  ok handles 3 failed rows\nTests: 10 passed, 10 total",
    ),
    "zero failures reported": ("npx mocha", "  9 passing\n  1 failing", "npx mocha", "  10 passing (2s)\n  0 failing"),
    "maven": ("mvn test", MAVEN.format(1), "mvn test", MAVEN.format(0)),
    "gradle, run": (
        "gradle test",
        "> Task :test FAILED\nBUILD FAILED in 1s",
        "gradle test",
        "> Task :compileJava UP-TO-DATE\n> Task :test\nBUILD SUCCESSFUL in 2s",
    ),
    "from the project's root": ("pytest", RED, "cd /srv/shop && pytest", "=== 10 passed in 0.1s ==="),
    "in a folder of the project": ("pytest", RED, "cd services/shop && pytest", "=== 10 passed in 0.1s ==="),
    "an unrelated file checked out": (
        "pytest",
        RED,
        "git checkout -- package.json && pytest",
        "=== 10 passed in 0.1s ===",
    ),
    "the stashed change restored": ("pytest", RED, "git stash pop && pytest", "=== 10 passed in 0.1s ==="),
    "errors to the same place": ("pytest", RED, "pytest 2>&1", "=== 10 passed in 0.1s ==="),
    "in a container": (
        "docker compose exec web pytest",
        RED,
        "docker compose exec web pytest",
        "=== 10 passed in 0.1s ===",
    ),
    "in a container, quietly": (
        "docker run --rm app pytest",
        RED,
        "docker run --rm app pytest",
        "=== 10 passed in 0.1s ===",
    ),
    "cargo": ("cargo test", CARGO, "cargo test", "test result: ok. 10 passed; 0 failed; 0 ignored"),
    "a build, in the same words": (
        "make build 2>&1 | tail -5",
        "importer.c:9: error: no rows",
        "make build 2>&1 | tail -5",
        "cc -o importer importer.o",
    ),
    "one after the other": ("npx tsc --noEmit", TSC, "npx tsc --noEmit && npx jest", "Tests: 10 passed, 10 total"),
    "failures that unittest expects": (
        "python -m unittest",
        "Ran 10 tests in 0.1s\n\nFAILED (failures=1, expected failures=2)",
        "python -m unittest",
        "Ran 10 tests in 0.1s\n\nOK (expected failures=2)",
    ),
    "unittest": ("python -m unittest", "FAILED (failures=1)", "python -m unittest -v", "Ran 10 tests in 0.1s\n\nOK"),
}


@pytest.mark.parametrize("name", FAKES)
def test_a_fake_proof_does_not_prove_the_fix(name: str) -> None:
    assert is_proved(name, FAKES) is False


@pytest.mark.parametrize("name", PROOFS)
def test_a_real_proof_proves_the_fix(name: str) -> None:
    assert is_proved(name, PROOFS) is True
