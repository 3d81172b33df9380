import unittest
from datetime import date

from rangers.kit.fields import BadField
from rangers.lists import bins as lists
from rangers.records.bins import BINS, changes_of_bin_place, describe_bin_place, format_bin_place, parse_bin_place

ROWS = [
    {"code": "N0207", "place": "Small wood", "emptied": "2024-07-17", "litres": "21", "kind": "paper"},
    {"code": "N0403", "place": "Low view", "emptied": "2024-09-30", "litres": "148", "kind": "glass"},
    {"code": "N0409", "place": "High cave", "emptied": "2024-10-05", "litres": "111", "kind": "rest"},
    {"code": "N0846", "place": "Sunny clearing 8", "emptied": "2025-04-13", "litres": "157", "kind": "glass"},
]


class BinPlaceTest(unittest.TestCase):
    def setUp(self):
        self.bins = [parse_bin_place(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_bin_place(item) for item in self.bins], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(BINS.read()), 245)
        self.assertEqual(BINS.get("N0207"), self.bins[0])

    def test_it_is_described(self):
        wanted = [
            "code: N0207",
            "place: Small wood",
            "emptied: 17.07.2024",
            "litres: 21",
            "kind: paper",
        ]
        self.assertEqual(list(describe_bin_place(self.bins[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_bin_place(self.bins[0], self.bins[1])
        self.assertEqual([name for name, _, _ in found], ["code", "place", "emptied", "litres", "kind"])
        self.assertEqual(changes_of_bin_place(self.bins[0], self.bins[0]), [])

    def test_emptied_is_checked(self):
        with self.assertRaises(BadField):
            parse_bin_place(ROWS[0] | {"emptied": "31.02.2025"})

    def test_litres_is_checked(self):
        with self.assertRaises(BadField):
            parse_bin_place(ROWS[0] | {"litres": "several"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_bin_place(ROWS[0] | {"kind": "unheard of"})

    def test_search_place(self):
        found = lists.search_place(self.bins, "LOW")
        self.assertEqual([item.code for item in found], ["N0403"])

    def test_find_emptied_between(self):
        first, last = date(2024, 9, 30), date(2024, 10, 5)
        found = lists.find_emptied_between(self.bins, first, last)
        self.assertEqual([item.code for item in found], ["N0403", "N0409"])

    def test_mean_litres(self):
        self.assertEqual(lists.mean_litres(self.bins), 109.2)
        self.assertIsNone(lists.mean_litres([]))

    def test_at_least_litres(self):
        found = lists.at_least_litres(self.bins, 148)
        self.assertEqual([item.code for item in found], ["N0403", "N0846"])

    def test_by_kind(self):
        groups = lists.by_kind(self.bins)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"paper": 1, "glass": 2, "rest": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.bins), [("glass", 2), ("paper", 1), ("rest", 1)])


if __name__ == "__main__":
    unittest.main()
