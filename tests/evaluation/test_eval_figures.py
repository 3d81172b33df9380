"""The definitions of docs/detection.md, against an oracle that counts line by line and knows nothing of ours."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.evaluation.judging import (
    Raised,
    SessionScore,
    Span,
    build_missing_score,
    measure_chance,
    score_session,
)
from mind_skills.evaluation.labels import Correction, Label, Learning, Remark
from mind_skills.evaluation.rates import (
    Count,
    build_figures,
    build_rules,
    compute_bootstrap_interval,
    count_precision,
    list_noisy_sessions,
)
from mind_skills.staging.model import Evidence

LENGTH = 30
PHRASES = ("boom", "Root Cause", "flag")


make_candidate = partial(Raised, confidence="medium", probability=0.5)

LINES = st.integers(1, LENGTH)
TEXT = st.sampled_from(("", "nothing", "it went BOOM", "the root cause", "a flag", "x" * 600 + "boom"))
KINDS = st.sampled_from(("error_fix", "non_obvious"))
EVIDENCE = st.builds(Evidence, st.just("problem"), st.just("symptom"), TEXT, TEXT, LINES)
CANDIDATES = st.builds(make_candidate, KINDS, TEXT, st.lists(EVIDENCE, max_size=8).map(tuple), TEXT)
LEARNINGS = st.tuples(LINES, LINES, st.lists(st.sampled_from(PHRASES), max_size=2)).map(
    lambda drawn: Learning(start_line=min(drawn[:2]), end_line=max(drawn[:2]), key_phrases=drawn[2])
)
REMARKS = st.builds(Remark, start_line=st.none() | LINES, end_line=st.none() | LINES)


@st.composite
def sessions(draw: st.DrawFn) -> list[tuple[Label, list[Raised] | None]]:
    """Labels, each with what was raised in its session; None where there is no such session."""
    made = []
    for number in range(draw(st.integers(1, 5))):
        label = Label(
            session_file=f"somewhere/{number}.jsonl",
            length=draw(st.integers(1, LENGTH)),
            learnings=draw(st.lists(LEARNINGS, max_size=3)),
            disputed=draw(st.lists(LEARNINGS, max_size=2)),
            borderline=draw(st.lists(REMARKS, max_size=2)),
        )
        made.append((label, draw(st.none() | st.lists(CANDIDATES, max_size=4))))
    return made


def spans(made: Raised) -> set[int]:
    return {each.line for each in made.evidence[:6]}


def within(first: int, last: int, learning: Learning) -> bool:
    room = range(learning.start_line - 3, learning.end_line + 4)
    bracketed = first != last or learning.end_line - learning.start_line <= 10
    return bracketed and first in room and last in room


def told(made: Raised) -> str:
    return "\n".join([made.title[:120], *(f"{e.summary[:200]}\n{e.content[:500]}" for e in made.evidence[:6])]).lower()


def oracle(drawn: list[tuple[Label, list[Raised] | None]], kind: str | None) -> dict[str, Any]:
    """Counts: tries, neutral, unplaced, silent sessions that were not, and for each level hits and found learnings."""
    counted: dict[str, Any] = {
        "tries": 0,
        "neutral": 0,
        "unplaced": 0,
        "noisy": 0,
        "outside": 0,
        "repeats": 0,
        "useful": 0,
    }
    counted |= {"chances": [], "useful_chances": []}
    hits = {"strict": 0, "named": 0, "told": 0, "lenient": 0}
    found: dict[str, set[tuple[str, int]]] = {level: set() for level in hits}
    for label, raised in drawn:
        mine = [each for each in raised or () if kind in (None, each.kind)]
        remarked = [
            Learning(start_line=each.start_line, end_line=each.end_line)
            for each in label.borderline
            if each.start_line is not None and each.end_line is not None
        ]
        is_silent = not label.learnings and not label.disputed
        counted["noisy"] += bool(mine) and is_silent
        counted["outside"] += is_silent and not all(
            spans(each) and any(within(min(spans(each)), max(spans(each)), n) for n in remarked) for each in mine
        )
        for each in mine:
            lines = spans(each)
            if not lines:
                counted["unplaced"] += 1
                counted["tries"] += 1
                continue
            first, last = min(lines), max(lines)
            if not any(within(first, last, n) for n in label.learnings) and any(
                within(first, last, n) for n in label.disputed
            ):
                counted["neutral"] += 1
                continue
            counted["tries"] += 1
            places = range(1, max(1, label.length - (last - first)) + 1)
            for name, ranges in (("chances", label.learnings), ("useful_chances", [*label.learnings, *remarked])):
                lucky = [any(within(p, p + last - first, n) for n in ranges) for p in places]
                counted[name].append(sum(lucky) / len(lucky))
            hit: dict[str, set[tuple[str, int]]] = {level: set() for level in hits}
            for number, learning in enumerate(label.learnings):
                if set(range(first, last + 1)) & set(range(learning.start_line, learning.end_line + 1)):
                    hit["lenient"].add((label.session_file, number))
                if within(first, last, learning):
                    hit["strict"].add((label.session_file, number))
                    if any(phrase.lower() in told(each) for phrase in learning.key_phrases):
                        hit["named"].add((label.session_file, number))
                    if any(phrase.lower() in each.offer[:420].lower() for phrase in learning.key_phrases):
                        hit["told"].add((label.session_file, number))
            if hit["strict"] and hit["strict"] <= found["strict"]:
                counted["repeats"] += 1
                hit = {level: set() for level in hits}
            counted["useful"] += bool(hit["strict"]) or any(within(first, last, n) for n in remarked)
            for level, those in hit.items():
                hits[level] += bool(those)
                found[level] |= those
    return counted | {"hits": hits, "found": {level: len(those) for level, those in found.items()}}


def scored(drawn: list[tuple[Label, list[Raised] | None]]) -> list[SessionScore]:
    return [build_missing_score(label) if raised is None else score_session(label, raised) for label, raised in drawn]


@given(sessions(), st.sampled_from((None, "error_fix", "non_obvious")))
def test_every_figure_equals_a_count_line_by_line(
    drawn: list[tuple[Label, list[Raised] | None]], kind: str | None
) -> None:
    scores = [score if kind is None else score.filter_kind(kind) for score in scored(drawn)]
    report, counted = build_figures(kind or "all", scores), oracle(drawn, kind)
    learnings = sum(len(label.learnings) for label, _ in drawn)
    levels = {"strict": report.strict, "named": report.named, "told": report.told, "lenient": report.lenient}
    assert {
        "tries": report.candidates,
        "neutral": report.neutral,
        "unplaced": report.unplaced,
        "noisy": report.noisy,
        "outside": report.noisy_outside_borderline,
        "repeats": report.repeats,
        "useful": report.useful.hits,
        "borderline": report.on_borderline,
        "chance": report.chance,
        "useful_chance": report.useful_chance,
        "hits": {name: level.precision.hits for name, level in levels.items()},
        "found": {name: level.recall.hits for name, level in levels.items()},
        "rates": {name: (level.precision.rate, level.recall.rate) for name, level in levels.items()},
    } == {
        **{name: counted[name] for name in ("tries", "neutral", "unplaced", "noisy", "outside", "repeats", "useful")},
        **{name: counted[name] for name in ("hits", "found")},
        "borderline": counted["useful"] - counted["hits"]["strict"],
        "chance": pytest.approx(sum(counted["chances"]) / max(1, len(counted["chances"])), abs=0.0006),
        "useful_chance": pytest.approx(
            sum(counted["useful_chances"]) / max(1, len(counted["useful_chances"])), abs=0.0006
        ),
        "rates": {
            name: (
                round(counted["hits"][name] / max(1, counted["tries"]), 3),
                round(counted["found"][name] / max(1, learnings), 3),
            )
            for name in levels
        },
    }


@given(sessions())
def test_every_named_hit_is_a_strict_hit_and_a_neutral_candidate_has_none(
    drawn: list[tuple[Label, list[Raised] | None]],
) -> None:
    for score in scored(drawn):
        for each in score.judged:
            assert set(each.hits_by_level["named"]) <= set(each.hits_by_level["strict"])
            assert (each.verdict == "neutral") <= (not each.hits_by_level["strict"])


@given(sessions(), st.randoms(use_true_random=False))
def test_the_order_of_the_sessions_changes_no_rate(drawn: list[tuple[Label, list[Raised] | None]], dice: Any) -> None:
    scores = scored(drawn)
    shuffled = list(scores)
    dice.shuffle(shuffled)
    one, other = build_figures("all", shuffled), build_figures("all", scores)
    assert [each.precision.rate for each in (one.strict, one.named, one.told)] == [
        each.precision.rate for each in (other.strict, other.named, other.told)
    ]
    assert sorted(list_noisy_sessions(shuffled)) == sorted(list_noisy_sessions(scores))


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=12))
def test_the_interval_lies_within_the_possible_sample_rates(pairs: list[tuple[int, int]]) -> None:
    parts = [Count(min(pair), max(pair)) for pair in pairs]
    low, high = compute_bootstrap_interval(parts)
    assert 0 <= low <= high <= 1
    assert compute_bootstrap_interval(parts) == (low, high)


def test_the_interval_of_identical_sessions_is_their_rate() -> None:
    assert compute_bootstrap_interval([Count(1, 2)] * 5) == (0.5, 0.5)
    assert compute_bootstrap_interval([]) == (0.0, 0.0)


def test_sessions_of_one_repository_are_drawn_together() -> None:
    made = make_candidate("error_fix", "t", (Evidence("problem", "symptom", "", "", 5),))
    learning = Learning(start_line=4, end_line=6)
    labels = [
        Label(session_file="sessions/owner__shop__1.jsonl", length=9, learnings=[learning]),
        Label(session_file="alone.jsonl", length=9, learnings=[learning]),
        Label(session_file="sessions/owner__shop__2.jsonl", length=9),
        Label(session_file="renamed.jsonl", length=9, source_repo="owner/shop"),
        Label(session_file="owner__other__1.jsonl", length=9),
    ]
    scores = [*(score_session(label, [made]) for label in labels[:-1]), build_missing_score(labels[-1])]
    assert count_precision(scores, "strict") == [Count(1, 3), Count(1, 1)]


def test_repeats_are_marked_anew_among_the_candidates_of_one_kind() -> None:
    evidence = (Evidence("problem", "symptom", "", "", 5),)
    raised = [make_candidate(kind, "t", evidence) for kind in ("error_fix", "non_obvious", "non_obvious")]
    score = score_session(Label(session_file="a", length=9, learnings=[Learning(start_line=4, end_line=6)]), raised)
    assert [each.verdict for each in score.judged] == ["strict", "repeat", "repeat"]
    assert [each.verdict for each in score.filter_kind("non_obvious").judged] == ["strict", "repeat"]


def test_a_strict_hit_is_useful_once_and_a_repeat_only_on_borderline() -> None:
    made = make_candidate("error_fix", "t", (Evidence("problem", "symptom", "", "", 5),))
    learnings, remarks = [Learning(start_line=4, end_line=6)], [Remark(start_line=1, end_line=9), Remark()]
    report = build_figures(
        "all", [score_session(Label(session_file="a", length=9, learnings=learnings, borderline=remarks), [made] * 3)]
    )
    assert (report.on_borderline, report.repeats, report.useful.hits, report.strict.precision.hits) == (2, 2, 3, 1)


def test_chance_counts_every_position_once() -> None:
    learnings = [Learning(start_line=10, end_line=19), Learning(start_line=12, end_line=21)]
    label = Label(session_file="a", length=100, learnings=learnings)
    assert measure_chance(Span(40, 45), label.learnings, label.length) == len(range(7, 20)) / 95
    assert measure_chance(Span(1, 200), label.learnings, label.length) == 0.0


def test_one_line_does_not_bracket_a_long_learning() -> None:
    long, short = Learning(start_line=10, end_line=21), Learning(start_line=10, end_line=20)
    made = make_candidate("error_fix", "t", (Evidence("problem", "symptom", "", "", 15),))
    verdicts = [
        score_session(Label(session_file="a", length=30, learnings=[learning]), [made]).judged[0].verdict
        for learning in (long, short)
    ]
    assert verdicts == ["lenient", "strict"]


def test_user_rules_are_scored_separately_and_only_where_corrections_were_labelled() -> None:
    evidence = (Evidence("problem", "symptom", "", "", 5),)
    raised = [make_candidate("user_rule", "t", evidence), make_candidate("error_fix", "t", evidence)]
    looked = Label(session_file="a", length=9, corrections=[Correction(line=8), Correction(line=90), Correction()])
    scores = [score_session(label, raised) for label in (looked, Label(session_file="b", length=9))]
    found = build_rules(scores)
    assert (build_figures("all", scores).candidates, len(list_noisy_sessions(scores))) == (2, 2)
    assert [(each.hits, each.tries) for each in (found.precision, found.recall)] == [(1, 1), (1, 2)]
