"""Pairs of titles: of one learning in two wordings, and of two learnings that look alike."""

from __future__ import annotations

SAME = (
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
DIFFERENT = (
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
IN_OTHER_WORDS = (
    (
        "The retry loop swallows the timeout, so callers never see the failed request",
        "Callers never notice a failed request, as the timeout is eaten by the retry loop",
    ),
    (
        "The cache is never invalidated because the key lacks the tenant",
        "Stale cache entries: the tenant is missing in the key, so nothing is ever invalidated",
    ),
    (
        "Tests fail in CI because the time zone there is UTC",
        "The suite is red on the build server only, as its clock is set to UTC time zone",
    ),
    (
        "Docker build is slow since COPY . comes before npm install and breaks the layer cache",
        "npm install runs on every docker build: COPY . stands before it and invalidates the layer cache",
    ),
    (
        "Connection pool is exhausted because transactions are not closed on errors",
        "On errors the transaction stays open, which leaks connections until the pool is empty",
    ),
    (
        "useEffect runs twice in StrictMode during development",
        "In development React StrictMode runs every useEffect twice",
    ),
    (
        "The migration locks the whole table because it adds a NOT NULL column with a default",
        "Adding a NOT NULL column with a default rewrites the table and locks it during the migration",
    ),
    (
        "Floating point rounding makes the invoice total a cent wrong",
        "Invoice totals are off by a cent due to binary floats, use Decimal",
    ),
    (
        "git rebase drops the merge commit unless --rebase-merges is given",
        "Merge commits vanish on git rebase without --rebase-merges",
    ),
    (
        "The mock is patched where it is defined, not where it is looked up",
        "patch() has to name the module where the function is looked up rather than where it is defined",
    ),
)
"""Titles of one learning by two people. The pairs of ``RECOGNISED`` are alike; the others are not, which is the safe side."""
RECOGNISED = (0, 5, 6)
CLOSE = (
    (
        "The migration locks the whole table because it adds a NOT NULL column with a default",
        "The migration locks the whole table because it drops an index without CONCURRENTLY",
    ),
    (
        "useEffect runs twice in StrictMode during development",
        "useEffect never runs in StrictMode during server rendering",
    ),
    (
        "The retry loop swallows the timeout, so callers never see the failed request",
        "The retry loop swallows the exception, so callers see an empty response",
    ),
    (
        "Docker build is slow since COPY . comes before npm install and breaks the layer cache",
        "Docker build fails since COPY . comes after npm install and breaks the symlinks",
    ),
    ("Tests fail in CI because the time zone there is UTC", "Tests fail in CI because the locale there is C"),
    (
        "Connection pool is exhausted because transactions are not closed on errors",
        "Connection pool is exhausted because the limit is lower than the number of workers",
    ),
    (
        "The mock is patched where it is defined, not where it is looked up",
        "The mock is reset before the assertion, not after the test",
    ),
    (
        "The upload fails because the proxy limits the request body to one megabyte",
        "The upload fails because the proxy closes the request after one minute",
    ),
    (
        "Cached responses are served to the wrong user because the cache key lacks the session",
        "Cached responses are served after logout because the cache key lacks the version",
    ),
    (
        "The worker never stops because the signal handler is not installed in the child",
        "The worker never starts because the signal handler is installed before the fork",
    ),
    (
        "The build is slow because the cache is not restored in the release job",
        "The build is slow because the cache is not saved in the test job",
    ),
    (
        "Sorting breaks because the comparator returns a boolean instead of a number",
        "Sorting breaks because the comparator mutates the array instead of a copy",
    ),
)
"""Titles of two learnings about one matter, in words as similar as possible."""
