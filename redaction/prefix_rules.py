"""Keys that their issuer made recognisable: what finds them, made from the table of their forms (prefixes.py).

A prefix is sought literally, and only then is it looked whether it begins a word, so that a rule costs one substring
search where its prefix does not occur.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from re import Match
from typing import NamedTuple

from mind_skills.redaction.lazy_pattern import compile_later
from mind_skills.redaction.prefixes import ALPHABETS, FORMATS, MARKED, Format, Marked
from mind_skills.redaction.random_tokens import BEHIND_PREFIX, looks_random


class Rule(NamedTuple):
    """``hints``: characters of which every match holds at least one; ``judge`` says of a match whether it is a key, None of all.

    ``kind`` is what the mark says, where it is not the name.
    """

    name: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    judge: Callable[[Match[str]], bool] | None = None
    kind: str = ""


def _solid(match: Match[str]) -> bool:
    """``sk-`` keys are mixed letters and digits; ``sk-`` names (packages, CSS classes) are words joined by dashes."""
    body = match[1]
    if body.startswith(("ant-", "proj-", "or-v1-", "svcacct-", "admin-", "None-", "lf-")):
        return True
    solid = any(len(part) >= 20 for part in re.split("[-_]", body))
    return solid and any(c.isdigit() for c in body) and any(c.isalpha() for c in body)


_END = r"(?![A-Za-z0-9])"
_EDGE = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-F][0-9A-F]))"
"""Where a word begins that has no prefix."""
_RUN = compile_later(r"([a-z0-9]+)\*(\d+)(?:(\+)|-(\d+))?")


def expression(body: str) -> str:
    """The regular expression of a body as prefixes.py writes it. Raises KeyError for an alphabet that is unknown."""
    parts: list[str] = []
    for word in body.split():
        run = _RUN.fullmatch(word)
        if run is None:
            parts.append(re.escape(word))
            continue
        alphabet, least, more, most = run.groups()
        times = f"{{{least},}}" if more else f"{{{least},{most}}}" if most else f"{{{least}}}"
        parts.append(f"[{ALPHABETS[alphabet]}]{times}")
    return "".join(parts)


def _begins(prefix: str, edge: str = "") -> str:
    r"""``prefix`` where a word begins, also behind an escape that was not undone (``\n`` in JSON within a text, ``%3D`` in an
    address). ``edge`` are further characters that must not stand before it.
    """
    skip = f".{{{len(prefix)}}})"
    return re.escape(prefix) + rf"(?:(?<![A-Za-z0-9_{edge}]{skip}|(?<=\\[nrt]{skip}|(?<=%[0-9A-F][0-9A-F]{skip})"


def _issuer(
    name: str,
    prefixes: str,
    body: str,
    *,
    edge: str = "",
    judge: Callable[[Match[str]], bool] | None = None,
    kind: str = "",
) -> Rule:
    """The rule for keys that begin with one of ``prefixes`` (parted by blanks) and go on with the expression ``body``."""
    starts = [_begins(prefix, edge) for prefix in prefixes.split()]
    whole = starts[0] if len(starts) == 1 else f"(?:{'|'.join(starts)})"
    return Rule(name, tuple(prefixes.split()), compile_later(f"{whole}({body})", re.DOTALL), judge, kind)


def _random_body(match: Match[str]) -> bool:
    return looks_random(match[1], BEHIND_PREFIX)


def _from_format(form: Format) -> Rule:
    body = expression(form.body) + ("" if form.body.endswith("+") else _END)
    return _issuer(form.kind, form.prefixes, body, edge=form.edge, judge=_random_body if form.judged else None)


def _from_marked(form: Marked) -> Rule:
    pattern = f"{_EDGE}{expression(form.before)}{re.escape(form.mark)}{expression(form.after)}{_END}"
    return Rule(form.kind, (form.mark,), compile_later(pattern))


def _encoded_key(match: Match[str]) -> bool:
    """A PEM file in base64, as Kubernetes keeps it: keys go, certificates stay."""
    import binascii

    head = binascii.a2b_base64(match[0][:48].replace("-", "+").replace("_", "/"))
    return b"PRIVATE KEY" in head


_WORD, _BASE64 = r"[A-Za-z0-9_-]", r"[A-Za-z0-9+/_-]"
_DISCORD = tuple(f"{a}{b}{c}" for a in "MNO" for b in "DTjz" for c in "AEIMQUYcgk" if a != "O" or b in "DT")
"""How a number in base64 begins: a bot's token begins with the bot's own."""

_OTHERS: tuple[Rule, ...] = (
    _issuer("api-key", "sk-", rf"{_WORD}{{20,}}", edge="-", judge=_solid),
    _issuer("jwt", "eyJ", rf"{_WORD}{{8,}}\.{_WORD}{{8,}}(?:\.{_WORD}*){{1,3}}", edge="-"),
    Rule(
        "discord-token",
        _DISCORD,
        compile_later(rf"{_EDGE}[MNO][DTjz][AEIMQUYcgk]{_WORD}{{20,23}}\.{_WORD}{{6}}\.{_WORD}{{27,40}}(?!{_WORD})"),
    ),
    _issuer(
        "encoded-token",
        # ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- xoxb- xoxp- AKIA sk_live_ sk-ant- sk-proj- npm_ AIza, in base64
        "Z2hwX Z2hvX Z2h1X Z2hzX Z2hyX Z2l0aHViX3BhdF Z2xwYXQt eG94Yi eG94cC QUtJQ c2tfbGl2ZV c2stYW50L c2stcHJvai bnBtX QUl6Y",
        _BASE64 + r"{20,}={0,2}",
        edge="+/",
    ),
    _issuer(
        "encoded-key", "LS0tLS1CRUdJTi", _BASE64 + r"{60,}={0,2}", edge="+/", judge=_encoded_key, kind="private-key"
    ),
)

ISSUERS: tuple[Rule, ...] = (*map(_from_format, FORMATS), *_OTHERS)
"""Keys whose beginning gives them away."""
MARKED_KEYS: tuple[Rule, ...] = tuple(map(_from_marked, MARKED))
"""Keys that something further in gives away."""
