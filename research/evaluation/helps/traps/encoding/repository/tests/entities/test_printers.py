import unittest
from datetime import date

from shop.kit.fields import BadField
from shop.summaries import printers as lists
from shop.entities.printers import PRINTERS, changes_of_printer, describe_printer, format_printer, parse_printer

ROWS = [
    {"code": "P0131", "place": "Bright farm", "fitted": "2024-11-25", "kind": "belt", "jams": "6", "lent": "no"},
    {"code": "P0190", "place": "East market", "fitted": "2024-12-22", "kind": "desk", "jams": "35", "lent": "no"},
    {"code": "P0526", "place": "West hall 9", "fitted": "2025-05-08", "kind": "desk", "jams": "51", "lent": "no"},
    {"code": "P0590", "place": "Mill depot", "fitted": "2025-05-29", "kind": "hand", "jams": "21", "lent": "yes"},
]


class PrinterTest(unittest.TestCase):
    def setUp(self):
        self.printers = [parse_printer(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_printer(item) for item in self.printers], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(PRINTERS.read()), 245)
        self.assertEqual(PRINTERS.get("P0131"), self.printers[0])

    def test_it_is_described(self):
        wanted = [
            "code: P0131",
            "place: Bright farm",
            "fitted: 25.11.2024",
            "kind: belt",
            "jams: 6",
        ]
        self.assertEqual(list(describe_printer(self.printers[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_printer(self.printers[0], self.printers[1])
        self.assertEqual([name for name, _, _ in found], ["code", "place", "fitted", "kind", "jams"])
        self.assertEqual(changes_of_printer(self.printers[0], self.printers[0]), [])

    def test_fitted_is_checked(self):
        with self.assertRaises(BadField):
            parse_printer(ROWS[0] | {"fitted": "31.02.2025"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_printer(ROWS[0] | {"kind": "unheard of"})

    def test_jams_is_checked(self):
        with self.assertRaises(BadField):
            parse_printer(ROWS[0] | {"jams": "several"})

    def test_lent_is_checked(self):
        with self.assertRaises(BadField):
            parse_printer(ROWS[0] | {"lent": "perhaps"})

    def test_search_place(self):
        found = lists.search_place(self.printers, "EAST")
        self.assertEqual([item.code for item in found], ["P0190"])

    def test_select_fitted_between(self):
        first, last = date(2024, 12, 22), date(2025, 5, 8)
        found = lists.select_fitted_between(self.printers, first, last)
        self.assertEqual([item.code for item in found], ["P0190", "P0526"])

    def test_per_kind(self):
        groups = lists.per_kind(self.printers)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"belt": 1, "desk": 2, "hand": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.printers), [("desk", 2), ("belt", 1), ("hand", 1)])

    def test_mean_jams(self):
        self.assertEqual(lists.mean_jams(self.printers), 28.2)
        self.assertIsNone(lists.mean_jams([]))

    def test_at_least_jams(self):
        found = lists.at_least_jams(self.printers, 35)
        self.assertEqual([item.code for item in found], ["P0190", "P0526"])

    def test_select_lent(self):
        found = lists.select_lent(self.printers)
        self.assertEqual([item.code for item in found], ["P0590"])


if __name__ == "__main__":
    unittest.main()
