import unittest
from datetime import date
from decimal import Decimal

from pantry.kit.fields import BadField
from pantry.queries import pans as lists
from pantry.model.pans import PANS, changes_of_pan, describe_pan, format_pan, parse_pan

ROWS = [
    {"code": "K0187", "what": "Long wok", "bought": "2024-07-09", "size": "33.71", "kind": "tin", "lent": "yes"},
    {
        "code": "K0665",
        "what": "Long stock pot",
        "bought": "2025-01-31",
        "size": "38.56",
        "kind": "pan",
        "lent": "yes",
    },
    {
        "code": "K0769",
        "what": "Old frying pan",
        "bought": "2025-03-13",
        "size": "18.18",
        "kind": "pot",
        "lent": "no",
    },
    {
        "code": "K0969",
        "what": "Short saucepan",
        "bought": "2025-06-20",
        "size": "20.66",
        "kind": "dish",
        "lent": "no",
    },
]


class PanTest(unittest.TestCase):
    def setUp(self):
        self.pans = [parse_pan(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_pan(item) for item in self.pans], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(PANS.read()), 271)
        self.assertEqual(PANS.get("K0187"), self.pans[0])

    def test_it_is_described(self):
        wanted = [
            "code: K0187",
            "what: Long wok",
            "bought: 09.07.2024",
            "size: 33.71",
            "kind: tin",
            "lent",
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
        found = lists.search_what(self.pans, "LONG")
        self.assertEqual([item.code for item in found], ["K0187", "K0665"])

    def test_pick_bought_between(self):
        first, last = date(2025, 1, 31), date(2025, 3, 13)
        found = lists.pick_bought_between(self.pans, first, last)
        self.assertEqual([item.code for item in found], ["K0665", "K0769"])

    def test_sum_of_size(self):
        self.assertEqual(lists.sum_of_size(self.pans), Decimal("111.11"))

    def test_size_of_each_kind(self):
        wanted = [
            ("pan", Decimal("38.56")),
            ("tin", Decimal("33.71")),
            ("dish", Decimal("20.66")),
            ("pot", Decimal("18.18")),
        ]
        self.assertEqual(lists.size_of_each_kind(self.pans), wanted)

    def test_largest_size(self):
        found = lists.largest_size(self.pans, 2)
        self.assertEqual([item.code for item in found], ["K0665", "K0187"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.pans)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"tin": 1, "pan": 1, "pot": 1, "dish": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.pans), [("dish", 1), ("pan", 1), ("pot", 1), ("tin", 1)])

    def test_pick_lent(self):
        found = lists.pick_lent(self.pans)
        self.assertEqual([item.code for item in found], ["K0187", "K0665"])


if __name__ == "__main__":
    unittest.main()
