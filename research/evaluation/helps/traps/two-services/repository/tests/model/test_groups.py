import unittest
from datetime import date
from decimal import Decimal

from house.kit.fields import BadField
from house.queries import groups as lists
from house.model.groups import GROUPS, changes_of_group, describe_group, format_group, parse_group

ROWS = [
    {
        "code": "A0205",
        "town": "Blue crane",
        "comes": "2024-06-29",
        "people": "34",
        "kind": "club",
        "deposit": "16.45",
        "remark": "wants the lift",
    },
    {
        "code": "A0478",
        "town": "Western mill",
        "comes": "2024-11-12",
        "people": "30",
        "kind": "seniors",
        "deposit": "71.90",
        "remark": "pays at the desk",
    },
    {
        "code": "A0758",
        "town": "Painted model",
        "comes": "2025-04-01",
        "people": "44",
        "kind": "family",
        "deposit": "7.93",
        "remark": "",
    },
    {
        "code": "A0930",
        "town": "Stone crystal",
        "comes": "2025-06-17",
        "people": "36",
        "kind": "firm",
        "deposit": "37.77",
        "remark": "by telephone",
    },
]


class GroupTest(unittest.TestCase):
    def setUp(self):
        self.groups = [parse_group(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_group(item) for item in self.groups], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(GROUPS.read()), 233)
        self.assertEqual(GROUPS.get("A0205"), self.groups[0])

    def test_it_is_described(self):
        wanted = [
            "code: A0205",
            "town: Blue crane",
            "comes: 29.06.2024",
            "people: 34",
            "kind: club",
            "deposit: 16.45",
            "remark: wants the lift",
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
        found = lists.search_town(self.groups, "WESTERN")
        self.assertEqual([item.code for item in found], ["A0478"])

    def test_pick_comes_between(self):
        first, last = date(2024, 11, 12), date(2025, 4, 1)
        found = lists.pick_comes_between(self.groups, first, last)
        self.assertEqual([item.code for item in found], ["A0478", "A0758"])

    def test_mean_people(self):
        self.assertEqual(lists.mean_people(self.groups), 36.0)
        self.assertIsNone(lists.mean_people([]))

    def test_at_least_people(self):
        found = lists.at_least_people(self.groups, 36)
        self.assertEqual([item.code for item in found], ["A0758", "A0930"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.groups)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"club": 1, "seniors": 1, "family": 1, "firm": 1})

    def test_count_kinds(self):
        wanted = [("club", 1), ("family", 1), ("firm", 1), ("seniors", 1)]
        self.assertEqual(lists.count_kinds(self.groups), wanted)

    def test_sum_of_deposit(self):
        self.assertEqual(lists.sum_of_deposit(self.groups), Decimal("134.05"))

    def test_deposit_of_each_kind(self):
        wanted = [
            ("seniors", Decimal("71.90")),
            ("firm", Decimal("37.77")),
            ("club", Decimal("16.45")),
            ("family", Decimal("7.93")),
        ]
        self.assertEqual(lists.deposit_of_each_kind(self.groups), wanted)

    def test_largest_deposit(self):
        found = lists.largest_deposit(self.groups, 2)
        self.assertEqual([item.code for item in found], ["A0478", "A0930"])


if __name__ == "__main__":
    unittest.main()
