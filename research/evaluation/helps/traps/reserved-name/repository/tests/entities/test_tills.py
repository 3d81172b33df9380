import unittest
from datetime import date

from sales.kit.fields import BadField
from sales.summaries import tills as lists
from sales.entities.tills import TILLS, changes_of_till, describe_till, format_till, parse_till

ROWS = [
    {
        "code": "T0702",
        "place": "Station kiosk",
        "fitted": "2025-06-13",
        "drawers": "1",
        "kind": "desk",
        "errors": "59",
    },
    {
        "code": "T0711",
        "place": "Harbour store",
        "fitted": "2025-06-16",
        "drawers": "1",
        "kind": "desk",
        "errors": "24",
    },
    {
        "code": "T0791",
        "place": "Station pier",
        "fitted": "2025-07-18",
        "drawers": "1",
        "kind": "hand",
        "errors": "4",
    },
    {"code": "T0889", "place": "Hill pier", "fitted": "2025-08-23", "drawers": "2", "kind": "hand", "errors": "48"},
]


class TillTest(unittest.TestCase):
    def setUp(self):
        self.tills = [parse_till(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_till(item) for item in self.tills], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(TILLS.read()), 229)
        self.assertEqual(TILLS.get("T0702"), self.tills[0])

    def test_it_is_described(self):
        wanted = [
            "code: T0702",
            "place: Station kiosk",
            "fitted: 13.06.2025",
            "drawers: 1",
            "kind: desk",
            "errors: 59",
        ]
        self.assertEqual(list(describe_till(self.tills[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_till(self.tills[0], self.tills[1])
        self.assertEqual([name for name, _, _ in found], ["code", "place", "fitted", "errors"])
        self.assertEqual(changes_of_till(self.tills[0], self.tills[0]), [])

    def test_fitted_is_checked(self):
        with self.assertRaises(BadField):
            parse_till(ROWS[0] | {"fitted": "31.02.2025"})

    def test_drawers_is_checked(self):
        with self.assertRaises(BadField):
            parse_till(ROWS[0] | {"drawers": "several"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_till(ROWS[0] | {"kind": "unheard of"})

    def test_errors_is_checked(self):
        with self.assertRaises(BadField):
            parse_till(ROWS[0] | {"errors": "several"})

    def test_search_place(self):
        found = lists.search_place(self.tills, "HARBOUR")
        self.assertEqual([item.code for item in found], ["T0711"])

    def test_select_fitted_between(self):
        first, last = date(2025, 6, 16), date(2025, 7, 18)
        found = lists.select_fitted_between(self.tills, first, last)
        self.assertEqual([item.code for item in found], ["T0711", "T0791"])

    def test_mean_drawers(self):
        self.assertEqual(lists.mean_drawers(self.tills), 1.2)
        self.assertIsNone(lists.mean_drawers([]))

    def test_at_least_drawers(self):
        found = lists.at_least_drawers(self.tills, 1)
        self.assertEqual([item.code for item in found], ["T0702", "T0711", "T0791", "T0889"])

    def test_per_kind(self):
        groups = lists.per_kind(self.tills)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"desk": 2, "hand": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.tills), [("desk", 2), ("hand", 2)])

    def test_mean_errors(self):
        self.assertEqual(lists.mean_errors(self.tills), 33.8)
        self.assertIsNone(lists.mean_errors([]))

    def test_at_least_errors(self):
        found = lists.at_least_errors(self.tills, 48)
        self.assertEqual([item.code for item in found], ["T0702", "T0889"])


if __name__ == "__main__":
    unittest.main()
