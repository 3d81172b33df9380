"""Pages and parts."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Page:
    name: str
    title: str
    date: str
    body: str


def read_page(path):
    head, _, body = path.read_text(encoding="utf-8").partition("\n\n")
    facts = dict(line.split(": ", 1) for line in head.splitlines())
    name = path.relative_to("pages").with_suffix("").as_posix()
    return Page(name, facts["title"], facts["date"], body)


def read_pages():
    return [read_page(path) for path in sorted(Path("pages").rglob("*.txt"))]


def read_part(name):
    return Path("parts", f"{name}.html").read_text(encoding="utf-8").strip()
