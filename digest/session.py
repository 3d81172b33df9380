"""The digest of a whole session: its header, its episodes from several windows or reads, and its text."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime

from mind_skills.digest.model import MAX_EPISODES, EpisodeDigest, Header, SessionDigest
from mind_skills.digest.titles import describe

GAP = "…"


def join_windows(windows: Iterable[Iterable[EpisodeDigest]]) -> list[EpisodeDigest]:
    """Return the best episodes of all windows, in order of time.

    Two windows may share an episode: of two that overlap for the most part, the better one is kept. Episodes of one window have no row in
    common, and all are kept.
    """
    chosen: list[tuple[int, EpisodeDigest]] = []
    numbered = [(number, each) for number, window in enumerate(windows) for each in window]
    for number, episode in sorted(numbered, key=lambda pair: (-pair[1].probability, pair[1].first_line)):
        others = [other for window, other in chosen if window != number]
        if len(chosen) < MAX_EPISODES and not any(overlap_much(episode, other) for other in others):
            chosen.append((number, episode))
    return sorted((each for _, each in chosen), key=lambda each: (each.first_line, each.last_line))


def overlap_much(one: EpisodeDigest, other: EpisodeDigest) -> bool:
    """Return whether most of the shorter of two episodes is part of both."""
    shared = min(one.last_line, other.last_line) - max(one.first_line, other.first_line) + 1
    return 2 * shared > min(one.last_line - one.first_line, other.last_line - other.first_line) + 1


def combine(earlier: Iterable[EpisodeDigest], later: Iterable[EpisodeDigest], first_line: int) -> list[EpisodeDigest]:
    """Return the episodes of a session of which only the part from ``first_line`` on was read again, as ``later``."""
    return join_windows([[each for each in earlier if each.first_line < first_line], later])


def describe_header(header: Header) -> str:
    """Return the session in typed facts: host, date, minutes, outcome."""
    date = format_date(header.started)
    minutes = f"{header.minutes} min" if header.minutes else ""
    outcome = "" if header.outcome == "unknown" else header.outcome
    return ", ".join(filter(None, (" ".join(filter(None, (header.host, date))), minutes, outcome)))


def format_date(at: int | None) -> str:
    """Return the day of a time (UTC milliseconds), or an empty string."""
    return "" if at is None else datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d")


def render_digest(
    digest: SessionDigest, episodes: Collection[EpisodeDigest] | None = None, names: Mapping[int, str] | None = None
) -> str:
    """Return the text of a digest, or of some of its ``episodes``; empty without any.

    ``names`` maps the first lines of episodes to the ids of their candidates.
    """
    chosen = digest.episodes if episodes is None else episodes
    if not chosen:
        return ""
    lines = _list_header(digest.header)
    shown = {row.line for episode in chosen for row in episode.rows}
    if digest.header.request and digest.header.request_line not in shown:
        lines.append(f"{digest.header.request_line} user: {digest.header.request}")
    for episode in chosen:
        name = (names or {}).get(episode.first_line, "episode")
        lines.append(f"{name}, lines {episode.first_line}-{episode.last_line}: {describe(episode.facts)}")
        lines += [row.text for row in episode.rows]
    return "\n".join(lines)


def _list_header(header: Header) -> list[str]:
    facts = [describe_header(header), f"{header.lines} lines" if header.lines else ""]
    facts += [
        "committed" if header.is_committed else "",
        f"skills: {', '.join(header.skills)}" if header.skills else "",
    ]
    reasons = "; ".join(header.reasons)
    return [f"session: {', '.join(filter(None, facts))}{f' ({reasons})' if reasons else ''}"]
