import unittest
from datetime import date

from rangers.kit.fields import BadField
from rangers.lists import rounds as lists
from rangers.records.rounds import (
    ROUNDS,
    changes_of_round_walk,
    describe_round_walk,
    format_round_walk,
    parse_round_walk,
)

ROWS = [
    {"code": "G0274", "day": "2024-12-31", "minutes": "165", "finds": "2", "way": "foot"},
    {"code": "G0442", "day": "2025-03-11", "minutes": "178", "finds": "1", "way": "cart"},
    {"code": "G0465", "day": "2025-03-26", "minutes": "93", "finds": "4", "way": "bicycle"},
    {"code": "G0762", "day": "2025-07-13", "minutes": "118", "finds": "1", "way": "foot"},
]


class RoundWalkTest(unittest.TestCase):
    def setUp(self):
        self.rounds = [parse_round_walk(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_round_walk(item) for item in self.rounds], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(ROUNDS.read()), 205)
        self.assertEqual(ROUNDS.get("G0274"), self.rounds[0])

    def test_it_is_described(self):
        wanted = [
            "code: G0274",
            "day: 31.12.2024",
            "minutes: 165",
            "finds: 2",
            "way: foot",
        ]
        self.assertEqual(list(describe_round_walk(self.rounds[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_round_walk(self.rounds[0], self.rounds[1])
        self.assertEqual([name for name, _, _ in found], ["code", "day", "minutes", "finds", "way"])
        self.assertEqual(changes_of_round_walk(self.rounds[0], self.rounds[0]), [])

    def test_day_is_checked(self):
        with self.assertRaises(BadField):
            parse_round_walk(ROWS[0] | {"day": "31.02.2025"})

    def test_minutes_is_checked(self):
        with self.assertRaises(BadField):
            parse_round_walk(ROWS[0] | {"minutes": "several"})

    def test_finds_is_checked(self):
        with self.assertRaises(BadField):
            parse_round_walk(ROWS[0] | {"finds": "several"})

    def test_way_is_checked(self):
        with self.assertRaises(BadField):
            parse_round_walk(ROWS[0] | {"way": "unheard of"})

    def test_find_day_between(self):
        first, last = date(2025, 3, 11), date(2025, 3, 26)
        found = lists.find_day_between(self.rounds, first, last)
        self.assertEqual([item.code for item in found], ["G0442", "G0465"])

    def test_mean_minutes(self):
        self.assertEqual(lists.mean_minutes(self.rounds), 138.5)
        self.assertIsNone(lists.mean_minutes([]))

    def test_at_least_minutes(self):
        found = lists.at_least_minutes(self.rounds, 165)
        self.assertEqual([item.code for item in found], ["G0274", "G0442"])

    def test_mean_finds(self):
        self.assertEqual(lists.mean_finds(self.rounds), 2.0)
        self.assertIsNone(lists.mean_finds([]))

    def test_at_least_finds(self):
        found = lists.at_least_finds(self.rounds, 2)
        self.assertEqual([item.code for item in found], ["G0274", "G0465"])

    def test_by_way(self):
        groups = lists.by_way(self.rounds)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"foot": 2, "cart": 1, "bicycle": 1})

    def test_count_ways(self):
        self.assertEqual(lists.count_ways(self.rounds), [("foot", 2), ("bicycle", 1), ("cart", 1)])


if __name__ == "__main__":
    unittest.main()
