"""Titles of one learning in two forms, and titles of two learnings that look alike."""

from __future__ import annotations

ONE = (
    (
        "ImportError: cannot import name 'formatargspec' from 'inspect' (/opt/conda/lib/python3.11/inspect.py)",
        "ImportError: cannot import name 'formatargspec' from 'inspect' (/usr/lib/python3.12/inspect.py)",
    ),
    (
        "explain_test.go:263: expected no error, got: session not found: 2026-01-22-test",
        "explain_test.go:301: expected no error, got: session not found: 2026-02-03-other",
    ),
    (
        "Timeout waiting for prepare-cli: the prompt is pasted but not submitted",
        "The prompt is pasted but not submitted: timeout waiting for prepare-cli",
    ),
    (
        "Cobra's cmd.Hidden only reflects the command itself, children do not inherit it",
        "Cobra's cmd.Hidden reflects only the command itself; its children do not inherit it",
    ),
    (
        "GH013: Repository rule violations found for refs/heads/main: force-push forbidden",
        "GH013: Repository rule violations found for refs/heads/release: force-push forbidden",
    ),
    (
        "error[E0502]: cannot borrow `self.queue` as mutable because it is also borrowed as immutable",
        "error[E0502]: cannot borrow `self.queue` as mutable, it is borrowed as immutable",
    ),
    (
        "The current implementation uses integer division, which truncates the decimal part",
        "The current implementation uses integer division, and that truncates the decimal part of it",
    ),
    (
        "ERR_PNPM_OUTDATED_LOCKFILE: Cannot install with frozen-lockfile: packages/app is not up to date",
        "ERR_PNPM_OUTDATED_LOCKFILE: Cannot install with frozen-lockfile: packages/web is not up to date",
    ),
)
TWO = (
    (
        "ModuleNotFoundError: No module named 'requests' in worker",
        "ModuleNotFoundError: No module named 'numpy' in worker",
    ),
    (
        "TypeError: Cannot read properties of undefined (reading 'map')",
        "TypeError: Cannot read properties of undefined (reading 'push')",
    ),
    (
        "error[E0502]: cannot borrow `self.queue` as mutable because it is also borrowed as immutable",
        "error[E0502]: cannot borrow `self.cache` as mutable because it is also borrowed as immutable",
    ),
    (
        "ImportError: cannot import name 'formatargspec' from 'inspect'",
        "ImportError: cannot import name 'Mapping' from 'collections'",
    ),
    ("TS2307: Cannot find module or its type declarations", "TS2304: Cannot find module or its type declarations"),
    (
        "OperationalError: no such table: auth_user while running migrations",
        "OperationalError: no such table: billing_invoice while running migrations",
    ),
    (
        "undefined: testcontainers.GenericContainer after go mod tidy changed versions",
        "undefined: testcontainers.ContainerRequest after go mod tidy changed versions",
    ),
    (
        "The cache is never invalidated because the key lacks the tenant",
        "The lock is never released because the handler lacks the finally block",
    ),
    ("[lint:go] ERROR task failed", "[lint:js] ERROR task failed"),
    (
        "AssertionError: expected status 200 to equal 404 in users endpoint",
        "AssertionError: expected status 200 to equal 500 in orders endpoint",
    ),
    (
        "NoSuchMethodError: com.fasterxml.jackson.core.JsonParser.currentToken after upgrade",
        "NoSuchMethodError: com.google.common.base.Preconditions.checkArgument after upgrade",
    ),
    ("fatal: detected dubious ownership in repository", "fatal: refusing to merge unrelated histories in repository"),
    (
        "The retry loop swallows the timeout, so callers never see the failed request",
        "The retry loop doubles the timeout, so tests never finish within the limit",
    ),
)
