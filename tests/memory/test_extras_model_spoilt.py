"""A model that cannot be loaded: the default backend answers, and health reports the reason."""

from __future__ import annotations

import importlib
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.memory.models import RECORDS, answers, memory

pytestmark = [pytest.mark.extras, pytest.mark.usefixtures("no_way_out")]


def spoil_weights(model: Path) -> None:
    (model / "model.safetensors").write_bytes((model / "model.safetensors").read_bytes()[:5_000])


def spoil_config(model: Path) -> None:
    (model / "config.json").write_text("{")


def spoil_modules(model: Path) -> None:
    (model / "modules.json").write_text('[{"idx": 0, "name": "0", "path": "", "type": "no.such.Module"}]')


def spoil_tokenizer(model: Path) -> None:
    (model / "tokenizer.json").write_text("[]")


def spoil_pooling(model: Path) -> None:
    shutil.rmtree(model / "1_Pooling")


def not_a_number(model: Path) -> None:
    tensors: Any = importlib.import_module("safetensors.numpy")
    weights = tensors.load_file(model / "model.safetensors")
    tensors.save_file(
        {name: each * float("nan") for name, each in weights.items()}, model / "model.safetensors", {"format": "pt"}
    )


SPOILS = [spoil_weights, spoil_config, spoil_modules, spoil_tokenizer, spoil_pooling, not_a_number]


@pytest.mark.parametrize("spoil", SPOILS, ids=lambda spoil: spoil.__name__)
def test_a_model_that_cannot_be_loaded_leaves_the_default_and_health_says_why(
    spoil, model: Path, tmp_path: Path
) -> None:
    with memory(tmp_path, model) as store:
        store.store_all(RECORDS)
        assert answers(store)[2] == "model"
    spoil(model)
    with memory(tmp_path, model) as store:
        health = store.check_health()
        assert answers(store)[0::2] == ("r5", "lexicon and hashed n-grams")
    assert (health.healthy, health.count) == (True, 12)
    assert health.reason.startswith(f"the default, because the model {model} cannot be used: ")
