"""The tables of docs/detection.md, out of what `make tables` measured and kept in .ci/study.json."""

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
"""Precision and recall in one, F1: what one reader marks by what another does, on 356 sessions that were read twice."""


def number(rate: float) -> str:
    """A rate as the page writes it: two digits, no leading nought."""
    return f"{rate:.2f}".removeprefix("0") if rate < 1 else f"{rate:.1f}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def between(rate: dict[str, Any]) -> str:
    """A rate with its interval."""
    return f"{number(rate['rate'])} ({number(rate['low'])} to {number(rate['high'])})"


def headline(study: dict[str, Any]) -> str:
    """Both tiers, out of fold."""
    part = study["whole"]
    high, wide = (tier["figures"] for tier in part["tiers"])
    silent = part["silentSessions"]
    blank = ("", "")

    def each(cell: Callable[[dict[str, Any]], str]) -> tuple[str, str]:
        return cell(high), cell(wide)

    def wrong(figures: dict[str, Any]) -> str:
        return f"{figures['onBorderline']} of {figures['candidates'] - figures['strict']['precision']['hits']}"

    rows: list[Sequence[str]] = [
        ("candidates", *each(lambda it: str(it["candidates"])), *blank),
        (
            "**precision**: lies in one labelled learning",
            *each(lambda it: between(it["strict"]["precision"])),
            number(study["random"]),
            CEILING,
        ),
        ("**recall**: labelled learnings found", *each(lambda it: between(it["strict"]["recall"])), "", CEILING),
        ("useful: or in what a reader called borderline", *each(lambda it: between(it["useful"])), *blank),
        ("wrong ones on borderline", *each(wrong), *blank),
        ("right ones whose title or evidence names it", *each(lambda it: share(it, "named")), *blank),
        ("right ones whose offer names it", *each(lambda it: share(it, "told")), *blank),
        (f"silent sessions, of {silent}, in which something was raised", *each(lambda it: str(it["noisy"])), *blank),
        ("precision of such spans at random places", *each(lambda it: number(it["chance"])), *blank),
        ("useful, at random places", *each(lambda it: number(it["usefulChance"])), *blank),
    ]
    return table(("", "high", "high and medium", "as many proposals at random", "another reader (F1)"), rows)


def probable(study: dict[str, Any]) -> str:
    """What high would be without the rule about quotes."""
    held, silent = study["probable"], study["whole"]["silentSessions"]
    precision, recall = (between(held["strict"][side]) for side in ("precision", "recall"))
    return (
        "Whatever its probability, a candidate whose cause was named after text of strangers, or repeats a tool, is not *high* but "
        "*medium*; tainted words from before or behind its episode are left out of one that is. By "
        f"probability alone *high* would hold {held['candidates']} candidates, with precision {precision} and recall {recall}, in "
        f"{held['noisy']} of {silent} silent sessions."
    )


def share(figures: dict[str, Any], level: str) -> str:
    """Of the strict hits, those that are hits of a level."""
    hits = figures["strict"]["precision"]["hits"]
    return f"{number(figures[level]['precision']['hits'] / max(1, hits))} of {hits}"


def formats(study: dict[str, Any]) -> str:
    """Each format, and all but the largest owner."""
    others = study["withoutLargest"]
    named = [
        (f"without the largest owner ({others['name']})", others),
        *((NAMES.get(part["name"], part["name"]), part) for part in study["formats"]),
    ]
    rows = []
    for name, part in named:
        high, wide = (tier["figures"] for tier in part["tiers"])
        rows.append(
            (
                name,
                str(part["sessions"]),
                str(part["learnings"]),
                *tier_cells(high),
                *tier_cells(wide),
                number(wide["useful"]["rate"]),
                f"{wide['noisy']} of {part['silentSessions']}",
            )
        )
    head = ("", "sessions", "learnings", "high: P", "R", "high and medium: P", "R", "useful", "noisy")
    return table(head, rows)


def tier_cells(figures: dict[str, Any]) -> tuple[str, str]:
    """Precision with its count and interval, and recall."""
    if not figures["candidates"]:
        return "none raised", "0"
    precision = figures["strict"]["precision"]
    return f"{between(precision)}, n {precision['tries']}", number(figures["strict"]["recall"]["rate"])


def belief(study: dict[str, Any]) -> str:
    """Ten bins of equal count, and what they come to."""
    held = study["belief"]
    rows = [(str(each["candidates"]), number(each["said"]), number(each["seen"])) for each in held["bins"]]
    gain = 1 - held["brier"] / held["base"] if held["base"] else 0.0
    brier = f"Brier score {held['brier']:.3f}, by the base rate alone {held['base']:.3f}: {100 * gain:.0f} % below"
    words = f"Expected error {held['error']:.3f}, where exact ones would have {held['byChance']:.3f} in so few candidates; {brier}."
    return f"{table(('candidates', 'probability said', 'share right'), rows)}\n\n{words}"


def curves(named: Iterable[tuple[str, str, dict[str, Any]]]) -> str:
    """Designs at the same recall."""
    rows = []
    for name, says, curve in named:
        cells = [f"{number(point['precision'])}, {point['noisy']} noisy" for point in curve["points"]]
        rows.append((name, says, *(cells + ["-"] * 4)[:4]))
    return table(("", "", "P at R .2", "R .3", "R .4", "R .5"), rows)


def kinds(study: dict[str, Any]) -> str:
    """What is found of each kind of learning, and what each pattern brings."""
    found = [
        (each["kind"].replace("_", " "), *(str(each[name]) for name in ("learnings", "proposed", "found")))
        for each in study["kinds"]
    ]
    brought = [
        (
            f"`{each['pattern']}`",
            str(each["proposals"]),
            number(each["precision"]),
            str(each["learnings"]),
            str(each["alone"]),
            f"{each['hits']} of {each['chosen']}",
        )
        for each in study["patterns"]
    ]
    return "\n\n".join(
        (
            table(("kind, as the readers called it", "learnings", "with a proposal on them", "found"), found),
            table(
                (
                    "pattern",
                    "proposals",
                    "of them on a learning",
                    "learnings reached",
                    "by it alone",
                    "right when told",
                ),
                brought,
            ),
        )
    )


def seen(study: dict[str, Any]) -> str:
    """The same sessions by the weights that were fitted to them."""
    rows = []
    for each in study["seen"]:
        name = "high and medium" if each["name"] == "all" else each["name"]
        cells = (number(each["strict"][side]["rate"]) for side in ("precision", "recall"))
        rows.append((name, str(each["candidates"]), *cells, number(each["useful"]["rate"]), str(each["noisy"])))
    return table(("in fold", "candidates", "P", "R", "useful", "noisy"), rows)


def parts(study: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Every generated part of the page, by name."""
    yield "headline", headline(study)
    yield "probable", probable(study)
    yield "formats", formats(study)
    yield "belief", belief(study)
    yield "designs", curves((each["name"], each["says"], each["curve"]) for each in study["designs"])
    yield "ablation", curves((f"without `{each['name']}`", each["says"], each["curve"]) for each in study["ablation"])
    yield (
        "learning",
        curves((f"{100 * each['share']:.0f} % of the owners", "", each["curve"]) for each in study["learning"]),
    )
    yield "kinds", kinds(study)
    yield "seen", seen(study)


def page(text: str, study: dict[str, Any]) -> str:
    """The page with each of its generated parts made anew. Ends the program where one has lost its marks."""
    for name, made in parts(study):
        begin, end = f"<!-- {name}: generated by .ci/score_gate.py -->", f"<!-- {name}: end -->"
        before, marked, rest = text.partition(begin)
        _, ended, after = rest.partition(end)
        if not (marked and ended):
            sys.exit(f"{PAGE} has lost its marks: {begin} ... {end}")
        text = f"{before}{begin}\n\n{made}\n\n{end}{after}"
    return text
