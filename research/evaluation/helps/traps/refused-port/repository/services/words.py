"""Counts words."""

import re
from collections import Counter


def answer(path, query):
    words = re.findall(r"\w+", query.get("text", "").lower())
    if path == "/count":
        return {"words": len(words)}
    if path == "/most":
        return {"words": Counter(words).most_common(int(query.get("count", 3)))}
    return None
