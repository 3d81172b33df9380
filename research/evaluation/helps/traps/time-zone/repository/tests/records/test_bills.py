import unittest
from datetime import date
from decimal import Decimal

from plant.kit.fields import BadField
from plant.lists import bills as lists
from plant.records.bills import BILLS, changes_of_bill, describe_bill, format_bill, parse_bill

ROWS = [
    {
        "code": "B0173",
        "building": "H0622",
        "sent": "2024-08-11",
        "due": "2024-09-09",
        "net": "2467.04",
        "kind": "power",
        "paid": "yes",
    },
    {
        "code": "B0219",
        "building": "H0474",
        "sent": "2024-08-31",
        "due": "2024-09-12",
        "net": "8971.04",
        "kind": "heat",
        "paid": "yes",
    },
    {
        "code": "B0289",
        "building": "H0063",
        "sent": "2024-10-01",
        "due": "2024-10-09",
        "net": "756.57",
        "kind": "water",
        "paid": "yes",
    },
    {
        "code": "B0375",
        "building": "H0725",
        "sent": "2024-11-14",
        "due": "2024-12-03",
        "net": "4000.75",
        "kind": "water",
        "paid": "no",
    },
]


class BillTest(unittest.TestCase):
    def setUp(self):
        self.bills = [parse_bill(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_bill(item) for item in self.bills], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(BILLS.read()), 119)
        self.assertEqual(BILLS.get("B0173"), self.bills[0])

    def test_it_is_described(self):
        wanted = [
            "code: B0173",
            "building: H0622",
            "sent: 11.08.2024",
            "due: 09.09.2024",
            "net: 2,467.04",
            "kind: power",
            "paid",
        ]
        self.assertEqual(list(describe_bill(self.bills[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_bill(self.bills[0], self.bills[1])
        self.assertEqual([name for name, _, _ in found], ["code", "building", "sent", "due", "net", "kind"])
        self.assertEqual(changes_of_bill(self.bills[0], self.bills[0]), [])

    def test_sent_is_checked(self):
        with self.assertRaises(BadField):
            parse_bill(ROWS[0] | {"sent": "31.02.2025"})

    def test_due_is_checked(self):
        with self.assertRaises(BadField):
            parse_bill(ROWS[0] | {"due": "31.02.2025"})

    def test_net_is_checked(self):
        with self.assertRaises(BadField):
            parse_bill(ROWS[0] | {"net": "a lot"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_bill(ROWS[0] | {"kind": "unheard of"})

    def test_paid_is_checked(self):
        with self.assertRaises(BadField):
            parse_bill(ROWS[0] | {"paid": "perhaps"})

    def test_by_building(self):
        groups = lists.by_building(self.bills)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"H0622": 1, "H0474": 1, "H0063": 1, "H0725": 1})

    def test_find_sent_between(self):
        first, last = date(2024, 8, 31), date(2024, 10, 1)
        found = lists.find_sent_between(self.bills, first, last)
        self.assertEqual([item.code for item in found], ["B0219", "B0289"])

    def test_find_due_between(self):
        first, last = date(2024, 9, 12), date(2024, 10, 9)
        found = lists.find_due_between(self.bills, first, last)
        self.assertEqual([item.code for item in found], ["B0219", "B0289"])

    def test_total_net(self):
        self.assertEqual(lists.total_net(self.bills), Decimal("16195.40"))

    def test_net_of_each_kind(self):
        wanted = [("heat", Decimal("8971.04")), ("water", Decimal("4757.32")), ("power", Decimal("2467.04"))]
        self.assertEqual(lists.net_of_each_kind(self.bills), wanted)

    def test_largest_net(self):
        found = lists.largest_net(self.bills, 2)
        self.assertEqual([item.code for item in found], ["B0219", "B0375"])

    def test_by_kind(self):
        groups = lists.by_kind(self.bills)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"power": 1, "heat": 1, "water": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.bills), [("water", 2), ("heat", 1), ("power", 1)])

    def test_find_paid(self):
        found = lists.find_paid(self.bills)
        self.assertEqual([item.code for item in found], ["B0173", "B0219", "B0289"])


if __name__ == "__main__":
    unittest.main()
