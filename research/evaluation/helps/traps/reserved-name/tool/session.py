"""A run of the engine."""

import base64

SIZE = 500
_SLOTS = base64.b64decode("YmF0Y2ggZmVlZCBvcmlnaW4gc2Vx").decode().split()


class Session:
    def __init__(self, definition):
        self.name, self.path = definition.name, str(definition.source)

    def frame(self, number):
        """What a row carries with it, for the engine's own log."""
        return dict(zip(_SLOTS, ((number - 1) // SIZE, self.name, self.path, number), strict=True))


def open_session(definition):
    return Session(definition)
