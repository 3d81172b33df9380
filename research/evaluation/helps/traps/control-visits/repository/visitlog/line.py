"""Lines of a log."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Visit:
    date: str
    time: str
    address: str
    method: str
    path: str
    status: int
    size: int


def read_log(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            *words, status, size = line.split()
            yield Visit(*words, int(status), int(size))
