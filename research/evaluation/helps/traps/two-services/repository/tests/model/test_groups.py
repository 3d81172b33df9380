import unittest
from datetime import date
from decimal import Decimal

from house.kit.fields import BadField
from house.queries import groups as lists
from house.model.groups import GROUPS, changes_of_group, describe_group, format_group, parse_group

ROWS = [
    {
        "code": "A0074",
        "town": "Double tower",
        "comes": "2024-05-01",
        "people": "32",
        "kind": "firm",
        "deposit": "33.96",
        "remark": "ask the back office",
    },
    {
        "code": "A0238",
        "town": "Copper chart",
        "comes": "2024-07-15",
        "people": "59",
        "kind": "club",
        "deposit": "9.10",
        "remark": "pays at the desk",
    },
    {
        "code": "A0527",
        "town": "Old tower",
        "comes": "2024-12-10",
        "people": "13",
        "kind": "firm",
        "deposit": "76.72",
        "remark": "",
    },
    {
        "code": "A0889",
        "town": "Painted pier 9",
        "comes": "2025-05-24",
        "people": "18",
        "kind": "club",
        "deposit": "66.49",
        "remark": "",
    },
]


class GroupTest(unittest.TestCase):
    def setUp(self):
        self.groups = [parse_group(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_group(item) for item in self.groups], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(GROUPS.read()), 233)
        self.assertEqual(GROUPS.get("A0074"), self.groups[0])

    def test_it_is_described(self):
        wanted = [
            "code: A0074",
            "town: Double tower",
            "comes: 01.05.2024",
            "people: 32",
            "kind: firm",
            "deposit: 33.96",
            "remark: ask the back office",
        ]
        self.assertEqual(list(describe_group(self.groups[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_group(self.groups[0], self.groups[1])
        wanted = ["code", "town", "comes", "people", "kind", "deposit", "remark"]
        self.assertEqual([name for name, _, _ in found], wanted)
        self.assertEqual(changes_of_group(self.groups[0], self.groups[0]), [])

    def test_comes_is_checked(self):
        with self.assertRaises(BadField):
            parse_group(ROWS[0] | {"comes": "31.02.2025"})

    def test_people_is_checked(self):
        with self.assertRaises(BadField):
            parse_group(ROWS[0] | {"people": "several"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_group(ROWS[0] | {"kind": "unheard of"})

    def test_deposit_is_checked(self):
        with self.assertRaises(BadField):
            parse_group(ROWS[0] | {"deposit": "a lot"})

    def test_search_town(self):
        found = lists.search_town(self.groups, "COPPER")
        self.assertEqual([item.code for item in found], ["A0238"])

    def test_pick_comes_between(self):
        first, last = date(2024, 7, 15), date(2024, 12, 10)
        found = lists.pick_comes_between(self.groups, first, last)
        self.assertEqual([item.code for item in found], ["A0238", "A0527"])

    def test_mean_people(self):
        self.assertEqual(lists.mean_people(self.groups), 30.5)
        self.assertIsNone(lists.mean_people([]))

    def test_at_least_people(self):
        found = lists.at_least_people(self.groups, 32)
        self.assertEqual([item.code for item in found], ["A0074", "A0238"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.groups)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"firm": 2, "club": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.groups), [("club", 2), ("firm", 2)])

    def test_sum_of_deposit(self):
        self.assertEqual(lists.sum_of_deposit(self.groups), Decimal("186.27"))

    def test_deposit_of_each_kind(self):
        wanted = [("firm", Decimal("110.68")), ("club", Decimal("75.59"))]
        self.assertEqual(lists.deposit_of_each_kind(self.groups), wanted)

    def test_largest_deposit(self):
        found = lists.largest_deposit(self.groups, 2)
        self.assertEqual([item.code for item in found], ["A0527", "A0889"])


if __name__ == "__main__":
    unittest.main()
