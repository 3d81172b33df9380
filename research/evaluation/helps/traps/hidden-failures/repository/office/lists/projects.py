"""Lists and sums of projects."""

from collections import Counter
from decimal import Decimal


def search_title(projects, part):
    """The projects whose title has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [project for project in projects if all(word in project.title.lower() for word in wanted)]


def find_begun_between(projects, first, last):
    """The projects with begun from first to last, both included."""
    return [project for project in projects if first <= project.begun <= last]


def by_month_of_begun(projects):
    """How many projects each month has, by begun: (2024, 5) is May 2024."""
    counts = Counter((project.begun.year, project.begun.month) for project in projects)
    return sorted(counts.items())


def find_ends_between(projects, first, last):
    """The projects with ends from first to last, both included."""
    return [project for project in projects if first <= project.ends <= last]


def by_month_of_ends(projects):
    """How many projects each month has, by ends: (2024, 5) is May 2024."""
    counts = Counter((project.ends.year, project.ends.month) for project in projects)
    return sorted(counts.items())


def by_kind(projects):
    """Projects for each kind, in the order of the file."""
    found = {}
    for project in projects:
        found.setdefault(project.kind, []).append(project)
    return found


def count_kinds(projects):
    """How many projects there are of each kind, most first."""
    counts = Counter(project.kind for project in projects)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def total_budget(projects):
    """The sum of budget."""
    return sum((project.budget for project in projects), Decimal(0))


def budget_of_each_kind(projects):
    """The sum of budget for each kind, largest first."""
    sums = {}
    for project in projects:
        sums[project.kind] = sums.get(project.kind, Decimal(0)) + project.budget
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_budget(projects, count=5):
    """The projects with the largest budget; equal ones in the order of their code."""
    return sorted(projects, key=lambda project: (-project.budget, project.code))[:count]


def find_closed(projects):
    """The projects that are marked as closed."""
    return [project for project in projects if project.closed]


COLUMNS = ("code", "title", "begun", "ends", "kind")


def table_of_projects(projects):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(projects, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
