"""Definitions of tables."""

import configparser
from dataclasses import dataclass
from pathlib import Path

from engine.errors import FlowError


@dataclass(frozen=True)
class Definition:
    name: str
    source: Path
    columns: tuple[tuple[str, str], ...]


def read_definition(path):
    parser = configparser.ConfigParser(delimiters=("=",), interpolation=None)
    if not parser.read(path):
        raise FlowError("there is no such table")
    try:
        return Definition(path.stem, Path(parser["input"]["file"]), tuple(parser["columns"].items()))
    except KeyError as missing:
        raise FlowError(f"{missing} is missing") from None
    except configparser.Error as error:
        raise FlowError(error.message) from None
