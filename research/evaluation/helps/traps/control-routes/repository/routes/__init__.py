"""Shortest ways."""

from routes.network import read_map
from routes.search import NoWay, shortest

__all__ = ["NoWay", "read_map", "shortest"]
