"""Documents of settings as people and hosts write them: any values, comments, blanks, hooks of others."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

EVENTS = ("SessionStart", "Stop", "SessionEnd")
THEIRS: dict[str, Any] = {"matcher": "Bash", "hooks": [{"type": "command", "command": "notify-send done"}]}

scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text(max_size=8)
)
names = st.text(max_size=3)  # too short to be "hooks" or an event, which are drawn elsewhere
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(names, inner, max_size=3)),
    max_leaves=4,
)
groups = st.lists(st.one_of(st.just(THEIRS), values), max_size=3)
hooks = st.dictionaries(st.one_of(st.sampled_from(sorted(EVENTS)), names), groups, max_size=4)
settings = st.one_of(
    st.dictionaries(names, values, max_size=3),
    st.builds(lambda rest, ours: {**rest, "hooks": ours}, st.dictionaries(names, values, max_size=3), hooks),
    st.builds(lambda rest, ours: {"hooks": ours, **rest}, st.dictionaries(names, values, max_size=3), hooks),
)
blanks: st.SearchStrategy[str] = st.lists(
    st.sampled_from(
        ["", " ", "\n", "\r\n", "\t", "  ", "\n    ", "// a remark\n", "/* one */", "/* two\n lines */", "// , } ]\n"]
    ),
    max_size=3,
).map("".join)


@st.composite
def jsonc(draw: st.DrawFn, data: Any) -> str:
    """A value as JSONC, with blanks and comments wherever they are allowed, and trailing commas."""
    if isinstance(data, dict | list):
        opening, closing = "{}" if isinstance(data, dict) else "[]"
        items = [
            draw(blanks)
            + (f"{json.dumps(key)}{draw(blanks)}:{draw(blanks)}" if isinstance(data, dict) else "")
            + draw(jsonc(data[key] if isinstance(data, dict) else key)) + draw(blanks)
            for key in data
        ]  # fmt: skip
        comma: bool = draw(st.booleans())
        trailing = "," if items and comma else ""
        return opening + ",".join(items) + trailing + draw(blanks) + closing
    return json.dumps(data, ensure_ascii=draw(st.booleans()))


texts = st.one_of(
    settings.flatmap(lambda data: st.tuples(blanks, jsonc(data), blanks).map("".join)),
    st.tuples(settings, st.sampled_from([None, 0, 2, 4, "\t"])).map(lambda pair: json.dumps(pair[0], indent=pair[1])),
    blanks,
)
