"""Error rates of the fallback for long random tokens (redaction/random_values.py).

usage: python -m research.benchmarks.random_tokens

Errors are missed tokens and mangled harmless strings. Tokens are random; harmless strings are random (hashes, ids,
digests) or collected from this interpreter's library and packages (identifiers, paths, versions, digests of RECORD
files, minified code if present). Each is placed in a sentence with a word that names a secret. The threshold is chosen
on one half of the strings, split by digest, in some sentences; the rates are those of the other half in other
sentences.
"""

from __future__ import annotations

import base64
import json
import re
import string
import sys
import sysconfig
import uuid
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from random import Random

from mind_skills.redaction import random_values

ALPHABETS = {
    "base62": string.ascii_letters + string.digits,
    "base36": string.ascii_lowercase + string.digits,
    "capitals": string.ascii_uppercase + string.digits,
    "base64": string.ascii_letters + string.digits + "+/",
    "base64url": string.ascii_letters + string.digits + "-_",
    "base32": string.ascii_uppercase + "234567",
}
LENGTHS = (20, 22, 24, 32, 40, 43, 64)
SENTENCES = (
    "use the api key {} for now",
    "the token is {} and works",
    "I set the secret to {} in the console",
    "login with password {} failed",
    "{} is the access key",
    "credentials (staging) {}",
    "session token [{}] expired",
    "auth via {} gave 401",
)
"""For choosing the threshold."""
HELD_OUT = (
    "here you go, the staging api key -> {}",
    "got {} as token from the login page",
    "Please put the client secret {} into the vault.",
    "> my passphrase was {}, I think",
    "| signing key | {} |",
    "auth credentials for CI ... {}",
)
"""For the report; written after the rule was finished."""
MAX_FILES = 400
MAX_HARMLESS = 20_000


def get_half(text: str) -> int:
    """Return 0 for strings for choosing the threshold, 1 for those of the report."""
    return blake2b(text.encode(), digest_size=1).digest()[0] & 1


def draw_tokens(random: Random, each: int) -> Iterator[tuple[str, str]]:
    """Return (kind, token) pairs in the formats of token generators."""
    for kind, alphabet in ALPHABETS.items():
        for length in LENGTHS:
            for _ in range(each):
                yield kind, "".join(random.choices(alphabet, k=length))


def generate_harmless(random: Random, each: int) -> Iterator[tuple[str, str]]:
    """Return (kind, string) pairs that must not be changed."""
    for _ in range(each):
        data = random.randbytes(64)
        yield "git hash", data[:20].hex()
        yield "digest", data[:32].hex()
        yield "UUID", str(uuid.UUID(bytes=data[:16], version=4))
        yield "integrity", "sha512-" + base64.b64encode(data).decode()
        yield "go sum", "h1:" + base64.b64encode(data[:32]).decode()
        yield "picture", "data:image/png;base64," + base64.b64encode(random.randbytes(300)).decode()
        yield "id", random.choice(("toolu_", "msg_", "call_", "req_")) + base64.b32encode(data[:15]).decode()
        yield "fingerprint", "SHA256:" + base64.b64encode(data[:32]).decode().rstrip("=")
    for name in MODELS:
        yield "model", name
    yield from collect_strings(random)


MODELS = (
    "claude-3-5-sonnet-20241022 claude-opus-4-1-20250805 gpt-4o-mini-2024-07-18 gemini-2.5-flash-lite-preview-09-2025"
    " meta-llama/Llama-3.3-70B-Instruct-Turbo Qwen/Qwen2.5-Coder-32B-Instruct-GGUF mistralai/Mixtral-8x7B-Instruct-v0.1"
    " sentence-transformers/all-MiniLM-L6-v2 deepseek-ai/DeepSeek-R1-Distill-Llama-8B text-embedding-3-large-3072d"
    " us.anthropic.claude-sonnet-4-20250514-v1 stable-diffusion-xl-base-1.0-fp16 whisper-large-v3-turbo-q5_0"
    " nomic-embed-text-v1.5-Q8_0 accounts/fireworks/models/llama-v3p1-405b-instruct bge-reranker-v2-m3-ONNX-int8"
).split()


def collect_strings(random: Random) -> Iterator[tuple[str, str]]:
    """Return strings from the library and the packages of this interpreter."""
    paths = sysconfig.get_paths()
    library, packages = Path(paths["stdlib"]), Path(paths["purelib"])
    files = sorted(library.glob("*/*.py")) + sorted(packages.glob("*/*.py"))
    long = re.compile(r"(?<![A-Za-z0-9+/_~.=-])[A-Za-z0-9+/_~.=-]{20,}")
    for file in random.sample(files, min(MAX_FILES, len(files))):
        for word in sorted(set(long.findall(file.read_text(errors="replace"))))[:60]:
            yield "code", word
        yield "path", str(file)
    for file in sorted(packages.rglob("*.js"))[:40]:
        for word in sorted(set(long.findall(file.read_text(errors="replace"))))[:60]:
            yield "minified", word
    for file in sorted(packages.glob("*/RECORD"))[:40]:
        for line in file.read_text(errors="replace").splitlines()[:40]:
            yield "RECORD", line


def is_changed(text: str, sentence: str) -> bool:
    """Return whether the fallback changes ``sentence`` with ``text`` in it."""
    return any(random_values.find_random_tokens(sentence.format(text), sentence.format(text).split()))


def count_changed(found: list[tuple[str, str]], sentences: list[str]) -> dict[str, tuple[int, int]]:
    """Return by kind how many strings were changed, out of how many."""
    counts: dict[str, tuple[int, int]] = {}
    for number, (kind, text) in enumerate(found):
        changed, total = counts.get(kind, (0, 0))
        counts[kind] = changed + is_changed(text, sentences[number % len(sentences)]), total + 1
    return counts


def compute_error_percentage(counts: dict[str, tuple[int, int]], *, missed: bool) -> float:
    """Return the percentage of errors: of unchanged strings if ``missed``, else of changed ones."""
    changed, total = sum(n for n, _ in counts.values()), sum(m for _, m in counts.values())
    return 100 * ((total - changed) if missed else changed) / total


def main() -> None:
    """Print both rates on the first half for each threshold, and by kind on the other half for the current one."""
    random = Random(20261122)
    tokens, others = list(draw_tokens(random, 120)), list(dict.fromkeys(generate_harmless(random, 600)))[:MAX_HARMLESS]
    parts = [
        ([x for x in tokens if get_half(x[1]) == side], [x for x in others if get_half(x[1]) == side], list(sentences))
        for side, sentences in enumerate((SENTENCES, HELD_OUT))
    ]
    current_share = random_values.MAX_EXPLAINED_SHARE
    for limit in (0.30, 0.36, 0.40, 0.44, 0.46, 0.48, 0.50, 0.54, 0.58, 0.62):
        random_values.MAX_EXPLAINED_SHARE = limit
        secret, plain, sentences = parts[0]
        lost, hurt = (
            compute_error_percentage(count_changed(secret, sentences), missed=True),
            compute_error_percentage(count_changed(plain, sentences), missed=False),
        )
        print(f"{limit:.2f} {lost:6.2f} % missed {hurt:6.2f} % mangled")
    random_values.MAX_EXPLAINED_SHARE = current_share
    secret, plain, sentences = parts[1]
    missed, mangled = count_changed(secret, sentences), count_changed(plain, sentences)
    missed_percentage = compute_error_percentage(missed, missed=True)
    mangled_percentage = compute_error_percentage(mangled, missed=False)
    print(f"held out, {current_share}: {missed_percentage:.2f} % missed, {mangled_percentage:.2f} % mangled")
    json.dump({"missed": {k: [of - n, of] for k, (n, of) in missed.items()}, "mangled": mangled}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
