import unittest
from datetime import date
from decimal import Decimal

from house.kit.fields import BadField
from house.queries import refunds as lists
from house.model.refunds import REFUNDS, changes_of_refund, describe_refund, format_refund, parse_refund

ROWS = [
    {"code": "R0365", "day": "2025-03-09", "reason": "other", "amount": "23.20", "tickets": "4"},
    {"code": "R0678", "day": "2025-07-04", "reason": "error", "amount": "16.30", "tickets": "12"},
    {"code": "R0749", "day": "2025-08-10", "reason": "error", "amount": "30.42", "tickets": "10"},
    {"code": "R0789", "day": "2025-08-25", "reason": "other", "amount": "25.83", "tickets": "9"},
]


class RefundTest(unittest.TestCase):
    def setUp(self):
        self.refunds = [parse_refund(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_refund(item) for item in self.refunds], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(REFUNDS.read()), 201)
        self.assertEqual(REFUNDS.get("R0365"), self.refunds[0])

    def test_it_is_described(self):
        wanted = [
            "code: R0365",
            "day: 09.03.2025",
            "reason: other",
            "amount: 23.20",
            "tickets: 4",
        ]
        self.assertEqual(list(describe_refund(self.refunds[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_refund(self.refunds[0], self.refunds[1])
        self.assertEqual([name for name, _, _ in found], ["code", "day", "reason", "amount", "tickets"])
        self.assertEqual(changes_of_refund(self.refunds[0], self.refunds[0]), [])

    def test_day_is_checked(self):
        with self.assertRaises(BadField):
            parse_refund(ROWS[0] | {"day": "31.02.2025"})

    def test_reason_is_checked(self):
        with self.assertRaises(BadField):
            parse_refund(ROWS[0] | {"reason": "unheard of"})

    def test_amount_is_checked(self):
        with self.assertRaises(BadField):
            parse_refund(ROWS[0] | {"amount": "a lot"})

    def test_tickets_is_checked(self):
        with self.assertRaises(BadField):
            parse_refund(ROWS[0] | {"tickets": "several"})

    def test_pick_day_between(self):
        first, last = date(2025, 7, 4), date(2025, 8, 10)
        found = lists.pick_day_between(self.refunds, first, last)
        self.assertEqual([item.code for item in found], ["R0678", "R0749"])

    def test_group_by_reason(self):
        groups = lists.group_by_reason(self.refunds)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"other": 2, "error": 2})

    def test_count_reasons(self):
        self.assertEqual(lists.count_reasons(self.refunds), [("error", 2), ("other", 2)])

    def test_sum_of_amount(self):
        self.assertEqual(lists.sum_of_amount(self.refunds), Decimal("95.75"))

    def test_amount_of_each_reason(self):
        wanted = [("other", Decimal("49.03")), ("error", Decimal("46.72"))]
        self.assertEqual(lists.amount_of_each_reason(self.refunds), wanted)

    def test_largest_amount(self):
        found = lists.largest_amount(self.refunds, 2)
        self.assertEqual([item.code for item in found], ["R0749", "R0789"])

    def test_mean_tickets(self):
        self.assertEqual(lists.mean_tickets(self.refunds), 8.8)
        self.assertIsNone(lists.mean_tickets([]))

    def test_at_least_tickets(self):
        found = lists.at_least_tickets(self.refunds, 10)
        self.assertEqual([item.code for item in found], ["R0678", "R0749"])


if __name__ == "__main__":
    unittest.main()
