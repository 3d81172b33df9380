import unittest
from datetime import date

from sales.kit.fields import BadField
from sales.summaries import suppliers as lists
from sales.entities.suppliers import SUPPLIERS, changes_of_supplier, describe_supplier, format_supplier, parse_supplier

ROWS = [
    {
        "code": "S0122",
        "place": "New mill",
        "since": "2024-07-17",
        "orders": "121",
        "terms": "days30",
        "paused": "yes",
    },
    {
        "code": "S0249",
        "place": "New corner",
        "since": "2024-09-06",
        "orders": "114",
        "terms": "days30",
        "paused": "no",
    },
    {
        "code": "S0329",
        "place": "Round school",
        "since": "2024-10-11",
        "orders": "111",
        "terms": "cash",
        "paused": "no",
    },
    {
        "code": "S0537",
        "place": "Market arcade",
        "since": "2025-01-12",
        "orders": "146",
        "terms": "days10",
        "paused": "no",
    },
]


class SupplierTest(unittest.TestCase):
    def setUp(self):
        self.suppliers = [parse_supplier(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_supplier(item) for item in self.suppliers], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(SUPPLIERS.read()), 262)
        self.assertEqual(SUPPLIERS.get("S0122"), self.suppliers[0])

    def test_it_is_described(self):
        wanted = [
            "code: S0122",
            "place: New mill",
            "since: 17.07.2024",
            "orders: 121",
            "terms: days30",
            "paused",
        ]
        self.assertEqual(list(describe_supplier(self.suppliers[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_supplier(self.suppliers[0], self.suppliers[1])
        self.assertEqual([name for name, _, _ in found], ["code", "place", "since", "orders", "paused"])
        self.assertEqual(changes_of_supplier(self.suppliers[0], self.suppliers[0]), [])

    def test_since_is_checked(self):
        with self.assertRaises(BadField):
            parse_supplier(ROWS[0] | {"since": "31.02.2025"})

    def test_orders_is_checked(self):
        with self.assertRaises(BadField):
            parse_supplier(ROWS[0] | {"orders": "several"})

    def test_terms_is_checked(self):
        with self.assertRaises(BadField):
            parse_supplier(ROWS[0] | {"terms": "unheard of"})

    def test_paused_is_checked(self):
        with self.assertRaises(BadField):
            parse_supplier(ROWS[0] | {"paused": "perhaps"})

    def test_search_place(self):
        found = lists.search_place(self.suppliers, "NEW")
        self.assertEqual([item.code for item in found], ["S0122", "S0249"])

    def test_select_since_between(self):
        first, last = date(2024, 9, 6), date(2024, 10, 11)
        found = lists.select_since_between(self.suppliers, first, last)
        self.assertEqual([item.code for item in found], ["S0249", "S0329"])

    def test_mean_orders(self):
        self.assertEqual(lists.mean_orders(self.suppliers), 123.0)
        self.assertIsNone(lists.mean_orders([]))

    def test_at_least_orders(self):
        found = lists.at_least_orders(self.suppliers, 121)
        self.assertEqual([item.code for item in found], ["S0122", "S0537"])

    def test_per_terms(self):
        groups = lists.per_terms(self.suppliers)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"days30": 2, "cash": 1, "days10": 1})

    def test_count_termss(self):
        self.assertEqual(lists.count_termss(self.suppliers), [("days30", 2), ("cash", 1), ("days10", 1)])

    def test_select_paused(self):
        found = lists.select_paused(self.suppliers)
        self.assertEqual([item.code for item in found], ["S0122"])


if __name__ == "__main__":
    unittest.main()
