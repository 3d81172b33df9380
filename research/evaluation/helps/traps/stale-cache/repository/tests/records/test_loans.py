import unittest
from datetime import date

from room.kit.fields import BadField
from room.lists import loans as lists
from room.records.loans import LOANS, changes_of_loan, describe_loan, format_loan, parse_loan

ROWS = [
    {
        "code": "L0202",
        "book": "B0143",
        "lent": "2024-04-07",
        "due": "2024-04-22",
        "state": "out",
        "renewals": "3",
        "remark": "",
    },
    {
        "code": "L0277",
        "book": "B0071",
        "lent": "2024-04-21",
        "due": "2024-05-04",
        "state": "lost",
        "renewals": "1",
        "remark": "to the shed",
    },
    {
        "code": "L0519",
        "book": "B0079",
        "lent": "2024-07-26",
        "due": "2024-08-12",
        "state": "late",
        "renewals": "1",
        "remark": "stamp is missing",
    },
    {
        "code": "L0582",
        "book": "B0022",
        "lent": "2024-08-22",
        "due": "2024-08-28",
        "state": "out",
        "renewals": "2",
        "remark": "to the shed",
    },
]


class LoanTest(unittest.TestCase):
    def setUp(self):
        self.loans = [parse_loan(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_loan(item) for item in self.loans], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(LOANS.read()), 207)
        self.assertEqual(LOANS.get("L0202"), self.loans[0])

    def test_it_is_described(self):
        wanted = [
            "code: L0202",
            "book: B0143",
            "lent: 07.04.2024",
            "due: 22.04.2024",
            "state: out",
            "renewals: 3",
        ]
        self.assertEqual(list(describe_loan(self.loans[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_loan(self.loans[0], self.loans[1])
        wanted = ["code", "book", "lent", "due", "state", "renewals", "remark"]
        self.assertEqual([name for name, _, _ in found], wanted)
        self.assertEqual(changes_of_loan(self.loans[0], self.loans[0]), [])

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
        self.assertEqual(sizes, {"B0143": 1, "B0071": 1, "B0079": 1, "B0022": 1})

    def test_find_lent_between(self):
        first, last = date(2024, 4, 21), date(2024, 7, 26)
        found = lists.find_lent_between(self.loans, first, last)
        self.assertEqual([item.code for item in found], ["L0277", "L0519"])

    def test_find_due_between(self):
        first, last = date(2024, 5, 4), date(2024, 8, 12)
        found = lists.find_due_between(self.loans, first, last)
        self.assertEqual([item.code for item in found], ["L0277", "L0519"])

    def test_by_state(self):
        groups = lists.by_state(self.loans)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"out": 2, "lost": 1, "late": 1})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.loans), [("out", 2), ("late", 1), ("lost", 1)])

    def test_mean_renewals(self):
        self.assertEqual(lists.mean_renewals(self.loans), 1.8)
        self.assertIsNone(lists.mean_renewals([]))

    def test_at_least_renewals(self):
        found = lists.at_least_renewals(self.loans, 2)
        self.assertEqual([item.code for item in found], ["L0202", "L0582"])


if __name__ == "__main__":
    unittest.main()
