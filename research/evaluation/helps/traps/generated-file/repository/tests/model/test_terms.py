import unittest
from datetime import date
from decimal import Decimal

from archive.kit.fields import BadField
from archive.queries import terms as lists
from archive.model.terms import TERMS, changes_of_term, describe_term, format_term, parse_term

ROWS = [
    {
        "code": "W0213",
        "spelling": "New room",
        "since": "2024-04-13",
        "weight": "4.87",
        "kind": "warn",
        "hits": "311",
    },
    {
        "code": "W0397",
        "spelling": "Inner lamp",
        "since": "2024-06-26",
        "weight": "3.75",
        "kind": "block",
        "hits": "324",
    },
    {
        "code": "W0423",
        "spelling": "Outer harbour",
        "since": "2024-07-07",
        "weight": "3.39",
        "kind": "block",
        "hits": "335",
    },
    {
        "code": "W0473",
        "spelling": "Warm room 5",
        "since": "2024-08-09",
        "weight": "0.70",
        "kind": "block",
        "hits": "43",
    },
]


class TermTest(unittest.TestCase):
    def setUp(self):
        self.terms = [parse_term(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_term(item) for item in self.terms], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(TERMS.read()), 172)
        self.assertEqual(TERMS.get("W0213"), self.terms[0])

    def test_it_is_described(self):
        wanted = [
            "code: W0213",
            "spelling: New room",
            "since: 13.04.2024",
            "weight: 4.87",
            "kind: warn",
            "hits: 311",
        ]
        self.assertEqual(list(describe_term(self.terms[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_term(self.terms[0], self.terms[1])
        wanted = ["code", "spelling", "since", "weight", "kind", "hits"]
        self.assertEqual([name for name, _, _ in found], wanted)
        self.assertEqual(changes_of_term(self.terms[0], self.terms[0]), [])

    def test_since_is_checked(self):
        with self.assertRaises(BadField):
            parse_term(ROWS[0] | {"since": "31.02.2025"})

    def test_weight_is_checked(self):
        with self.assertRaises(BadField):
            parse_term(ROWS[0] | {"weight": "a lot"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_term(ROWS[0] | {"kind": "unheard of"})

    def test_hits_is_checked(self):
        with self.assertRaises(BadField):
            parse_term(ROWS[0] | {"hits": "several"})

    def test_search_spelling(self):
        found = lists.search_spelling(self.terms, "INNER")
        self.assertEqual([item.code for item in found], ["W0397"])

    def test_pick_since_between(self):
        first, last = date(2024, 6, 26), date(2024, 7, 7)
        found = lists.pick_since_between(self.terms, first, last)
        self.assertEqual([item.code for item in found], ["W0397", "W0423"])

    def test_sum_of_weight(self):
        self.assertEqual(lists.sum_of_weight(self.terms), Decimal("12.71"))

    def test_weight_of_each_kind(self):
        wanted = [("block", Decimal("7.84")), ("warn", Decimal("4.87"))]
        self.assertEqual(lists.weight_of_each_kind(self.terms), wanted)

    def test_largest_weight(self):
        found = lists.largest_weight(self.terms, 2)
        self.assertEqual([item.code for item in found], ["W0213", "W0397"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.terms)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"warn": 1, "block": 3})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.terms), [("block", 3), ("warn", 1)])

    def test_mean_hits(self):
        self.assertEqual(lists.mean_hits(self.terms), 253.2)
        self.assertIsNone(lists.mean_hits([]))

    def test_at_least_hits(self):
        found = lists.at_least_hits(self.terms, 324)
        self.assertEqual([item.code for item in found], ["W0397", "W0423"])


if __name__ == "__main__":
    unittest.main()
