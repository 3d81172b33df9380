"""Pages of a site."""

from dataclasses import dataclass

from setup import BadSite


@dataclass(frozen=True)
class Page:
    name: str
    title: str
    date: str
    body: str


def read_page(folder, path):
    head, _, body = path.read_text(encoding="utf-8").partition("\n\n")
    facts = dict(line.split(": ", 1) for line in head.splitlines() if ": " in line)
    name = path.relative_to(folder).with_suffix("").as_posix()
    try:
        return Page(name, facts["title"], facts["date"], body)
    except KeyError as missing:
        raise BadSite(f"{path}: no {missing}") from None


def read_pages(folder):
    return [read_page(folder, path) for path in sorted(folder.rglob("*.txt"))]
