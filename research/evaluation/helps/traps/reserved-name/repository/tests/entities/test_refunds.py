import unittest
from datetime import date
from decimal import Decimal

from sales.kit.fields import BadField
from sales.summaries import refunds as lists
from sales.entities.refunds import REFUNDS, changes_of_refund, describe_refund, format_refund, parse_refund

ROWS = [
    {"code": "R0302", "till": "T0690", "day": "2024-11-01", "amount": "71.49", "why": "wrong", "checked": "no"},
    {"code": "R0397", "till": "T0150", "day": "2024-12-13", "amount": "78.41", "why": "other", "checked": "no"},
    {"code": "R0710", "till": "T0350", "day": "2025-04-10", "amount": "3.92", "why": "other", "checked": "yes"},
    {"code": "R0791", "till": "T0679", "day": "2025-05-17", "amount": "82.23", "why": "late", "checked": "no"},
]


class RefundTest(unittest.TestCase):
    def setUp(self):
        self.refunds = [parse_refund(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_refund(item) for item in self.refunds], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(REFUNDS.read()), 215)
        self.assertEqual(REFUNDS.get("R0302"), self.refunds[0])

    def test_it_is_described(self):
        wanted = [
            "code: R0302",
            "till: T0690",
            "day: 01.11.2024",
            "amount: 71.49",
            "why: wrong",
        ]
        self.assertEqual(list(describe_refund(self.refunds[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_refund(self.refunds[0], self.refunds[1])
        self.assertEqual([name for name, _, _ in found], ["code", "till", "day", "amount", "why"])
        self.assertEqual(changes_of_refund(self.refunds[0], self.refunds[0]), [])

    def test_day_is_checked(self):
        with self.assertRaises(BadField):
            parse_refund(ROWS[0] | {"day": "31.02.2025"})

    def test_amount_is_checked(self):
        with self.assertRaises(BadField):
            parse_refund(ROWS[0] | {"amount": "a lot"})

    def test_why_is_checked(self):
        with self.assertRaises(BadField):
            parse_refund(ROWS[0] | {"why": "unheard of"})

    def test_checked_is_checked(self):
        with self.assertRaises(BadField):
            parse_refund(ROWS[0] | {"checked": "perhaps"})

    def test_per_till(self):
        groups = lists.per_till(self.refunds)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"T0690": 1, "T0150": 1, "T0350": 1, "T0679": 1})

    def test_select_day_between(self):
        first, last = date(2024, 12, 13), date(2025, 4, 10)
        found = lists.select_day_between(self.refunds, first, last)
        self.assertEqual([item.code for item in found], ["R0397", "R0710"])

    def test_add_up_amount(self):
        self.assertEqual(lists.add_up_amount(self.refunds), Decimal("236.05"))

    def test_amount_of_each_why(self):
        wanted = [("other", Decimal("82.33")), ("late", Decimal("82.23")), ("wrong", Decimal("71.49"))]
        self.assertEqual(lists.amount_of_each_why(self.refunds), wanted)

    def test_largest_amount(self):
        found = lists.largest_amount(self.refunds, 2)
        self.assertEqual([item.code for item in found], ["R0791", "R0397"])

    def test_per_why(self):
        groups = lists.per_why(self.refunds)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"wrong": 1, "other": 2, "late": 1})

    def test_count_whys(self):
        self.assertEqual(lists.count_whys(self.refunds), [("other", 2), ("late", 1), ("wrong", 1)])

    def test_select_checked(self):
        found = lists.select_checked(self.refunds)
        self.assertEqual([item.code for item in found], ["R0710"])


if __name__ == "__main__":
    unittest.main()
