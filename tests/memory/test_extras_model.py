"""The real loading code of sentence-transformers, with a small random model built by the tests."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import subprocess
import sys
from array import array
from itertools import count
from pathlib import Path

import pytest

from mind_skills.errors.records import ModelUnavailableError
from mind_skills.memory.encoders import DEFAULT_MODEL, MAX_ENCODED_PER_QUERY, Model, download_model, find_model
from mind_skills.memory.model import Record
from mind_skills.memory.vector_store import VectorMemoryStore
from mind_skills.store.project import resolve_project
from tests.memory.models import RECORDS, TEXTS, ask, memory, put_into_hub_cache
from tests.testkit.paths import ROOT

pytestmark = [pytest.mark.extras, pytest.mark.usefixtures("no_network", "repository")]


def test_a_model_in_a_folder_gives_vectors_of_length_one(model: Path) -> None:
    loaded = Model(str(model))
    vectors = [array("f", each) for each in loaded.encode_documents([*TEXTS, "", "\ud800", "x" * 1_000_000])]
    assert loaded.dimension == 768 == len(vectors[0])
    assert len({bytes(each) for each in vectors}) == len(vectors)
    assert [round(sum(value * value for value in each), 4) for each in vectors] == [1.0] * len(vectors)
    assert array("f", loaded.encode_query(TEXTS[0])) == pytest.approx(vectors[0], abs=1e-5)
    assert loaded.encode_documents([]) == []
    assert "HF_HUB_OFFLINE" not in os.environ


def test_the_default_model_is_found_in_the_hub_cache_by_its_name(model: Path, tmp_path: Path) -> None:
    assert find_model() == ""
    put_into_hub_cache(model)
    assert find_model().endswith("/snapshots/0123abcd")
    assert Model().dimension == 768
    assert Model().name.startswith(f"{DEFAULT_MODEL}@")


def test_a_relative_folder_is_not_mistaken_for_the_model_of_that_name(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(model, tmp_path / "here" / DEFAULT_MODEL)
    monkeypatch.chdir(tmp_path / "here")
    assert [find_model(name) for name in (DEFAULT_MODEL, f"./{DEFAULT_MODEL}", f"{tmp_path}/here/{DEFAULT_MODEL}")] == [
        "",
        "",
        f"{tmp_path}/here/{DEFAULT_MODEL}",
    ]


def test_a_score_combines_the_cosine_of_the_model_with_the_default_similarity(model: Path, tmp_path: Path) -> None:
    asked = "the order of a queue"
    with memory(tmp_path, model) as store:
        store.store_all(RECORDS)
        hits = store.query(asked, limit=12)
        assert isinstance(store, VectorMemoryStore)
        question = array("f", store._encoder.encode_query(asked))
        vectors = [array("f", each) for each in store._encoder.encode_documents(TEXTS)]
        cosines = [sum(a * b for a, b in zip(each, question, strict=True)) for each in vectors]
        known = store.find_similar(asked, "", untrusted=False, count=12)
        health = store.check_health()
    assert known
    expected = {f"r{n}": (max(0, cosine) + 0.75 * known.get(n + 1, 0)) / 1.75 for n, cosine in enumerate(cosines)}
    assert {hit.record.id: hit.score for hit in hits} == pytest.approx(expected, abs=1e-4)
    assert [hit.record.id for hit in hits] == sorted(expected, key=lambda name: -expected[name])
    assert (health.healthy, health.count) == (True, 12)
    assert health.reason == f"the model is {model}; no index is configured"


def test_results_are_the_same_with_and_without_lancedb(model: Path, tmp_path: Path, project: Path) -> None:
    project_id = resolve_project(project_folder=str(project)).id
    with memory(tmp_path, model) as store:
        store.store_all(RECORDS)
        alone = [(hit.record.id, round(hit.score, 4)) for hit in store.query(TEXTS[5], project_id=project_id)]
    with memory(tmp_path, model, ".hive/vectors/patterns.lance") as store:
        both = [(hit.record.id, round(hit.score, 4)) for hit in store.query(TEXTS[5], project_id=project_id)]
        health = store.check_health()
    assert both == alone
    assert (health.location, health.reason) == (
        str(project / ".hive/vectors/patterns.lance"),
        f"the model is {model}; LanceDB is installed",
    )


def test_a_missing_model_is_replaced_by_the_default_with_advice(tmp_path: Path) -> None:
    with memory(tmp_path, DEFAULT_MODEL) as store:
        store.store_all(RECORDS)
        assert ask(store)[0::2] == ("r5", "lexicon and hashed n-grams")
        assert store.check_health().reason == (
            f"the default: the model {DEFAULT_MODEL} is not on this machine. "
            "`mind-skills memory rebuild --download` downloads it once; no index is configured"
        )
    with memory(tmp_path, tmp_path / "nowhere") as store:
        assert "is not on this machine. Set `memory.model` to another folder" in store.check_health().reason


def test_a_model_that_disappears_and_returns_is_used_again_without_encoding_anew(model: Path, tmp_path: Path) -> None:
    with memory(tmp_path, model) as store:
        store.store_all(RECORDS)
        before = ask(store)
    model.rename(tmp_path / "gone")
    with memory(tmp_path, model) as store:
        assert ask(store)[2] == "lexicon and hashed n-grams"
    (tmp_path / "gone").rename(model)
    with memory(tmp_path, model) as store:
        assert isinstance(store, VectorMemoryStore)
        assert store._vectors is not None
        assert store._vectors.count_pending() == 0
        assert ask(store) == before


def test_a_new_model_encodes_every_record_even_if_interrupted_and_replaces_the_old_vectors(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = [Record(f"r{n}", "learning", f"{text} in case {n}") for n in range(20) for text in [TEXTS[n % 12]]]
    records = [Record(f"m{n}", "learning", f"what {n} did to {TEXTS[n % 12]}") for n in range(130)]
    with memory(tmp_path, model) as store:
        store.store_all([*many, *records])
        assert "150 records are not encoded by model@" in store.check_health().reason
        assert store.query("what 77 did")  # answered by the default meanwhile
        assert store.rebuild() == 150
        assert ask(store, "what 77 did to order of the cache")[2] == "model"
    other = tmp_path / "other"
    shutil.copytree(model, other)
    settings = json.loads((other / "config_sentence_transformers.json").read_text())
    (other / "config_sentence_transformers.json").write_text(json.dumps(settings | {"note": "another"}))
    steps = count()

    def until_a_hundred() -> None:
        if next(steps) == 150 + 100:  # the first stage is the default's index
            raise KeyboardInterrupt

    with memory(tmp_path, other) as store:
        assert isinstance(store, VectorMemoryStore)
        assert store._vectors is not None
        with pytest.raises(KeyboardInterrupt):
            store.rebuild(until_a_hundred)
        assert store._vectors.count_pending() == 150
        assert "150 records are not encoded by other@" in store.check_health().reason
    with memory(tmp_path, model) as store:  # the old vectors remain until the new ones are complete
        assert ask(store)[2] == "model"
    with memory(tmp_path, other) as store:
        assert isinstance(store, VectorMemoryStore)
        assert store._vectors is not None
        assert store._vectors.encode_pending() == 150 - 128  # two batches of 64 had been stored
        assert ask(store)[2] == "other"
        encoders = store._vectors._database.sql.execute(
            "SELECT count(*), count(DISTINCT e) FROM memory_vectors"
        ).fetchone()
    assert encoders == (150, 1)


def test_code_that_comes_with_a_model_is_not_run(model: Path, tmp_path: Path) -> None:
    (model / "evil.py").write_text(f"open({str(tmp_path / 'was-run')!r}, 'w')\nclass Module: pass\n")
    modules = json.loads((model / "modules.json").read_text())
    modules[0]["type"] = "evil.Module"
    (model / "modules.json").write_text(json.dumps(modules))
    with pytest.raises(ModelUnavailableError, match="cannot be used"):
        Model(str(model)).encode_documents(["x"])
    assert not (tmp_path / "was-run").exists()


def test_a_model_is_downloaded_only_on_request(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, dict[str, object], str | None]] = []

    class Library:
        class SentenceTransformer:
            def __init__(self, name: str, **options: object) -> None:
                asked.append((name, options, os.environ.get("HF_HUB_OFFLINE")))
                put_into_hub_cache(model, name)

    real = importlib.import_module
    monkeypatch.setattr(
        importlib, "import_module", lambda name: Library if name == "sentence_transformers" else real(name)
    )
    with pytest.raises(ModelUnavailableError, match="is not on this machine"):
        Model()
    assert asked == []
    assert download_model() == find_model() != ""
    assert asked == [(DEFAULT_MODEL, {"local_files_only": False, "trust_remote_code": False}, None)]


def test_a_download_without_a_network_is_an_error() -> None:
    with pytest.raises(ModelUnavailableError, match=f"the model {DEFAULT_MODEL} cannot be used"):
        download_model()


def test_another_process_finds_a_record_and_prints_nothing_else(model: Path, tmp_path: Path) -> None:
    with memory(tmp_path, model) as store:
        store.store_all(RECORDS)
    code = (
        "import sys; from mind_skills.memory.store import open_memory; from mind_skills.memory.encoders import Extras\n"
        "with open_memory(sys.argv[1], '', Extras('', sys.argv[2])) as store:\n"
        "    print(store.query(sys.argv[3])[0].record.id, store.check_health().encoder.partition('@')[0])"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "home"), str(model), TEXTS[5]]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "r5 model\n", "")


def test_a_record_stored_while_a_model_is_in_use_is_found_at_once(model: Path, tmp_path: Path) -> None:
    with memory(tmp_path, model) as store:
        store.store_all(RECORDS[:3])
        assert ask(store, TEXTS[2])[0] == "r2"
        store.store(RECORDS[7])
        assert ask(store, TEXTS[7])[0] == "r7"
        store.store(Record("r7", "learning", TEXTS[8]))
        assert ask(store, TEXTS[8])[0] == "r7"
        store.remove("r7")
        assert "r7" not in [hit.record.id for hit in store.query(TEXTS[8], limit=10)]
    assert MAX_ENCODED_PER_QUERY == 64
