"""Encoders, which turn texts into unit vectors (little-endian float32): a hashing one, and the model of the
`embeddings` extra, which is imported only when it encodes, as that takes seconds and most of a gigabyte.
"""

from __future__ import annotations

import importlib
import importlib.util
import math
import os
import sys
from array import array
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any, Protocol
from zlib import crc32

from mind_skills.errors.records import ModelUnavailableError
from mind_skills.memory.features import PIECE_DIMENSION, Features, compute_fingerprint, extract_features
from mind_skills.settings.table import TABLE
from mind_skills.store.light_dataclasses import dataclass

DEFAULT_INDEX = str(TABLE["memory.index"].default)
"""Default path of the LanceDB table in the project, from the specification."""
DEFAULT_MODEL = str(TABLE["memory.model"].default)
"""Default model, from the specification: 768 dimensions, a download of 438 MB."""
MAX_TEXT_LENGTH = 20_000
"""Maximum number of characters passed to a model, which reads only a few hundred tokens."""

MAX_ENCODED_PER_QUERY = 64
"""Maximum number of records encoded during a query: a few seconds on two cores. For more, a rebuild is needed."""
REBUILD_HINT = "Run: mind-skills memory rebuild"
CONCEPT_DIMENSION = 256
"""Number of dimensions for concepts. Those for word pieces bring the total to 768, the same as the specification's model."""
PIECES_WEIGHT = 0.4
"""Weight of the word pieces in the similarity of two texts. The concepts, which represent meaning, have the rest."""
PACKAGE = "sentence_transformers"
INSTALL_COMMANDS = "uv tool install '.[embeddings]', or pip install '.[embeddings]', in your checkout"
DOWNLOAD_COMMAND = "mind-skills memory rebuild --download"
_OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
_QUIET = {
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "TRANSFORMERS_VERBOSITY": "error",
}
_SAMPLE_BYTES = 64 * 1024
"""Number of bytes hashed at each end of a file."""


@dataclass(frozen=True, slots=True)
class Extras:
    """The optional backends: a LanceDB table at the path ``index`` in the project, and a ``model``; either may be empty."""

    index: str = DEFAULT_INDEX
    model: str = DEFAULT_MODEL


class Encoder(Protocol):
    """Encodes texts as vectors."""

    @property
    def name(self) -> str:
        """The encoder's name, stored with each vector; vectors of encoders with different names are never compared."""
        ...

    @property
    def dimension(self) -> int:
        """Number of values per vector."""
        ...

    @property
    def captures_meaning(self) -> bool:
        """Whether the similarity of vectors alone ranks well: true for a trained model, false for hashed words."""
        ...

    def encode_documents(self, texts: Sequence[str]) -> list[bytes]:
        """Encode texts that are searched. Raises ModelUnavailableError."""
        ...

    def encode_query(self, text: str) -> bytes:
        """Encode the text of a query. Raises ModelUnavailableError."""
        ...


def compute_digest(text: str) -> str:
    """Return the hash of a text, as 32 hex digits."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def pack_vector(numbers: Iterable[float]) -> bytes:
    """Scale a vector to unit length and convert it to bytes; zeros stay zeros. Raises ValueError if a value is not finite."""
    values = array("f", numbers)
    length = math.sqrt(math.fsum(value * value for value in values))
    if not math.isfinite(length):
        raise ValueError("a vector contains a value that is not a finite number")
    if length:
        values = array("f", (value / length for value in values))
    if sys.byteorder == "big":  # pragma: no cover -- untested platform
        values.byteswap()
    return values.tobytes()


class HashEncoder:
    """Hashes word pieces and concepts: the dot product is the weighted sum of the cosines of both parts."""

    captures_meaning = False
    dimension = PIECE_DIMENSION + CONCEPT_DIMENSION

    @property
    def name(self) -> str:
        """The encoder's name, with the lexicon's fingerprint: vectors of different lexicons are not comparable."""
        return f"hashed-words-and-concepts@{compute_fingerprint()}"

    def encode_documents(self, texts: Sequence[str]) -> list[bytes]:
        return [_encode_features(extract_features(text)) for text in texts]

    def encode_query(self, text: str) -> bytes:
        return _encode_features(extract_features(text))


def _encode_features(features: Features) -> bytes:
    concept_vector = [0.0] * CONCEPT_DIMENSION
    for concept, strength in features.concepts.items():
        checksum = crc32(concept.encode())
        concept_vector[checksum % CONCEPT_DIMENSION] += strength if checksum & 0x8000_0000 else -strength
    pieces = _scale_to_weight(features.vector, PIECES_WEIGHT)
    return pack_vector([*pieces, *_scale_to_weight(concept_vector, 1 - PIECES_WEIGHT)])


def _scale_to_weight(numbers: Sequence[float], weight: float) -> list[float]:
    length = math.sqrt(math.fsum(number * number for number in numbers))
    return [math.sqrt(weight) * number / length for number in numbers] if length else [0.0] * len(numbers)


def is_library_installed() -> bool:
    """Return whether sentence-transformers is installed, without importing it."""
    return importlib.util.find_spec(PACKAGE) is not None


def find_model(model: str = DEFAULT_MODEL) -> str:
    """Return the folder of a model (an absolute path, or a name in the Hugging Face cache) that has ``modules.json``, or ""."""
    if _is_absolute_path(model):
        path = os.path.expanduser(model)
        return path if os.path.isfile(os.path.join(path, "modules.json")) else ""
    for cache in _list_caches():
        folder = os.path.join(cache, f"models--{model.replace('/', '--')}")
        try:
            with open(os.path.join(folder, "refs", "main"), encoding="ascii") as file:
                path = os.path.join(folder, "snapshots", file.read(100).strip())
        except (OSError, UnicodeDecodeError):
            continue
        if os.path.isfile(os.path.join(path, "modules.json")):
            return path
    return ""


class Model:
    """A model, which is loaded when it is first used. ``path`` is the folder of its files."""

    captures_meaning = True

    def __init__(self, model: str = DEFAULT_MODEL) -> None:
        """Raises ModelUnavailableError if the library or the model is missing. Does not import the library."""
        _require_library()
        self.model = model
        self.path = find_model(model)
        is_path = _is_absolute_path(model)
        if not self.path:
            hint = "Set `memory.model` to another folder." if is_path else f"`{DOWNLOAD_COMMAND}` downloads it once."
            raise ModelUnavailableError(f"the model {model} is not on this machine", hint)
        self.name = f"{os.path.basename(self.path) if is_path else model}@{_compute_fingerprint(self.path)}"
        self._loaded: Any = None
        self._dimension = 0

    @property
    def dimension(self) -> int:
        """Number of values per vector. Loads the model."""
        self._get_loaded_model()
        return self._dimension

    def encode_documents(self, texts: Sequence[str]) -> list[bytes]:
        return self._encode("encode_document", texts)

    def encode_query(self, text: str) -> bytes:
        return self._encode("encode_query", [text])[0]

    def _get_loaded_model(self) -> Any:
        if self._loaded is None:
            loaded = _load_model(self.path)
            # A text is encoded to get the dimension, because the attribute for it differs between releases of the library.
            self._dimension = len(_encode_texts(self.path, loaded, "encode", ["ready"])[0]) // 4
            self._loaded = loaded
        return self._loaded

    def _encode(self, method: str, texts: Sequence[str]) -> list[bytes]:
        return _encode_texts(self.path, self._get_loaded_model(), method, texts) if texts else []


def download_model(model: str = DEFAULT_MODEL) -> str:
    """Download a model at the user's request and return its folder. Raises ModelUnavailableError."""
    _require_library()
    if not _is_absolute_path(model):
        _load_model(model, download=True)
    if path := find_model(model):
        return path
    raise ModelUnavailableError(
        f"the model {model} was not found",
        "Set `memory.model` to another model, or to the path of a folder that has one.",
    )


def _require_library() -> None:
    if not is_library_installed():
        raise ModelUnavailableError("sentence-transformers is not installed", f"Install it with {INSTALL_COMMANDS}.")


def _load_model(model: str, *, download: bool = False) -> Any:
    """Load a model from its folder or, with ``download``, by its name. Code that comes with a model is never run."""
    try:
        with _set_environment(_QUIET if download else {**_QUIET, **_OFFLINE}):
            library: Any = importlib.import_module(PACKAGE)
            logging: Any = importlib.import_module("transformers.utils.logging")
            logging.disable_progress_bar()  # for example when it loads weights
            return library.SentenceTransformer(model, local_files_only=not download, trust_remote_code=False)
    except Exception as error:  # a model's files can cause any exception
        raise _build_error(model, error) from error


def _encode_texts(path: str, loaded: Any, method: str, texts: Sequence[str]) -> list[bytes]:
    try:
        numpy: Any = importlib.import_module("numpy")
        encode = getattr(loaded, method, loaded.encode)  # older releases have one method for documents and queries
        # Tokenizers reject lone surrogates.
        accepted = [text[:MAX_TEXT_LENGTH].encode("utf-8", "replace").decode() for text in texts]
        rows = encode(accepted, convert_to_numpy=True, show_progress_bar=False)
        rows = numpy.asarray(rows, dtype="<f4").reshape(len(texts), -1)
        lengths = numpy.linalg.norm(rows, axis=1, keepdims=True)
        is_finite = bool(numpy.isfinite(lengths).all())
        vectors = [row.tobytes() for row in (rows / numpy.where(lengths == 0, 1, lengths)).astype("<f4")]
    except Exception as error:  # a model's files can cause any exception
        raise _build_error(path, error) from error
    if not is_finite:
        raise _build_error(path, ValueError("its vectors contain values that are not finite numbers"))
    return vectors


def _build_error(model: str, error: Exception) -> ModelUnavailableError:
    reason = " ".join(str(error).split())[:200] or type(error).__name__
    return ModelUnavailableError(
        f"the model {model} cannot be used: {reason}",
        "Set `memory.model` to another model, or download this one again; until then the default search is used.",
    )


@contextmanager
def _set_environment(values: dict[str, str]) -> Generator[None]:
    previous = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in previous.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _is_absolute_path(model: str) -> bool:
    """Return whether ``model`` is an absolute path; anything else is a name on the hub, even if there is a folder of that name."""
    return os.path.isabs(os.path.expanduser(model))


def _list_caches() -> list[str]:
    """Return the folders in which sentence-transformers and huggingface_hub cache downloads, according to their documentation."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    hub = os.path.join(os.environ.get("HF_HOME") or os.path.join(home, "huggingface"), "hub")
    configured = [os.environ.get("SENTENCE_TRANSFORMERS_HOME", ""), os.environ.get("HF_HUB_CACHE", "")]
    return [path for path in configured if path] or [hub]


def _compute_fingerprint(path: str) -> str:
    """Hash the names, sizes, first and last bytes of a model's files to 12 hex digits. Raises ModelUnavailableError."""
    hasher = blake2b(digest_size=6)
    for folder, folders, names in os.walk(path):
        folders.sort()
        for name in sorted(names):
            file_path = os.path.join(folder, name)
            if name.endswith((".md", ".lock")) or name.startswith("."):
                continue
            try:
                with open(file_path, "rb") as file:
                    size = os.fstat(file.fileno()).st_size
                    hasher.update(f"{os.path.relpath(file_path, path)} {size}\n".encode("utf-8", "surrogateescape"))
                    hasher.update(file.read(_SAMPLE_BYTES))
                    file.seek(max(0, size - _SAMPLE_BYTES))
                    hasher.update(file.read(_SAMPLE_BYTES))
            except OSError as error:
                raise ModelUnavailableError(
                    f"{file_path} cannot be read: {error.strerror}", "Download the model again."
                ) from error
    return hasher.hexdigest()
