import unittest
from datetime import date
from decimal import Decimal

from depot.kit.fields import BadField
from depot.summaries import partners as lists
from depot.entities.partners import PARTNERS, format_partner, parse_partner

ROWS = [
    {"code": "A0073", "title": "New tower carrier", "since": "2024-10-23", "until_day": "2024-11-29", "zone": "coast", "price": "2.63"},
    {"code": "A0159", "title": "Quick park carrier", "since": "2024-11-29", "until_day": "2025-01-09", "zone": "alpine", "price": "5.45"},
    {"code": "A0266", "title": "First garden carrier", "since": "2025-01-13", "until_day": "2025-03-02", "zone": "coast", "price": "1.46"},
    {"code": "A0598", "title": "Late valley carrier", "since": "2025-06-15", "until_day": "2025-06-23", "zone": "iberia", "price": "8.30"},
]


class PartnerTest(unittest.TestCase):
    def setUp(self):
        self.partners = [parse_partner(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_partner(item) for item in self.partners], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(PARTNERS.read()), 268)
        self.assertEqual(PARTNERS.get("A0073"), self.partners[0])

    def test_since_is_checked(self):
        with self.assertRaises(BadField):
            parse_partner(ROWS[0] | {"since": "31.02.2025"})

    def test_until_day_is_checked(self):
        with self.assertRaises(BadField):
            parse_partner(ROWS[0] | {"until_day": "31.02.2025"})

    def test_zone_is_checked(self):
        with self.assertRaises(BadField):
            parse_partner(ROWS[0] | {"zone": "unheard of"})

    def test_price_is_checked(self):
        with self.assertRaises(BadField):
            parse_partner(ROWS[0] | {"price": "a lot"})

    def test_search_title(self):
        self.assertEqual([item.code for item in lists.search_title(self.partners, "QUICK")], ["A0159"])

    def test_select_since_between(self):
        first, last = date(2024, 11, 29), date(2025, 1, 13)
        self.assertEqual([item.code for item in lists.select_since_between(self.partners, first, last)], ["A0159", "A0266"])

    def test_select_until_day_between(self):
        first, last = date(2025, 1, 9), date(2025, 3, 2)
        self.assertEqual([item.code for item in lists.select_until_day_between(self.partners, first, last)], ["A0159", "A0266"])

    def test_per_zone(self):
        groups = lists.per_zone(self.partners)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"coast": 2, "alpine": 1, "iberia": 1})

    def test_count_zones(self):
        self.assertEqual(lists.count_zones(self.partners), [("coast", 2), ("alpine", 1), ("iberia", 1)])

    def test_add_up_price(self):
        self.assertEqual(lists.add_up_price(self.partners), Decimal("17.84"))

    def test_price_of_each_zone(self):
        self.assertEqual(lists.price_of_each_zone(self.partners), [("iberia", Decimal("8.30")), ("alpine", Decimal("5.45")), ("coast", Decimal("4.09"))])

    def test_dearest_price(self):
        self.assertEqual([item.code for item in lists.dearest_price(self.partners, 2)], ["A0598", "A0159"])


if __name__ == "__main__":
    unittest.main()
