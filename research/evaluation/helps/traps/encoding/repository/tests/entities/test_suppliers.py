import unittest
from datetime import date

from shop.kit.fields import BadField
from shop.summaries import suppliers as lists
from shop.entities.suppliers import SUPPLIERS, changes_of_supplier, describe_supplier, format_supplier, parse_supplier

ROWS = [
    {
        "code": "U0154",
        "place": "Old field",
        "since": "2024-11-20",
        "kind": "dairy",
        "orders": "24",
        "paused": "yes",
    },
    {
        "code": "U0441",
        "place": "Upper garden",
        "since": "2025-03-20",
        "kind": "import",
        "orders": "111",
        "paused": "yes",
    },
    {
        "code": "U0449",
        "place": "Small stall",
        "since": "2025-03-22",
        "kind": "mill",
        "orders": "13",
        "paused": "no",
    },
    {
        "code": "U0526",
        "place": "Narrow kitchen",
        "since": "2025-04-20",
        "kind": "mill",
        "orders": "61",
        "paused": "yes",
    },
]


class SupplierTest(unittest.TestCase):
    def setUp(self):
        self.suppliers = [parse_supplier(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_supplier(item) for item in self.suppliers], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(SUPPLIERS.read()), 212)
        self.assertEqual(SUPPLIERS.get("U0154"), self.suppliers[0])

    def test_it_is_described(self):
        wanted = [
            "code: U0154",
            "place: Old field",
            "since: 20.11.2024",
            "kind: dairy",
            "orders: 24",
            "paused",
        ]
        self.assertEqual(list(describe_supplier(self.suppliers[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_supplier(self.suppliers[0], self.suppliers[1])
        self.assertEqual([name for name, _, _ in found], ["code", "place", "since", "kind", "orders"])
        self.assertEqual(changes_of_supplier(self.suppliers[0], self.suppliers[0]), [])

    def test_since_is_checked(self):
        with self.assertRaises(BadField):
            parse_supplier(ROWS[0] | {"since": "31.02.2025"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_supplier(ROWS[0] | {"kind": "unheard of"})

    def test_orders_is_checked(self):
        with self.assertRaises(BadField):
            parse_supplier(ROWS[0] | {"orders": "several"})

    def test_paused_is_checked(self):
        with self.assertRaises(BadField):
            parse_supplier(ROWS[0] | {"paused": "perhaps"})

    def test_search_place(self):
        found = lists.search_place(self.suppliers, "UPPER")
        self.assertEqual([item.code for item in found], ["U0441"])

    def test_select_since_between(self):
        first, last = date(2025, 3, 20), date(2025, 3, 22)
        found = lists.select_since_between(self.suppliers, first, last)
        self.assertEqual([item.code for item in found], ["U0441", "U0449"])

    def test_per_kind(self):
        groups = lists.per_kind(self.suppliers)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"dairy": 1, "import": 1, "mill": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.suppliers), [("mill", 2), ("dairy", 1), ("import", 1)])

    def test_mean_orders(self):
        self.assertEqual(lists.mean_orders(self.suppliers), 52.2)
        self.assertIsNone(lists.mean_orders([]))

    def test_at_least_orders(self):
        found = lists.at_least_orders(self.suppliers, 61)
        self.assertEqual([item.code for item in found], ["U0441", "U0526"])

    def test_select_paused(self):
        found = lists.select_paused(self.suppliers)
        self.assertEqual([item.code for item in found], ["U0154", "U0441", "U0526"])


if __name__ == "__main__":
    unittest.main()
