import unittest
from datetime import date

from pantry.kit.fields import BadField
from pantry.queries import wastes as lists
from pantry.model.wastes import WASTES, changes_of_waste, describe_waste, format_waste, parse_waste

ROWS = [
    {"code": "W0274", "day": "2024-12-03", "grams": "1626", "why": "burnt", "given": "no"},
    {"code": "W0335", "day": "2024-12-31", "grams": "1102", "why": "mould", "given": "yes"},
    {"code": "W0661", "day": "2025-05-25", "grams": "1356", "why": "other", "given": "no"},
    {"code": "W0694", "day": "2025-06-11", "grams": "1670", "why": "burnt", "given": "no"},
]


class WasteTest(unittest.TestCase):
    def setUp(self):
        self.wastes = [parse_waste(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_waste(item) for item in self.wastes], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(WASTES.read()), 194)
        self.assertEqual(WASTES.get("W0274"), self.wastes[0])

    def test_it_is_described(self):
        wanted = [
            "code: W0274",
            "day: 03.12.2024",
            "grams: 1626",
            "why: burnt",
        ]
        self.assertEqual(list(describe_waste(self.wastes[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_waste(self.wastes[0], self.wastes[1])
        self.assertEqual([name for name, _, _ in found], ["code", "day", "grams", "why", "given"])
        self.assertEqual(changes_of_waste(self.wastes[0], self.wastes[0]), [])

    def test_day_is_checked(self):
        with self.assertRaises(BadField):
            parse_waste(ROWS[0] | {"day": "31.02.2025"})

    def test_grams_is_checked(self):
        with self.assertRaises(BadField):
            parse_waste(ROWS[0] | {"grams": "several"})

    def test_why_is_checked(self):
        with self.assertRaises(BadField):
            parse_waste(ROWS[0] | {"why": "unheard of"})

    def test_given_is_checked(self):
        with self.assertRaises(BadField):
            parse_waste(ROWS[0] | {"given": "perhaps"})

    def test_pick_day_between(self):
        first, last = date(2024, 12, 31), date(2025, 5, 25)
        found = lists.pick_day_between(self.wastes, first, last)
        self.assertEqual([item.code for item in found], ["W0335", "W0661"])

    def test_mean_grams(self):
        self.assertEqual(lists.mean_grams(self.wastes), 1438.5)
        self.assertIsNone(lists.mean_grams([]))

    def test_at_least_grams(self):
        found = lists.at_least_grams(self.wastes, 1626)
        self.assertEqual([item.code for item in found], ["W0274", "W0694"])

    def test_group_by_why(self):
        groups = lists.group_by_why(self.wastes)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"burnt": 2, "mould": 1, "other": 1})

    def test_count_whys(self):
        self.assertEqual(lists.count_whys(self.wastes), [("burnt", 2), ("mould", 1), ("other", 1)])

    def test_pick_given(self):
        found = lists.pick_given(self.wastes)
        self.assertEqual([item.code for item in found], ["W0335"])


if __name__ == "__main__":
    unittest.main()
