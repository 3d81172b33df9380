"""Reduces free text, which may name files and people, to closed words, error codes and classes, names, and hashes under
the scan's key.
"""

from __future__ import annotations

import errno
import os
import re
from hashlib import blake2b
from itertools import takewhile
from typing import NamedTuple

from mind_skills.digest.facts import classify_error, name_family
from mind_skills.observations.commands import normalise
from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.staging.model import Candidate

MAX_TEXT_LENGTH = 400
"""How many characters of an error or a command are examined."""
_CODE = compile_lazily(
    r"\b(TS\d{4,5}|CS\d{4}|E\d{3,4}|ERR_[A-Z][A-Z0-9_]{2,40}|MODULE_NOT_FOUND|SQLITE_[A-Z]{2,20}|[EFWCN]\d{3,4}|P\d{4}|SC\d{4})\b"
)
_ERRNO = compile_lazily(r"\bE[A-Z0-9]{2,14}\b")
_ERRNO_NAMES = frozenset(errno.errorcode.values())
_ERRNO_TEXTS = {os.strerror(number).lower(): name for number, name in errno.errorcode.items() if number}
_CLASS = compile_lazily(r"\b([A-Z][A-Za-z0-9]{2,40}(?:Error|Exception|Failure|Warning|Panic|Interrupt))\b")
_MODEL = compile_lazily(r"[a-z][a-z0-9]{0,15}(?:[-.:][a-z0-9]{1,12}){0,7}")
_MODEL_FAMILIES = (
    "claude gpt o1 o3 o4 codex gemini gemma llama mistral mixtral codestral devstral magistral deepseek qwen qwq kimi glm grok"
    " command phi nova minimax"
).split()
_SKILL_NAME = compile_lazily(r"[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?")
"""The form of a skill's name in the Agent Skills specification."""
_PROGRAMS = frozenset(
    """alembic ansible apt apt-get aws az bash biome black brew bun bundle cargo clang cmake codex composer ctest curl deno
    django-admin docker docker-compose dotnet elixir eslint flake8 flutter gcc gcloud gh git gitlab-runner go golangci-lint
    gradle gradlew hatch helm helmfile java javac jest jq just kubectl ktlint ls make maven meson mix mocha mvn mvnw mypy
    mysql next nginx ninja node nox npm npx nx opencode pdm perl php phpunit pip pipenv pip3 playwright pnpm poetry
    pre-commit prettier prisma protoc psql pulumi pylint pyright pytest python python3 rails rake redis-cli rspec rubocop ruby
    ruff rustc sed sh shellcheck sqlite3 ssh svelte-check swift systemctl tar task terraform tox tsc tsx turbo uv uvicorn uvx
    vite vitest webpack wget yarn zsh""".split()
)
_SUBCOMMANDS = frozenset(
    """add apply audit bench build bump check checkout cherry-pick ci clean clippy clone commit compose config convert create
    delete deploy describe destroy dev diff doc down e2e exec export fetch fix fmt format generate get help import init
    inspect install integration internal issue lint list lock log login logs ls merge migrate mod package pack plan pods pr
    preview prune publish pull push rebase release remove reset restart restore revert rm rollback run server serve set
    setup show spec start stash status stop submodule sync tag test tests tidy tool type-check typecheck types uninstall
    unit up update upgrade validate verify version vet view watch worktree""".split()
)


class TypedError(NamedTuple):
    """An error as typed text; each part may be empty. ``words`` is a phrase of digest/facts.py."""

    code: str
    error_class: str
    words: str


def reduce_error(text: str) -> TypedError:
    """Reduce the text of an error to its code, its class and a phrase of a closed list."""
    text = text[:MAX_TEXT_LENGTH]
    found = _CODE.search(text)
    code = found[1] if found else next((name for name in _ERRNO.findall(text) if name in _ERRNO_NAMES), "")
    if not code:
        lower = text.lower()
        code = next((name for message, name in _ERRNO_TEXTS.items() if message in lower), "")
    error_class = _CLASS.search(text)
    phrase = classify_error(text)
    words = phrase if phrase.islower() else ""
    return TypedError(code, error_class[1] if error_class else "", words)


def reduce_command(command: str) -> str:
    """Reduce a command line to its last public program and at most two public words directly after it; or ""."""
    for part in reversed(normalise(command[:MAX_TEXT_LENGTH]).signature.split(" && ")):
        program, *words = re.sub(r" ?\[[^\]]*\]", "", part).split() or [""]
        if program in _PROGRAMS:
            return " ".join([program, *takewhile(lambda word: word in _SUBCOMMANDS or word in _PROGRAMS, words[:2])])
    return ""


def reduce_model(name: str) -> str:
    """Return the name of a public model, `other` for any other name, and an empty string for a missing name or a placeholder."""
    model = name.strip().lower().rpartition("/")[2]
    if not model or model.startswith("<"):
        return ""
    return model if model.startswith(tuple(_MODEL_FAMILIES)) and _MODEL.fullmatch(model) else "other"


def reduce_skill(name: str) -> str:
    """Return the name of a skill if the Agent Skills specification allows it, else an empty string."""
    return name if _SKILL_NAME.fullmatch(name) else ""


def hash_text(text: str, key: bytes) -> str:
    """Return the hash of ``text`` under the scan's key, as 16 hex digits; empty for empty text."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8, key=key).hexdigest() if text else ""


def hash_family(candidate: Candidate, key: bytes) -> str:
    """Return 16 hex digits that are equal for the same learning in all projects (digest/facts.py); empty if it has no family."""
    error, program = name_family(candidate.facts)
    return hash_text(f"{error}\0{program}", key) if error else ""
