import unittest
from datetime import date
from decimal import Decimal

from archive.kit.fields import BadField
from archive.queries import terms as lists
from archive.model.terms import TERMS, changes_of_term, describe_term, format_term, parse_term

ROWS = [
    {
        "code": "W0025",
        "spelling": "New pill",
        "since": "2024-05-01",
        "weight": "3.77",
        "kind": "hold",
        "hits": "702",
    },
    {
        "code": "W0194",
        "spelling": "Spare voucher",
        "since": "2024-07-18",
        "weight": "0.12",
        "kind": "hold",
        "hits": "284",
    },
    {
        "code": "W0325",
        "spelling": "Large casino",
        "since": "2024-09-14",
        "weight": "0.38",
        "kind": "block",
        "hits": "388",
    },
    {
        "code": "W0437",
        "spelling": "Spare loan",
        "since": "2024-11-03",
        "weight": "1.05",
        "kind": "warn",
        "hits": "491",
    },
]


class TermTest(unittest.TestCase):
    def setUp(self):
        self.terms = [parse_term(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_term(item) for item in self.terms], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(TERMS.read()), 237)
        self.assertEqual(TERMS.get("W0025"), self.terms[0])

    def test_it_is_described(self):
        wanted = [
            "code: W0025",
            "spelling: New pill",
            "since: 01.05.2024",
            "weight: 3.77",
            "kind: hold",
            "hits: 702",
        ]
        self.assertEqual(list(describe_term(self.terms[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_term(self.terms[0], self.terms[1])
        self.assertEqual([name for name, _, _ in found], ["code", "spelling", "since", "weight", "hits"])
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
        found = lists.search_spelling(self.terms, "SPARE")
        self.assertEqual([item.code for item in found], ["W0194", "W0437"])

    def test_pick_since_between(self):
        first, last = date(2024, 7, 18), date(2024, 9, 14)
        found = lists.pick_since_between(self.terms, first, last)
        self.assertEqual([item.code for item in found], ["W0194", "W0325"])

    def test_sum_of_weight(self):
        self.assertEqual(lists.sum_of_weight(self.terms), Decimal("5.32"))

    def test_weight_of_each_kind(self):
        wanted = [("hold", Decimal("3.89")), ("warn", Decimal("1.05")), ("block", Decimal("0.38"))]
        self.assertEqual(lists.weight_of_each_kind(self.terms), wanted)

    def test_largest_weight(self):
        found = lists.largest_weight(self.terms, 2)
        self.assertEqual([item.code for item in found], ["W0025", "W0437"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.terms)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"hold": 2, "block": 1, "warn": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.terms), [("hold", 2), ("block", 1), ("warn", 1)])

    def test_mean_hits(self):
        self.assertEqual(lists.mean_hits(self.terms), 466.2)
        self.assertIsNone(lists.mean_hits([]))

    def test_at_least_hits(self):
        found = lists.at_least_hits(self.terms, 491)
        self.assertEqual([item.code for item in found], ["W0025", "W0437"])


if __name__ == "__main__":
    unittest.main()
