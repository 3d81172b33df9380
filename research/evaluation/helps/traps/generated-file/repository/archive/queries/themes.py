"""Lists and sums of themes."""

from collections import Counter


def search_title(themes, part):
    """The themes whose title has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [theme for theme in themes if all(word in theme.title.lower() for word in wanted)]


def pick_since_between(themes, first, last):
    """The themes with since from first to last, both included."""
    return [theme for theme in themes if first <= theme.since <= last]


def group_by_month_of_since(themes):
    """How many themes each month has, by since: (2024, 5) is May 2024."""
    counts = Counter((theme.since.year, theme.since.month) for theme in themes)
    return sorted(counts.items())


def mean_colours(themes):
    """The mean of colours, rounded to a tenth; None without themes."""
    values = [theme.colours for theme in themes]
    return round(sum(values) / len(values), 1) if values else None


def at_least_colours(themes, wanted):
    """The themes whose colours is at least what is wanted."""
    return [theme for theme in themes if theme.colours >= wanted]


def group_by_kind(themes):
    """Themes for each kind, in the order of the file."""
    found = {}
    for theme in themes:
        found.setdefault(theme.kind, []).append(theme)
    return found


def count_kinds(themes):
    """How many themes there are of each kind, most first."""
    counts = Counter(theme.kind for theme in themes)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def pick_used(themes):
    """The themes that are marked as used."""
    return [theme for theme in themes if theme.used]


COLUMNS = ("code", "title", "since", "colours", "kind")


def table_of_themes(themes):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(themes, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
