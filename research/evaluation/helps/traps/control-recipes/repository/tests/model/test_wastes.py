import unittest
from datetime import date

from pantry.kit.fields import BadField
from pantry.queries import wastes as lists
from pantry.model.wastes import WASTES, changes_of_waste, describe_waste, format_waste, parse_waste

ROWS = [
    {"code": "W0459", "day": "2024-12-18", "grams": "1153", "why": "other", "given": "no"},
    {"code": "W0523", "day": "2025-01-09", "grams": "167", "why": "burnt", "given": "no"},
    {"code": "W0533", "day": "2025-01-10", "grams": "1356", "why": "other", "given": "no"},
    {"code": "W0591", "day": "2025-02-09", "grams": "715", "why": "other", "given": "yes"},
]


class WasteTest(unittest.TestCase):
    def setUp(self):
        self.wastes = [parse_waste(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_waste(item) for item in self.wastes], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(WASTES.read()), 175)
        self.assertEqual(WASTES.get("W0459"), self.wastes[0])

    def test_it_is_described(self):
        wanted = [
            "code: W0459",
            "day: 18.12.2024",
            "grams: 1153",
            "why: other",
        ]
        self.assertEqual(list(describe_waste(self.wastes[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_waste(self.wastes[0], self.wastes[1])
        self.assertEqual([name for name, _, _ in found], ["code", "day", "grams", "why"])
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
        first, last = date(2025, 1, 9), date(2025, 1, 10)
        found = lists.pick_day_between(self.wastes, first, last)
        self.assertEqual([item.code for item in found], ["W0523", "W0533"])

    def test_mean_grams(self):
        self.assertEqual(lists.mean_grams(self.wastes), 847.8)
        self.assertIsNone(lists.mean_grams([]))

    def test_at_least_grams(self):
        found = lists.at_least_grams(self.wastes, 1153)
        self.assertEqual([item.code for item in found], ["W0459", "W0533"])

    def test_group_by_why(self):
        groups = lists.group_by_why(self.wastes)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"other": 3, "burnt": 1})

    def test_count_whys(self):
        self.assertEqual(lists.count_whys(self.wastes), [("other", 3), ("burnt", 1)])

    def test_pick_given(self):
        found = lists.pick_given(self.wastes)
        self.assertEqual([item.code for item in found], ["W0591"])


if __name__ == "__main__":
    unittest.main()
