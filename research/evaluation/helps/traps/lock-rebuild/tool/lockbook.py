"""book.lock: which zones are in force, each line bound to those above it."""

import hashlib
from pathlib import Path

LOCK = Path("book.lock")


class LockError(Exception):
    """The lock does not hold."""


def read_lock():
    if not LOCK.exists():
        raise LockError("there is no book.lock")
    lines = [line.split() for line in LOCK.read_text().splitlines()]
    if not lines or any(len(line) != 3 for line in lines):
        raise LockError("book.lock is damaged")
    return {name: (content, chain) for name, content, chain in lines}


def digest_of(data):
    return hashlib.blake2b(data, digest_size=12, person=b"ratebook").hexdigest()


def link(name, content, above):
    return digest_of(f"{above}|{name}|{content}".encode())


def check_record(wanted, data):
    above = ""
    for name, (content, chain) in read_lock().items():
        if chain != link(name, content, above):
            raise LockError(f"book.lock is damaged at {name}")
        above = chain
        if name == wanted:
            if content != digest_of(data):
                raise LockError(f"zone {name} differs from book.lock")
            return
    raise LockError(f"zone {wanted} is not in book.lock")
