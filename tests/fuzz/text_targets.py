"""Functions of a text: redaction and cleaning, commands, errors."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random

from mind_skills.observations.commands import is_check, is_same_command, normalise
from mind_skills.observations.results import (
    build_error_signature,
    find_error_line,
    find_pasted_error,
    has_failure_line,
    is_runner_message,
)
from mind_skills.redaction.secrets import may_contain_private_keys, redact
from mind_skills.redaction.text import clean_text, strip_controls, truncate_middle
from tests.fuzz import seeds
from tests.fuzz.planting import a_key, pieces
from tests.fuzz.target import Target, chosen, promise
from tests.redaction.planted import PLACED


def _decoded(data: bytes) -> str:
    return (
        data.decode("utf-8", "surrogatepass" if chosen(data, 2) else "replace")
        if _is_text(data)
        else data.decode("latin-1")
    )


def _is_text(data: bytes) -> bool:
    try:
        data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return False
    return True


def _redaction(data: bytes) -> None:
    """Any text, with a key planted in it: the key is gone, nothing else raises, and twice is the same as once."""
    text = _decoded(data)
    once = redact(text)
    promise(redact(once) == once, "redacting twice changes nothing more")
    promise(strip_controls(strip_controls(text)) == strip_controls(text), "stripping twice changes nothing more")
    strip_controls(text).encode()
    limit = (0, 1, 80, 200, 2_000)[chosen(data, 5)]
    shown = clean_text(text, limit)
    promise(len(shown) <= limit, "what is cleaned is bounded")
    promise(truncate_middle(shown, limit) == shown, "what is bounded stays")
    key = a_key(data)
    if may_contain_private_keys(text):  # what stands within a private key is taken for a part of it
        return
    place = chosen(data[::-1], len(text) + 1)
    for seen in (
        redact(f"{text[:place]}\n{key}\n{text[place:]}"),
        clean_text(f"{text[:place]}\n{key}\n{text[place:]}", limit),
    ):
        promise(not (set(pieces(key, seen)) - set(pieces(key, text))), f"a planted key is gone: {key[:8]}...")


def _texts() -> Iterator[bytes]:
    random = Random(2)
    for makers in PLACED.values():
        for maker in makers.values():
            yield maker(random)[0].encode()
    for data in seeds.stories():
        yield data[: 4 * 1024]
    yield b"\x1b[31mred\x1b[0m \x1b]0;title\x07 a\xe2\x80\xaeb \xe2\x80\xa8 \xf3\xa0\x81\x81 password=hunter2hunter2"


def _commands(data: bytes) -> None:
    """Any command line: a signature that is bounded, stays what it is, and equals itself."""
    text = _decoded(data)
    command = normalise(text)
    promise(normalise.__wrapped__(text) == command, "the same line is the same command")
    json.dumps(command)
    promise(len(command.signature) <= 1_000 and len(command.target) <= 1_000, "signature and target are bounded")
    promise(
        not command.signature or is_same_command(command.signature, command.signature),
        "a command is the same as itself",
    )
    first, _, second = text.partition("\n")
    one, other = normalise(first).signature, normalise(second).signature
    promise(is_same_command(one, other) == is_same_command(other, one), "two commands are the same both ways")
    is_check(command.signature)


def _lines() -> Iterator[bytes]:
    for line in (
        *(
            "cd /home/dev && timeout 60 npm test -- --run total.test.ts 2>&1 | tail -20",
            "python -m pytest -q tests/a.py::b",
        ),
        *(
            "FOO=1 sudo -u dev env BAR=2 bash -lc 'cargo test -p total'",
            "cat > a.py <<'EOF'\nprint(1)\nEOF",
            "if make; then ls; fi",
        ),
        *(
            "docker compose exec -T web ./manage.py test shop",
            "sed -i 's/a/b/' a.py",
            'git commit -m "$(cat <<EOF\na\nEOF\n)"',
        ),
        *(
            "for f in *.py; do ruff check $f; done",
            "npx --yes tsc --noEmit\nyarn tsc",
            "echo a > b || true; (uv run pytest) & wait",
        ),
    ):
        yield line.encode()


def _errors(data: bytes) -> None:
    """What a command printed: a bounded line that stands in it, and a bounded signature of that."""
    text = _decoded(data)
    line = find_error_line(text)
    promise(len(line) <= 240 and len(find_pasted_error(text)) <= 240, "an error is one bounded line")
    promise("\n" not in line and (line in text), "the line stands in the output")
    signature = build_error_signature(line)
    promise(len(signature) <= 160 and build_error_signature(line) == signature, "a signature is bounded")
    promise(len(build_error_signature(text[:1_000])) <= 160, "a signature of anything is bounded")
    has_failure_line(text)
    is_runner_message(line)


def _outputs() -> Iterator[bytes]:
    for text in (
        'Traceback (most recent call last):\n  File "/home/dev/a.py", line 3, in <module>\n    main()\nValueError: bad total 0x7f12\n',
        "FAILED tests/test_total.py::test_sum - AssertionError: assert 3 == 4\n1 failed, 2 passed in 0.12s\n",
        "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.\nFound 1 error.\n",
        "error[E0308]: mismatched types\n --> src/main.rs:4:5\nerror: could not compile `total`\n",
        "npm ERR! code ELIFECYCLE\nnpm ERR! Exit status 1\nmake: *** [Makefile:3: test] Error 2\n",
        "--- FAIL: TestTotal (0.00s)\n    total_test.go:12: got 3, want 4\nFAIL\nexit status 1\n",
        "\x1b[31mError\x1b[0m: Cannot find module './total'\n    at Object.<anonymous> (/home/dev/a.js:1:1)\n",
        "bash: line 1: tool: command not found\n3 passing\n1 failing\n\n  1) sums:\n     AssertionError: expected 1\n",
    ):
        yield text.encode()


TARGETS = (
    Target(
        "redaction",
        _redaction,
        _texts,
        (
            "redaction/secrets.py",
            "redaction/text.py",
            "redaction/assignments.py",
        ),
        (
            "password=",
            "token: ",
            "-----BEGIN RSA PRIVATE KEY-----\n",
            "-----END ",
            "Authorization: Bearer ",
            "://u:p@h",
            "[redacted:",
            '"kty":',
        ),
    ),
    Target(
        "commands",
        _commands,
        _lines,
        ("observations/commands.py",),
        ("sudo ", "env A=b ", "xargs ", "bash -c ", "\\\n", "npx ", "-m ", "> f "),
    ),
    Target(
        "errors",
        _errors,
        _outputs,
        ("observations/results.py",),
        ("error: ", "Error 1", "  at f (a.js:1:2)", "panic: ", "FAILED ", "E   "),
    ),
)
