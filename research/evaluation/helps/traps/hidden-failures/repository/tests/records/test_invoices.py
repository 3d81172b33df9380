import unittest
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField
from office.lists import invoices as lists
from office.records.invoices import INVOICES, changes_of_invoice, describe_invoice, format_invoice, parse_invoice

ROWS = [
    {
        "code": "I0201",
        "project": "P0321",
        "sent": "2024-12-12",
        "due": "2024-12-18",
        "net": "2824.91",
        "state": "late",
    },
    {
        "code": "I0326",
        "project": "P0305",
        "sent": "2025-02-06",
        "due": "2025-03-02",
        "net": "3921.77",
        "state": "paid",
    },
    {
        "code": "I0433",
        "project": "P0222",
        "sent": "2025-03-21",
        "due": "2025-04-18",
        "net": "2896.26",
        "state": "late",
    },
    {
        "code": "I0533",
        "project": "P0105",
        "sent": "2025-05-01",
        "due": "2025-05-30",
        "net": "3584.19",
        "state": "paid",
    },
]


class InvoiceTest(unittest.TestCase):
    def setUp(self):
        self.invoices = [parse_invoice(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_invoice(item) for item in self.invoices], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(INVOICES.read()), 307)
        self.assertEqual(INVOICES.get("I0201"), self.invoices[0])

    def test_it_is_described(self):
        wanted = [
            "code: I0201",
            "project: P0321",
            "sent: 12.12.2024",
            "due: 18.12.2024",
            "net: 2,824.91",
            "state: late",
        ]
        self.assertEqual(list(describe_invoice(self.invoices[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_invoice(self.invoices[0], self.invoices[1])
        self.assertEqual([name for name, _, _ in found], ["code", "project", "sent", "due", "net", "state"])
        self.assertEqual(changes_of_invoice(self.invoices[0], self.invoices[0]), [])

    def test_sent_is_checked(self):
        with self.assertRaises(BadField):
            parse_invoice(ROWS[0] | {"sent": "31.02.2025"})

    def test_due_is_checked(self):
        with self.assertRaises(BadField):
            parse_invoice(ROWS[0] | {"due": "31.02.2025"})

    def test_net_is_checked(self):
        with self.assertRaises(BadField):
            parse_invoice(ROWS[0] | {"net": "a lot"})

    def test_state_is_checked(self):
        with self.assertRaises(BadField):
            parse_invoice(ROWS[0] | {"state": "unheard of"})

    def test_by_project(self):
        groups = lists.by_project(self.invoices)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"P0321": 1, "P0305": 1, "P0222": 1, "P0105": 1})

    def test_find_sent_between(self):
        first, last = date(2025, 2, 6), date(2025, 3, 21)
        found = lists.find_sent_between(self.invoices, first, last)
        self.assertEqual([item.code for item in found], ["I0326", "I0433"])

    def test_find_due_between(self):
        first, last = date(2025, 3, 2), date(2025, 4, 18)
        found = lists.find_due_between(self.invoices, first, last)
        self.assertEqual([item.code for item in found], ["I0326", "I0433"])

    def test_total_net(self):
        self.assertEqual(lists.total_net(self.invoices), Decimal("13227.13"))

    def test_net_of_each_state(self):
        wanted = [("paid", Decimal("7505.96")), ("late", Decimal("5721.17"))]
        self.assertEqual(lists.net_of_each_state(self.invoices), wanted)

    def test_largest_net(self):
        found = lists.largest_net(self.invoices, 2)
        self.assertEqual([item.code for item in found], ["I0326", "I0533"])

    def test_by_state(self):
        groups = lists.by_state(self.invoices)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"late": 2, "paid": 2})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.invoices), [("late", 2), ("paid", 2)])


if __name__ == "__main__":
    unittest.main()
