import unittest
from decimal import Decimal

from ratebook.errors import BookError
from ratebook.quote import quote

ZONE = {
    "name": "Nowhere",
    "steps": [{"to": 2, "price": Decimal("1.00")}, {"to": 8, "price": Decimal("3.50")}],
    "surcharges": {"express": Decimal("2.00")},
}


class QuoteTest(unittest.TestCase):
    def test_the_first_step_that_is_large_enough(self):
        self.assertEqual(quote(ZONE, Decimal(2)), Decimal("1.00"))
        self.assertEqual(quote(ZONE, Decimal("2.1")), Decimal("3.50"))

    def test_a_surcharge_is_added(self):
        self.assertEqual(quote(ZONE, Decimal(1), ["express"]), Decimal("3.00"))

    def test_a_parcel_that_is_too_heavy(self):
        with self.assertRaises(BookError):
            quote(ZONE, Decimal(9))
