import unittest
from datetime import date
from decimal import Decimal

from pantry.kit.fields import BadField
from pantry.queries import pans as lists
from pantry.model.pans import PANS, changes_of_pan, describe_pan, format_pan, parse_pan

ROWS = [
    {"code": "K0113", "what": "Wild squash", "bought": "2024-12-04", "size": "32.20", "kind": "pan", "lent": "yes"},
    {"code": "K0122", "what": "Long carrot", "bought": "2024-12-05", "size": "20.42", "kind": "pan", "lent": "no"},
    {"code": "K0530", "what": "Dry apple 3", "bought": "2025-05-18", "size": "17.70", "kind": "tin", "lent": "no"},
    {"code": "K0755", "what": "Wild quince", "bought": "2025-08-27", "size": "32.05", "kind": "pot", "lent": "no"},
]


class PanTest(unittest.TestCase):
    def setUp(self):
        self.pans = [parse_pan(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_pan(item) for item in self.pans], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(PANS.read()), 201)
        self.assertEqual(PANS.get("K0113"), self.pans[0])

    def test_it_is_described(self):
        wanted = [
            "code: K0113",
            "what: Wild squash",
            "bought: 04.12.2024",
            "size: 32.20",
            "kind: pan",
            "lent",
        ]
        self.assertEqual(list(describe_pan(self.pans[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_pan(self.pans[0], self.pans[1])
        self.assertEqual([name for name, _, _ in found], ["code", "what", "bought", "size", "lent"])
        self.assertEqual(changes_of_pan(self.pans[0], self.pans[0]), [])

    def test_bought_is_checked(self):
        with self.assertRaises(BadField):
            parse_pan(ROWS[0] | {"bought": "31.02.2025"})

    def test_size_is_checked(self):
        with self.assertRaises(BadField):
            parse_pan(ROWS[0] | {"size": "a lot"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_pan(ROWS[0] | {"kind": "unheard of"})

    def test_lent_is_checked(self):
        with self.assertRaises(BadField):
            parse_pan(ROWS[0] | {"lent": "perhaps"})

    def test_search_what(self):
        found = lists.search_what(self.pans, "LONG")
        self.assertEqual([item.code for item in found], ["K0122"])

    def test_pick_bought_between(self):
        first, last = date(2024, 12, 5), date(2025, 5, 18)
        found = lists.pick_bought_between(self.pans, first, last)
        self.assertEqual([item.code for item in found], ["K0122", "K0530"])

    def test_sum_of_size(self):
        self.assertEqual(lists.sum_of_size(self.pans), Decimal("102.37"))

    def test_size_of_each_kind(self):
        wanted = [("pan", Decimal("52.62")), ("pot", Decimal("32.05")), ("tin", Decimal("17.70"))]
        self.assertEqual(lists.size_of_each_kind(self.pans), wanted)

    def test_largest_size(self):
        found = lists.largest_size(self.pans, 2)
        self.assertEqual([item.code for item in found], ["K0113", "K0755"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.pans)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"pan": 2, "tin": 1, "pot": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.pans), [("pan", 2), ("pot", 1), ("tin", 1)])

    def test_pick_lent(self):
        found = lists.pick_lent(self.pans)
        self.assertEqual([item.code for item in found], ["K0113"])


if __name__ == "__main__":
    unittest.main()
