"""A run of the engine."""

import json
from pathlib import Path

_SLOTS = json.loads(Path(__file__).with_name("slots.json").read_text())


class Session:
    def __init__(self, definition):
        self.facts = {"table": definition.name, "path": str(definition.source), "size": 500}

    def frame(self, number):
        """What a row carries with it, for the engine's own log."""
        values = {**self.facts, "number": number, "chunk": (number - 1) // self.facts["size"]}
        return {slot: values[fact] for slot, fact in _SLOTS.items()}


def open_session(definition):
    return Session(definition)
