"""`uninstall --purge` deletes everything of ours and nothing of others."""

from __future__ import annotations

import io
import json
import os
import shlex
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.plugin.cli import run
from mind_skills.setup.install.purging import STATE_NAMES
from mind_skills.staging.ledger import Ledger
from mind_skills.store.atomic import Folder
from mind_skills.store.git import PENDING_FILE_PATTERN
from mind_skills.store.project import resolve_project
from tests.setup.test_install_on_a_terminal import Terminal

PENDING = ".claude/mind-skills-pending.json"


def make_repository(path: Path) -> Path:
    for name in ("info", "objects", "refs"):  # with HEAD, all that git requires
        (path / ".git" / name).mkdir(parents=True)
    (path / ".git/HEAD").write_text("ref: refs/heads/main\n")
    (path / ".git/info/exclude").write_text("# mine\n*.log\n")
    return path


@pytest.mark.parametrize("host", ["claude-code", "opencode", "antigravity"])
def test_an_uninstall_names_the_state_folder_of_hooks_that_were_installed_with_another(
    home: Path, mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    other = home / "ein Zustand für sich"
    monkeypatch.setenv("MIND_SKILLS_HOME", str(other))
    mind_skills("install", host)
    monkeypatch.delenv("MIND_SKILLS_HOME")
    purge = f"MIND_SKILLS_HOME='{other}' mind-skills uninstall --all --purge"
    left = f"{other} contains what hooks installed with this state folder have learned: `{purge}` removes it"
    assert mind_skills("uninstall", "--all", "--dry-run", "--json").json["kept"] == [left]
    done = mind_skills("uninstall", "--all", "--purge", "--verify", "--json")
    assert (done.code, done.json["residue"]) == (1, [left])
    monkeypatch.setenv("MIND_SKILLS_HOME", str(other))
    assert (mind_skills("uninstall", "--all", "--purge", "--verify").code, other.exists()) == (0, False)


@pytest.mark.parametrize("state_folder", [r'"\q"', '""', "null"])
def test_an_uninstall_removes_a_plugin_file_that_was_edited(
    home: Path, mind_skills: Callable[..., Any], state_folder: str
) -> None:
    mind_skills("install", "opencode")
    plugin = home / ".config/opencode/plugin/mind-skills.js"
    lines = plugin.read_text().splitlines(keepends=True)
    plugin.write_text("".join(f"const STATE = {state_folder};\n" if "const STATE" in line else line for line in lines))
    done = mind_skills("uninstall", "--all", "--purge", "--verify", "--json")
    assert (done.code, done.json["residue"], plugin.exists()) == (0, [], False)


@pytest.mark.parametrize("text", ["{", '{"hooks": {"Stop": [}', '{"a": NaN}', "{},,"])
def test_a_purge_says_what_it_removed_and_which_broken_settings_it_could_not_search(
    home: Path, state: Path, mind_skills: Callable[..., Any], text: str
) -> None:
    mind_skills("install", "codex")
    settings = home / ".claude/settings.json"
    settings.parent.mkdir()
    settings.write_text(text)
    done = mind_skills("uninstall", "--all", "--purge", "--verify", "--json")
    (left,) = done.json["residue"]
    assert (done.code, left.startswith(f"{settings} is not valid JSON"), state.exists()) == (1, True, False)


def test_a_purge_restores_the_home_and_every_project(
    home: Path,
    tmp_path: Path,
    state: Path,
    mind_skills: Callable[..., Any],
    learn: Callable[..., Any],
    tree: Callable[..., Any],
) -> None:
    shops = [make_repository(tmp_path / name) for name in ("shop", "other")]
    (home / ".config").mkdir()
    before = [tree(home), *map(tree, shops)]
    mind_skills("install", "claude-code", "gemini")
    mind_skills("config", "set", "caps.per_offer", "3")
    mind_skills("pause")
    for shop in shops:
        learn(state, shop)
        assert (shop / PENDING).exists()
        assert PENDING_FILE_PATTERN in (shop / ".git/info/exclude").read_text()
    (shops[0] / f"{PENDING}.corrupt-1").write_text("{")
    dry = mind_skills("uninstall", "--all", "--purge", "--dry-run", "--json").json
    done = mind_skills("uninstall", "--all", "--purge", "--verify", "--json")
    assert (done.code, done.json["residue"], done.json["kept"]) == (0, [], [])
    assert set(done.json["purged"]) == set(dry["purged"])
    assert [tree(home), *map(tree, shops)] == before


def test_an_uninstall_without_a_purge_preserves_the_database_and_pending_files(
    tmp_path: Path, state: Path, mind_skills: Callable[..., Any], learn: Callable[..., Any]
) -> None:
    mind_skills("install", "codex")
    learn(state, make_repository(tmp_path / "shop"))
    assert mind_skills("uninstall", "--all", "--verify").code == 0
    with Ledger.open(state) as ledger:
        assert len(ledger.list_pending(resolve_project(project_folder=str(tmp_path / "shop")))) == 1
    assert (tmp_path / "shop" / PENDING).exists()


def test_a_purge_preserves_foreign_candidates_in_a_pending_file(
    tmp_path: Path, state: Path, mind_skills: Callable[..., Any], learn: Callable[..., Any]
) -> None:
    shop = make_repository(tmp_path / "shop")
    learn(state, shop)
    content = json.loads((shop / PENDING).read_text())
    theirs = content["candidates"][0] | {"id": "sc_theirs", "title": "Theirs"}
    (shop / PENDING).write_text(json.dumps(content | {"candidates": [*content["candidates"], theirs]}))
    done = mind_skills("uninstall", "--all", "--purge", "--verify", "--json")
    assert (done.code, done.json["kept"]) == (
        0,
        [
            f"{shop / PENDING} contains candidates from another tool",
            f"{shop}/.git/info/exclude: {PENDING_FILE_PATTERN} prevents git from committing a file that remains",
        ],
    )
    assert PENDING_FILE_PATTERN in (shop / ".git/info/exclude").read_text()
    assert [one["id"] for one in json.loads((shop / PENDING).read_text())["candidates"]] == ["sc_theirs"]


def test_a_purge_preserves_foreign_files_in_a_state_folder_that_the_user_chose(
    tmp_path: Path, mind_skills: Callable[..., Any], learn: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "documents"
    (place / "letters").mkdir(parents=True)
    (place / "letters/one.txt").write_text("dear")
    monkeypatch.setenv("MIND_SKILLS_HOME", str(place))
    mind_skills("install", "codex")
    learn(place, make_repository(tmp_path / "shop"))
    assert mind_skills("uninstall", "--all", "--purge", "--verify").code == 0
    assert sorted(path.name for path in place.rglob("*")) == ["letters", "one.txt"]


def test_a_purge_preserves_a_settings_file_at_a_path_that_the_user_chose(
    home: Path, tmp_path: Path, mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "mine.toml"
    monkeypatch.setenv("MIND_SKILLS_CONFIG", str(mine))
    mind_skills("config", "set", "caps.per_offer", "3")
    done = mind_skills("uninstall", "--all", "--purge", "--verify", "--json")
    assert (done.code, done.json["kept"]) == (0, [f"{mine} is a path that you chose"])
    assert mine.exists()


def test_a_purge_skips_a_missing_project_and_a_linked_settings_folder(
    tmp_path: Path, state: Path, mind_skills: Callable[..., Any], learn: Callable[..., Any]
) -> None:
    for name in ("gone", "linked"):
        learn(state, make_repository(tmp_path / name))
    (tmp_path / "gone").rename(tmp_path / "moved")
    (tmp_path / "linked/.claude").rename(tmp_path / "elsewhere")
    (tmp_path / "linked/.claude").symlink_to(tmp_path / "elsewhere")
    done = mind_skills("uninstall", "--all", "--purge", "--verify", "--json")
    reason = f"{tmp_path / 'linked' / PENDING} is behind a symbolic link, so it was not removed"
    assert (done.code, done.json["kept"], done.json["residue"]) == (1, [reason], [reason])
    assert (tmp_path / "elsewhere/mind-skills-pending.json").exists()
    assert not state.exists()


def describe_unreadable(path: Path) -> str:
    return (
        f"{path} lists projects but cannot be read (file is not a database), so files of ours may remain in them: run"
        " `mind-skills uninstall --all --purge --project DIR` for each, and then delete this database"
    )


def test_a_purge_sets_an_unreadable_database_aside_and_fails_the_check_until_it_is_deleted(
    home: Path,
    state: Path,
    tmp_path: Path,
    mind_skills: Callable[..., Any],
    learn: Callable[..., Any],
    tree: Callable[..., Any],
) -> None:
    before = tree(home)
    shop = make_repository(tmp_path / "shop")
    in_shop = tree(shop)
    mind_skills("pause")
    learn(state, shop)
    (state / "mind-skills.db").write_bytes(b"no database" * 1000)
    aside = state / "mind-skills.db.corrupt-1"
    dry = mind_skills("uninstall", "--all", "--purge", "--dry-run", "--json").json
    assert dry["kept"] == [describe_unreadable(state / "mind-skills.db")]
    reason = describe_unreadable(aside)
    done = mind_skills("uninstall", "--all", "--purge", "--verify", "--json")
    assert (done.code, done.json["kept"], done.json["residue"]) == (1, [reason], [reason])
    assert sorted(path.name for path in state.iterdir()) == ["folders-made", aside.name]
    assert (shop / PENDING).exists()
    done = mind_skills("uninstall", "--all", "--purge", "--verify", "--project", str(shop))
    assert (done.code, "Verified" in done.out, tree(shop)) == (1, False, in_shop)
    assert done.out.count("mind-skills.db.corrupt-1 lists projects but cannot be read") == 1
    aside.unlink()
    done = mind_skills("uninstall", "--all", "--purge", "--verify")
    assert (done.code, "Verified: nothing is left." in done.out, tree(home)) == (0, True, before)


def test_a_purge_with_an_unreadable_database_finds_projects_in_logs_and_work_trees(
    home: Path,
    state: Path,
    tmp_path: Path,
    mind_skills: Callable[..., Any],
    learn: Callable[..., Any],
    tree: Callable[..., Any],
) -> None:
    shop = make_repository(tmp_path / "shop")
    (shop / "part").mkdir()
    before = tree(shop)
    learn(state, shop)
    learn(state, shop / "part")
    (state / "mind-skills.db").write_bytes(b"no database" * 1000)
    log = home / ".claude/projects/shop/one.jsonl"
    log.parent.mkdir(parents=True)
    message = {"role": "user", "content": "hello"}
    entry = {"type": "user", "sessionId": "one", "uuid": "a", "cwd": str(shop), "message": message}
    log.write_text(json.dumps(entry | {"timestamp": "2026-01-01T00:00:00Z"}) + "\n", encoding="utf-8")
    assert mind_skills("uninstall", "--all", "--purge").code == 0
    assert tree(shop) == before


def test_a_purge_after_status_replaced_a_damaged_database_recognises_our_candidates(
    state: Path,
    tmp_path: Path,
    mind_skills: Callable[..., Any],
    learn: Callable[..., Any],
    tree: Callable[..., Any],
) -> None:
    shop = make_repository(tmp_path / "shop")
    before = tree(shop)
    learn(state, shop)
    (state / "mind-skills.db").write_bytes(b"no database" * 1000)
    mind_skills("status", "--project", str(shop))
    with Ledger.open(state) as ledger:
        ledger.register_session("two", "claude-code", resolve_project(project_folder=str(shop)), "", 1)
    reason = describe_unreadable(state / "mind-skills.db.corrupt-1")
    done = mind_skills("uninstall", "--all", "--purge", "--verify", "--json")
    assert (done.code, done.json["residue"], tree(shop)) == (1, [reason], before)


def test_a_purge_of_a_read_only_project_preserves_its_line_and_fails_the_check(
    state: Path,
    tmp_path: Path,
    mind_skills: Callable[..., Any],
    learn: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shop = make_repository(tmp_path / "shop")
    learn(state, shop)

    def remove(folder: Folder, name: str) -> None:
        raise PermissionError(13, "Permission denied", name)

    monkeypatch.setattr(Folder, "remove", remove)
    done = mind_skills("uninstall", "--all", "--purge", "--verify", "--json")
    line = f"{shop}/.git/info/exclude: {PENDING_FILE_PATTERN}"
    reason = f"{shop}/.claude: Permission denied"
    assert done.json["kept"] == [f"{line} prevents git from committing a file that remains", reason]
    assert (done.code, done.json["residue"][0]) == (1, reason)
    assert PENDING_FILE_PATTERN in (shop / ".git/info/exclude").read_text()


def test_a_purge_reports_a_file_that_cannot_be_removed_and_removes_all_others(
    state: Path,
    home: Path,
    tmp_path: Path,
    mind_skills: Callable[..., Any],
    learn: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    learn(state, make_repository(tmp_path / "shop"))
    mind_skills("config", "set", "enabled", "true")
    settings, unlink = str(home / ".config/mind-skills/mind-skills.toml"), os.unlink

    def refuse(path: str, **options: Any) -> None:
        if path == settings:
            raise PermissionError(13, "Permission denied", path)
        unlink(path, **options)

    monkeypatch.setattr(os, "unlink", refuse)
    done = mind_skills("uninstall", "--all", "--purge", "--json")
    assert (done.code, done.json["kept"]) == (1, [f"{settings} cannot be removed: Permission denied"])
    assert settings not in done.json["purged"]
    assert not state.exists()


@pytest.mark.parametrize("option", [True, False])
def test_a_purge_without_a_state_folder_cleans_the_current_or_named_project(
    state: Path,
    tmp_path: Path,
    mind_skills: Callable[..., Any],
    learn: Callable[..., Any],
    tree: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    option: bool,
) -> None:
    shop = make_repository(tmp_path / "shop")
    before = tree(shop)
    learn(state, shop)
    shutil.rmtree(state)
    if not option:
        monkeypatch.chdir(shop)
    project = ["--project", str(shop)] if option else []
    waiting = f"{shop / PENDING} contains the waiting candidates"
    assert mind_skills("uninstall", "--all", "--verify", "--json", *project).json["kept"] == [waiting]
    done = mind_skills("uninstall", "--all", "--purge", "--verify", "--json", *project)
    removed = [str(shop / PENDING), f"{shop}/.git/info/exclude: {PENDING_FILE_PATTERN}"]
    assert (done.code, done.json["purged"], done.json["residue"], tree(shop)) == (0, removed, [], before)


def test_a_failed_uninstall_preserves_the_state(
    home: Path, state: Path, tmp_path: Path, mind_skills: Callable[..., Any], learn: Callable[..., Any]
) -> None:
    mind_skills("install", "codex", "gemini")
    learn(state, make_repository(tmp_path / "shop"))
    hooks = home / ".codex/hooks.json"
    hooks.write_text("{")
    done = mind_skills("uninstall", "codex", "gemini", "--verify", "--json")
    assert (done.code, done.json["residue"]) == (
        1,
        [
            f"{hooks} is not valid JSON: line 1, column 2: unexpected end of file",
            f"{home}/.codex/config.toml: the MCP server",
        ],
    )
    assert (state / "mind-skills.db").exists()


def test_a_purge_with_broken_settings_of_a_host_deletes_all_but_the_journal(
    home: Path, state: Path, tmp_path: Path, mind_skills: Callable[..., Any], learn: Callable[..., Any]
) -> None:
    before = '{"model": "x"}\n'
    hooks = home / ".codex/hooks.json"
    hooks.parent.mkdir()
    hooks.write_text(before)
    mind_skills("install", "codex", "gemini")
    learn(state, make_repository(tmp_path / "shop"))
    installed = hooks.read_text()
    hooks.write_text("{")
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").write_text("{ of somebody else")
    done = mind_skills("uninstall", "codex", "gemini", "--purge", "--verify", "--json")
    journal = state / "install"
    assert (done.code, done.json["kept"]) == (
        1,
        [f"{journal} is needed to uninstall codex once the settings can be read"],
    )
    assert sorted(path.name for path in state.iterdir()) == ["install"]
    assert not (tmp_path / "shop" / PENDING).exists()
    hooks.write_text(installed)
    assert mind_skills("uninstall", "codex", "--purge", "--verify").code == 0
    assert (hooks.read_text(), state.exists()) == (before, False)


@pytest.mark.parametrize("option", [["--verify"], ["--verify", "--purge"]])
@pytest.mark.parametrize("selected", ["gemini", "--all"])
def test_what_remains_next_to_broken_settings_is_listed_and_the_program_stays_until_it_is_gone(
    home: Path, mind_skills: Callable[..., Any], selected: str, option: list[str]
) -> None:
    mind_skills("install", "gemini")
    settings = home / ".gemini/settings.json"
    installed = settings.read_text()
    settings.write_text('{ "hooks": broken')
    broken = "~/.gemini/settings.json is not valid JSON: line 1, column 12: expected a value"
    names = ("distil", "learn", "replay", "review", "status")
    remaining = [f"~/.gemini/commands/mind-skills-{name}.toml: the command /mind-skills-{name}" for name in names]
    remaining += ["~/.local/state/mind-skills/install still exists"] if "--purge" in option else []
    done = mind_skills("uninstall", selected, *option)
    assert (done.code, done.out.partition("Left behind:\n")[2].splitlines()) == (
        1,
        [f"  {line}" for line in [broken, *remaining]],
    )
    settings.write_text(installed)
    done = mind_skills("uninstall", selected, *option)
    is_last = done.out.endswith(" -m pip uninstall mind-skills` removes the program itself.\n")
    assert (done.code, is_last, list(home.rglob("mind-skills-*.toml"))) == (0, "--purge" in option, [])


@pytest.mark.parametrize(
    "command",
    [
        *("status", "status --verbose", "pending", "show x", "skills", "skills archive", "proof", "patterns", "report"),
        *("eval", "memory list", "memory show x", "memory search x", "memory health", "memory export out"),
        *("team status", "config list", "config get enabled", "undo", "learn", "doctor", "prune", "replay"),
        *("task outcome list", "task errors show x", "task errors stats x", "task errors resolve x"),
        "dismiss x --reason y",
    ],
)
def test_a_command_that_only_reads_creates_no_file_where_there_is_no_state(
    home: Path, project: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any], command: str
) -> None:
    mind_skills("pause")
    mind_skills("uninstall", "--all", "--purge")
    before = tree(home), tree(project)
    mind_skills(*(str(home.parent / "out") if word == "out" else word for word in command.split()))
    assert (tree(home), tree(project)) == before


@pytest.fixture
def run_on_a_terminal(mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Run a command with these lines typed on a terminal."""

    def run(typed: str, *arguments: str) -> Any:
        monkeypatch.setattr(sys, "stdin", Terminal(typed))
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
        monkeypatch.setenv("NO_COLOR", "1")
        return mind_skills(*arguments)

    return run


@pytest.fixture
def skill(state: Path, tmp_path: Path, learn: Callable[..., Any]) -> Path:
    """A skill that an agent wrote from a candidate."""
    found = learn(state, make_repository(tmp_path / "shop"))
    path = tmp_path / "shop/.claude/skills/calm/SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text("---\nname: calm\ndescription: Use when it booms.\n---\nBe calm.\n")
    with Ledger.open(state) as ledger:
        ledger.accept(found.id, str(path), 4)
    return path


def print_path(home: Path, text: str) -> str:
    """Return an entry of ``purged`` as it is printed for people."""
    path, _, pattern = text.partition(": ")
    path = path.replace(f"{home}/", "~/")
    return f"the line {pattern} from {path}" if pattern else path


def test_a_purge_names_the_remaining_skills_and_how_to_remove_the_program(
    home: Path, state: Path, skill: Path, mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "prefix", str(home))
    nothing = "The settings of Codex contain nothing of ours.\n"
    stays = f"1 skill that your agents wrote is yours and stays:\n  {skill}\n"
    paths = mind_skills("uninstall", "codex", "--purge", "--dry-run", "--json").json["purged"]
    assert str(state / "mind-skills.db") in paths
    program = f"`{shlex.quote(sys.executable)} -m pip uninstall mind-skills` removes the program itself.\n"
    planned = "".join(f"would remove {print_path(home, path)}\n" for path in paths)
    stays += f"To delete it as well: rm -r {skill.parent}\n"
    assert mind_skills("uninstall", "codex", "--purge", "--dry-run").out == nothing + planned + stays + program
    (home / "uv-receipt.toml").touch()
    program = "`uv tool uninstall mind-skills` removes the program itself.\n"
    done = mind_skills("uninstall", "codex", "--purge", "--verify")
    assert (done.code, done.out.startswith(nothing)) == (0, True)
    assert done.out.endswith(f"\n{stays}Verified: nothing else is left.\n{program}")
    assert skill.exists()


def test_a_purge_asks_once_on_a_terminal_and_only_if_there_is_something_to_delete(
    home: Path, state: Path, skill: Path, run_on_a_terminal: Callable[..., Any], mind_skills: Callable[..., Any]
) -> None:
    question = "Delete what was learned for good? [y]es, [N]o, only remove the hooks: "
    mind_skills("install", "codex")
    paths = mind_skills("uninstall", "--all", "--purge", "--dry-run", "--json").json["purged"]
    planned = "".join(f"  {print_path(home, path)}\n" for path in paths)
    asked = (
        f"1 skill that your agents wrote is yours and stays:\n  {skill}\n"
        f"What was learned, and your settings of mind-skills:\n{planned}{question}"
    )
    for typed in ("\n", "n\n", ""):
        mind_skills("install", "codex")
        done = run_on_a_terminal(typed, "uninstall", "--all", "--purge")
        assert (done.code, done.out.startswith(asked)) == (0, True)
        assert "`mind-skills uninstall --all --purge` removes it as well." in done.out
        assert not (home / ".codex/hooks.json").exists()
    assert state.exists()
    assert question not in run_on_a_terminal("", "uninstall", "--all", "--purge", "--dry-run").out
    assert run_on_a_terminal("y\n", "uninstall", "--all", "--purge").out.startswith(f"{asked}The settings of")
    assert not state.exists()
    assert question not in run_on_a_terminal("", "uninstall", "--all", "--purge").out


@pytest.mark.parametrize(
    ("arguments", "action"),
    [
        (["install"], "change the settings of your agents"),
        (["install", "codex"], "change the settings of your agents"),
        (["install", "codex", "--json"], "change the settings of your agents"),
        (["install", "--no-history"], "change the settings of your agents"),
        (["uninstall", "--all", "--purge"], "delete for good what was learned"),
    ],
)
@pytest.mark.parametrize("typed", ["", "n\n", "y\n"])
def test_nothing_is_changed_if_nobody_can_be_asked(
    home: Path,
    state: Path,
    skill: Path,
    tree: Callable[..., Any],
    arguments: list[str],
    action: str,
    typed: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (home / ".codex").mkdir()
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    before = tree(home)
    as_json = "--json" in arguments
    reason = "with --json" if as_json else "without a terminal"
    assert run(arguments) == 1
    out, err = capsys.readouterr()
    assert f"this would {action}, and {reason} nobody can be asked" in " ".join((out if as_json else err).split())
    assert "Add --yes if you want that; --dry-run shows what would change." in " ".join((out + err).split())
    assert tree(home) == before


def test_a_named_host_without_its_history_leaves_nothing_to_ask(
    home: Path, mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / ".codex").mkdir()
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    done = mind_skills("install", "codex", "--no-history", "--no-mcp")
    assert (done.code, (home / ".codex/hooks.json").exists()) == (0, True)


def test_a_purge_does_not_ask_with_yes(state: Path, skill: Path, run_on_a_terminal: Callable[..., Any]) -> None:
    assert run_on_a_terminal("", "uninstall", "--all", "--purge", "--yes").code == 0
    assert not state.exists()


def test_a_dry_run_lists_all_files_before_the_first_diff(home: Path, mind_skills: Callable[..., Any]) -> None:
    mind_skills("install", "codex", "gemini", "--no-mcp")
    lines = mind_skills("uninstall", "codex", "gemini", "--dry-run").out.splitlines()
    files = [number for number, text in enumerate(lines) if text.endswith("would be removed")]
    diffs = [number for number, text in enumerate(lines) if text.startswith("    --- ")]
    assert (len(files), len(diffs), max(files) < min(diffs)) == (3, 2, True)


@pytest.mark.parametrize("kept", ["", ".config"])
def test_a_purge_removes_a_config_folder_only_if_we_created_it(
    home: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any], kept: str
) -> None:
    (home / kept).mkdir(exist_ok=True)
    before = tree(home)
    mind_skills("config", "set", "caps.per_offer", "3")
    assert mind_skills("uninstall", "--all", "--purge", "--verify").code == 0
    assert tree(home) == before


def test_every_folder_that_hooks_and_staging_create_in_the_state_is_in_state_names() -> None:
    """A purge would leave a name that is missing from STATE_NAMES in a state folder that the user chose: add it there."""
    from mind_skills.hooks import failure, session_state
    from mind_skills.staging import start_files
    from mind_skills.store import error_index

    named = {
        value for module in (session_state, start_files) for value in vars(module).values() if isinstance(value, str)
    }
    words = {value for value in named if value.replace("_", "").isalpha() and value.islower()}
    words |= {failure.FOLDER, error_index.FOLDER, "spool", "reminders"}
    assert words - STATE_NAMES == set()


@pytest.mark.parametrize("kept", ["", ".local", ".local/state"])
def test_a_purge_removes_the_folders_above_the_state_only_if_we_created_them(
    home: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any], kept: str
) -> None:
    (home / kept).mkdir(parents=True, exist_ok=True)
    before = tree(home)
    mind_skills("pause")  # before an installation could record which folders were missing
    mind_skills("install", "codex")
    done = mind_skills("uninstall", "codex", "--purge", "--verify", "--json")
    assert (done.code, done.json["residue"]) == (0, [])
    assert tree(home) == before


def test_uninstalling_the_last_host_removes_the_folders_we_created_if_there_is_no_database(
    home: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any]
) -> None:
    before = tree(home)
    mind_skills("install", "codex")
    assert mind_skills("uninstall", "codex", "--verify").code == 0
    assert tree(home) == before


def test_a_purge_preserves_a_folder_above_the_state_that_others_use(
    home: Path, state: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any]
) -> None:
    mind_skills("pause")
    (home / ".local/state/other").mkdir()
    said = [str(home / ".local/state"), str(home), str(home / "elsewhere"), "x"]
    (state / "folders-made").write_text("\0".join(said), encoding="utf-8")
    (home / "elsewhere").mkdir()
    mind_skills("uninstall", "--all", "--purge")
    assert sorted(path.relative_to(home).as_posix() for path in home.rglob("*")) == [
        *(".local", ".local/state", ".local/state/other", "elsewhere"),
    ]
