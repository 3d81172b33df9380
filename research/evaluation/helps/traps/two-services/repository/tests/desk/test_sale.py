import unittest
from decimal import Decimal

from tests.desk.board import with_settings
from ticketdesk.receipts import lay_out_receipt
from ticketdesk.sale import Refused, price_of


class SaleTest(unittest.TestCase):
    def test_prices_are_added_up(self):
        with with_settings():
            self.assertEqual(price_of([("adult", 2), ("child", 2)]), Decimal("35.00"))

    def test_everyone_gets_the_discount(self):
        with with_settings(discount="15"):
            self.assertEqual(price_of([("student", 3)]), Decimal("20.40"))

    def test_large_groups_are_refused(self):
        with with_settings(largest_group="3"):
            self.assertEqual(price_of([("child", 3)]), Decimal("16.50"))
            self.assertEqual(price_of([("child", 4)], limited=False), Decimal("22.00"))
            with self.assertRaisesRegex(Refused, "more than 3 tickets at once"):
                price_of([("child", 4)])

    def test_dogs(self):
        with with_settings(), self.assertRaisesRegex(Refused, "no dogs today"):
            price_of([("dog", 1)])
        with with_settings(dogs="on"):
            self.assertEqual(price_of([("dog", 1)]), Decimal("2.00"))

    def test_receipts(self):
        with with_settings():
            self.assertEqual(list(lay_out_receipt([("adult", 1)], "12.00")), ["North gate: 12.00 EUR"])
        with with_settings(receipt="long"):
            self.assertEqual(list(lay_out_receipt([("adult", 1)], "12.00")), ["  1 adult", "North gate: 12.00 EUR"])
