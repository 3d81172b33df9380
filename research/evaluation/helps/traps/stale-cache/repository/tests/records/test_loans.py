import unittest
from datetime import date

from room.kit.fields import BadField
from room.lists import loans as lists
from room.records.loans import LOANS, format_loan, parse_loan

ROWS = [
    {"code": "L0123", "book": "B0258", "lent": "2024-05-07", "due": "2024-05-14", "state": "back", "renewals": "0", "remark": "to the shed"},
    {"code": "L0318", "book": "B0191", "lent": "2024-07-29", "due": "2024-08-08", "state": "late", "renewals": "0", "remark": ""},
    {"code": "L0334", "book": "B0290", "lent": "2024-08-03", "due": "2024-09-23", "state": "lost", "renewals": "0", "remark": "see the list at the desk"},
    {"code": "L0366", "book": "B0418", "lent": "2024-08-16", "due": "2024-10-15", "state": "lost", "renewals": "3", "remark": "asked twice"},
]


class LoanTest(unittest.TestCase):
    def setUp(self):
        self.loans = [parse_loan(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_loan(item) for item in self.loans], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(LOANS.read()), 105)
        self.assertEqual(LOANS.get("L0123"), self.loans[0])

    def test_lent_is_checked(self):
        with self.assertRaises(BadField):
            parse_loan(ROWS[0] | {"lent": "31.02.2025"})

    def test_due_is_checked(self):
        with self.assertRaises(BadField):
            parse_loan(ROWS[0] | {"due": "31.02.2025"})

    def test_state_is_checked(self):
        with self.assertRaises(BadField):
            parse_loan(ROWS[0] | {"state": "unheard of"})

    def test_renewals_is_checked(self):
        with self.assertRaises(BadField):
            parse_loan(ROWS[0] | {"renewals": "several"})

    def test_by_book(self):
        groups = lists.by_book(self.loans)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"B0258": 1, "B0191": 1, "B0290": 1, "B0418": 1})

    def test_find_lent_between(self):
        first, last = date(2024, 7, 29), date(2024, 8, 3)
        self.assertEqual([item.code for item in lists.find_lent_between(self.loans, first, last)], ["L0318", "L0334"])

    def test_find_due_between(self):
        first, last = date(2024, 8, 8), date(2024, 9, 23)
        self.assertEqual([item.code for item in lists.find_due_between(self.loans, first, last)], ["L0318", "L0334"])

    def test_by_state(self):
        groups = lists.by_state(self.loans)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"back": 1, "late": 1, "lost": 2})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.loans), [("lost", 2), ("back", 1), ("late", 1)])

    def test_mean_renewals(self):
        self.assertEqual(lists.mean_renewals(self.loans), 0.8)
        self.assertIsNone(lists.mean_renewals([]))

    def test_at_least_renewals(self):
        self.assertEqual([item.code for item in lists.at_least_renewals(self.loans, 0)], ["L0123", "L0318", "L0334", "L0366"])


if __name__ == "__main__":
    unittest.main()
