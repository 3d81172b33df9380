"""The tables of docs/detection.md, out of what `mind-skills eval --json` prints."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parent.parent / "docs" / "detection.md"
BRIEF = ("strictPrecision", "strictRecall", "namedPrecision", "namedRecall")
RATES = ("strict P", "strict R", "named P", "named R")
PUBLISHED = {
    "strict precision": (".37", ".33"),
    "strict recall": (".60", ".60"),
    "named precision": (".16", ".11"),
    "named recall": (".44", ".32"),
    "noisy": ("10 of 12", "10 of 12"),
}
"""The published heuristics over the whole session, and random pairs of tool results, on the same sessions by the same
scorer: measured once, when the labels were made."""


def number(rate: float) -> str:
    """A rate as the page writes it: two digits, no leading nought."""
    return f"{rate:.2f}".removeprefix("0") if rate < 1 else f"{rate:.1f}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def headline(report: dict[str, Any]) -> str:
    """All detectors together, beside what others reach."""
    whole, rows = report["all"], []
    says = {
        "strict": "both ends inside one labelled learning",
        "named": "strict, and title or evidence holds one of its key phrases",
    }
    for level in ("strict", "named"):
        for side in ("precision", "recall"):
            rate = whole[level][side]
            found = f"{rate['hits']} of {rate['tries']}"
            shown = f"**{number(rate['rate'])}** ({number(rate['low'])} to {number(rate['high'])}), {found}"
            label = f"{level} {side}" + (f": {says[level]}" if side == "precision" else ": labelled learnings found")
            rows.append((label, shown, *PUBLISHED[f"{level} {side}"]))
    silent = f"**{whole['noisy']} of {report['silentSessions']}**"
    rows.append(("silent sessions in which something was raised all the same", silent, *PUBLISHED["noisy"]))
    rows.append((f"candidates in {report['sessions']} sessions, at most five each", str(whole["candidates"]), "", ""))
    rows.append(("chance: strict precision at random places", number(whole["chance"]), "", ""))
    return table(("", "mind-skills", "published heuristics, whole session", "random pairs"), rows)


def per_detector(report: dict[str, Any]) -> str:
    """Each detector alone."""
    rows = []
    for each in (*report["detectors"], report["all"]):
        strict = each["strict"]["precision"]
        rows.append(
            (
                each["name"],
                str(each["candidates"]),
                f"{number(strict['rate'])} ({number(strict['low'])} to {number(strict['high'])})",
                number(each["strict"]["recall"]["rate"]),
                number(each["named"]["precision"]["rate"]),
                number(each["named"]["recall"]["rate"]),
                number(each["lenient"]["precision"]["rate"]),
                number(each["lenient"]["recall"]["rate"]),
                number(each["chance"]),
                str(each["noisy"]),
            )
        )
    return table(("detector", "candidates", *RATES, "lenient P", "lenient R", "chance", "noisy"), rows)


def brief(figures: dict[str, Any]) -> tuple[str, ...]:
    """The figures by which variants are compared."""
    return *(number(figures[name]) for name in BRIEF), str(figures["noisy"]), str(figures["candidates"])


def ablation(report: dict[str, Any]) -> str:
    """Each rule off, alone: those that change something here, then those that do not, with the tests that hold them."""
    whole = report["all"]
    levels = [whole[level][side]["rate"] for level in ("strict", "named") for side in ("precision", "recall")]
    used = brief(dict(zip(BRIEF, levels, strict=True)) | {"noisy": whole["noisy"], "candidates": whole["candidates"]})
    needed = [
        (f"{rule['rule']}: {rule['says']}", rule["instead"], *brief(rule["figures"]), str(rule["changed"]))
        for rule in report["ablation"]
        if rule["changed"]
    ]
    idle = [
        (f"{rule['rule']}: {rule['says']}", *test_of(rule["test"]))
        for rule in report["ablation"]
        if not rule["changed"]
    ]
    head = ("rule that is off", "instead", *RATES, "noisy", "candidates", "sessions changed")
    return "\n\n".join(
        (
            table(head, [("none", "", *used, ""), *needed]),
            "No labelled session needs these; each is kept for a test that fails without it:",
            table(("rule", "tests", "the one that holds it"), idle),
        )
    )


def test_of(name: str) -> tuple[str, str]:
    """The file of a test, and what it says."""
    file, _, function = name.partition("::")
    return (f"`tests/{file}`", function.removeprefix("test_").replace("_", " ")) if name else ("", "no test")


def folds(report: dict[str, Any]) -> str:
    """Thresholds chosen without one source, and figures for each source."""
    found = report["folds"]
    rows = [
        (
            f"`{each['threshold']}`",
            str(each["value"]),
            ", ".join(f"{tried['value']} ({number(tried['f1'])})" for tried in each["tried"]),
            ", ".join(str(value) for value in sorted({choice["value"] for choice in each["chosen"]})),
            *brief(each["figures"]),
        )
        for each in found["thresholds"]
    ]
    rows.append(("all of them together", "", "", "", *brief(found["together"])))
    names = (*RATES, "noisy", "candidates")
    sources = [
        (each["source"], str(each["sessions"]), str(each["learnings"]), what, *brief(each[key]))
        for each in found["sources"]
        for what, key in (("alone", "alone"), ("all others", "without"), ("left out", "leftOut"))
    ]
    return "\n\n".join(
        (
            table(("threshold", "in use", "tried (F1 on all sessions)", "chosen on the others", *names), rows),
            table(("source", "sessions", "learnings", "", *names), sources),
        )
    )


PARTS = {"headline": headline, "detectors": per_detector, "ablation": ablation, "folds": folds}


def parts(page: str, report: dict[str, Any]) -> str:
    """The page with each of its generated parts made anew. Ends the program where one has lost its marks."""
    for name, make in PARTS.items():
        begin, end = f"<!-- {name}: generated by .ci/eval_gate.py -->", f"<!-- {name}: end -->"
        pattern = re.compile(f"({re.escape(begin)}).*?({re.escape(end)})", re.DOTALL)
        if not pattern.search(page):
            sys.exit(f"{PAGE} has lost its marks: {begin} ... {end}")
        text = make(report)
        page = pattern.sub(lambda found, text=text: f"{found[1]}\n\n{text}\n\n{found[2]}", page)  # type: ignore[misc]
    return page
