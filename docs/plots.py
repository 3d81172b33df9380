"""Draw docs/learning.svg: how a vote decays, and the state of a skill that helps for two months and is then unused.

    python docs/plots.py    write it; tests/docs/test_learning_page.py fails if it is outdated

Every point is computed by the product's own rules. The drawing needs only the standard library.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mind_skills.learning.maturity import MULTIPLIERS, MaturityFeedback, MaturityState, compute_state
from mind_skills.learning.statistics import DAY_MS, HALF_LIFE_DAYS, compute_decay

FILE = Path(__file__).with_name("learning.svg")
WIDTH, HEIGHT, LEFT, TOP, WIDE, HIGH = 760, 300, 60, 40, 660, 200
DAYS, VOTES, INTERVAL_DAYS = 365, 8, 7
"""One helpful session a week for eight weeks, drawn over a year."""
MAX_VALUE = 1.6
INK, FAINT, CURVE, STEPS = "#57606a", "#d0d7de", "#0969da", "#bf3989"


def x(day: float) -> float:
    return LEFT + WIDE * day / DAYS


def y(value: float) -> float:
    return TOP + HIGH * (1 - value / MAX_VALUE)


def list_states() -> list[tuple[int, MaturityState]]:
    """Return (day, state) for the first day and for each change of the state."""
    states: list[tuple[int, MaturityState]] = []
    for day in range(DAYS + 1):
        vote_days = range(0, INTERVAL_DAYS * VOTES, INTERVAL_DAYS)
        votes = [MaturityFeedback("s", "helpful", DAY_MS * at) for at in vote_days if at <= day]
        state = compute_state(votes, now=DAY_MS * day)
        if not states or state != states[-1][1]:
            states.append((day, state))
    return states


def draw_text(left: float, baseline: float, label: str, *, colour: str = INK, anchor: str = "start") -> str:
    return f'<text x="{left:.1f}" y="{baseline:.1f}" fill="{colour}" text-anchor="{anchor}">{label}</text>'


def draw_line(start: tuple[float, float], end: tuple[float, float]) -> str:
    return f'<path d="M{start[0]:.1f} {start[1]:.1f}L{end[0]:.1f} {end[1]:.1f}" stroke="{FAINT}" fill="none"/>'


def draw_curve(points: Sequence[tuple[float, float]], colour: str) -> str:
    path = "L".join(f"{x(day):.1f} {y(value):.1f}" for day, value in points)
    return f'<path d="M{path}" stroke="{colour}" stroke-width="2" fill="none"/>'


def draw_axes() -> list[str]:
    values = [0.0, *sorted(set(MULTIPLIERS.values()) - {0.0})]
    days = [int(HALF_LIFE_DAYS) * number for number in range(5)]
    rows = [part for value in values for part in (draw_line((LEFT, y(value)), (LEFT + WIDE, y(value))),
            draw_text(LEFT - 8, y(value) + 4, f"{value:g}", anchor="end"))]  # fmt: skip
    return [*rows, *(draw_text(x(day), TOP + HIGH + 18, f"day {day}", anchor="middle") for day in days)]


def draw_picture() -> str:
    decay = [(day, compute_decay(0, DAY_MS * day)) for day in range(0, DAYS + 1, 5)]
    states = list_states()
    ends = [day for day, _ in states[1:]] + [DAYS]
    steps = [(at, MULTIPLIERS[state]) for (day, state), end in zip(states, ends, strict=True) for at in (day, end)]
    labels = [
        draw_text(x(day) + (4 if number < 2 else 10), y(MULTIPLIERS[state]) - 6, f"{state} (day {day})", colour=STEPS)
        for number, (day, state) in enumerate(states)
    ]
    note = f"rank multiplier of a skill that helps once a week for {VOTES} weeks"
    body = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        draw_text(LEFT, 18, "weight of one vote: half after 90 days", colour=CURVE),
        draw_text(LEFT + WIDE, 18, note, colour=STEPS, anchor="end"),
        *draw_axes(),
        draw_curve(decay, CURVE),
        draw_curve(steps, STEPS),
        *labels,
        "</svg>",
    ]
    return "\n".join(body) + "\n"


if __name__ == "__main__":
    FILE.write_text(draw_picture(), encoding="utf-8")
