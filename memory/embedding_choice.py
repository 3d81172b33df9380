"""Which of the extras are used, and why: asked once for each opening, without importing any of them."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from functools import partial

from mind_skills.errors import StoreError
from mind_skills.memory import embedding_model, lance_table
from mind_skills.memory.embedding import Encoder, Extras
from mind_skills.memory.embedding_hashed import Hashed
from mind_skills.memory.embedding_model import Model
from mind_skills.memory.embedding_store import VectorMemoryStore, encoding
from mind_skills.memory.embedding_tables import PACKAGE, STEPS
from mind_skills.memory.embedding_vectors import Vectors
from mind_skills.memory.following import Following
from mind_skills.memory.lance_following import LanceFollowing
from mind_skills.memory.lance_place import Place, Registry, place
from mind_skills.memory.records import Records
from mind_skills.memory.sqlite_store import SqliteMemoryStore
from mind_skills.memory.storage import SemanticMemoryStore
from mind_skills.store.database import Database

_loaded: dict[str, Model] = {}
"""A process that stays loads a model once. By its name, which changes with its files."""


@contextmanager
def chosen(
    home: str, root: str, extras: Extras, records: Records, following: Following
) -> Generator[SemanticMemoryStore]:
    """The memory with the extras that are installed and usable here; the default backend where none is.

    Raises StoreError where the state database cannot be opened.
    """
    model, without_model = _model(extras.model)
    where, without_lance = _place(root, extras.index)
    reasons = [reason for reason in (without_model, without_lance) if reason]
    default = SqliteMemoryStore(records, following, f"the default: {'; '.join(reasons) or 'asked for'}")
    if model is None and where is None:
        yield default
        return
    with Database.open(home, PACKAGE, STEPS) as database:
        yield _with(home, default, database, model, where, reasons)


def _with(
    home: str,
    default: SqliteMemoryStore,
    database: Database,
    model: Model | None,
    where: Place | None,
    reasons: list[str],
) -> VectorMemoryStore:
    records = default.records
    encoder: Encoder = model or Hashed()
    vectors = Vectors(database, records, encoder) if model else None
    lance = None
    if where is not None:
        encode = partial(encoding, encoder, vectors)
        lance = LanceFollowing(home, where, records, Registry(database), encoder, encode)
    used = [f"the model is {model.model}" if model else "", "LanceDB is installed" if where else ""]
    return VectorMemoryStore(
        home,
        default,
        encoder,
        vectors=vectors,
        lance=lance,
        reason="; ".join([use for use in used if use] + reasons),
    )


def _model(named: str) -> tuple[Model | None, str]:
    if not named:
        return None, "no model is asked for"
    if not embedding_model.installed():
        return None, "no model is installed"
    try:
        model = Model(named)
    except StoreError as error:
        return None, f"{error}. {error.hint}".rstrip(". ")
    return _loaded.setdefault(model.name, model), ""


def _place(root: str, inside: str) -> tuple[Place | None, str]:
    if not inside:
        return None, "no index is asked for"
    if not lance_table.installed():
        return None, "LanceDB is not installed"
    try:
        return place(root, inside), ""
    except StoreError as error:
        return None, f"{error}. {error.hint}".rstrip(". ")
