"""`mind-skills config`: read and change the settings."""

from __future__ import annotations

import click

from mind_skills.cli import options
from mind_skills.cli.group import SuggestingGroup
from mind_skills.output.state import resolve_project_option
from mind_skills.output.text import emit, format_path, print_line, print_note, print_table
from mind_skills.settings import edit
from mind_skills.settings.edit import change_setting, format_toml_value
from mind_skills.settings.strict import load, make_unknown_key_error
from mind_skills.settings.table import COMMON_SETTINGS, TABLE, normalise_key


@click.group(cls=SuggestingGroup)
def command() -> None:
    """Read and change the settings.

    Settings are read from your own mind-skills.toml, in which the table `[projects."DIR"]` applies to a single project.
    The file .claude/mind-skills.toml in a project can only disable mind-skills there, increase idle_seconds and lower
    caps.
    """


class _ReadCommand(click.Command):
    """Accepts ``--project`` without a folder, which means the current project, as in `config set`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Rewrite ``--project`` as ``--project=`` if no word is left to be its folder."""
        words = [each for each in args if not each.startswith("-")]
        if len(words) <= sum(isinstance(each, click.Argument) for each in self.params):
            args = ["--project=" if each == "--project" else each for each in args]
        return super().parse_args(ctx, args)


@options.subcommand(
    command,
    "list",
    "mind-skills config list",
    "mind-skills config list --project",
    "mind-skills config list --all --project ~/code/shop --json",
    cls=_ReadCommand,
)
@click.option("--all", "show_all", is_flag=True, help="Show every setting.")
@options.project_and_json
def list_settings(show_all: bool, folder: str, as_json: bool) -> None:
    """Show the common and the changed settings, with their values and where they are set. --json shows every setting."""
    settings = load(resolve_project_option(folder).root)
    shown = [
        item for item in settings if show_all or as_json or item.key in COMMON_SETTINGS or item.origin != "default"
    ]
    rows = [(key, format_toml_value(value), origin) for key, value, origin in shown]
    emit({"settings": shown}, as_json, lambda: print_table("", ("setting", "value", "from"), rows))
    if len(shown) < len(settings):
        print_note(f"Run `mind-skills config list --all` to show {len(settings) - len(shown)} more.")


@options.subcommand(
    command,
    "get",
    "mind-skills config get caps.per_offer",
    "mind-skills config get enabled --project",
    "mind-skills config get skills_dir.codex --json",
    cls=_ReadCommand,
)
@click.argument("key")
@options.project_and_json
def get_setting(key: str, folder: str, as_json: bool) -> None:
    """Show the value of one setting."""
    key = normalise_key(key)
    if key not in TABLE:
        raise make_unknown_key_error(key, "")
    setting = next(item for item in load(resolve_project_option(folder).root) if item.key == key)
    text = setting.value if isinstance(setting.value, str) else format_toml_value(setting.value)
    emit({"settings": [setting]}, as_json, lambda: print_line(text))


class _SetCommand(click.Command):
    """Accepts a folder after ``--project``, as other commands do: the arguments are the only other words."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Rewrite ``--project DIR`` and ``--project=DIR`` as ``--project --in DIR``."""
        count = sum(isinstance(each, click.Argument) for each in self.params)
        for number, word in enumerate(args):
            if word.startswith("--project="):
                args[number : number + 1] = ["--project", "--in", word.partition("=")[2]]
                break
            others = [each for each in args if not each.startswith("-")]
            if word == "--project" and len(others) > count and "--in" not in args and args[number + 1 :]:
                args.insert(number + 1, "--in")
                break
        return super().parse_args(ctx, args)


def _in_one_project(function: options.F) -> options.F:
    """Add ``--project`` with an optional folder, for a command of the class _SetCommand."""
    in_project = click.option(
        "--project",
        "in_project",
        is_flag=True,
        help="Only for this project, or for the project in the folder that follows.",
    )
    folder = click.option(
        "--in",
        "folder",
        default="",
        metavar="DIR",
        type=click.Path(file_okay=False),
        help="With --project: the same as a folder after it.",
    )
    return in_project(folder(function))


def _find_root(folder: str, *, in_project: bool) -> str | None:
    """Return the root of the project that the options name; None for all projects."""
    if folder and not in_project:
        raise click.UsageError("--in needs --project")
    return resolve_project_option(folder).root if in_project else None


@options.subcommand(
    command,
    "set",
    "mind-skills config set enabled false --project",
    "mind-skills config set enabled false --project ~/code/shop",
    "mind-skills config set caps.per_offer 3",
    cls=_SetCommand,
)
@click.argument("key")
@click.argument("value")
@_in_one_project
@options.as_json
def set_setting(key: str, value: str, in_project: bool, folder: str, as_json: bool) -> None:
    """Set KEY to VALUE, for all projects or, with --project, for one project."""
    root = _find_root(folder, in_project=in_project)
    changed = change_setting(key, value, root)
    scope = "all projects" if root is None else f"{format_path(root)}; other projects are unchanged"
    text = f"{changed.key} = {format_toml_value(changed.value)} for {scope} (in {changed.origin})"
    emit({"settings": [changed]}, as_json, lambda: print_line(text))


@options.subcommand(
    command,
    "unset",
    "mind-skills config unset caps.per_offer",
    "mind-skills config unset enabled --project",
    cls=_SetCommand,
)
@click.argument("key")
@_in_one_project
@options.as_json
def unset_setting(key: str, in_project: bool, folder: str, as_json: bool) -> None:
    """Remove KEY from your settings, for all projects or, with --project, for one project: its default applies again."""
    root = _find_root(folder, in_project=in_project)
    path = edit.unset_setting(key, root)
    setting = next(item for item in load(resolve_project_option(folder).root) if item.key == normalise_key(key))
    scope = "all projects" if root is None else format_path(root)
    done = f"{setting.key} is no longer set for {scope}" if path else f"{setting.key} was not set for {scope}"
    text = f"{done}; here it is {format_toml_value(setting.value)}, from {setting.origin}."
    emit({"settings": [setting]}, as_json, lambda: print_line(text))
