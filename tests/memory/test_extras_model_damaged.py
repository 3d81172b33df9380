"""A model that cannot be loaded: the default backend answers, and health reports the reason."""

from __future__ import annotations

import importlib
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.memory.models import RECORDS, ask, memory

pytestmark = [pytest.mark.extras, pytest.mark.usefixtures("no_network")]


def damage_weights(model: Path) -> None:
    (model / "model.safetensors").write_bytes((model / "model.safetensors").read_bytes()[:5_000])


def damage_config(model: Path) -> None:
    (model / "config.json").write_text("{")


def damage_modules(model: Path) -> None:
    (model / "modules.json").write_text('[{"idx": 0, "name": "0", "path": "", "type": "no.such.Module"}]')


def damage_tokenizer(model: Path) -> None:
    (model / "tokenizer.json").write_text("[]")


def damage_pooling(model: Path) -> None:
    shutil.rmtree(model / "1_Pooling")


def damage_values(model: Path) -> None:
    tensors: Any = importlib.import_module("safetensors.numpy")
    weights = tensors.load_file(model / "model.safetensors")
    tensors.save_file(
        {name: each * float("nan") for name, each in weights.items()}, model / "model.safetensors", {"format": "pt"}
    )


DAMAGES = [damage_weights, damage_config, damage_modules, damage_tokenizer, damage_pooling, damage_values]


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_an_unloadable_model_is_replaced_by_the_default_and_health_states_the_reason(
    damage, model: Path, tmp_path: Path
) -> None:
    with memory(tmp_path, model) as store:
        store.store_all(RECORDS)
        assert ask(store)[2] == "model"
    damage(model)
    with memory(tmp_path, model) as store:
        health = store.check_health()
        assert ask(store)[0::2] == ("r5", "lexicon and hashed n-grams")
    assert (health.healthy, health.count) == (True, 12)
    assert health.reason.startswith(f"the default, because the model {model} cannot be used: ")
