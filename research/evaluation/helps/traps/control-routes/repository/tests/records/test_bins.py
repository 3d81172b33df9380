import unittest
from datetime import date

from rangers.kit.fields import BadField
from rangers.lists import bins as lists
from rangers.records.bins import BINS, changes_of_bin_place, describe_bin_place, format_bin_place, parse_bin_place

ROWS = [
    {"code": "N0022", "place": "New meadow", "emptied": "2024-09-22", "litres": "118", "kind": "paper"},
    {"code": "N0049", "place": "Long cave", "emptied": "2024-09-30", "litres": "229", "kind": "paper"},
    {"code": "N0377", "place": "Low grove", "emptied": "2025-02-27", "litres": "110", "kind": "rest"},
    {"code": "N0602", "place": "Shady spring", "emptied": "2025-06-04", "litres": "135", "kind": "glass"},
]


class BinPlaceTest(unittest.TestCase):
    def setUp(self):
        self.bins = [parse_bin_place(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_bin_place(item) for item in self.bins], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(BINS.read()), 216)
        self.assertEqual(BINS.get("N0022"), self.bins[0])

    def test_it_is_described(self):
        wanted = [
            "code: N0022",
            "place: New meadow",
            "emptied: 22.09.2024",
            "litres: 118",
            "kind: paper",
        ]
        self.assertEqual(list(describe_bin_place(self.bins[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_bin_place(self.bins[0], self.bins[1])
        self.assertEqual([name for name, _, _ in found], ["code", "place", "emptied", "litres"])
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
        found = lists.search_place(self.bins, "LONG")
        self.assertEqual([item.code for item in found], ["N0049"])

    def test_find_emptied_between(self):
        first, last = date(2024, 9, 30), date(2025, 2, 27)
        found = lists.find_emptied_between(self.bins, first, last)
        self.assertEqual([item.code for item in found], ["N0049", "N0377"])

    def test_mean_litres(self):
        self.assertEqual(lists.mean_litres(self.bins), 148.0)
        self.assertIsNone(lists.mean_litres([]))

    def test_at_least_litres(self):
        found = lists.at_least_litres(self.bins, 135)
        self.assertEqual([item.code for item in found], ["N0049", "N0602"])

    def test_by_kind(self):
        groups = lists.by_kind(self.bins)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"paper": 2, "rest": 1, "glass": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.bins), [("paper", 2), ("glass", 1), ("rest", 1)])


if __name__ == "__main__":
    unittest.main()
