"""book.lock: which zones are in force, each entry bound to those above it."""

import hashlib
import json
from pathlib import Path

from ratebook.errors import BookError

LOCK = Path("book.lock")
CATALOGUE = Path("office/catalogue.json")


def read_lock():
    if not LOCK.exists():
        raise BookError("there is no book.lock")
    entries = [line.split() for line in LOCK.read_text().splitlines()]
    if not entries or any(len(entry) != 4 for entry in entries):
        raise BookError("book.lock is damaged")
    return {name: (int(issue), content, chain) for name, issue, content, chain in entries}


def digest_of(data):
    return hashlib.sha256(data).hexdigest()[:24]


def link(name, issue, content, above):
    return digest_of(f"{above}|{name}|{issue}|{content}".encode())


def check_record(wanted, data):
    above = ""
    for name, (issue, content, chain) in read_lock().items():
        if chain != link(name, issue, content, above):
            raise BookError(f"book.lock is damaged at {name}")
        above = chain
        if name == wanted:
            if content != digest_of(data):
                raise BookError(f"zone {name} differs from book.lock")
            return
    raise BookError(f"zone {wanted} is not in book.lock")


def renew_lock(zones):
    """Write the lock anew; return how many entries are not as they were."""
    recorded = read_lock()
    catalogue = json.loads(CATALOGUE.read_text())["zones"]
    above, lines, renewed = "", [], 0
    for name, data in sorted(zones.items()):
        issue, content, _ = recorded.get(name, (0, "-", ""))
        latest = catalogue.get(name, {}).get("issue", 0)
        if latest > issue:
            issue, content = latest, digest_of(data)
            renewed += 1
        above = link(name, issue, content, above)
        lines.append(f"{name} {issue} {content} {above}\n")
    LOCK.write_text("".join(lines))
    return renewed
