import unittest
from datetime import date
from decimal import Decimal

from house.kit.fields import BadField
from house.queries import refunds as lists
from house.model.refunds import REFUNDS, changes_of_refund, describe_refund, format_refund, parse_refund

ROWS = [
    {"code": "R0106", "day": "2024-06-20", "reason": "closed", "amount": "30.88", "tickets": "10"},
    {"code": "R0143", "day": "2024-07-06", "reason": "closed", "amount": "21.67", "tickets": "1"},
    {"code": "R0231", "day": "2024-08-26", "reason": "closed", "amount": "29.64", "tickets": "8"},
    {"code": "R0330", "day": "2024-10-02", "reason": "other", "amount": "55.58", "tickets": "5"},
]


class RefundTest(unittest.TestCase):
    def setUp(self):
        self.refunds = [parse_refund(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_refund(item) for item in self.refunds], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(REFUNDS.read()), 177)
        self.assertEqual(REFUNDS.get("R0106"), self.refunds[0])

    def test_it_is_described(self):
        wanted = [
            "code: R0106",
            "day: 20.06.2024",
            "reason: closed",
            "amount: 30.88",
            "tickets: 10",
        ]
        self.assertEqual(list(describe_refund(self.refunds[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_refund(self.refunds[0], self.refunds[1])
        self.assertEqual([name for name, _, _ in found], ["code", "day", "amount", "tickets"])
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
        first, last = date(2024, 7, 6), date(2024, 8, 26)
        found = lists.pick_day_between(self.refunds, first, last)
        self.assertEqual([item.code for item in found], ["R0143", "R0231"])

    def test_group_by_reason(self):
        groups = lists.group_by_reason(self.refunds)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"closed": 3, "other": 1})

    def test_count_reasons(self):
        self.assertEqual(lists.count_reasons(self.refunds), [("closed", 3), ("other", 1)])

    def test_sum_of_amount(self):
        self.assertEqual(lists.sum_of_amount(self.refunds), Decimal("137.77"))

    def test_amount_of_each_reason(self):
        wanted = [("closed", Decimal("82.19")), ("other", Decimal("55.58"))]
        self.assertEqual(lists.amount_of_each_reason(self.refunds), wanted)

    def test_largest_amount(self):
        found = lists.largest_amount(self.refunds, 2)
        self.assertEqual([item.code for item in found], ["R0330", "R0106"])

    def test_mean_tickets(self):
        self.assertEqual(lists.mean_tickets(self.refunds), 6.0)
        self.assertIsNone(lists.mean_tickets([]))

    def test_at_least_tickets(self):
        found = lists.at_least_tickets(self.refunds, 8)
        self.assertEqual([item.code for item in found], ["R0106", "R0231"])


if __name__ == "__main__":
    unittest.main()
