"""What of a text is asked of the index: its telling words, quoted so that nothing in them is read as syntax."""

from __future__ import annotations

from mind_skills.redaction.lazy_pattern import compile_later

MOST = 4_000
"""Characters that are read of a question: what somebody pastes may be a whole log, and its first lines say what it is."""
WORDS, NAMES = 48, 8
"""Words and identifiers that are asked for at most."""
_WORD = compile_later(r"[^\W_]+")
_NAME = compile_later(
    r"[A-Za-z_][\w]*(?:[._:/-][\w]+)+|[A-Z]+_[A-Z_0-9]+|[A-Z]{3,}\d*|[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w+|\b[A-Za-z]+\d\w*"
)
EMPTY = frozenset(
    """a about after again all also am an and any are as at be because been but by can cannot could did do does doing
    don't for from get gets getting got had has have he her here how i i'm i've if in into is isn it it's its just like
    me my no not now of on one only or our out own please she should so some than that the their them then there these
    they this those to too try trying up us use using very want was we were what when where which while who why will
    with would you your s t m re ve d ll doesn didn won""".split()
)
"""Words that tell nothing: they stand in every other text."""


def words(text: str) -> list[str]:
    """The telling words of a question, once each, in their order; those that tell little where there are no others."""
    every = list(dict.fromkeys(_WORD.findall(text[:MOST].lower())))
    telling = [word for word in every if word not in EMPTY and (len(word) > 1 or not word.isascii())]
    return (telling or every)[:WORDS]


def names(text: str) -> list[str]:
    """The identifiers in a question: what has a form that words do not have, and stands in code or in an error."""
    return [name for name in dict.fromkeys(_NAME.findall(text[:MOST])) if len(name) > 2][:NAMES]


def quoted(term: str) -> str:
    """A term as a string of the query language: whatever it holds, it is looked for."""
    return '"' + term.replace('"', '""') + '"'
