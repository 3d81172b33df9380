"""The command `python -m research.evaluation.helps`: the steps around agents that solve tasks, and what is measured of them."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import click

from mind_skills.cli import options
from mind_skills.cli.group import SuggestingGroup, run_group
from mind_skills.cli.main import execute
from mind_skills.errors import DONE
from research.evaluation.helps import PAGE, PLAN, RECORDINGS, TRAPS, tools
from research.evaluation.helps.runs import FIRST, SECOND_ARMS, Facts, Run

NAME = "python -m research.evaluation.helps"
_PATH = click.Path(path_type=Path)
_TRAPS = click.option("--traps", type=_PATH, default=TRAPS, metavar="DIR", help="Folder of the traps.")
_OUT = click.option("--out", required=True, type=_PATH, metavar="DIR", help="Folder of the new run.")
_RUN = click.option("--run", "folder", required=True, type=_PATH, metavar="DIR", help="Folder of the run.")
_RECORDINGS = click.option(
    "--recordings", type=_PATH, default=RECORDINGS, metavar="DIR", help="Folder of the recordings."
)


def main(arguments: list[str]) -> int:
    """Run the command in ``arguments`` and return the exit code."""
    return execute(arguments, partial(run_group, command, NAME))


@click.group(cls=SuggestingGroup)
def command() -> None:
    """Measure whether skills help agents: docs/helps.md. Not part of the wheel. Needs Linux with user namespaces.

    The runs of a trap are folders next to each other, named by `plan`. A trap is a folder with repository/, first.md, second.md,
    check_first.py, check_second.py and trap.md; a control has only repository/, second.md and check_second.py.
    """


@command.command("plan", epilog=options.format_examples(f"{NAME} plan --seed 47"))
@click.option("--seed", type=int, required=True, help="Determines the order, and which traps are kept back.")
@click.option("--out", type=_PATH, default=PLAN, metavar="FILE", help="File to write.")
@_TRAPS
def plan(seed: int, out: Path, traps: Path) -> int:
    """Draw the order of all runs and the traps that are kept back; print it as a table, and store it."""
    from research.evaluation.helps.loop import list_traps
    from research.evaluation.helps.plan import draw_plan, format_plan, write_plan

    drawn = draw_plan(*list_traps(traps), seed)
    write_plan(drawn, out)
    return _print(format_plan(drawn))


@command.command(
    "start", epilog=options.format_examples(f"{NAME} start --trap lock --arm with --try 1 --out runs/lock-with-1")
)
@click.option("--trap", required=True, help="Name of a trap or control.")
@click.option("--arm", required=True, type=click.Choice((FIRST, *SECOND_ARMS)), help="What the agent has.")
@click.option("--try", "number", type=click.IntRange(1), default=1, help="Number of the try.")
@_OUT
@_TRAPS
def start(trap: str, arm: str, number: int, out: Path, traps: Path) -> int:
    """Make a run, and print the prompt of its agent.

    The arm `with` gets the skills that the run TRAP-writer next to it wrote, a control those of all writers; the arm `reminder`
    gets what mind-skills learned from TRAP-first.
    """
    from research.evaluation.helps import loop  # needs what an act of an agent need not wait for

    return _print(loop.start(traps, Facts(trap, arm, number), out))


@command.command(
    "learn", epilog=options.format_examples(f"{NAME} learn --first runs/lock-first --out runs/lock-writer")
)
@click.option("--first", required=True, type=_PATH, metavar="DIR", help="Folder of the run on the first task.")
@_OUT
def learn(first: Path, out: Path) -> int:
    """End the session of a first task, start the next one, and print the prompt of the agent that gets the offer."""
    from research.evaluation.helps import loop

    return _print(loop.learn(Run.open(first), out))


@command.command("finish", epilog=options.format_examples(f"{NAME} finish --run runs/lock-with-1"))
@_RUN
@_TRAPS
@_RECORDINGS
def finish(folder: Path, traps: Path, recordings: Path) -> int:
    """Judge a run with the hidden check, or end the session of a writer; store its recording, and DIR/result.json."""
    from research.evaluation.helps import loop

    known = loop.finish(Run.open(folder), traps, recordings)
    return _print("\n".join(f"{name}: {value}" for name, value in known.items() if name != "skills"))


@command.command("figures", epilog=options.format_examples(f"{NAME} figures", f"{NAME} figures --write"))
@click.option("--runs", "recordings", type=_PATH, default=RECORDINGS, metavar="DIR", help="Folder of the recordings.")
@click.option("--plan", "plan_file", type=_PATH, default=PLAN, metavar="FILE", help="File that `plan` wrote.")
@click.option("--page", type=_PATH, default=PAGE, metavar="FILE", help="Page with the tables.")
@click.option("--write", is_flag=True, help="Write the tables into the page, and the digests of the recordings.")
def figures(recordings: Path, plan_file: Path, page: Path, write: bool) -> int:
    """Compute all tables of docs/helps.md from the recordings, the results of the checks and judgements.json.

    The latter is {TRAP: {SKILL: {"right": true or false, "reason"}}}, by a reader who got prompts/judge.md.
    """
    from research.evaluation.helps.figures import read_recordings, write_figures

    return _print(write_figures(read_recordings(recordings), recordings, plan_file, page, write=write))


@command.group("act", cls=SuggestingGroup)
@_RUN
@click.pass_context
def act(context: click.Context, folder: Path) -> None:
    """Act as the agent of a run, one call at a time. Prints what the agent reads, and records the call."""
    context.obj = Run.open(folder)


@act.command("run")
@click.argument("text", metavar="COMMAND", required=False)
@click.option("--timeout", type=click.IntRange(1, tools.MAX_TIMEOUT), default=tools.DEFAULT_TIMEOUT, help="Seconds.")
@click.pass_obj
def act_run(run: Run, text: str | None, timeout: int) -> int:
    """Run a shell command; without COMMAND, that on stdin."""
    return _print(tools.run_command(run, text if text is not None else tools.read_stdin(), timeout))


@act.command("read")
@click.argument("path")
@click.option("--lines", metavar="A-B", help="Print only these lines.")
@click.pass_obj
def act_read(run: Run, path: str, lines: str | None) -> int:
    """Print a file with line numbers."""
    first, _, last = (lines or "").partition("-")
    if lines and not (first.isdecimal() and int(first) and (last or first).isdecimal()):
        raise click.UsageError(f"--lines {lines} is not a range such as 10-40.")
    return _print(tools.read_file(run, path, (int(first), int(last or first)) if lines else None))


@act.command("edit")
@click.argument("path")
@click.option("--old", help="The text to replace.")
@click.option("--new", help="The text to put there.")
@click.option("--all", "replaces_all", is_flag=True, help="Replace every occurrence.")
@click.pass_obj
def act_edit(run: Run, path: str, old: str | None, new: str | None, replaces_all: bool) -> int:
    """Replace a text of a file. Without options, {"old", "new", "all"} is read from stdin as JSON."""
    if old is None or new is None:
        try:
            old, new, replaces_all = tools.read_edit(tools.read_stdin())
        except ValueError as error:
            raise click.UsageError(f"Give --old and --new, or JSON on stdin: {error}") from error
    return _print(tools.edit_file(run, path, old, new, replaces_all=replaces_all))


@act.command("write")
@click.argument("path")
@click.option("--content", help="The content; without it, stdin.")
@click.pass_obj
def act_write(run: Run, path: str, content: str | None) -> int:
    """Write a whole file."""
    return _print(tools.write_file(run, path, content if content is not None else tools.read_stdin()))


@act.command("load-skill")
@click.argument("name")
@click.pass_obj
def act_load_skill(run: Run, name: str) -> int:
    """Load a skill of the project."""
    return _print(tools.load_skill(run, name))


@act.command("say")
@click.argument("text", required=False)
@click.pass_obj
def act_say(run: Run, text: str | None) -> int:
    """Tell the user something; without TEXT, what is on stdin."""
    run.transcript.add_answer(text if text is not None else tools.read_stdin())
    return DONE


def _print(text: str) -> int:
    sys.stdout.write(text + "\n")
    return DONE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
