"""What a reader of digests can see of the labelled learnings. The definitions come with the published labels.

*Covered*: an episode and the learning share at least 30 % of the shorter of their ranges of lines. *Named*: the text holds one of the
learning's key phrases; *named2*: two. *Begin*: a row of the text is within three lines of the learning's first line, or before it in an
episode on it. *Borne out*: a row is from 3 lines before the learning's last line to 12 after it. *Whole*: covered, named and borne out.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from mind_skills.errors import MindSkillsError
from research.evaluation.labels import Label, Learning, find_sources, load_labels

Figures = dict[str, Any]
MEASURES = ("covered", "named", "named2", "begin", "borne_out", "whole")
MIN_SHARED = 0.3
SLACK, MAX_AFTER = 3, 12
_ROW = re.compile(r"^[ \t]*(\d+)(?:>(\d+))?[~ ]", re.MULTILINE)
RECALLS = (0.9, 0.95, 0.97, 0.99)


class Shown(NamedTuple):
    """The digest of a session: its text, the first and last line of each episode, and the size of the log in bytes."""

    text: str = ""
    episodes: tuple[tuple[int, int], ...] = ()
    size: int = 0


def rate_learning(learning: Learning, shown: Shown, rows: set[int]) -> dict[str, bool]:
    """Return which of MEASURES hold of a learning. ``rows`` are the line numbers in the text."""
    first, last = learning.start_line, learning.end_line
    text = shown.text.lower()
    on = [
        low
        for low, high in shown.episodes
        if min(high, last) - max(low, first) + 1 >= MIN_SHARED * (min(high - low, last - first) + 1)
    ]
    phrases = sum(phrase.lower() in text for phrase in learning.key_phrases)
    borne_out = any(last - SLACK <= row <= last + MAX_AFTER for row in rows)
    return {
        "covered": bool(on),
        "named": phrases > 0,
        "named2": phrases > 1,
        "begin": any(abs(row - first) <= SLACK or any(low - SLACK <= row <= first for low in on) for row in rows),
        "borne_out": borne_out,
        "whole": bool(on) and phrases > 0 and borne_out,
    }


def build_figures(labels: Sequence[Label], shown_by_name: Mapping[str, Shown]) -> Figures:
    """Return the shares of the learnings that can be seen, and the mean size of a digest. Sessions that are not there do not count."""
    count: Counter[str] = Counter()
    for label in labels:
        shown = shown_by_name.get(label.name)
        if shown is None:
            count["missing"] += 1
            continue
        count.update(
            sessions=1,
            shown=bool(shown.text),
            characters=len(shown.text),
            episodes=len(shown.episodes),
            size=shown.size,
            with_learning=bool(label.learnings),
            hits=bool(label.learnings and shown.text),
            learnings=len(label.learnings),
        )
        rows = {int(number) for match in _ROW.finditer(shown.text) for number in match.groups() if number}
        for learning in label.learnings:
            count.update({name: int(holds) for name, holds in rate_learning(learning, shown, rows).items()})
    digests = max(1, count["shown"])
    return {
        **{name: count[name] for name in ("sessions", "missing", "learnings")},
        "sessions_shown": count["shown"],
        "characters": round(count["characters"] / digests),
        "episodes": round(count["episodes"] / digests, 1),
        "gate_precision": round(count["hits"] / digests, 3),
        "gate_recall": round(count["hits"] / max(1, count["with_learning"]), 3),
        **{name: round(count[name] / max(1, count["learnings"]), 3) for name in MEASURES},
        "times_smaller": round(count["size"] / max(1, count["characters"])),
    }


def build_parts(
    labels: Sequence[Label], shown_by_name: Mapping[str, Shown], key: Callable[[Label], str]
) -> dict[str, Figures]:
    """Return the figures of each group of sessions, by the value of ``key``."""
    groups: dict[str, list[Label]] = {}
    for label in labels:
        groups.setdefault(key(label), []).append(label)
    return {name: build_figures(group, shown_by_name) for name, group in sorted(groups.items())}


def build_gate(sessions: Iterable[tuple[float, bool]]) -> list[dict[str, float]]:
    """Return the best precision at each of RECALLS if only sessions from some probability on are shown.

    ``sessions`` are pairs of the probability of the best episode, 0 without any, and whether the session holds a learning.
    """
    ranked = sorted(sessions, reverse=True)
    total, hits, points = max(1, sum(holds for _, holds in ranked)), 0, list[tuple[float, float, float]]()
    for number, (probability, holds) in enumerate(ranked, 1):
        hits += holds
        if number == len(ranked) or ranked[number][0] < probability:
            points.append((round(hits / number, 3), round(hits / total, 3), round(probability, 4)))
    names = ("recall", "precision", "reached", "probability")
    return [
        dict(zip(names, (recall, *max(point for point in points if point[1] >= recall)), strict=True))
        for recall in RECALLS
        if points and points[-1][1] >= recall
    ]


def score_report(labels: Sequence[Path], report: Path) -> dict[str, Any]:
    """Measure the digests in a document that `mind-skills replay --json` printed. Raises MindSkillsError and OSError."""
    loaded, shown = load_labels(*labels), read_digests(report)
    sources = find_sources(loaded.labels, [path.parent for path in labels])
    return {
        "digest": build_figures(loaded.labels, shown),
        "formats": build_parts(loaded.labels, shown, lambda label: label.format or "?"),
        "sources": build_parts(loaded.labels, shown, lambda label: sources[label.name]),
        "problems": loaded.problems,
    }


def read_digests(report: Path) -> dict[str, Shown]:
    """Read the digests of a document of `mind-skills replay --json`, by session name. Raises MindSkillsError and OSError."""
    shown: dict[str, Shown] = {}
    try:
        for session in json.loads(report.read_text(encoding="utf-8"))["sessions"]:
            path = Path(session["path"])
            digest: dict[str, Any] = session.get("digest") or {}
            listed: list[dict[str, int]] = digest.get("episodes") or []
            episodes = tuple((each["first_line"], each["last_line"]) for each in listed)
            size = path.stat().st_size if path.is_file() else 0
            shown[path.name] = Shown(digest.get("text") or "", episodes, size)
    except (ValueError, KeyError, TypeError, AttributeError) as failure:
        hint = "Pass what `mind-skills replay SESSIONS --json` printed."
        raise MindSkillsError("no_report", f"{report} holds no digests: {failure!r}", hint) from failure
    return shown


def write_digests(logs: Iterable[Path], shown: Mapping[str, Shown], path: Path) -> None:
    """Write digests in the form in which ``read_digests`` reads them. Raises OSError."""
    sessions = [
        {
            "path": str(log),
            "digest": {
                "text": shown[log.name].text,
                "episodes": [{"first_line": low, "last_line": high} for low, high in shown[log.name].episodes],
            },
        }
        for log in logs
        if log.name in shown
    ]
    path.write_text(json.dumps({"sessions": sessions}), encoding="utf-8")
