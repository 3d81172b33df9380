import unittest
from datetime import date
from decimal import Decimal

from rangers.kit.fields import BadField
from rangers.lists import ponds as lists
from rangers.records.ponds import PONDS, changes_of_pond, describe_pond, format_pond, parse_pond

ROWS = [
    {
        "code": "W0141",
        "title": "East rose pond",
        "read": "2024-08-25",
        "level": "1.75",
        "fish": "199",
        "state": "green",
    },
    {
        "code": "W0403",
        "title": "Small hollow pond",
        "read": "2024-12-17",
        "level": "2.51",
        "fish": "9",
        "state": "clear",
    },
    {
        "code": "W0449",
        "title": "Quiet hill pond",
        "read": "2025-01-16",
        "level": "0.47",
        "fish": "17",
        "state": "green",
    },
    {
        "code": "W0953",
        "title": "Upper cave pond 9",
        "read": "2025-07-26",
        "level": "0.24",
        "fish": "90",
        "state": "green",
    },
]


class PondTest(unittest.TestCase):
    def setUp(self):
        self.ponds = [parse_pond(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_pond(item) for item in self.ponds], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(PONDS.read()), 260)
        self.assertEqual(PONDS.get("W0141"), self.ponds[0])

    def test_it_is_described(self):
        wanted = [
            "code: W0141",
            "title: East rose pond",
            "read: 25.08.2024",
            "level: 1.75",
            "fish: 199",
            "state: green",
        ]
        self.assertEqual(list(describe_pond(self.ponds[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_pond(self.ponds[0], self.ponds[1])
        self.assertEqual([name for name, _, _ in found], ["code", "title", "read", "level", "fish", "state"])
        self.assertEqual(changes_of_pond(self.ponds[0], self.ponds[0]), [])

    def test_read_is_checked(self):
        with self.assertRaises(BadField):
            parse_pond(ROWS[0] | {"read": "31.02.2025"})

    def test_level_is_checked(self):
        with self.assertRaises(BadField):
            parse_pond(ROWS[0] | {"level": "a lot"})

    def test_fish_is_checked(self):
        with self.assertRaises(BadField):
            parse_pond(ROWS[0] | {"fish": "several"})

    def test_state_is_checked(self):
        with self.assertRaises(BadField):
            parse_pond(ROWS[0] | {"state": "unheard of"})

    def test_search_title(self):
        found = lists.search_title(self.ponds, "SMALL")
        self.assertEqual([item.code for item in found], ["W0403"])

    def test_find_read_between(self):
        first, last = date(2024, 12, 17), date(2025, 1, 16)
        found = lists.find_read_between(self.ponds, first, last)
        self.assertEqual([item.code for item in found], ["W0403", "W0449"])

    def test_total_level(self):
        self.assertEqual(lists.total_level(self.ponds), Decimal("4.97"))

    def test_level_of_each_state(self):
        wanted = [("clear", Decimal("2.51")), ("green", Decimal("2.46"))]
        self.assertEqual(lists.level_of_each_state(self.ponds), wanted)

    def test_largest_level(self):
        found = lists.largest_level(self.ponds, 2)
        self.assertEqual([item.code for item in found], ["W0403", "W0141"])

    def test_mean_fish(self):
        self.assertEqual(lists.mean_fish(self.ponds), 78.8)
        self.assertIsNone(lists.mean_fish([]))

    def test_at_least_fish(self):
        found = lists.at_least_fish(self.ponds, 90)
        self.assertEqual([item.code for item in found], ["W0141", "W0953"])

    def test_by_state(self):
        groups = lists.by_state(self.ponds)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"green": 3, "clear": 1})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.ponds), [("green", 3), ("clear", 1)])


if __name__ == "__main__":
    unittest.main()
