"""The layout of a feed."""

import struct
from dataclasses import dataclass

HEADER = struct.Struct(">4sBBHI")
RECORD = struct.Struct(">HIH")
TRAILER = struct.Struct(">I")
MAGIC = b"FEED"


class BrokenFeed(Exception):
    pass


@dataclass(frozen=True)
class Article:
    name: bytes
    cents: int
    stock: int


@dataclass(frozen=True)
class Feed:
    version: int
    table: int
    day: int
    articles: tuple[Article, ...]
    control: int


def read_feed(path):
    data = path.read_bytes()
    try:
        magic, version, table, day, count = HEADER.unpack_from(data)
        if magic != MAGIC:
            raise BrokenFeed(f"{path.name} is no feed")
        position = HEADER.size
        articles = []
        for _ in range(count):
            length, cents, stock = RECORD.unpack_from(data, position)
            position += RECORD.size
            articles.append(Article(data[position : position + length], cents, stock))
            position += length
        (control,) = TRAILER.unpack_from(data, position)
    except struct.error:
        raise BrokenFeed(f"{path.name} ends early") from None
    return Feed(version, table, day, tuple(articles), control)
