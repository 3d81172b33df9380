import unittest
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField
from office.lists import projects as lists
from office.records.projects import PROJECTS, changes_of_project, describe_project, format_project, parse_project

ROWS = [
    {
        "code": "P0411",
        "title": "Blue trellis 8",
        "begun": "2025-02-18",
        "ends": "2025-03-25",
        "kind": "care",
        "budget": "5926.00",
        "closed": "no",
    },
    {
        "code": "P0418",
        "title": "Winter terrace 6",
        "begun": "2025-02-21",
        "ends": "2025-03-25",
        "kind": "build",
        "budget": "4377.43",
        "closed": "yes",
    },
    {
        "code": "P0471",
        "title": "Broad hedge",
        "begun": "2025-03-19",
        "ends": "2025-04-26",
        "kind": "repair",
        "budget": "7919.29",
        "closed": "no",
    },
    {
        "code": "P0618",
        "title": "Golden trellis",
        "begun": "2025-05-26",
        "ends": "2025-06-19",
        "kind": "build",
        "budget": "484.33",
        "closed": "no",
    },
]


class ProjectTest(unittest.TestCase):
    def setUp(self):
        self.projects = [parse_project(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_project(item) for item in self.projects], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(PROJECTS.read()), 193)
        self.assertEqual(PROJECTS.get("P0411"), self.projects[0])

    def test_it_is_described(self):
        wanted = [
            "code: P0411",
            "title: Blue trellis 8",
            "begun: 18.02.2025",
            "ends: 25.03.2025",
            "kind: care",
            "budget: 5,926.00",
        ]
        self.assertEqual(list(describe_project(self.projects[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_project(self.projects[0], self.projects[1])
        self.assertEqual([name for name, _, _ in found], ["code", "title", "begun", "kind", "budget", "closed"])
        self.assertEqual(changes_of_project(self.projects[0], self.projects[0]), [])

    def test_begun_is_checked(self):
        with self.assertRaises(BadField):
            parse_project(ROWS[0] | {"begun": "31.02.2025"})

    def test_ends_is_checked(self):
        with self.assertRaises(BadField):
            parse_project(ROWS[0] | {"ends": "31.02.2025"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_project(ROWS[0] | {"kind": "unheard of"})

    def test_budget_is_checked(self):
        with self.assertRaises(BadField):
            parse_project(ROWS[0] | {"budget": "a lot"})

    def test_closed_is_checked(self):
        with self.assertRaises(BadField):
            parse_project(ROWS[0] | {"closed": "perhaps"})

    def test_search_title(self):
        found = lists.search_title(self.projects, "WINTER")
        self.assertEqual([item.code for item in found], ["P0418"])

    def test_find_begun_between(self):
        first, last = date(2025, 2, 21), date(2025, 3, 19)
        found = lists.find_begun_between(self.projects, first, last)
        self.assertEqual([item.code for item in found], ["P0418", "P0471"])

    def test_find_ends_between(self):
        first, last = date(2025, 3, 25), date(2025, 4, 26)
        found = lists.find_ends_between(self.projects, first, last)
        self.assertEqual([item.code for item in found], ["P0411", "P0418", "P0471"])

    def test_by_kind(self):
        groups = lists.by_kind(self.projects)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"care": 1, "build": 2, "repair": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.projects), [("build", 2), ("care", 1), ("repair", 1)])

    def test_total_budget(self):
        self.assertEqual(lists.total_budget(self.projects), Decimal("18707.05"))

    def test_budget_of_each_kind(self):
        wanted = [("repair", Decimal("7919.29")), ("care", Decimal("5926.00")), ("build", Decimal("4861.76"))]
        self.assertEqual(lists.budget_of_each_kind(self.projects), wanted)

    def test_largest_budget(self):
        found = lists.largest_budget(self.projects, 2)
        self.assertEqual([item.code for item in found], ["P0471", "P0411"])

    def test_find_closed(self):
        found = lists.find_closed(self.projects)
        self.assertEqual([item.code for item in found], ["P0418"])


if __name__ == "__main__":
    unittest.main()
