from __future__ import annotations

import json
import random
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from mind_skills.detectors.scorer import parse_weights
from mind_skills.detectors.user_rules import RULE_FEATURES
from mind_skills.evaluation.labels import Label
from mind_skills.evaluation.rule_study import STRICT_AIM, Row, RulePool, study_rules
from tests.evaluation.test_rules_of_the_user import RULE, log

OWNERS = ("ann", "ben", "cleo", "dan")


@contextmanager
def quiet(_what: str, _many: int) -> Generator[Callable[[], None]]:
    yield lambda: None


def corpus(folder: Path) -> tuple[Path, Path]:
    """A session each of four owners; the reader of the last one saw no rule in it."""
    labels: list[str] = []
    for owner in OWNERS:
        name = f"{owner}__shop__s1.jsonl"
        log(folder / "sessions" / name)
        corrections = [] if owner == "dan" else [{"line": 4, "text": RULE}]
        label = {"session_file": name, "length": 7, "source_repo": f"{owner}/shop", "corrections": corrections}
        labels.append(json.dumps(label))
    path = folder / "labels.jsonl"
    path.write_text("\n".join(labels), encoding="utf-8")
    return path, folder / "sessions"


def made(turned: str) -> RulePool:
    """Twenty sessions with ten sentences each, five of every owner; all labels of the one ``turned`` say the opposite."""
    dice = random.Random(7)
    labels = [Label(session_file=f"s{n}", length=9, corrections=[]) for n in range(20)]
    by_name = {f"s{n}": OWNERS[n % 4] for n in range(20)}
    rows: list[Row] = []
    for number in range(200):
        features = tuple(dice.random() for _ in RULE_FEATURES)
        hit = (sum(features[:10]) + dice.random() > 5.5) is not (by_name[f"s{number // 10}"] == turned)
        rows.append(Row(number // 10, features, hit, is_rule=hit, is_fitted=True, is_in_project_file=False))
    return RulePool(labels, by_name, rows)


def test_an_owner_is_judged_by_a_model_of_the_other_owners() -> None:
    one, other = (made(turned).build_model(STRICT_AIM, frozenset({"ben"})) for turned in ("", "ben"))
    assert (bool(one.fitted.weights.any()), str(one)) == (True, str(other))
    assert str(made("").build_model(STRICT_AIM)) != str(made("ben").build_model(STRICT_AIM))


def test_the_weights_are_reproducible_to_the_byte_and_readable(tmp_path: Path) -> None:
    out = tmp_path / "rules.json"
    first, again = (study_rules(*corpus(tmp_path), out, quiet) for _ in range(2))
    assert (first.sessions, first.owners, first.sentences, first.corrections) == (4, 4, 8, 3)
    assert (first.changed, again) == (True, first.replace(changed=False))
    assert parse_weights(out.read_text("utf-8")).tiers["high"] == 1.0
