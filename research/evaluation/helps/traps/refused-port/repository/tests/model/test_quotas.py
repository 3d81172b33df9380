import unittest
from datetime import date
from decimal import Decimal

from ops.kit.fields import BadField
from ops.queries import quotas as lists
from ops.model.quotas import QUOTAS, changes_of_quota, describe_quota, format_quota, parse_quota

ROWS = [
    {"code": "Q0219", "key": "K1034", "since": "2025-02-05", "calls": "6366", "price": "27.59", "kind": "month"},
    {"code": "Q0389", "key": "K0251", "since": "2025-05-10", "calls": "1204", "price": "70.23", "kind": "month"},
    {"code": "Q0681", "key": "K0973", "since": "2025-08-30", "calls": "2242", "price": "3.91", "kind": "day"},
    {"code": "Q0857", "key": "K1394", "since": "2025-11-24", "calls": "485", "price": "1.75", "kind": "hour"},
]


class QuotaTest(unittest.TestCase):
    def setUp(self):
        self.quotas = [parse_quota(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_quota(item) for item in self.quotas], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(QUOTAS.read()), 264)
        self.assertEqual(QUOTAS.get("Q0219"), self.quotas[0])

    def test_it_is_described(self):
        wanted = [
            "code: Q0219",
            "key: K1034",
            "since: 05.02.2025",
            "calls: 6366",
            "price: 27.59",
            "kind: month",
        ]
        self.assertEqual(list(describe_quota(self.quotas[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_quota(self.quotas[0], self.quotas[1])
        self.assertEqual([name for name, _, _ in found], ["code", "key", "since", "calls", "price"])
        self.assertEqual(changes_of_quota(self.quotas[0], self.quotas[0]), [])

    def test_since_is_checked(self):
        with self.assertRaises(BadField):
            parse_quota(ROWS[0] | {"since": "31.02.2025"})

    def test_calls_is_checked(self):
        with self.assertRaises(BadField):
            parse_quota(ROWS[0] | {"calls": "several"})

    def test_price_is_checked(self):
        with self.assertRaises(BadField):
            parse_quota(ROWS[0] | {"price": "a lot"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_quota(ROWS[0] | {"kind": "unheard of"})

    def test_group_by_key(self):
        groups = lists.group_by_key(self.quotas)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"K1034": 1, "K0251": 1, "K0973": 1, "K1394": 1})

    def test_pick_since_between(self):
        first, last = date(2025, 5, 10), date(2025, 8, 30)
        found = lists.pick_since_between(self.quotas, first, last)
        self.assertEqual([item.code for item in found], ["Q0389", "Q0681"])

    def test_mean_calls(self):
        self.assertEqual(lists.mean_calls(self.quotas), 2574.2)
        self.assertIsNone(lists.mean_calls([]))

    def test_at_least_calls(self):
        found = lists.at_least_calls(self.quotas, 2242)
        self.assertEqual([item.code for item in found], ["Q0219", "Q0681"])

    def test_sum_of_price(self):
        self.assertEqual(lists.sum_of_price(self.quotas), Decimal("103.48"))

    def test_price_of_each_kind(self):
        wanted = [("month", Decimal("97.82")), ("day", Decimal("3.91")), ("hour", Decimal("1.75"))]
        self.assertEqual(lists.price_of_each_kind(self.quotas), wanted)

    def test_dearest_price(self):
        found = lists.dearest_price(self.quotas, 2)
        self.assertEqual([item.code for item in found], ["Q0389", "Q0219"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.quotas)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"month": 2, "day": 1, "hour": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.quotas), [("month", 2), ("day", 1), ("hour", 1)])


if __name__ == "__main__":
    unittest.main()
