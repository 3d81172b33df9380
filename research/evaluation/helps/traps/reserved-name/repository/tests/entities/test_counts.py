import unittest
from datetime import date

from sales.kit.fields import BadField
from sales.summaries import counts as lists
from sales.entities.counts import (
    COUNTS,
    changes_of_stock_count,
    describe_stock_count,
    format_stock_count,
    parse_stock_count,
)

ROWS = [
    {"code": "K0175", "lot": "L0705", "day": "2024-06-28", "pieces": "509", "missing": "0", "remark": ""},
    {"code": "K0367", "lot": "L0010", "day": "2024-09-10", "pieces": "136", "missing": "30", "remark": ""},
    {"code": "K0563", "lot": "L0474", "day": "2024-12-02", "pieces": "881", "missing": "2", "remark": "as in May"},
    {"code": "K0607", "lot": "L0387", "day": "2024-12-28", "pieces": "390", "missing": "28", "remark": ""},
]


class StockCountTest(unittest.TestCase):
    def setUp(self):
        self.counts = [parse_stock_count(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_stock_count(item) for item in self.counts], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(COUNTS.read()), 237)
        self.assertEqual(COUNTS.get("K0175"), self.counts[0])

    def test_it_is_described(self):
        wanted = [
            "code: K0175",
            "lot: L0705",
            "day: 28.06.2024",
            "pieces: 509",
            "missing: 0",
        ]
        self.assertEqual(list(describe_stock_count(self.counts[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_stock_count(self.counts[0], self.counts[1])
        self.assertEqual([name for name, _, _ in found], ["code", "lot", "day", "pieces", "missing"])
        self.assertEqual(changes_of_stock_count(self.counts[0], self.counts[0]), [])

    def test_day_is_checked(self):
        with self.assertRaises(BadField):
            parse_stock_count(ROWS[0] | {"day": "31.02.2025"})

    def test_pieces_is_checked(self):
        with self.assertRaises(BadField):
            parse_stock_count(ROWS[0] | {"pieces": "several"})

    def test_missing_is_checked(self):
        with self.assertRaises(BadField):
            parse_stock_count(ROWS[0] | {"missing": "several"})

    def test_per_lot(self):
        groups = lists.per_lot(self.counts)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"L0705": 1, "L0010": 1, "L0474": 1, "L0387": 1})

    def test_select_day_between(self):
        first, last = date(2024, 9, 10), date(2024, 12, 2)
        found = lists.select_day_between(self.counts, first, last)
        self.assertEqual([item.code for item in found], ["K0367", "K0563"])

    def test_mean_pieces(self):
        self.assertEqual(lists.mean_pieces(self.counts), 479.0)
        self.assertIsNone(lists.mean_pieces([]))

    def test_at_least_pieces(self):
        found = lists.at_least_pieces(self.counts, 509)
        self.assertEqual([item.code for item in found], ["K0175", "K0563"])

    def test_mean_missing(self):
        self.assertEqual(lists.mean_missing(self.counts), 15.0)
        self.assertIsNone(lists.mean_missing([]))

    def test_at_least_missing(self):
        found = lists.at_least_missing(self.counts, 28)
        self.assertEqual([item.code for item in found], ["K0367", "K0607"])


if __name__ == "__main__":
    unittest.main()
