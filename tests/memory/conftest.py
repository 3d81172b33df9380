"""Fixtures for the extras, which are tested by `make test-extras` in an environment of their own."""

from __future__ import annotations

import importlib
import os
import shutil
import socket
import string
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from mind_skills.memory import vector_store

INSTALLED = find_spec("lancedb") is not None and find_spec("sentence_transformers") is not None
if not INSTALLED and os.environ.get("MIND_SKILLS_REQUIRE_EXTRAS"):
    raise RuntimeError("lancedb and sentence-transformers have to be installed")
collect_ignore_glob = [] if INSTALLED else ["test_extras_*.py"]
pytest.register_assert_rewrite("tests.memory.test_storage")

SIGNS = [sign for sign in string.printable if not sign.isspace()]


@pytest.fixture(autouse=True)
def _isolate_from_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Isolate the test from the models in the user's caches."""
    for name in ("HF_HUB_CACHE", "SENTENCE_TRANSFORMERS_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "huggingface"))


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model with one layer, 768 dimensions and random weights: useless, but loaded like any other."""
    folder = tmp_path_factory.mktemp("models")
    torch: Any = importlib.import_module("torch")
    transformers: Any = importlib.import_module("transformers")
    library: Any = importlib.import_module("sentence_transformers")
    parts: Any = importlib.import_module("sentence_transformers.sentence_transformer.modules")
    torch.manual_seed(7)
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *SIGNS, *(f"##{sign}" for sign in SIGNS)]
    bert = folder / "bert"
    known = {word: n for n, word in enumerate(words)}
    tokens = importlib.import_module("tokenizers").BertWordPieceTokenizer(known)
    transformers.BertTokenizerFast(tokenizer_object=tokens._tokenizer).save_pretrained(bert)
    shape = transformers.BertConfig(
        vocab_size=len(words), hidden_size=768, num_hidden_layers=1, num_attention_heads=12, intermediate_size=64,
        max_position_embeddings=128, initializer_range=0.3,
    )  # fmt: skip
    transformers.BertModel(shape).save_pretrained(bert)
    model = library.SentenceTransformer(
        modules=[parts.Transformer(str(bert), max_seq_length=128), parts.Pooling(768), parts.Normalize()]
    )
    model.save(str(folder / "tiny"))
    return folder / "tiny"


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail the test if it opens a connection or resolves a name."""

    def refuse(*_: object) -> None:
        raise AssertionError("something tried to reach the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(vector_store, "_loaded_models", {})


@pytest.fixture
def model(tiny_model: Path, tmp_path: Path) -> Path:
    """A copy that a test may damage."""
    return Path(shutil.copytree(tiny_model, tmp_path / "model"))
