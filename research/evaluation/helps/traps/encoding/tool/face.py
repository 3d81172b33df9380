"""A font."""

import struct
import zlib


class Face:
    """What a font has, and how wide it is."""

    def __init__(self, path):
        data = path.read_bytes()
        if data[:4] != b"CRT9":
            raise ValueError("not a font")
        self.widths = {chr(code): width for code, width, _, _ in struct.iter_unpack("<HHhh", zlib.decompress(data[4:]))}

    def can_set(self, text):
        return all(character in self.widths for character in text)

    def measure(self, text):
        return sum(self.widths[character] for character in text)
