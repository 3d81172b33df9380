"""Digests of texts."""

import hashlib


def answer(path, query):
    if path == "/of":
        return {"digest": hashlib.new(query.get("kind", "sha256"), query["text"].encode()).hexdigest()}
    return None
