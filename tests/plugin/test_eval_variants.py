"""The ablation and the folds: what is replaced, what is chosen, and that nothing stays replaced."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mind_skills.detectors import noise, registry, thresholds
from mind_skills.observations.model import Observation
from mind_skills.plugin.evaluating import ablation, folds
from mind_skills.plugin.evaluating.judging import Judged, SessionScore
from mind_skills.plugin.evaluating.trying import tried
from mind_skills.plugin.evaluating.variants import AS_IT_IS, Replacement, Variant, replaced
from tests.testkit.paths import DEMO, ROOT

SCHEMA = json.loads((ROOT / "docs/schemas/eval.json").read_text(encoding="utf-8"))


def owners() -> list[tuple[Any, str]]:
    return [(each.owner, each.attribute) for rule in ablation.RULES for each in rule.replacements]


def test_every_rule_replaces_something_and_puts_it_back() -> None:
    before = [getattr(owner, attribute) for owner, attribute in owners()]
    for rule in ablation.RULES:
        with tried(Variant(rule.name)):
            during = [getattr(each.owner, each.attribute) for each in rule.replacements]
        assert all(a is not getattr(e.owner, e.attribute) for a, e in zip(during, rule.replacements, strict=True))
    assert all(a is b for a, b in zip(before, [getattr(*place) for place in owners()], strict=True))


def test_what_was_remembered_by_one_set_of_rules_is_not_answered_by_another() -> None:
    protocol = next(rule for rule in ablation.RULES if any(each.attribute == "_PROTOCOL" for each in rule.replacements))
    refused = Observation("tool", 1, text="sibling tool call errored", action="run", outcome="failed")
    answers = [noise.genuine_failure(refused)]
    with tried(Variant(protocol.name)):
        answers.append(noise.genuine_failure(refused))
    assert [*answers, noise.genuine_failure(refused)] == [False, True, False]


def test_a_failure_in_the_middle_puts_everything_back() -> None:
    before = noise.slip
    with pytest.raises(AttributeError), replaced([_slip(), Replacement(noise, "no_such_rule", lambda x: x)]):
        pass
    with pytest.raises(ZeroDivisionError), replaced([_slip()]):
        raise ZeroDivisionError
    assert noise.slip is before


def _slip() -> Replacement:
    return Replacement(noise, "slip", lambda _: None)


def test_rules_have_names_of_their_own_and_each_detector_is_one() -> None:
    names = [rule.name for rule in ablation.RULES]
    assert len(names) == len(set(names))
    assert {f"detector {kind}" for kind, _ in registry.DETECTORS} <= set(names)


@pytest.mark.parametrize("rule", [rule for rule in ablation.RULES if rule.test], ids=lambda rule: rule.name)
def test_the_test_that_a_rule_names_exists(rule: Any) -> None:
    file, _, name = rule.test.partition("::")
    assert re.search(
        rf"^def {name.partition('[')[0]}\(", (ROOT / "tests" / file).read_text(encoding="utf-8"), re.MULTILINE
    )


def test_every_threshold_says_why_and_is_tried_at_other_values() -> None:
    text = Path(thresholds.__file__).read_text(encoding="utf-8")
    assert {name for name in folds.NAMES if not re.search(rf'^{name} = [\d_]+\n"""\S', text, re.MULTILINE)} == set()
    grids = {name: folds.grid(name) for name in folds.NAMES}
    assert [name for name, grid in grids.items() if len(grid) < 3 or getattr(thresholds, name) not in grid] == []


def test_a_threshold_at_the_value_in_use_is_the_detector_as_it_is() -> None:
    assert folds.variant("REACH", thresholds.REACH) == AS_IT_IS
    with tried(folds.variant("REACH", 7)):
        assert thresholds.REACH == 7
    assert thresholds.REACH != 7


def score(name: str, *hits: bool) -> SessionScore:
    """A session of one learning with candidates that hit it or not."""
    found = [
        {"strict": (0,), "named": (), "lenient": (0,)} if hit else dict.fromkeys(("strict", "named", "lenient"), ())
        for hit in hits
    ]
    judged = tuple(Judged("error_fix", "t", 1, 2, found=each) for each in found)  # type: ignore[arg-type]
    return SessionScore(name, name, 1, silent=False, judged=judged)


def test_a_threshold_is_chosen_on_the_others_and_scored_on_the_one_left_out() -> None:
    """NEAR at 15 is best in source a, at 120 in source b: each is scored with what was best in the other."""
    scores = {variant: [score("a", False), score("b", False)] for variant in folds.VARIANTS}
    scores[folds.variant("NEAR", 15)] = [score("a", True), score("b", False)]
    scores[folds.variant("NEAR", 120)] = [score("a", False), score("b", True)]
    made = folds.folds(scores, ["a", "b"])
    report = folds.report(scores, folds.together(scores, made, lambda _: scores), made)
    near = next(each for each in report.thresholds if each.threshold == "NEAR")
    assert {choice.source: choice.value for choice in near.chosen} == {"a": 120, "b": 15}
    assert (near.figures.strict_precision, near.figures.candidates) == (0.0, 2)
    assert {tried.value: tried.f1 for tried in near.tried} == {
        8: 0.0,
        15: 0.5,
        22: 0.0,
        30: 0.0,
        45: 0.0,
        60: 0.0,
        120: 0.5,
    }


def test_chosen_together_a_threshold_stays_moved_only_where_it_helps_beside_the_others() -> None:
    """Outside of source b, NEAR at 15 helps and REACH at 38 as well, but not both; for source a nothing helps."""
    scores = {variant: [score("a", False, False), score("b", True)] for variant in folds.VARIANTS}
    near, reach = folds.variant("NEAR", 15), folds.variant("REACH", 38)
    both = Variant(values=(*near.values, *reach.values))
    scores[near], scores[reach] = [score("a", True), score("b", False)], [score("a", True, False), score("b", True)]
    asked: list[list[Variant]] = []

    def replay(variants: Sequence[Variant]) -> folds.Scores:
        asked.append(list(variants))
        return scores | {both: [score("a", True, False), score("b", False, False)]}

    made = folds.folds(scores, ["a", "b"])
    held = folds.together(scores, made, replay)
    assert asked == [[near], [both]]
    assert held == [scores[AS_IT_IS], scores[near]]
    assert folds.report(scores, held, made).together.strict_precision == 0.0


def test_of_values_that_are_equally_good_the_middle_one_is_chosen() -> None:
    scores = {variant: [score("a", True), score("b", True)] for variant in folds.VARIANTS}
    scores[folds.variant("NEAR", 15)] = [score("a", False), score("b", False)]
    made = folds.folds(scores, ["a", "b"])
    assert [fold.chosen["NEAR"] for fold in made] == [30, 30]


def corpus(folder: Path, *names: str) -> tuple[str, ...]:
    """As many copies of the bundled session, each labelled, in a folder."""
    (folder / "sessions").mkdir()
    learning = {"start_line": 1, "end_line": 22, "key_phrases": ["2.67499"]}
    for name in names:
        (folder / "sessions" / name).write_bytes(DEMO.read_bytes())
    lines = [json.dumps({"session_file": name, "length": 23, "learnings": [learning]}) for name in names]
    (folder / "labels.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return "eval", "--labels", str(folder / "labels.jsonl"), "--corpus", str(folder / "sessions"), "--jobs", "1"


def test_the_ablation_tells_rules_that_matter_from_those_that_do_not(
    apart: Path, mind_skills: Callable[..., Any]
) -> None:
    arguments = (*corpus(apart, "a.jsonl"), "--ablation")
    document = mind_skills(*arguments, "--json").json
    Draft202012Validator(SCHEMA).validate(document)
    rows = {row["rule"]: row for row in document["ablation"]}
    assert list(rows) == [rule.name for rule in ablation.RULES]
    whole = {"candidates": 1, "noisy": 0, "strictPrecision": 1.0, "strictRecall": 1.0, "namedPrecision": 1.0}
    assert (rows["slips"]["changed"], rows["slips"]["figures"]) == (0, whole | {"namedRecall": 1.0})
    assert rows["detector problem_solution"]["changed"] == 1
    text = mind_skills(*arguments).out
    needed, _, idle = text.partition("Rules that no labelled session needs")
    assert ("detector problem_solution\t" in needed, "slips\t" in needed) == (True, False)
    assert "slips\twhat a compiler" in idle


def test_the_folds_name_each_source_and_need_to_know_it(apart: Path, mind_skills: Callable[..., Any]) -> None:
    arguments = (*corpus(apart, "a.jsonl", "b.jsonl"), "--folds")
    nowhere = mind_skills(*arguments, "--json")
    assert (nowhere.code, nowhere.json["error"]["code"]) == (1, "no_inventory")
    (apart / "inventory.csv").write_text("file,source_repo\nsessions/a.jsonl,one\n", encoding="utf-8")
    unknown = mind_skills(*arguments, "--json")
    assert (unknown.code, unknown.json["error"]["code"]) == (1, "no_source")
    (apart / "inventory.csv").write_text(
        "file,source_repo\nsessions/a.jsonl,one\nsessions/b.jsonl,two\n", encoding="utf-8"
    )
    document = mind_skills(*arguments, "--json").json
    Draft202012Validator(SCHEMA).validate(document)
    report = document["folds"]
    assert [each["threshold"] for each in report["thresholds"]] == list(folds.NAMES)
    assert [(each["source"], each["sessions"], each["learnings"]) for each in report["sources"]] == [
        ("one", 1, 1),
        ("two", 1, 1),
    ]
    whole = {"candidates": 2, "noisy": 0, "strictPrecision": 1.0, "strictRecall": 1.0}
    assert {name: report["together"][name] for name in whole} == whole
    assert "all together\t\t\t\t1.000\t1.000" in mind_skills(*arguments).out
