"""The `embeddings` extra: a model of sentence-transformers, from this machine alone unless a download is asked for.

Importing it takes seconds and most of a gigabyte of memory, so it waits for the first text that is to be encoded, and
whether the weights are here is seen from the names of files.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any

from mind_skills.errors.records import ModelUnavailableError
from mind_skills.memory.encoders import MODEL, bounded

PACKAGE = "sentence_transformers"
INSTALL = "uv tool install '.[embeddings]', or pip install '.[embeddings]', in your checkout"
DOWNLOAD = "mind-skills memory rebuild --download"
_OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
_QUIET = {
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "TRANSFORMERS_VERBOSITY": "error",
}
_EDGE = 64 * 1024
"""Bytes at either end of a file of weights that tell it from another of the same size."""


def installed() -> bool:
    """Whether the extra is there; nothing of it is imported."""
    return importlib.util.find_spec(PACKAGE) is not None


def find_model(model: str = MODEL) -> str:
    """The folder of a model on this machine, empty where there is none.

    ``model`` is the whole path of a folder, or the name that a model has on the hub, whose cache is looked through.
    """
    if _is_folder(model):
        path = os.path.expanduser(model)
        return path if os.path.isfile(os.path.join(path, "modules.json")) else ""
    for cache in _caches():
        place = os.path.join(cache, f"models--{model.replace('/', '--')}")
        try:
            with open(os.path.join(place, "refs", "main"), encoding="ascii") as file:
                path = os.path.join(place, "snapshots", file.read(100).strip())
        except (OSError, UnicodeDecodeError):
            continue
        if os.path.isfile(os.path.join(path, "modules.json")):
            return path
    return ""


class Model:
    """A model, loaded when it is first needed. ``path`` is its folder, from ``found``."""

    knows_meaning = True

    def __init__(self, model: str = MODEL) -> None:
        """Raises ModelUnavailableError where it cannot be on this machine: nothing is imported yet."""
        if not installed():
            raise ModelUnavailableError("sentence-transformers is not installed", f"{INSTALL} brings it.")
        self.model = model
        self.path = find_model(model)
        if not self.path:
            hint = "Name another folder." if _is_folder(model) else f"`{DOWNLOAD}` fetches it, once."
            raise ModelUnavailableError(f"the model {model} is not on this machine", hint)
        self.name = f"{model if not _is_folder(model) else os.path.basename(self.path)}@{_fingerprint(self.path)}"
        self._loaded: Any = None
        self._dimension = 0

    @property
    def dimension(self) -> int:
        """Numbers in a vector. Loads the model."""
        self._ready()
        return self._dimension

    def documents(self, texts: Sequence[str]) -> list[bytes]:
        """As Encoder has it. Raises ModelUnavailableError."""
        return self._encoded("encode_document", texts)

    def question(self, text: str) -> bytes:
        """As Encoder has it. Raises ModelUnavailableError."""
        return self._encoded("encode_query", [text])[0]

    def _ready(self) -> Any:
        if self._loaded is None:
            loaded = _load(self.path)
            # One text tells what no two releases of the library call the same: how long a vector is.
            self._dimension = len(_vectors(self.path, loaded, "encode", ["ready"])[0]) // 4
            self._loaded = loaded
        return self._loaded

    def _encoded(self, call: str, texts: Sequence[str]) -> list[bytes]:
        return _vectors(self.path, self._ready(), call, texts) if texts else []


def download_model(model: str = MODEL) -> str:
    """Download a model, because the user reason so, and return its folder. Raises ModelUnavailableError."""
    if not installed():
        raise ModelUnavailableError("sentence-transformers is not installed", f"{INSTALL} brings it.")
    if not _is_folder(model):
        _load(model, download=True)
    if path := find_model(model):
        return path
    raise ModelUnavailableError(f"the model {model} was not found", "Name another model, or a folder that holds one.")


def _load(model: str, *, download: bool = False) -> Any:
    """The loaded model. Code that comes with a model is never run."""
    try:
        with _environment(_QUIET if download else {**_QUIET, **_OFFLINE}):
            library: Any = importlib.import_module(PACKAGE)
            _no_bars()
            return library.SentenceTransformer(model, local_files_only=not download, trust_remote_code=False)
    except Exception as error:  # whatever a model's files can make their library raise: the default encoder goes on
        raise _unavailable(model, error) from error


def _vectors(path: str, loaded: Any, call: str, texts: Sequence[str]) -> list[bytes]:
    try:
        numpy: Any = importlib.import_module("numpy")
        encode = getattr(loaded, call, loaded.encode)  # older releases know one call for both sides
        rows = encode([bounded(text) for text in texts], convert_to_numpy=True, show_progress_bar=False)
        rows = numpy.asarray(rows, dtype="<f4").reshape(len(texts), -1)
        lengths = numpy.linalg.norm(rows, axis=1, keepdims=True)
        sound = bool(numpy.isfinite(lengths).all())
        vectors = [row.tobytes() for row in (rows / numpy.where(lengths == 0, 1, lengths)).astype("<f4")]
    except Exception as error:  # as above
        raise _unavailable(path, error) from error
    if not sound:
        raise _unavailable(path, ValueError("it gives vectors that are not numbers"))
    return vectors


def _unavailable(model: str, error: Exception) -> ModelUnavailableError:
    reason = " ".join(str(error).split())[:200] or type(error).__name__
    return ModelUnavailableError(
        f"the model {model} cannot be used: {reason}",
        "Name another, or fetch it again; until then the default encodes.",
    )


def _no_bars() -> None:
    """A progress bar for reading a file of weights is not what anybody asked for."""
    logging: Any = importlib.import_module("transformers.utils.logging")
    logging.disable_progress_bar()


@contextmanager
def _environment(values: dict[str, str]) -> Generator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _is_folder(model: str) -> bool:
    """A whole path. A name with a slash in it is the hub's, also where a folder of that name stands in some project."""
    return os.path.isabs(os.path.expanduser(model))


def _caches() -> list[str]:
    """Where the libraries keep what they have downloaded, as their documentation says."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    hub = os.path.join(os.environ.get("HF_HOME") or os.path.join(home, "huggingface"), "hub")
    named = [os.environ.get("SENTENCE_TRANSFORMERS_HOME", ""), os.environ.get("HF_HUB_CACHE", "")]
    return [path for path in named if path] or [hub]


def _fingerprint(path: str) -> str:
    """12 hex digits that change when the model does, without reading all of its weights."""
    known = blake2b(digest_size=6)
    for folder, folders, names in os.walk(path):
        folders.sort()
        for name in sorted(names):
            whole = os.path.join(folder, name)
            if name.endswith((".md", ".lock")) or name.startswith("."):
                continue
            try:
                with open(whole, "rb") as file:
                    size = os.fstat(file.fileno()).st_size
                    known.update(f"{os.path.relpath(whole, path)} {size}\n".encode("utf-8", "surrogateescape"))
                    known.update(file.read(_EDGE))
                    file.seek(max(0, size - _EDGE))
                    known.update(file.read(_EDGE))
            except OSError as error:
                raise ModelUnavailableError(
                    f"{whole} cannot be read: {error.strerror}", "Fetch the model again."
                ) from error
    return known.hexdigest()
