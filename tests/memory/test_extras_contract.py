"""The contract of every backend, with LanceDB, with a model, and with both."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from mind_skills.memory import vector_store
from mind_skills.memory.encoders import Extras, HashEncoder
from mind_skills.memory.lance import TableLocation
from mind_skills.memory.model import Hit
from mind_skills.memory.store import SemanticMemoryStore, open_memory
from tests.memory import test_storage as contract

pytestmark = pytest.mark.extras


class FakeModel(HashEncoder):
    """Hashed words presented as a trained model, so that the results are known."""

    captures_meaning = True
    model = "words"


class Everywhere(SemanticMemoryStore):
    """Runs queries without a project in the project whose index is open, so that they use LanceDB."""

    def __init__(self, store: SemanticMemoryStore) -> None:
        self._store = store

    def __getattribute__(self, name: str) -> Any:
        own = name in ("_store", "query", "__class__")
        return object.__getattribute__(self, name) if own else getattr(object.__getattribute__(self, "_store"), name)

    def query(
        self, text: str, limit: int = 5, threshold: float = 0.0, *, project_id: str = "", **more: Any
    ) -> Sequence[Hit]:
        return self._store.query(text, limit, threshold, project_id=project_id or "clocks", **more)


def define_backend(*, model: bool, lance: bool) -> Callable[[Path], AbstractContextManager[SemanticMemoryStore]]:
    @contextmanager
    def open_backend(folder: Path) -> Iterator[SemanticMemoryStore]:
        where = TableLocation(str(folder / "root/.hive/vectors/patterns.lance"), str(folder / "root"), "", "clocks")
        (folder / "root").mkdir()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(vector_store, "_find_model", lambda name: (FakeModel() if model else None, ""))
            patch.setattr(vector_store, "MAX_ENCODED_PER_QUERY", 1_000)
            patch.setattr(vector_store, "_find_location", lambda root, relative_path: (where if lance else None, ""))
            with open_memory(str(folder / "home"), "", Extras()) as store:
                yield Everywhere(store)
                health = store.check_health()
                assert (health.location == where.path) == lance
                assert health.encoder.startswith("hashed-" if model else "lexicon")
                assert "because" not in health.reason, health.reason

    return open_backend


BACKENDS = {
    "lancedb": define_backend(model=False, lance=True),
    "a model": define_backend(model=True, lance=False),
    "lancedb and a model": define_backend(model=True, lance=True),
}


# The contract's tests, run with the fixture below; the last one chooses its own backends.
globals().update({name: each for name, each in vars(contract).items() if name.startswith("test_")})
del globals()["test_any_text_can_be_stored_and_queried_in_every_backend"]


@pytest.fixture(params=BACKENDS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SemanticMemoryStore]:
    with BACKENDS[request.param](tmp_path) as open_backend:
        yield open_backend
