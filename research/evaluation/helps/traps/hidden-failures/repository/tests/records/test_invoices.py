import unittest
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField
from office.lists import invoices as lists
from office.records.invoices import INVOICES, changes_of_invoice, describe_invoice, format_invoice, parse_invoice

ROWS = [
    {
        "code": "I0026",
        "project": "P0363",
        "sent": "2024-09-28",
        "due": "2024-11-27",
        "net": "533.37",
        "state": "paid",
    },
    {
        "code": "I0519",
        "project": "P0179",
        "sent": "2025-04-22",
        "due": "2025-06-17",
        "net": "3355.96",
        "state": "late",
    },
    {
        "code": "I0766",
        "project": "P0286",
        "sent": "2025-08-08",
        "due": "2025-10-06",
        "net": "3224.34",
        "state": "paid",
    },
    {
        "code": "I1106",
        "project": "P0222",
        "sent": "2025-12-06",
        "due": "2026-01-22",
        "net": "2927.09",
        "state": "sent",
    },
]


class InvoiceTest(unittest.TestCase):
    def setUp(self):
        self.invoices = [parse_invoice(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_invoice(item) for item in self.invoices], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(INVOICES.read()), 307)
        self.assertEqual(INVOICES.get("I0026"), self.invoices[0])

    def test_it_is_described(self):
        wanted = [
            "code: I0026",
            "project: P0363",
            "sent: 28.09.2024",
            "due: 27.11.2024",
            "net: 533.37",
            "state: paid",
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
        self.assertEqual(sizes, {"P0363": 1, "P0179": 1, "P0286": 1, "P0222": 1})

    def test_find_sent_between(self):
        first, last = date(2025, 4, 22), date(2025, 8, 8)
        found = lists.find_sent_between(self.invoices, first, last)
        self.assertEqual([item.code for item in found], ["I0519", "I0766"])

    def test_find_due_between(self):
        first, last = date(2025, 6, 17), date(2025, 10, 6)
        found = lists.find_due_between(self.invoices, first, last)
        self.assertEqual([item.code for item in found], ["I0519", "I0766"])

    def test_total_net(self):
        self.assertEqual(lists.total_net(self.invoices), Decimal("10040.76"))

    def test_net_of_each_state(self):
        wanted = [("paid", Decimal("3757.71")), ("late", Decimal("3355.96")), ("sent", Decimal("2927.09"))]
        self.assertEqual(lists.net_of_each_state(self.invoices), wanted)

    def test_largest_net(self):
        found = lists.largest_net(self.invoices, 2)
        self.assertEqual([item.code for item in found], ["I0519", "I0766"])

    def test_by_state(self):
        groups = lists.by_state(self.invoices)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"paid": 2, "late": 1, "sent": 1})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.invoices), [("paid", 2), ("late", 1), ("sent", 1)])


if __name__ == "__main__":
    unittest.main()
