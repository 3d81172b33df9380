import unittest
from datetime import date
from decimal import Decimal

from pantry.kit.fields import BadField
from pantry.queries import pans as lists
from pantry.model.pans import PANS, changes_of_pan, describe_pan, format_pan, parse_pan

ROWS = [
    {
        "code": "K0193",
        "what": "Yellow carrot 3",
        "bought": "2024-10-30",
        "size": "21.99",
        "kind": "pan",
        "lent": "no",
    },
    {"code": "K0577", "what": "Salted plum", "bought": "2025-04-17", "size": "20.36", "kind": "tin", "lent": "no"},
    {"code": "K0783", "what": "New tomato", "bought": "2025-07-31", "size": "35.14", "kind": "tin", "lent": "no"},
    {"code": "K0830", "what": "Red pepper 4", "bought": "2025-08-18", "size": "25.96", "kind": "pot", "lent": "no"},
]


class PanTest(unittest.TestCase):
    def setUp(self):
        self.pans = [parse_pan(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_pan(item) for item in self.pans], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(PANS.read()), 281)
        self.assertEqual(PANS.get("K0193"), self.pans[0])

    def test_it_is_described(self):
        wanted = [
            "code: K0193",
            "what: Yellow carrot 3",
            "bought: 30.10.2024",
            "size: 21.99",
            "kind: pan",
        ]
        self.assertEqual(list(describe_pan(self.pans[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_pan(self.pans[0], self.pans[1])
        self.assertEqual([name for name, _, _ in found], ["code", "what", "bought", "size", "kind"])
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
        found = lists.search_what(self.pans, "SALTED")
        self.assertEqual([item.code for item in found], ["K0577"])

    def test_pick_bought_between(self):
        first, last = date(2025, 4, 17), date(2025, 7, 31)
        found = lists.pick_bought_between(self.pans, first, last)
        self.assertEqual([item.code for item in found], ["K0577", "K0783"])

    def test_sum_of_size(self):
        self.assertEqual(lists.sum_of_size(self.pans), Decimal("103.45"))

    def test_size_of_each_kind(self):
        wanted = [("tin", Decimal("55.50")), ("pot", Decimal("25.96")), ("pan", Decimal("21.99"))]
        self.assertEqual(lists.size_of_each_kind(self.pans), wanted)

    def test_largest_size(self):
        found = lists.largest_size(self.pans, 2)
        self.assertEqual([item.code for item in found], ["K0783", "K0830"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.pans)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"pan": 1, "tin": 2, "pot": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.pans), [("tin", 2), ("pan", 1), ("pot", 1)])

    def test_pick_lent(self):
        found = lists.pick_lent(self.pans)
        self.assertEqual([item.code for item in found], [])


if __name__ == "__main__":
    unittest.main()
