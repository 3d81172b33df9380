"""Formats the tables of docs/detection.md from the results that `make tables` stores in .ci/study.json."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parent.parent / "docs" / "detection.md"
NAMES = {
    "claude-code": "Claude Code",
    "codex-rollout": "Codex",
    "opencode-export": "OpenCode",
    "gemini-chat": "Gemini CLI",
    "swe-agent-traj": "SWE-agent",
    "mini-swe-traj": "mini-swe-agent",
}
COUNTS = {"1": "one learning", "2": "two", "3": "three or more"}
SHARES = {"covered": "covered", "named": "named", "named2": "by two", "borne_out": "borne out", "whole": "**whole**"}
RANDOM = "random episodes"
MIN_LEARNINGS = 8
"""Repositories with fewer learnings are summed up, and log formats with fewer have no row in the first table."""


def format_rate(rate: float) -> str:
    """Format a rate with two decimals and no leading zero; 1 as `1.0`."""
    return f"{rate:.2f}".removeprefix("0") if round(rate, 2) < 1 else f"{rate:.1f}"


def format_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Format a Markdown table."""
    first, *others = ("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in (header, *rows))
    return "\n".join([first, "|" + "---|" * len(header), *others])


def format_figures(rows: Iterable[tuple[str, dict[str, Any]]]) -> str:
    """Format a table with a row for each (name, figures)."""
    return format_table(
        ("", "sessions", "with a digest", "learnings", "characters", *SHARES.values()),
        [
            (
                name,
                *(str(figures[key]) for key in ("sessions", "sessions_shown", "learnings")),
                f"{figures['characters']:,}",
                *(format_rate(figures[key]) for key in SHARES),
            )
            for name, figures in rows
        ],
    )


def format_headline(study: dict[str, Any]) -> str:
    """Format the figures of all sessions and by log format, and what a digest and the gate keep."""
    digest, without = study["digest"], study["without_largest"]
    formats = [(NAMES.get(name, name), figures) for name, figures in study["formats"].items()]
    small = [(name, figures) for name, figures in formats if figures["learnings"] < MIN_LEARNINGS]
    rows = [
        ("all", digest),
        (f"without the largest owner ({without['owner']})", without),
        *(each for each in formats if each not in small),
        *((f"sessions with {COUNTS[count]}", figures) for count, figures in study["counts"].items() if count in COUNTS),
    ]
    each = ", ".join(
        f"{name} {format_rate(figures['whole'])} of {figures['learnings']} ({figures['sessions']} sessions)"
        for name, figures in small
    )
    return (
        f"{format_figures(rows)}\n\nWhole in other formats, of their learnings: {each}.\n\n"
        f"A digest is {digest['times_smaller']} times smaller than the log, with {digest['episodes']} episodes."
        f" {format_rate(study['lines_inside'])} of the lines of these logs lie in an episode."
        f" Of the sessions with a digest {format_rate(digest['gate_precision'])} hold a learning; of the sessions with a learning"
        f" {format_rate(digest['gate_recall'])} have a digest."
    )


def format_sources(study: dict[str, Any]) -> str:
    """Say how much is seen of the repositories with several learnings, at least and at most, and of all others together."""
    large = {name: part for name, part in study["sources"].items() if part["learnings"] >= MIN_LEARNINGS}
    others = [part for name, part in study["sources"].items() if name not in large and part["learnings"]]
    count = sum(part["learnings"] for part in others)
    seen = round(sum(part["whole"] * part["learnings"] for part in others))
    shares = [part["whole"] for part in large.values()]
    return (
        f"Whole by repository: {format_rate(min(shares))} to {format_rate(max(shares))} in the {len(large)} with at least"
        f" {MIN_LEARNINGS} learnings; in the other {len(others)} together, {seen} of {count} ({format_rate(seen / max(1, count))})."
    )


def format_curve(study: dict[str, Any]) -> str:
    """Format what is named and what is seen whole, by size of a digest."""
    budgets = [figures for name, figures in study["designs"].items() if name.startswith("budget ")]
    each_size = sorted([*budgets, study["digest"]], key=lambda each: each["characters"])
    return format_table(
        ("mean characters", *(f"{figures['characters']:,}" for figures in each_size)),
        [(SHARES[key], *(format_rate(figures[key]) for figures in each_size)) for key in ("named", "whole")],
    )


def format_designs(study: dict[str, Any]) -> str:
    """Format what simpler means show in the same sessions, with a single row for the draws of random episodes."""
    rows = {name: [figures] for name, figures in study["designs"].items() if not name.startswith(("budget ", RANDOM))}
    draws = [figures for name, figures in study["designs"].items() if name.startswith(RANDOM)]
    rows = {"the digest": [study["digest"]], f"{RANDOM}, {len(draws)} draws": draws, **rows}
    return format_table(
        ("", "characters", *SHARES.values()),
        [
            (
                name,
                format_range([f"{each['characters']:,}" for each in figures]),
                *(format_range([format_rate(each[key]) for each in figures]) for key in SHARES),
            )
            for name, figures in rows.items()
        ],
    )


def format_range(numbers: Sequence[str]) -> str:
    """Format numbers as one, if all are the same, or as the least and the greatest."""
    ranked = sorted(numbers, key=lambda number: float(number.replace(",", "")))
    return ranked[0] if ranked[0] == ranked[-1] else f"{ranked[0]}-{ranked[-1]}"


def format_gate(study: dict[str, Any]) -> str:
    """Format the precision of the gate at each recall."""
    return format_table(
        ("sessions with a learning that are kept", "share of kept sessions with one", "from probability"),
        [
            (format_rate(point["reached"]), format_rate(point["precision"]), f"{point['probability']:.3f}")
            for point in study["gate"]
        ],
    )


def format_calibration(study: dict[str, Any]) -> str:
    """Format the calibration in bins of equal size."""
    calibration = study["calibration"]
    counts, *shares = zip(*calibration["bins"], strict=True)
    rows = [(name, *map(format_rate, row)) for name, row in zip(("predicted", "share right"), shares, strict=True)]
    gain = 1 - calibration["brier"] / calibration["base"] if calibration["base"] else 0.0
    summary = (
        f"Expected error {calibration['error']:.3f}; with so few episodes, exact probabilities would have {calibration['by_chance']:.3f}."
        f" Brier score {calibration['brier']:.3f}, {100 * gain:.0f} % below the {calibration['base']:.3f} of the base rate alone."
    )
    return f"{format_table(('episodes', *map(str, counts)), rows)}\n\n{summary}"


def format_parts(study: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the name and the content of each generated part of the page."""
    yield "headline", format_headline(study)
    yield "sources", format_sources(study)
    yield "curve", format_curve(study)
    yield "designs", format_designs(study)
    yield "gate", format_gate(study)
    yield "calibration", format_calibration(study)


def update_page(text: str, study: dict[str, Any]) -> str:
    """Return the page with all generated parts replaced. Exits if a part has lost its markers."""
    for name, content in format_parts(study):
        begin, end = f"<!-- {name}: generated by .ci/score_gate.py -->", f"<!-- {name}: end -->"
        before, has_begin, rest = text.partition(begin)
        _, has_end, after = rest.partition(end)
        if not (has_begin and has_end):
            sys.exit(f"{PAGE} has lost its markers: {begin} ... {end}")
        text = f"{before}{begin}\n\n{content}\n\n{end}{after}"
    return text
