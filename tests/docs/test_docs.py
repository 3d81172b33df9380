"""The documentation says what is so: generated parts are in step, every command in it runs, every link leads somewhere."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import click
import pytest

from docs import draw
from mind_skills.cli.group import cli
from mind_skills.learning.credit import Credit
from mind_skills.learning.storage import SCHEMA
from mind_skills.memory.model import Record
from mind_skills.memory.store import open_memory as memory
from mind_skills.output.candidates import STATE_LABELS
from mind_skills.settings.table import GLOBAL_SETTINGS, TABLE
from mind_skills.staging.analyse import analyse
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import MAX_PER_OFFER
from mind_skills.staging.offer import (
    APPROVED_LABEL,
    ASK,
    AUTO,
    MAX_ENTRIES_LENGTH,
    assemble_offer,
    count_fitting,
    estimate_tokens,
)
from mind_skills.staging.start_files import MAX_ADVICE_BYTES
from mind_skills.store.database import Database
from mind_skills.store.project import resolve_project
from tests.hooks.solving import OUTPUT, store_session, tell_solution
from tests.testkit.command import CommandResult
from tests.testkit.paths import DEMO, ROOT
from tests.testkit.terminal import Terminal

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
INSTALL = "python3 -m venv .venv && .venv/bin/pip install -e "
ELSEWHERE = {
    "agy -p /hooks        # must list mind-skills with SessionStart, PreInvocation and Stop": "starts a client that is not here",
    "uv tool install .": "installs it; tests/installs does that",
    "claude plugin marketplace add ./": "starts the real client; tests/clients does that",
    "claude plugin install mind-skills@mind-skills": "as well",
    "claude plugin uninstall mind-skills@mind-skills": "as well",
    "claude plugin marketplace remove mind-skills": "as well",
    "mind-skills watch": "runs until it is ended; tests/watch does that",
    "mind-skills watch --quiet 30 ~/runs/swe-agent": "as well",
    ".venv/bin/pytest          # while you work": "these tests",
    "mkdir -m 700 /srv/scan-2 && cp /srv/scan/key /srv/scan-2/": "is none of ours, and writes outside of the home",
    **dict.fromkeys(
        ("(", "umask 077; set -o noclobber", ")", "umask 077"), "of a shell; tests/team runs the page in one"
    ),
    "python -m research.evaluation.helps figures           # compute all tables below from the recordings": "tests/research does that",
    "cd research/evaluation/helps/recordings && sha256sum -c SHA256SUMS": "as well",
    "make check                # before you push: style, types, import order, coverage, docs in step": "runs these tests",
}
"""Lines of code blocks that are run by something else."""
EXTRA = (
    "mind-skills fleet ",
    "mind-skills team ",
    "dask ",
    "psql",
    "createdb ",
    "pg_dump",
    "pg_restore ",
    "uv tool install '.[fleet]'",
    "uv tool install '.[team]'",
)
"""What needs the extras `fleet` and `team`: tests/fleet and tests/team run these lines."""


def blocks(page: Path) -> list[str]:
    """The commands in the shell blocks of a page, without here-documents, which other programs read, and comments."""
    found = re.findall(r"^```(?:sh|console)\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    shell = [re.sub(r"(<<'(\w+)'\n).*?^\2$", r"\1", block, flags=re.MULTILINE | re.DOTALL) for block in found]
    lines = [line.removeprefix("$ ") for block in shell for line in block.splitlines()]
    return [line for line in lines if line.strip() and not line.startswith("#")]


def examples() -> list[str]:
    """The examples of every command's help."""
    context = click.Context(cli, info_name="mind-skills")
    epilogs = [below.command.epilog or "" for below in command_contexts(cli, context)]
    return [line.strip() for text in epilogs for line in text.splitlines() if line.startswith("  mind-skills ")]


def command_contexts(group: click.Group, context: click.Context) -> Iterator[click.Context]:
    """Every command of the command line, those of groups as well."""
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert found is not None
        below = click.Context(found, parent=context, info_name=name)
        yield below
        if isinstance(found, click.Group):
            yield from command_contexts(found, below)


COMMAND_PATHS = [each.command_path for each in command_contexts(cli, click.Context(cli, info_name="mind-skills"))]


def commands() -> list[str]:
    """Every command line of the documentation that is run here."""
    lines = [*(line for page in PAGES for line in blocks(page)), *examples()]
    return list(
        dict.fromkeys(line for line in lines if line not in ELSEWHERE and not any(word in line for word in EXTRA))
    )


@pytest.fixture
def place(tmp_path: Path) -> dict[str, str]:
    """A home and a project in which every example makes sense: logs, a settings file, a candidate, a skill."""
    home, project = tmp_path / "home", tmp_path / "home/code/shop"
    for folder in (project / ".git", home / ".claude/projects/shop", project / "logs"):
        folder.mkdir(parents=True)
    for copy in (home / ".claude/projects/shop/one.jsonl", project / "session.jsonl"):
        copy.write_bytes(DEMO.read_bytes())
    labels: list[str] = []
    for owner in ("one", "two", "three"):
        (project / f"logs/{owner}.jsonl").write_bytes(
            DEMO.read_bytes().replace(
                b"please fix it.", b"please fix it. Always run the tests first, never commit without them."
            )
        )
        learning = {"start_line": 1, "end_line": 21}
        label = {
            "session_file": f"{owner}.jsonl",
            "learnings": [learning],
            "source_repo": f"{owner}/shop",
        }
        labels.append(json.dumps(label))
    (project / "labels.jsonl").write_text("\n".join(labels), encoding="utf-8")
    (project / "detectors").mkdir()
    (project / "rollouts").mkdir()
    (project / "rollouts/one.jsonl").write_bytes((ROOT / "fixtures/codex/rollout-0.169.jsonl").read_bytes())
    (project / "payload.json").write_text("{}", encoding="utf-8")
    (project / "build.log").write_text(OUTPUT, encoding="utf-8")
    (project / "notes.txt").write_text("Pin the tag.", encoding="utf-8")
    learned = [{"form": "mind-skills-memory", "version": 1}, {"content": "Pin the tag.", "kind": "learning"}]
    (project / "learned.jsonl").write_text("\n".join(map(json.dumps, learned)), encoding="utf-8")
    skill = project / ".claude/skills/exact-decimals/SKILL.md"
    skill.parent.mkdir(parents=True)
    said = "---\nname: exact-decimals\ndescription: Use when a price is off by a cent.\n---\nPass texts to Decimal.\n"
    skill.write_text(said, encoding="utf-8")
    # Nothing of the caller's: neither settings nor what a terminal or a CI says.
    return {
        "HOME": str(home),
        "MIND_SKILLS_HOME": str(tmp_path / "state"),
        "PWD": str(project),
        "PATH": os.environ["PATH"],
    }


OF_ITS_OWN = ("hook", "mcp", "watch", "demo")
"""Commands that are run in a process of their own, since they speak on its descriptors or start others."""

ON_A_TERMINAL = ("review",)
"""Commands that ask a person, who quits at once."""


@pytest.fixture
def command(
    place: dict[str, str], mind_skills: Callable[..., CommandResult], monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], CommandResult]:
    """Run a line of the documentation where its example makes sense."""
    for name in set(os.environ) - {"PYTEST_CURRENT_TEST"}:
        monkeypatch.delenv(name)
    for name, value in place.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(place["PWD"])

    def call(line: str) -> CommandResult:
        line = re.sub(r" >>? .*", "", line)
        line = re.sub(r"^npm test 2>&1 \| (.*)", r"\1 < build.log", line)
        words, _, source = line.partition(" < ")
        arguments = [re.sub(r"^~", place["HOME"], word) for word in shlex.split(words, comments=True)[1:]]
        given = (Path(place["PWD"]) / source).read_text(encoding="utf-8") if source else ""
        if arguments[0] in ON_A_TERMINAL:
            with Terminal(*arguments, env=place) as terminal:
                terminal.type("q")
                return CommandResult(terminal.finish(), terminal.screen, "")
        module = arguments[:2] == ["-m", "research.evaluation"]
        if module or arguments[0] in OF_ITS_OWN:
            program = "from mind_skills.plugin.cli import main; main()"
            if module:
                program = "import sys; from research.evaluation.__main__ import main; sys.exit(main(sys.argv[1:]))"
                arguments = arguments[2:]
            started = [sys.executable, "-c", program, *arguments]
            done = subprocess.run(
                started, env=place | {"PYTHONPATH": str(ROOT)}, input=given, capture_output=True, text=True, check=False
            )
            return CommandResult(done.returncode, done.stdout, done.stderr)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given.encode()), encoding="utf-8"))
        return mind_skills(*arguments)

    return call


def test_the_generated_parts_of_the_pages_are_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "docs/build.py", "--check"], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.returncode) == ("", 0)


def test_the_readme_begins_with_the_two_commands_that_need_no_setup() -> None:
    assert blocks(ROOT / "README.md")[:2] == [
        f"{INSTALL}. && .venv/bin/mind-skills demo",
        f"{INSTALL}'.[dev]' && .venv/bin/pytest",
    ]


def write_long_log(path: Path) -> Path:
    """Write a log of more than 180 lines: the session of the demonstration, six times."""
    text = DEMO.read_text(encoding="utf-8")
    times = (text.replace("00000000-0000-4000", f"0000000{n}-0000-4000").replace("_00", f"_{n}0") for n in range(6))
    path.write_text("".join(times), encoding="utf-8")
    return path


@pytest.mark.process
@pytest.mark.parametrize("line", [line for line in commands() if not line.startswith(INSTALL)])
def test_every_command_in_the_documentation_works(
    place: dict[str, str], command: Callable[[str], CommandResult], line: str
) -> None:
    with Ledger.open(place["MIND_SKILLS_HOME"]) as ledger:
        project, found = resolve_project(project_folder=place["PWD"]), analyse(DEMO)
        (candidate,) = found.candidates
        if " --lines " in line:
            candidate.log = str(write_long_log(Path(place["PWD"]) / "long.jsonl"))
        (id_,) = ledger.stage(project, "one", "claude-code", [candidate], 1).new
        if " 5c6d" in line:
            other = replace(candidate, fingerprint="5c6d" * 16, title="Another error, and what solved it")
            (other_id,) = ledger.stage(project, "two", "claude-code", [other], 1).new
            line = line.replace("5c6d", other_id)
        if any(f" {word} exact" in line for word in ("archive", "restore", "proof")):
            ledger.accept(id_, str(Path(place["PWD"]) / ".claude/skills/exact-decimals/SKILL.md"), 2, project)
        if " undo" in line:
            ledger.dismiss(id_, "r", 2, project)
    if " recall --error - " in line or " mute -" in line:
        store_session(Path(place["MIND_SKILLS_HOME"]), Path(place["PWD"]), tell_solution())
    with Database.open(place["MIND_SKILLS_HOME"], SCHEMA) as database:
        credit = Credit(database)
        credit.vote(project.id, "one", ["Split by feature"], "helpful", at=1, now=1)
    if " restore exact" in line:
        assert command("mind-skills skills archive exact-decimals").code == 0
    if " outcome show" in line:
        assert command("mind-skills task outcome record shop-12 --success").code == 0
    if " memory " in line:
        with memory(place["MIND_SKILLS_HOME"]) as store:
            store.store_all(Record(f"{name}-0f3a", "learning", "Pin the tag.") for name in ("memo", "import"))
    line = line.removeprefix(".venv/bin/").replace("sc_1a2b3c4d", id_).replace("1a2b", id_[:7])
    done = command(line)
    assert (done.code, "Traceback" in done.out + done.err) == (0, False), done.err


def test_after_the_installation_the_first_command_of_the_readme_shows_the_loop(
    command: Callable[[str], CommandResult],
) -> None:
    done = command("mind-skills demo")
    assert (done.code, done.err) == (0, "")
    assert "<openception-skill-extraction>" in done.out
    assert "The learning is in the skill now" in done.out


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_within_the_repository_has_a_target(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if "://" not in target and not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_path_named_on_a_page_exists(page: Path) -> None:
    folders = "|".join(path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith("."))
    named = re.findall(rf"`((?:{folders})/[\w./-]*)`", page.read_text(encoding="utf-8"))
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_every_setting_and_every_command_is_documented() -> None:
    settings = (ROOT / "docs/configuration.md").read_text(encoding="utf-8")
    page = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
    rows = [f"mind-skills {row}" for row in re.findall(r"^\| `([a-z -]+?)(?: [^a-z-].*)?` \|", page, re.MULTILINE)]
    assert [key for key in TABLE if f"| `{key}` |" not in settings] == []
    assert rows == COMMAND_PATHS


def test_the_words_of_the_index_are_the_labels_of_the_states() -> None:
    rows = re.findall(r"^\| (.+?) \| .+ \| `(\w+)`", (ROOT / "docs/index.md").read_text(encoding="utf-8"), re.MULTILINE)
    labels = {(label, state) for state, label in STATE_LABELS.items()}
    assert labels - set(rows) == {("became a skill", "accepted")}


def test_the_list_of_settings_says_which_cannot_be_set_for_a_single_project() -> None:
    described = [key for key, setting in TABLE.items() if "annot be set for a single project" in setting.description]
    assert sorted(described) == sorted(GLOBAL_SETTINGS)
    page = (ROOT / "docs/configuration.md").read_text(encoding="utf-8").partition("<!-- settings")[0]
    assert [key for key in GLOBAL_SETTINGS if f"`{key}`" in page] == []


def test_no_text_says_to_install_from_a_package_index_what_is_on_none() -> None:
    folders = [path for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")]
    sources = [path for folder in folders if folder.name != "tests" for path in folder.rglob("*.py")]
    by_name = re.compile(r"\b(?:uv tool|pipx|pip|uv pip) install (?:-\S+ )*[\"']?mind-skills")
    assert [str(path) for path in [*PAGES, *sources] if by_name.search(path.read_text(encoding="utf-8"))] == []


def test_the_manual_page_has_every_command_and_no_accidental_troff_request() -> None:
    page = (ROOT / "docs/mind-skills.1").read_text(encoding="utf-8").replace("\\-", "-")
    assert re.findall(r'^\.SS "(.+)"$', page, re.MULTILINE) == COMMAND_PATHS
    requests = set(re.findall(r"^[.'](\S*)", page, re.MULTILINE))
    assert requests == {"TH", "SH", "SS", "PP", "TP", "B", "nf", "fi"}


def test_the_readme_fits_two_screens() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 90


def test_the_readme_says_how_much_can_be_seen_in_a_digest() -> None:
    digest = json.loads((ROOT / ".ci/study.json").read_text(encoding="utf-8"))["digest"]
    paragraph = (
        (ROOT / "README.md").read_text(encoding="utf-8").partition("**What is missed:**")[2].partition("\n\n")[0]
    )
    shares = [digest[name] for name in ("whole", "gate_precision", "gate_recall")]
    assert re.findall(r"(\d+) %", paragraph) == [f"{100 * share:.0f}" for share in shares]


@pytest.mark.process
def test_the_pages_say_what_the_largest_offer_costs() -> None:
    ending = f"; {APPROVED_LABEL}"
    entries = [
        f"{n}\n".ljust(MAX_ENTRIES_LENGTH // MAX_PER_OFFER - 1 - len(ending), "x") + ending
        for n in range(MAX_PER_OFFER)
    ]
    assert count_fitting(entries) == MAX_PER_OFFER
    assert count_fitting([*entries[1:], entries[0] + "x"]) < MAX_PER_OFFER
    largest = max(
        estimate_tokens(assemble_offer(entries, advice="x" * MAX_ADVICE_BYTES, writing=mode)) for mode in (ASK, AUTO)
    )
    for page, sentence in (
        ("README.md", "about {} at most in"),
        ("docs/hosts/claude-code.md", "about {} tokens at most"),
    ):
        assert sentence.format(round(largest, -2)) in (ROOT / page).read_text(encoding="utf-8")


def test_the_pictures_show_what_the_commands_print() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "docs.draw", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.returncode) == ("", 0), done.stderr


def test_a_picture_with_other_text_is_detected() -> None:
    shown = "sc_00000001 waits since 2026-03-02 09:14"
    drawn = [draw.list_texts(draw.draw_terminal("pending", text)) for text in (shown, shown.replace("1", "2"), "none")]
    assert drawn[0] == drawn[1] == ["~/code/shop $", "mind-skills pending", "* waits since *"]
    assert drawn[2] != drawn[0]


def test_every_dependency_has_a_row_on_its_page() -> None:
    import tomllib
    from itertools import chain

    package = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [needs for name, needs in package["optional-dependencies"].items() if name not in ("dev", "docs", "check")]
    text = (ROOT / "docs/dependencies.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\|(?:(?: `[\w-]+`)? \|)? \[([\w-]+)\]", text, re.MULTILINE)
    needed = [re.split(r"[<>=[]", name)[0] for name in chain(package["dependencies"], *extras)]
    assert sorted(row.lower() for row in rows) == sorted(needed)
