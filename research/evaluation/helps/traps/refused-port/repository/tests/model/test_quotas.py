import unittest
from datetime import date
from decimal import Decimal

from ops.kit.fields import BadField
from ops.queries import quotas as lists
from ops.model.quotas import QUOTAS, format_quota, parse_quota

ROWS = [
    {"code": "Q0009", "key": "K0677", "since": "2024-09-18", "calls": "3133", "price": "7.06", "kind": "day"},
    {"code": "Q0374", "key": "K0282", "since": "2025-03-19", "calls": "150", "price": "26.03", "kind": "month"},
    {"code": "Q0419", "key": "K0777", "since": "2025-03-31", "calls": "5257", "price": "69.14", "kind": "day"},
    {"code": "Q0445", "key": "K0714", "since": "2025-04-12", "calls": "7492", "price": "31.67", "kind": "month"},
]


class QuotaTest(unittest.TestCase):
    def setUp(self):
        self.quotas = [parse_quota(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_quota(item) for item in self.quotas], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(QUOTAS.read()), 280)
        self.assertEqual(QUOTAS.get("Q0009"), self.quotas[0])

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
        self.assertEqual(sizes, {"K0677": 1, "K0282": 1, "K0777": 1, "K0714": 1})

    def test_pick_since_between(self):
        first, last = date(2025, 3, 19), date(2025, 3, 31)
        self.assertEqual([item.code for item in lists.pick_since_between(self.quotas, first, last)], ["Q0374", "Q0419"])

    def test_mean_calls(self):
        self.assertEqual(lists.mean_calls(self.quotas), 4008.0)
        self.assertIsNone(lists.mean_calls([]))

    def test_at_least_calls(self):
        self.assertEqual([item.code for item in lists.at_least_calls(self.quotas, 5257)], ["Q0419", "Q0445"])

    def test_sum_of_price(self):
        self.assertEqual(lists.sum_of_price(self.quotas), Decimal("133.90"))

    def test_price_of_each_kind(self):
        self.assertEqual(lists.price_of_each_kind(self.quotas), [("day", Decimal("76.20")), ("month", Decimal("57.70"))])

    def test_dearest_price(self):
        self.assertEqual([item.code for item in lists.dearest_price(self.quotas, 2)], ["Q0419", "Q0445"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.quotas)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"day": 2, "month": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.quotas), [("day", 2), ("month", 2)])


if __name__ == "__main__":
    unittest.main()
