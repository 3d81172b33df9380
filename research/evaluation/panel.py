"""A panel: readers who see only digests say what of them deserves a skill, and their answers are compared with the labels.

``write`` puts one digest a session into FOLDER/digests, and the ids that each reader gets into FOLDER/reader-N.txt. Readers answer in
files FOLDER/answers/*.jsonl, one object a session: {"id": "s012", "learnings": [{"p": 0 to 100, "text": "symptom, cause and remedy",
"start_line": N, "end_line": N}]}, with what a strict senior engineer who read the whole session would keep with probability p.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from mind_skills.errors import MindSkillsError
from research.evaluation.figures import Shown
from research.evaluation.labels import Label, Learning

THRESHOLDS = (25, 30, 35, 40, 45, 50, 55, 60, 70)
MIN_SHARED = 0.5
"""A kept learning is right if it shares this part of the shorter of the two ranges with a labelled one."""


class Kept(BaseModel):
    """A learning that a reader would keep with probability ``p`` (percent)."""

    p: float
    text: str = ""
    start_line: int
    end_line: int


class Answer(BaseModel):
    """What a reader says of a session."""

    id: str
    learnings: list[Kept] = Field(default_factory=list[Kept])


def write_panel(
    labels: Sequence[Label], shown: Mapping[str, Shown], folder: Path, readers: int, seed: int
) -> dict[str, Any]:
    """Write the digests and the readers' lists, in an order that follows from ``seed``. Raises OSError."""
    digests, ids = folder / "digests", list[str]()
    digests.mkdir(parents=True, exist_ok=True)
    (folder / "answers").mkdir(exist_ok=True)
    for number, label in enumerate(labels):
        if text := shown.get(label.name, Shown()).text:
            ids.append(f"s{number:03d}")
            (digests / f"s{number:03d}.txt").write_text(text, encoding="utf-8")
    random.Random(seed).shuffle(ids)
    for reader in range(readers):
        lines = "".join(f"{each}\n" for each in ids[reader::readers])
        (folder / f"reader-{reader}.txt").write_text(lines, encoding="utf-8")
    return {"digests": len(ids), "readers": readers, "seed": seed}


def score_panel(labels: Sequence[Label], folder: Path) -> dict[str, Any]:
    """Compare the answers in ``folder`` with the labels. Raises MindSkillsError if an answer is not valid, and OSError."""
    given = {line for path in folder.glob("reader-*.txt") for line in path.read_text(encoding="utf-8").split()}
    answers: dict[str, list[Kept]] = {}
    for path in sorted(folder.glob("answers/*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip():
                try:
                    answer = Answer.model_validate_json(line)
                except ValidationError as failure:
                    hint = "One object a line: id, learnings with p, text, start_line, end_line."
                    raise MindSkillsError("bad_answer", f"{path}: {line[:80]}", hint) from failure
                answers[answer.id] = answer.learnings
    chosen = {f"s{number:03d}": label for number, label in enumerate(labels) if f"s{number:03d}" in given}
    return {
        "sessions": len(chosen),
        "learnings": sum(len(label.learnings) for label in chosen.values()),
        "missing": sorted(given - set(answers)),
        "thresholds": [_score_threshold(chosen, answers, threshold) for threshold in THRESHOLDS],
    }


def _score_threshold(
    labels: Mapping[str, Label], answers: Mapping[str, Sequence[Kept]], threshold: float
) -> dict[str, Any]:
    """Judge what is kept from a probability on. A second one on the same learning is wrong; disputed ones count neither way."""
    count: Counter[str] = Counter()
    for key, label in labels.items():
        found: set[int] = set()
        kept = sorted((each for each in answers.get(key, ()) if each.p >= threshold), key=lambda each: -each.p)
        if not label.learnings and not label.disputed:
            count.update(silent=1, noisy=bool(kept))
        for each in kept:
            hits = {index for index, learning in enumerate(label.learnings) if _is_on(each, learning)}
            if new := hits - found:
                phrases = [phrase for index in new for phrase in label.learnings[index].key_phrases]
                count.update(right=1, named=any(phrase.lower() in each.text.lower() for phrase in phrases))
            elif not hits and any(_is_on(each, learning) for learning in label.disputed):
                count["disputed"] += 1
                continue
            elif not hits and any(_is_on(each, learning) for learning in label.borderline):
                count["borderline"] += 1
            found |= hits
            count["kept"] += 1
        count.update(learnings=len(label.learnings), found=len(found))
    return {
        "p": threshold,
        **{name: count[name] for name in ("kept", "right", "borderline", "disputed", "noisy", "silent")},
        "precision": round(count["right"] / max(1, count["kept"]), 3),
        "recall": round(count["found"] / max(1, count["learnings"]), 3),
        "useful": round((count["right"] + count["borderline"]) / max(1, count["kept"]), 3),
        "named": round(count["named"] / max(1, count["right"]), 3),
    }


def _is_on(kept: Kept, learning: Learning) -> bool:
    shared = min(kept.end_line, learning.end_line) - max(kept.start_line, learning.start_line) + 1
    shorter = min(kept.end_line - kept.start_line, learning.end_line - learning.start_line) + 1
    return shared >= MIN_SHARED * shorter
