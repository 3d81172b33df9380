"""Retrieval quality of the memory, and the cost of a query.

usage: python -m research.benchmarks.retrieval.run [--json | --summary] [--commands] [--held-out | --late] [--model DIR]...
           [--cost [SIZE...]] [--misses]

161 symptoms, as people type them, are queries for 414 stored learnings; each has one correct answer. It prints the share
found first (R@1) and in the first five (R@5), and the mean of 1 / rank (MRR), with 95 % intervals: for all pairs,
for those that share no content word, and for the two halves, of which only `dev` may be used for tuning; each without
and with the text of the learning's task.

--summary prints only the two tables of docs/memory.md. --commands uses `mind-skills memory add` and `memory search
--json`: some 1,500 processes, which takes minutes. --held-out runs only those pairs, --late the 40 that were written
after the memory was finished. --model adds a sentence-transformers model from a folder. --cost instead measures the
time of a query relative to a bare FTS5 query, at 1,000 and 100,000 records (some minutes). --misses prints the pairs of
`dev` that the store does not find in the first five.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TypedDict

from mind_skills.memory.encoders import Extras
from research.benchmarks.retrieval.cost import Cost, measure_cost
from research.benchmarks.retrieval.figures import Figures, compute_figures, format_number, format_share, format_table
from research.benchmarks.retrieval.methods import (
    Answers,
    Method,
    bm25,
    bm25_without_stop_words,
    fusion,
    hashing,
    search_store,
    trigram,
    with_extras,
)
from research.benchmarks.retrieval.pairs import Learning, Pair, load_pairs
from research.benchmarks.retrieval.through_commands import search_by_commands

METHODS: dict[str, Method] = {
    "BM25 (FTS5, Porter)": bm25,
    "BM25 without stop words": bm25_without_stop_words,
    "trigram (FTS5)": trigram,
    "hashing": hashing,
    "fusion of BM25 and hashing": fusion,
    "mind-skills": search_store,
}
BASELINE = "BM25 (FTS5, Porter)"
COMMANDS = "mind-skills, by its commands"
PARTS: dict[str, Callable[[Pair], bool]] = {
    "all": lambda pair: True,
    "no shared word": lambda pair: not pair.shares_words,
    "shared words": lambda pair: pair.shares_words,
    "dev": lambda pair: pair.half == "dev",
    "held-out": lambda pair: pair.half == "held-out",
}
SIZES = (1_000, 100_000)


class Measured(TypedDict):
    """The figures of one method, without or with the task's text; ``parts`` has those of each part, by the names in PARTS."""

    method: str
    task: bool
    parts: dict[str, Figures]


def measure(pairs: Sequence[Pair], learnings: Sequence[Learning], methods: dict[str, Method]) -> list[Measured]:
    """Measure every method, without and with the text of the task."""
    return [
        {"method": name, "task": task, "parts": build_parts(pairs, compute_ranks(pairs, learnings, method, task=task))}
        for task in (False, True)
        for name, method in methods.items()
    ]


def compute_ranks(pairs: Sequence[Pair], learnings: Sequence[Learning], method: Method, *, task: bool) -> list[int]:
    """Return the rank of each pair's learning, from 1; 0 if it was not found."""
    answers: Answers = method(learnings, [pair.query for pair in pairs], task=task)
    return [answer.index(pair.id) + 1 if pair.id in answer else 0 for pair, answer in zip(pairs, answers, strict=True)]


def build_parts(pairs: Sequence[Pair], found: Sequence[int]) -> dict[str, Figures]:
    """Return the metrics of each part of the pairs."""
    return {
        name: compute_figures([rank for rank, pair in zip(found, pairs, strict=True) if inside(pair)])
        for name, inside in PARTS.items()
    }


def format_report(measured: Sequence[Measured]) -> str:
    """Return Markdown tables, and the comparison of the store with the baseline."""
    lines: list[str] = []
    for task in (False, True):
        here = [one for one in measured if one["task"] is task]
        for part in PARTS:
            rows = [(one["method"], one["parts"][part]) for one in here]
            if of := rows[0][1]["pairs"]:
                condition = "with the task's text" if task else "without the task's text"
                lines += [f"### {part}: {of} pairs, {condition}", "", format_table(rows), ""]
    return "\n".join([*lines, *_format_ratios(measured)])


def format_summary(measured: Sequence[Measured]) -> str:
    """Return the tables of docs/memory.md: one row per method, with R@5 of the parts."""
    lines: list[str] = []
    part_names = [part for part in ("no shared word", "dev", "held-out") if measured[0]["parts"][part]["pairs"]]
    for task in (False, True):
        lines += [f"{'With' if task else 'Without'} the task's text:", ""]
        lines.append(f"| method | R@1 | R@5 | MRR | {' | '.join(f'R@5, {part}' for part in part_names)} |")
        lines.append("|" + "---|" * (4 + len(part_names)))
        for one in measured:
            if one["task"] is task:
                of = one["parts"]
                shares = [of["all"]["r1"], of["all"]["r5"], of["all"]["mrr"], *(of[part]["r5"] for part in part_names)]
                lines.append(f"| {one['method']} | {' | '.join(map(format_share, shares))} |")
        lines.append("")
    return "\n".join([*lines, *_format_ratios(measured)])


def _format_ratios(measured: Sequence[Measured]) -> list[str]:
    return [
        _compare_with_baseline(measured, part)
        for part in ("all", "dev", "held-out")
        if measured[0]["parts"][part]["pairs"]
    ]


def _compare_with_baseline(measured: Sequence[Measured], part: str) -> str:
    """Return the store's R@5 as a multiple of the baseline's, which never uses the task."""
    found = {(one["method"], one["task"]): one["parts"][part]["r5"]["value"] for one in measured}
    baseline = found.get((BASELINE, False))
    if not baseline:
        return f"{part}: nothing to compare with"
    ratios = [
        f"{name} {found[name, task] / baseline:.2f} x{' with the task' if task else ''}"
        for name in ("mind-skills", COMMANDS)
        for task in (False, True)
        if (name, task) in found
    ]
    return f"{part}: R@5 of BM25 without the task is {format_number(baseline)}; {', '.join(ratios)}"


def measure_costs(pairs: Sequence[Pair], learnings: Sequence[Learning], sizes: Sequence[int]) -> list[Cost]:
    """Return a query's cost at each size."""
    return [measure_cost(learnings, [pair.query for pair in pairs], size) for size in sizes]


def _list_methods(arguments: argparse.Namespace) -> dict[str, Method]:
    """Return the plain methods, LanceDB if it is installed, and the named models; none is downloaded."""
    methods = dict(METHODS)
    if find_spec("lancedb"):
        methods["mind-skills with LanceDB"] = with_extras(Extras(model=""))
    for folder in arguments.model:
        methods[f"mind-skills with {Path(folder).name}"] = with_extras(Extras(index="", model=folder))
    if arguments.commands:
        methods[COMMANDS] = search_by_commands
    return methods


def _list_misses(pairs: Sequence[Pair], learnings: Sequence[Learning]) -> str:
    """List the missed pairs of ``dev``. Held-out pairs are never listed, so that nobody can tune on them."""
    dev_pairs = [pair for pair in pairs if pair.half == "dev"]
    texts = {learning.id: learning.text for learning in learnings}
    found = compute_ranks(dev_pairs, learnings, search_store, task=False)
    return "\n".join(
        f"{rank or '-':>3}  {pair.query}\n     -> {texts[pair.id]}"
        for rank, pair in zip(found, dev_pairs, strict=True)
        if not 0 < rank <= 5
    )


def main() -> int:
    """Run the command; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--summary", action="store_true")
    parser.add_argument("--commands", action="store_true")
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--late", action="store_true")
    parser.add_argument("--model", action="append", default=[], metavar="DIR")
    parser.add_argument("--cost", nargs="*", type=int, metavar="SIZE")
    parser.add_argument("--misses", action="store_true")
    arguments = parser.parse_args()
    pairs, learnings = load_pairs(late=arguments.late)
    if arguments.misses:
        print(_list_misses(pairs, learnings))
        return 0
    if arguments.cost is not None:
        spent = measure_costs(pairs, learnings, arguments.cost or SIZES)
        print(
            json.dumps({one["records"]: one for one in spent})
            if arguments.json
            else "\n".join(_format_cost(one) for one in spent)
        )
        return 0
    selected = [pair for pair in pairs if pair.half == "held-out" or not arguments.held_out]
    measured = measure(selected, learnings, _list_methods(arguments))
    render = format_summary if arguments.summary else format_report
    print(json.dumps(measured, indent=2) if arguments.json else render(measured))
    return 0


def _format_cost(one: Cost) -> str:
    return (
        f"{one['records']:>7,} records: {one['ratio']:.2f} x a bare FTS5 query (medians of {one['queries']} queries: "
        f"{one['store_ms']:.2f} and {one['bare_ms']:.2f} ms); the slowest {one['slowest_ratio']:.2f} x"
    )


if __name__ == "__main__":
    sys.exit(main())
