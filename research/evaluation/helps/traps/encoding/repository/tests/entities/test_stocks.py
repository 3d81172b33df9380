import unittest
from datetime import date

from shop.kit.fields import BadField
from shop.summaries import stocks as lists
from shop.entities.stocks import STOCKS, changes_of_count, describe_count, format_count, parse_count

ROWS = [
    {"code": "C0030", "day": "2024-09-14", "aisle": "C", "pieces": "162", "missing": "2", "twice": "no"},
    {"code": "C0073", "day": "2024-10-05", "aisle": "D", "pieces": "633", "missing": "25", "twice": "yes"},
    {"code": "C0261", "day": "2024-12-08", "aisle": "E", "pieces": "149", "missing": "19", "twice": "no"},
    {"code": "C0454", "day": "2025-03-01", "aisle": "A", "pieces": "789", "missing": "15", "twice": "no"},
]


class CountTest(unittest.TestCase):
    def setUp(self):
        self.stocks = [parse_count(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_count(item) for item in self.stocks], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(STOCKS.read()), 163)
        self.assertEqual(STOCKS.get("C0030"), self.stocks[0])

    def test_it_is_described(self):
        wanted = [
            "code: C0030",
            "day: 14.09.2024",
            "aisle: C",
            "pieces: 162",
            "missing: 2",
        ]
        self.assertEqual(list(describe_count(self.stocks[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_count(self.stocks[0], self.stocks[1])
        self.assertEqual([name for name, _, _ in found], ["code", "day", "aisle", "pieces", "missing", "twice"])
        self.assertEqual(changes_of_count(self.stocks[0], self.stocks[0]), [])

    def test_day_is_checked(self):
        with self.assertRaises(BadField):
            parse_count(ROWS[0] | {"day": "31.02.2025"})

    def test_aisle_is_checked(self):
        with self.assertRaises(BadField):
            parse_count(ROWS[0] | {"aisle": "unheard of"})

    def test_pieces_is_checked(self):
        with self.assertRaises(BadField):
            parse_count(ROWS[0] | {"pieces": "several"})

    def test_missing_is_checked(self):
        with self.assertRaises(BadField):
            parse_count(ROWS[0] | {"missing": "several"})

    def test_twice_is_checked(self):
        with self.assertRaises(BadField):
            parse_count(ROWS[0] | {"twice": "perhaps"})

    def test_select_day_between(self):
        first, last = date(2024, 10, 5), date(2024, 12, 8)
        found = lists.select_day_between(self.stocks, first, last)
        self.assertEqual([item.code for item in found], ["C0073", "C0261"])

    def test_per_aisle(self):
        groups = lists.per_aisle(self.stocks)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"C": 1, "D": 1, "E": 1, "A": 1})

    def test_count_aisles(self):
        self.assertEqual(lists.count_aisles(self.stocks), [("A", 1), ("C", 1), ("D", 1), ("E", 1)])

    def test_mean_pieces(self):
        self.assertEqual(lists.mean_pieces(self.stocks), 433.2)
        self.assertIsNone(lists.mean_pieces([]))

    def test_at_least_pieces(self):
        found = lists.at_least_pieces(self.stocks, 633)
        self.assertEqual([item.code for item in found], ["C0073", "C0454"])

    def test_mean_missing(self):
        self.assertEqual(lists.mean_missing(self.stocks), 15.2)
        self.assertIsNone(lists.mean_missing([]))

    def test_at_least_missing(self):
        found = lists.at_least_missing(self.stocks, 19)
        self.assertEqual([item.code for item in found], ["C0073", "C0261"])

    def test_select_twice(self):
        found = lists.select_twice(self.stocks)
        self.assertEqual([item.code for item in found], ["C0073"])


if __name__ == "__main__":
    unittest.main()
