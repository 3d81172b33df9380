"""Formats the tables of docs/detection.md from the results that `make tables` stores in .ci/study.json."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
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
CEILING = ".87"
"""F1 score between two readers, on 356 sessions labelled twice: the ceiling for precision and recall."""


def format_rate(rate: float) -> str:
    """Format a rate with two decimals and no leading zero; 1 as `1.0`."""
    return f"{rate:.2f}".removeprefix("0") if rate < 1 else f"{rate:.1f}"


def format_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Format a Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def format_interval(rate: dict[str, Any]) -> str:
    """Format a rate with its interval."""
    return f"{format_rate(rate['rate'])} ({format_rate(rate['low'])} to {format_rate(rate['high'])})"


def format_headline(study: dict[str, Any]) -> str:
    """Format the results of `high` alone, and of `high` and `medium` together, on held-out sessions."""
    part = study["whole"]
    high, combined = (tier["figures"] for tier in part["tiers"])
    silent_count = part["silentSessions"]
    empty_cells = ("", "")

    def each(cell: Callable[[dict[str, Any]], str]) -> tuple[str, str]:
        return cell(high), cell(combined)

    def count_borderline(figures: dict[str, Any]) -> str:
        return f"{figures['onBorderline']} of {figures['candidates'] - figures['strict']['precision']['hits']}"

    rows: list[Sequence[str]] = [
        ("candidates", *each(lambda it: str(it["candidates"])), *empty_cells),
        (
            "**precision**: lies in one labelled learning",
            *each(lambda it: format_interval(it["strict"]["precision"])),
            format_rate(study["random"]),
            CEILING,
        ),
        (
            "**recall**: labelled learnings found",
            *each(lambda it: format_interval(it["strict"]["recall"])),
            "",
            CEILING,
        ),
        (
            "useful: the same, or in what a reader called borderline",
            *each(lambda it: format_interval(it["useful"])),
            *empty_cells,
        ),
        ("wrong ones in a borderline range", *each(count_borderline), *empty_cells),
        (
            "right ones whose title or evidence names the learning",
            *each(lambda it: format_share(it, "named")),
            *empty_cells,
        ),
        ("right ones whose offer names the learning", *each(lambda it: format_share(it, "told")), *empty_cells),
        (
            f"silent sessions, of {silent_count}, with a candidate",
            *each(lambda it: str(it["noisy"])),
            *empty_cells,
        ),
        (
            "of these, with a candidate outside every borderline range",
            *each(lambda it: str(it["noisyOutsideBorderline"])),
            *empty_cells,
        ),
        ("precision of such spans at random places", *each(lambda it: format_rate(it["chance"])), *empty_cells),
        ("useful, at random places", *each(lambda it: format_rate(it["usefulChance"])), *empty_cells),
    ]
    return format_table(("", "high", "high and medium", "as many random proposals", "another reader (F1)"), rows)


def describe_unfiltered_high(study: dict[str, Any]) -> str:
    """Describe what the tier `high` would be by probability alone, without the rules about untrusted text."""
    figures, silent_count = study["probable"], study["whole"]["silentSessions"]
    precision, recall = (format_interval(figures["strict"][side]) for side in ("precision", "recall"))
    untainted, tainted = study["untainted"], study["tainted"]
    return (
        "Regardless of its probability, a candidate whose cause follows untrusted text, or repeats a tool's output, is "
        "*medium* instead of *high*; tainted text from before or after its episode is omitted from *high* ones. By "
        f"probability alone *high* would contain {figures['candidates']} candidates, with precision {precision} and recall {recall}, in "
        f"{figures['noisy']} of {silent_count} silent sessions.\n\n"
        f"{untainted['candidates']} of the candidates of both tiers have no such text. If all of these were *high*, its recall would be "
        f"{format_rate(untainted['strict']['recall']['rate'])}. Their offers, if right, name the learning in "
        f"{format_share(untainted, 'told')}; of the others, of which the offer quotes less, {format_share(tainted, 'told')}."
    )


def format_share(figures: dict[str, Any], level: str) -> str:
    """Format the share of the strict hits that are also hits of ``level``."""
    hits = figures["strict"]["precision"]["hits"]
    return f"{format_rate(figures[level]['precision']['hits'] / max(1, hits))} of {hits}"


def format_log_formats(study: dict[str, Any]) -> str:
    """Format a row per log format, and one without the largest owner."""
    without_largest = study["withoutLargest"]
    named_parts = [
        (f"without the largest owner ({without_largest['name']})", without_largest),
        *((NAMES.get(part["name"], part["name"]), part) for part in study["formats"]),
    ]
    rows = []
    for name, part in named_parts:
        high, combined = (tier["figures"] for tier in part["tiers"])
        rows.append(
            (
                name,
                str(part["sessions"]),
                str(part["learnings"]),
                *format_tier(high),
                *format_tier(combined),
                format_rate(combined["useful"]["rate"]),
                f"{combined['noisy']} of {part['silentSessions']}",
            )
        )
    head = ("", "sessions", "learnings", "high: P", "R", "high and medium: P", "R", "useful", "noisy")
    return format_table(head, rows)


def format_tier(figures: dict[str, Any]) -> tuple[str, str]:
    """Return two cells: precision with its interval and the number of candidates, and recall."""
    if not figures["candidates"]:
        return "none raised", "0"
    precision = figures["strict"]["precision"]
    return f"{format_interval(precision)}, n {precision['tries']}", format_rate(figures["strict"]["recall"]["rate"])


def format_calibration(study: dict[str, Any]) -> str:
    """Format the calibration in bins of equal size."""
    calibration = study["belief"]
    rows = [
        (str(each["candidates"]), format_rate(each["said"]), format_rate(each["seen"])) for each in calibration["bins"]
    ]
    gain = 1 - calibration["brier"] / calibration["base"] if calibration["base"] else 0.0
    exact = f"{calibration['byChance']:.3f}"
    summary = (
        f"Expected error {calibration['error']:.3f}; with so few candidates, exact probabilities would have {exact}. Brier score"
        f" {calibration['brier']:.3f}, {100 * gain:.0f} % below the {calibration['base']:.3f} of the base rate alone."
    )
    return f"{format_table(('candidates', 'predicted probability', 'share right'), rows)}\n\n{summary}"


def format_curves(curves: Iterable[tuple[str, str, dict[str, Any]]]) -> str:
    """Format the precision at four recalls, with a row for each (name, description, curve)."""
    rows = []
    for name, description, curve in curves:
        cells = [f"{format_rate(point['precision'])}, {point['noisy']} noisy" for point in curve["points"]]
        rows.append((name, description, *(cells + ["-"] * 4)[:4]))
    return format_table(("", "", "P at R .2", "R .3", "R .4", "R .5"), rows)


def format_kinds(study: dict[str, Any]) -> str:
    """Format two tables: how many learnings of each kind are found, and the contribution of each pattern."""
    kind_rows = [
        (each["kind"].replace("_", " "), *(str(each[name]) for name in ("learnings", "proposed", "found")))
        for each in study["kinds"]
    ]
    pattern_rows = [
        (
            f"`{each['pattern']}`",
            str(each["proposals"]),
            format_rate(each["precision"]),
            str(each["learnings"]),
            str(each["alone"]),
            f"{each['hits']} of {each['chosen']}",
        )
        for each in study["patterns"]
    ]
    return "\n\n".join(
        (
            format_table(
                ("kind, as the readers called it", "learnings", "with a proposal on them", "found"), kind_rows
            ),
            format_table(
                (
                    "pattern",
                    "proposals",
                    "share on a learning",
                    "learnings reached",
                    "reached by it alone",
                    "right when offered",
                ),
                pattern_rows,
            ),
        )
    )


def format_outcomes(study: dict[str, Any]) -> str:
    """Format how the outcomes that the product determines compare with the readers'."""
    rows = [
        (each["outcome"], *(str(each[name]) for name in ("succeeded", "failed", "unknown")))
        for each in study["outcomes"]
    ]
    return format_table(("a reader called the session", "succeeded", "failed", "unknown"), rows)


def format_in_fold(study: dict[str, Any]) -> str:
    """Format the results on the sessions that the weights were fitted to."""
    rows = []
    for each in study["seen"]:
        name = "high and medium" if each["name"] == "all" else each["name"]
        cells = (format_rate(each["strict"][side]["rate"]) for side in ("precision", "recall"))
        rows.append((name, str(each["candidates"]), *cells, format_rate(each["useful"]["rate"]), str(each["noisy"])))
    return format_table(("in fold", "candidates", "P", "R", "useful", "noisy"), rows)


def format_rules(study: dict[str, Any]) -> str:
    """Format how well the user's lasting rules are found."""
    names = (
        ("told", "as offered if the setting is on (threshold for .55 in the folds)"),
        ("asked", "threshold for .75"),
        ("askedAll", "threshold for .75, including those that the agent wrote into the project's file at once"),
    )
    rows = []
    for key, name in names:
        precision, recall = (study["rules"][key][side] for side in ("precision", "recall"))
        rows.append((name, format_interval(precision), str(precision["tries"]), format_rate(recall["rate"])))
    return format_table(("rules, at most one per session", "precision", "offered", "recall"), rows)


def format_parts(study: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each generated part of the page."""
    yield "headline", format_headline(study)
    yield "probable", describe_unfiltered_high(study)
    yield "formats", format_log_formats(study)
    yield "belief", format_calibration(study)
    yield "designs", format_curves((each["name"], each["says"], each["curve"]) for each in study["designs"])
    yield (
        "ablation",
        format_curves((f"without `{each['name']}`", each["says"], each["curve"]) for each in study["ablation"]),
    )
    yield (
        "learning",
        format_curves((f"{100 * each['share']:.0f} % of the owners", "", each["curve"]) for each in study["learning"]),
    )
    yield "kinds", format_kinds(study)
    yield "outcomes", format_outcomes(study)
    yield "rules", format_rules(study)
    yield "seen", format_in_fold(study)


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
