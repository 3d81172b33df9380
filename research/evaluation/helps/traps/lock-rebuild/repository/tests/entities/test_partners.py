import unittest
from datetime import date
from decimal import Decimal

from depot.kit.fields import BadField
from depot.summaries import partners as lists
from depot.entities.partners import PARTNERS, changes_of_partner, describe_partner, format_partner, parse_partner

ROWS = [
    {
        "code": "A0286",
        "title": "Long field carrier",
        "since": "2024-09-06",
        "until_day": "2024-10-15",
        "zone": "nordic",
        "price": "1.65",
    },
    {
        "code": "A0681",
        "title": "Blue valley carrier 2",
        "since": "2025-03-10",
        "until_day": "2025-04-27",
        "zone": "coast",
        "price": "1.42",
    },
    {
        "code": "A0757",
        "title": "Old depot carrier 4",
        "since": "2025-04-12",
        "until_day": "2025-06-06",
        "zone": "nordic",
        "price": "2.83",
    },
    {
        "code": "A0963",
        "title": "West border carrier",
        "since": "2025-07-08",
        "until_day": "2025-08-10",
        "zone": "baltic",
        "price": "4.99",
    },
]


class PartnerTest(unittest.TestCase):
    def setUp(self):
        self.partners = [parse_partner(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_partner(item) for item in self.partners], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(PARTNERS.read()), 257)
        self.assertEqual(PARTNERS.get("A0286"), self.partners[0])

    def test_it_is_described(self):
        wanted = [
            "code: A0286",
            "title: Long field carrier",
            "since: 06.09.2024",
            "until day: 15.10.2024",
            "zone: nordic",
            "price: 1.65",
        ]
        self.assertEqual(list(describe_partner(self.partners[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_partner(self.partners[0], self.partners[1])
        wanted = ["code", "title", "since", "until_day", "zone", "price"]
        self.assertEqual([name for name, _, _ in found], wanted)
        self.assertEqual(changes_of_partner(self.partners[0], self.partners[0]), [])

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
        found = lists.search_title(self.partners, "BLUE")
        self.assertEqual([item.code for item in found], ["A0681"])

    def test_select_since_between(self):
        first, last = date(2025, 3, 10), date(2025, 4, 12)
        found = lists.select_since_between(self.partners, first, last)
        self.assertEqual([item.code for item in found], ["A0681", "A0757"])

    def test_select_until_day_between(self):
        first, last = date(2025, 4, 27), date(2025, 6, 6)
        found = lists.select_until_day_between(self.partners, first, last)
        self.assertEqual([item.code for item in found], ["A0681", "A0757"])

    def test_per_zone(self):
        groups = lists.per_zone(self.partners)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"nordic": 2, "coast": 1, "baltic": 1})

    def test_count_zones(self):
        self.assertEqual(lists.count_zones(self.partners), [("nordic", 2), ("baltic", 1), ("coast", 1)])

    def test_add_up_price(self):
        self.assertEqual(lists.add_up_price(self.partners), Decimal("10.89"))

    def test_price_of_each_zone(self):
        wanted = [("baltic", Decimal("4.99")), ("nordic", Decimal("4.48")), ("coast", Decimal("1.42"))]
        self.assertEqual(lists.price_of_each_zone(self.partners), wanted)

    def test_dearest_price(self):
        found = lists.dearest_price(self.partners, 2)
        self.assertEqual([item.code for item in found], ["A0963", "A0757"])


if __name__ == "__main__":
    unittest.main()
