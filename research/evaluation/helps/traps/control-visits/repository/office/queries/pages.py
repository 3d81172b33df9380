"""Lists and sums of pages."""

from collections import Counter


def search_title(pages, part):
    """The pages whose title has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [page_note for page_note in pages if all(word in page_note.title.lower() for word in wanted)]


def pick_seen_between(pages, first, last):
    """The pages with seen from first to last, both included."""
    return [page_note for page_note in pages if first <= page_note.seen <= last]


def group_by_month_of_seen(pages):
    """How many pages each month has, by seen: (2024, 5) is May 2024."""
    counts = Counter((page_note.seen.year, page_note.seen.month) for page_note in pages)
    return sorted(counts.items())


def mean_words(pages):
    """The mean of words, rounded to a tenth; None without pages."""
    values = [page_note.words for page_note in pages]
    return round(sum(values) / len(values), 1) if values else None


def at_least_words(pages, wanted):
    """The pages whose words is at least what is wanted."""
    return [page_note for page_note in pages if page_note.words >= wanted]


def group_by_kind(pages):
    """Pages for each kind, in the order of the file."""
    found = {}
    for page_note in pages:
        found.setdefault(page_note.kind, []).append(page_note)
    return found


def count_kinds(pages):
    """How many pages there are of each kind, most first."""
    counts = Counter(page_note.kind for page_note in pages)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def pick_old(pages):
    """The pages that are marked as old."""
    return [page_note for page_note in pages if page_note.old]


COLUMNS = ("code", "title", "seen", "words", "kind")


def table_of_pages(pages):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(pages, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
