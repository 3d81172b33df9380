import unittest
from datetime import date
from decimal import Decimal

from rangers.kit.fields import BadField
from rangers.lists import ponds as lists
from rangers.records.ponds import PONDS, changes_of_pond, describe_pond, format_pond, parse_pond

ROWS = [
    {
        "code": "W0093",
        "title": "Lower bank pond",
        "read": "2024-08-20",
        "level": "3.17",
        "fish": "115",
        "state": "frozen",
    },
    {
        "code": "W0217",
        "title": "Mossy meadow pond 3",
        "read": "2024-10-20",
        "level": "0.91",
        "fish": "25",
        "state": "frozen",
    },
    {
        "code": "W0678",
        "title": "High rose pond",
        "read": "2025-05-20",
        "level": "3.05",
        "fish": "16",
        "state": "clear",
    },
    {
        "code": "W0721",
        "title": "Green grove pond",
        "read": "2025-06-08",
        "level": "2.03",
        "fish": "92",
        "state": "frozen",
    },
]


class PondTest(unittest.TestCase):
    def setUp(self):
        self.ponds = [parse_pond(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_pond(item) for item in self.ponds], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(PONDS.read()), 200)
        self.assertEqual(PONDS.get("W0093"), self.ponds[0])

    def test_it_is_described(self):
        wanted = [
            "code: W0093",
            "title: Lower bank pond",
            "read: 20.08.2024",
            "level: 3.17",
            "fish: 115",
            "state: frozen",
        ]
        self.assertEqual(list(describe_pond(self.ponds[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_pond(self.ponds[0], self.ponds[1])
        self.assertEqual([name for name, _, _ in found], ["code", "title", "read", "level", "fish"])
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
        found = lists.search_title(self.ponds, "MOSSY")
        self.assertEqual([item.code for item in found], ["W0217"])

    def test_find_read_between(self):
        first, last = date(2024, 10, 20), date(2025, 5, 20)
        found = lists.find_read_between(self.ponds, first, last)
        self.assertEqual([item.code for item in found], ["W0217", "W0678"])

    def test_total_level(self):
        self.assertEqual(lists.total_level(self.ponds), Decimal("9.16"))

    def test_level_of_each_state(self):
        wanted = [("frozen", Decimal("6.11")), ("clear", Decimal("3.05"))]
        self.assertEqual(lists.level_of_each_state(self.ponds), wanted)

    def test_largest_level(self):
        found = lists.largest_level(self.ponds, 2)
        self.assertEqual([item.code for item in found], ["W0093", "W0678"])

    def test_mean_fish(self):
        self.assertEqual(lists.mean_fish(self.ponds), 62.0)
        self.assertIsNone(lists.mean_fish([]))

    def test_at_least_fish(self):
        found = lists.at_least_fish(self.ponds, 92)
        self.assertEqual([item.code for item in found], ["W0093", "W0721"])

    def test_by_state(self):
        groups = lists.by_state(self.ponds)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"frozen": 3, "clear": 1})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.ponds), [("frozen", 3), ("clear", 1)])


if __name__ == "__main__":
    unittest.main()
