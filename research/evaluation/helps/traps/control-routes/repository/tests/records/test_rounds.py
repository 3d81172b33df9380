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
    {"code": "G0125", "day": "2024-10-14", "minutes": "46", "finds": "4", "way": "bicycle"},
    {"code": "G0375", "day": "2025-02-10", "minutes": "41", "finds": "0", "way": "cart"},
    {"code": "G0531", "day": "2025-04-21", "minutes": "183", "finds": "6", "way": "bicycle"},
    {"code": "G0655", "day": "2025-06-05", "minutes": "70", "finds": "3", "way": "foot"},
]


class RoundWalkTest(unittest.TestCase):
    def setUp(self):
        self.rounds = [parse_round_walk(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_round_walk(item) for item in self.rounds], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(ROUNDS.read()), 205)
        self.assertEqual(ROUNDS.get("G0125"), self.rounds[0])

    def test_it_is_described(self):
        wanted = [
            "code: G0125",
            "day: 14.10.2024",
            "minutes: 46",
            "finds: 4",
            "way: bicycle",
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
        first, last = date(2025, 2, 10), date(2025, 4, 21)
        found = lists.find_day_between(self.rounds, first, last)
        self.assertEqual([item.code for item in found], ["G0375", "G0531"])

    def test_mean_minutes(self):
        self.assertEqual(lists.mean_minutes(self.rounds), 85.0)
        self.assertIsNone(lists.mean_minutes([]))

    def test_at_least_minutes(self):
        found = lists.at_least_minutes(self.rounds, 70)
        self.assertEqual([item.code for item in found], ["G0531", "G0655"])

    def test_mean_finds(self):
        self.assertEqual(lists.mean_finds(self.rounds), 3.2)
        self.assertIsNone(lists.mean_finds([]))

    def test_at_least_finds(self):
        found = lists.at_least_finds(self.rounds, 4)
        self.assertEqual([item.code for item in found], ["G0125", "G0531"])

    def test_by_way(self):
        groups = lists.by_way(self.rounds)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"bicycle": 2, "cart": 1, "foot": 1})

    def test_count_ways(self):
        self.assertEqual(lists.count_ways(self.rounds), [("bicycle", 2), ("cart", 1), ("foot", 1)])


if __name__ == "__main__":
    unittest.main()
