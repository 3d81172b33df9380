"""Learnings paired with skills that cover them, and with skills about something else that use the same tool.

Written by hand. A learning is its title, its evidence of symptom and cause, and its files; a skill is its description and
body, in different words.
"""

from __future__ import annotations

from typing import NamedTuple


class Pair(NamedTuple):
    """A learning's texts, a skill that covers it, and a skill about the same area that does not."""

    learning: tuple[str, ...]
    covers: str
    near: str


PAIRS = (
    Pair(
        (
            "AssertionError: Decimal('2.67') != Decimal('2.68'): round() on a float loses the half cent",
            "`pytest tests/test_prices.py` failed: AssertionError: Decimal('2.67') != Decimal('2.68')",
            "agent: the price is a float before it becomes a Decimal, so 2.675 is stored as 2.67499",
            "prices.py",
        ),
        "Round money exactly. Use when a price is off by a cent, or an AssertionError compares Decimal('2.67') with"
        " Decimal('2.68').\nNever build a Decimal from a float: 2.675 is stored as 2.67499. In prices.py pass the string"
        " and quantize with ROUND_HALF_UP. Check with pytest tests/test_prices.py.",
        "Format money for people. Use when a price is shown in a template.\nUse babel's format_currency with the locale"
        " of the request; a Decimal is fine, and so is a float. Tests live in tests/test_prices_view.py.",
    ),
    Pair(
        (
            "ModuleNotFoundError: No module named 'psycopg2' under pytest-xdist workers",
            "`pytest -n 4` failed: ModuleNotFoundError: No module named 'psycopg2'",
            "agent: the workers start with another interpreter because tox strips PATH; passenv = PATH mends it",
            "tox.ini",
        ),
        "Run tests in parallel under tox. Use when pytest -n fails with ModuleNotFoundError: No module named 'psycopg2'"
        " only in xdist workers.\nThe workers start with another interpreter, since tox strips PATH. Put passenv = PATH into"
        " tox.ini.",
        "Add an environment to tox. Use when a new Python is to be tested.\nAdd it to envlist in tox.ini and to the matrix"
        " of the workflow; run tox -e py313 once before pushing.",
    ),
    Pair(
        (
            "error[E0502]: cannot borrow `self.queue` as mutable because it is also borrowed as immutable",
            "`cargo test` failed: error[E0502]: cannot borrow `self.queue` as mutable because it is also borrowed as immutable",
            "agent: the iterator holds the queue; mem::take moves it out before the loop",
            "src/scheduler.rs",
        ),
        "Drain a queue while the struct changes. Use when cargo reports error[E0502], cannot borrow self.queue as mutable"
        " because it is also borrowed as immutable, in scheduler.rs.\nMove the queue out with mem::take before the loop,"
        " the iterator holds it otherwise.",
        "Fix borrow errors of strings. Use when cargo reports error[E0382], use of a moved value.\nClone the String, or"
        " borrow it as &str. Look at src/parser.rs for examples.",
    ),
    Pair(
        (
            "GH013: Repository rule violations: main forbids force-pushes",
            "`git push --force-with-lease origin main` failed: remote: error: GH013: Repository rule violations found",
            "agent: GitHub rejected the rewrite, a repository rule forbids force-pushes; a revert commit is the way",
        ),
        "Undo something on main. Use when git push --force-with-lease is rejected with GH013, Repository rule violations."
        "\nThe repository forbids force-pushes to main. Make a revert commit and push that instead.",
        "Write commit messages. Use when committing in this repository.\nConventional commits, imperative, 72 characters;"
        " push to a branch and open a pull request, never to main.",
    ),
    Pair(
        (
            "TypeError: Cannot read properties of undefined (reading 'map'): useInvoices returns undefined until hydrated",
            "`npm test` failed: TypeError: Cannot read properties of undefined (reading 'map')",
            "agent: useInvoices returns undefined before hydration, the table needs a default of []",
            "InvoiceTable.tsx",
        ),
        "Render lists before data is there. Use when InvoiceTable or another table throws TypeError: Cannot read properties"
        " of undefined (reading 'map').\nuseInvoices returns undefined until hydration is over: give it a default of [].",
        "Style tables. Use when a table such as InvoiceTable.tsx needs another column.\nColumns are objects with a header and"
        " a cell; widths come from the theme. Run npm test after it.",
    ),
    Pair(
        (
            "django.db.utils.OperationalError: no such table: auth_user in the pre-commit hook",
            "`pre-commit run --all-files` failed: django.db.utils.OperationalError: no such table: auth_user",
            "agent: the hook imports settings of production, DJANGO_SETTINGS_MODULE must be config.settings.test",
            ".pre-commit-config.yaml",
        ),
        "Make pre-commit hooks that load Django work. Use when pre-commit ends with OperationalError: no such table:"
        " auth_user.\nSet DJANGO_SETTINGS_MODULE=config.settings.test in .pre-commit-config.yaml; it loads the production"
        " settings otherwise.",
        "Add a pre-commit hook. Use when a new linter is to run before commits.\nEdit .pre-commit-config.yaml, pin the rev,"
        " run pre-commit run --all-files once, commit what it changed.",
    ),
    Pair(
        (
            "undefined: testcontainers.GenericContainer after go mod tidy pinned v0.9",
            "`go test ./...` failed: undefined: testcontainers.GenericContainer",
            "agent: go mod tidy chose v0.9 because of the replace directive in go.mod; drop the directive",
            "go.mod",
        ),
        "Upgrade testcontainers. Use when go test says undefined: testcontainers.GenericContainer.\nThe replace directive in"
        " go.mod pins v0.9 whenever go mod tidy runs. Drop the directive, then tidy.",
        "Vendor Go modules. Use when a dependency must be patched.\nUse a replace directive in go.mod that points to"
        " third_party/, run go mod tidy and go test ./... afterwards.",
    ),
    Pair(
        (
            "Timeout waiting for prepare-cli: the prompt is pasted but not submitted",
            "`workmux wait prepare-cli --status working --timeout 90` failed: Timeout waiting for: prepare-cli",
            "agent: the instruction stands at the prompt without a newline; send one with tmux send-keys Enter",
        ),
        "Hand a prompt to a workmux pane. Use when workmux wait ends with a timeout although the prompt was pasted.\nThe"
        " instruction is pasted but not submitted: tmux send-keys Enter sends the newline. Then workmux wait prepare-cli"
        " --status working returns.",
        "Start agents in panes. Use when several tasks run at once.\nworkmux add NAME opens a worktree and a tmux pane;"
        " workmux list shows their status, workmux merge brings one back.",
    ),
    Pair(
        (
            "ERR_PNPM_OUTDATED_LOCKFILE: Cannot install with frozen-lockfile because pnpm-lock.yaml is not up to date",
            "`pnpm install --frozen-lockfile` failed: ERR_PNPM_OUTDATED_LOCKFILE",
            "agent: the overrides section of package.json changed; pnpm 9 writes the checksum, pnpm 8 does not",
            "package.json",
        ),
        "Keep the pnpm lockfile right. Use when CI stops with ERR_PNPM_OUTDATED_LOCKFILE.\nAfter a change of overrides in"
        " package.json run pnpm 9 install: pnpm 8 leaves the overrides checksum out of pnpm-lock.yaml, and"
        " --frozen-lockfile refuses it.",
        "Add a package to the workspace. Use when a new library is needed.\npnpm add NAME --filter app, then check"
        " package.json and commit pnpm-lock.yaml; run pnpm install with a frozen-lockfile in CI.",
    ),
    Pair(
        (
            "java.lang.NoSuchMethodError: com.fasterxml.jackson.core.JsonParser.currentToken after a Spring upgrade",
            "`./gradlew test` failed: java.lang.NoSuchMethodError: com.fasterxml.jackson.core.JsonParser.currentToken()",
            "agent: two versions of jackson-core on the classpath; the BOM must come before the other platform",
            "build.gradle.kts",
        ),
        "Align Jackson versions. Use when NoSuchMethodError names com.fasterxml.jackson, such as JsonParser.currentToken."
        "\nTwo versions of jackson-core stand on the classpath. In build.gradle.kts the Jackson BOM must be the first"
        " platform; ./gradlew dependencies shows it.",
        "Serialise dates. Use when an API returns timestamps as numbers.\nRegister JavaTimeModule with Jackson's"
        " ObjectMapper and write dates as ISO strings; ./gradlew test covers it.",
    ),
    Pair(
        (
            "Cobra's cmd.Hidden only reflects the command itself, children do not inherit it",
            "`go test ./cmd/root -run TestTelemetry` failed: hidden command was reported",
            "agent: Cobra's cmd.Hidden says nothing of parents, so walk the parent chain before telemetry is sent",
            "root.go",
        ),
        "Keep hidden commands out of telemetry. Use when a hidden Cobra command is reported.\ncmd.Hidden only reflects the"
        " command itself, children do not inherit it. Walk the parent chain in root.go before telemetry is sent.",
        "Add a Cobra command. Use when the command line grows.\nOne file a command below cmd/, registered in root.go, with"
        " Use, Short and an example; mark it cmd.Hidden while it is an experiment.",
    ),
    Pair(
        (
            "fatal: detected dubious ownership in repository at '/src' inside the build container",
            "`docker compose run build make version` failed: fatal: detected dubious ownership in repository at '/src'",
            "agent: the container runs as root and the checkout belongs to uid 1000; safe.directory in the image mends it",
            "Dockerfile.build",
        ),
        "Use git inside the build container. Use when git says: detected dubious ownership in repository.\nThe checkout"
        " belongs to uid 1000 and the container runs as root. Dockerfile.build sets git config --system safe.directory /src.",
        "Make the image smaller. Use when Dockerfile.build changes.\nCombine RUN lines, use a slim base, copy the checkout"
        " last; docker compose build shows the size of each layer.",
    ),
)

UNRELATED = (
    (
        "Write release notes. Use when a version is tagged.\nCollect merged pull requests, group them, name breaking changes"
        " first, link every issue."
    ),
    (
        "Review a pull request. Use when asked for a review.\nRead the diff whole, run the tests, look for missing error"
        " handling, comment on the line, be kind."
    ),
    (
        "Debug systematically. Use when a test fails and the cause is not clear.\nReproduce it, read the whole error message,"
        " form one hypothesis, change one thing, run the same command again, write down what was learned."
    ),
)
"""Skills that could be in any project; none covers any of the learnings."""

SAME_ERROR = (
    (
        0,
        (
            "Compare Decimals in tests. Use when an AssertionError shows Decimal('2.67') != Decimal('2.7').\nThe fixture was"
            " written with one place; regenerate it with make fixtures and commit the snapshot."
        ),
    ),
    (
        1,
        (
            "Install the database driver. Use when a container ends with No module named 'psycopg2'.\nThe slim image has no"
            " libpq; add psycopg2-binary to requirements.txt and rebuild it."
        ),
    ),
    (
        2,
        (
            "Cache lookups beside insertion. Use when cargo reports E0502 around a HashMap entry.\nUse the entry API of the map,"
            " or clone the key; see src/cache.rs."
        ),
    ),
    (
        4,
        (
            "Mock the router in tests. Use when npm test ends with Cannot read properties of undefined (reading 'push').\nThe"
            " router is not mounted: wrap the component in MemoryRouterProvider."
        ),
    ),
    (
        5,
        (
            "Squash migrations. Use when a test ends with OperationalError: no such table after migrations were squashed."
            "\nDelete the squashed files only after every database has run them; keep replaces."
        ),
    ),
    (
        8,
        (
            "Rebase a branch with a changed lockfile. Use when pnpm-lock.yaml has conflicts.\nTake theirs, run pnpm install,"
            " commit the result as part of the rebase."
        ),
    ),
    (
        9,
        (
            "Shade a library. Use when NoSuchMethodError comes from a plugin of Gradle itself.\nRelocate the package with the"
            " shadow plugin and run ./gradlew shadowJar."
        ),
    ),
    (
        11,
        (
            "Share a volume between users. Use when docker compose run leaves files of root in the checkout.\nRun the container"
            " with --user and the uid of the caller, 1000 on most machines."
        ),
    ),
)
"""The index of a learning, and a skill about the same error with another cause."""
