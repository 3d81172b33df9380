import unittest
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField
from office.lists import projects as lists
from office.records.projects import PROJECTS, changes_of_project, describe_project, format_project, parse_project

ROWS = [
    {
        "code": "P0191",
        "title": "Narrow meadow",
        "begun": "2024-11-18",
        "ends": "2024-11-30",
        "kind": "repair",
        "budget": "4548.12",
        "closed": "yes",
    },
    {
        "code": "P0339",
        "title": "Winter roof",
        "begun": "2025-01-30",
        "ends": "2025-03-29",
        "kind": "build",
        "budget": "6341.00",
        "closed": "no",
    },
    {
        "code": "P0382",
        "title": "Northern gravel 8",
        "begun": "2025-02-05",
        "ends": "2025-03-26",
        "kind": "repair",
        "budget": "674.87",
        "closed": "no",
    },
    {
        "code": "P0707",
        "title": "Silver bed 4",
        "begun": "2025-06-27",
        "ends": "2025-07-30",
        "kind": "build",
        "budget": "1460.55",
        "closed": "yes",
    },
]


class ProjectTest(unittest.TestCase):
    def setUp(self):
        self.projects = [parse_project(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_project(item) for item in self.projects], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(PROJECTS.read()), 193)
        self.assertEqual(PROJECTS.get("P0191"), self.projects[0])

    def test_it_is_described(self):
        wanted = [
            "code: P0191",
            "title: Narrow meadow",
            "begun: 18.11.2024",
            "ends: 30.11.2024",
            "kind: repair",
            "budget: 4,548.12",
            "closed",
        ]
        self.assertEqual(list(describe_project(self.projects[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_project(self.projects[0], self.projects[1])
        wanted = ["code", "title", "begun", "ends", "kind", "budget", "closed"]
        self.assertEqual([name for name, _, _ in found], wanted)
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
        self.assertEqual([item.code for item in found], ["P0339"])

    def test_find_begun_between(self):
        first, last = date(2025, 1, 30), date(2025, 2, 5)
        found = lists.find_begun_between(self.projects, first, last)
        self.assertEqual([item.code for item in found], ["P0339", "P0382"])

    def test_find_ends_between(self):
        first, last = date(2025, 3, 26), date(2025, 3, 29)
        found = lists.find_ends_between(self.projects, first, last)
        self.assertEqual([item.code for item in found], ["P0339", "P0382"])

    def test_by_kind(self):
        groups = lists.by_kind(self.projects)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"repair": 2, "build": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.projects), [("build", 2), ("repair", 2)])

    def test_total_budget(self):
        self.assertEqual(lists.total_budget(self.projects), Decimal("13024.54"))

    def test_budget_of_each_kind(self):
        wanted = [("build", Decimal("7801.55")), ("repair", Decimal("5222.99"))]
        self.assertEqual(lists.budget_of_each_kind(self.projects), wanted)

    def test_largest_budget(self):
        found = lists.largest_budget(self.projects, 2)
        self.assertEqual([item.code for item in found], ["P0339", "P0191"])

    def test_find_closed(self):
        found = lists.find_closed(self.projects)
        self.assertEqual([item.code for item in found], ["P0191", "P0707"])


if __name__ == "__main__":
    unittest.main()
