"""Draw docs/learning.svg: how a vote decays, and the state of a skill that helps for two months and is then unused.

python docs/plots.py      write it; tests/docs/test_learning_page.py fails if it is outdated

Every point is computed with the rules themselves; the drawing needs only the standard library.
"""

from __future__ import annotations

from pathlib import Path

from mind_skills.learning.maturity import MULTIPLIERS, MaturityFeedback, MaturityState, compute_state
from mind_skills.learning.statistics import DAY_MS, HALF_LIFE_DAYS, compute_decay

FILE = Path(__file__).with_name("learning.svg")
WIDTH, HEIGHT, LEFT, TOP, WIDE, HIGH = 760, 300, 60, 40, 660, 200
DAYS, VOTES, EVERY = 365, 8, 7
"""One helpful session a week for eight weeks."""
TOPMOST = 1.6
INK, FAINT, CURVE, STEPS = "#57606a", "#d0d7de", "#0969da", "#bf3989"


def x(day: float) -> float:
    return LEFT + WIDE * day / DAYS


def y(value: float) -> float:
    return TOP + HIGH * (1 - value / TOPMOST)


def states() -> list[tuple[int, MaturityState]]:
    """Return (day, state) for each change of the state."""
    found: list[tuple[int, MaturityState]] = []
    for day in range(DAYS + 1):
        votes = [MaturityFeedback("s", "helpful", DAY_MS * at) for at in range(0, EVERY * VOTES, EVERY) if at <= day]
        state = compute_state(votes, now=DAY_MS * day)
        if not found or state != found[-1][1]:
            found.append((day, state))
    return found


def text(at: float, height: float, label: str, *, colour: str = INK, anchor: str = "start") -> str:
    return f'<text x="{at:.1f}" y="{height:.1f}" fill="{colour}" text-anchor="{anchor}">{label}</text>'


def line(from_: tuple[float, float], to: tuple[float, float]) -> str:
    return f'<path d="M{from_[0]:.1f} {from_[1]:.1f}L{to[0]:.1f} {to[1]:.1f}" stroke="{FAINT}" fill="none"/>'


def curve(points: list[tuple[float, float]], colour: str) -> str:
    path = "L".join(f"{x(day):.1f} {y(value):.1f}" for day, value in points)
    return f'<path d="M{path}" stroke="{colour}" stroke-width="2" fill="none"/>'


def axes() -> list[str]:
    marks = [0.0, *sorted(set(MULTIPLIERS.values()) - {0.0})]
    days = [int(HALF_LIFE_DAYS) * number for number in range(5)]
    rows = [part for value in marks for part in (line((LEFT, y(value)), (LEFT + WIDE, y(value))),
            text(LEFT - 8, y(value) + 4, f"{value:g}", anchor="end"))]  # fmt: skip
    return [*rows, *(text(x(day), TOP + HIGH + 18, f"day {day}", anchor="middle") for day in days)]


def drawn() -> str:
    """Draw the whole picture."""
    faded = [(day, compute_decay(0, DAY_MS * day)) for day in range(0, DAYS + 1, 5)]
    found = states()
    ends = [day for day, _ in found[1:]] + [DAYS]
    steps = [(at, MULTIPLIERS[state]) for (day, state), end in zip(found, ends, strict=True) for at in (day, end)]
    named = [
        text(x(day) + (4 if number < 2 else 10), y(MULTIPLIERS[state]) - 6, f"{state} (day {day})", colour=STEPS)
        for number, (day, state) in enumerate(found)
    ]
    note = f"rank multiplier of a skill that helps once a week for {VOTES} weeks"
    body = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        text(LEFT, 18, "weight of one vote: half after 90 days", colour=CURVE),
        text(LEFT + WIDE, 18, note, colour=STEPS, anchor="end"),
        *axes(),
        curve(faded, CURVE),
        curve(steps, STEPS),
        *named,
        "</svg>",
    ]
    return "\n".join(body) + "\n"


if __name__ == "__main__":
    FILE.write_text(drawn(), encoding="utf-8")
