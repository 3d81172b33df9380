import unittest
from datetime import date
from decimal import Decimal

from depot.kit.fields import BadField
from depot.summaries import claims as lists
from depot.entities.claims import CLAIMS, format_claim, parse_claim

ROWS = [
    {"code": "C0006", "branch": "B0427", "sent": "2024-09-10", "amount": "389.66", "why": "wet", "state": "paid"},
    {"code": "C0459", "branch": "B0790", "sent": "2025-03-27", "amount": "157.45", "why": "broken", "state": "new"},
    {"code": "C0490", "branch": "B1067", "sent": "2025-04-08", "amount": "187.15", "why": "late", "state": "new"},
    {"code": "C0799", "branch": "B0493", "sent": "2025-08-29", "amount": "194.09", "why": "late", "state": "new"},
]


class ClaimTest(unittest.TestCase):
    def setUp(self):
        self.claims = [parse_claim(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_claim(item) for item in self.claims], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(CLAIMS.read()), 289)
        self.assertEqual(CLAIMS.get("C0006"), self.claims[0])

    def test_sent_is_checked(self):
        with self.assertRaises(BadField):
            parse_claim(ROWS[0] | {"sent": "31.02.2025"})

    def test_amount_is_checked(self):
        with self.assertRaises(BadField):
            parse_claim(ROWS[0] | {"amount": "a lot"})

    def test_why_is_checked(self):
        with self.assertRaises(BadField):
            parse_claim(ROWS[0] | {"why": "unheard of"})

    def test_state_is_checked(self):
        with self.assertRaises(BadField):
            parse_claim(ROWS[0] | {"state": "unheard of"})

    def test_per_branch(self):
        groups = lists.per_branch(self.claims)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"B0427": 1, "B0790": 1, "B1067": 1, "B0493": 1})

    def test_select_sent_between(self):
        first, last = date(2025, 3, 27), date(2025, 4, 8)
        self.assertEqual([item.code for item in lists.select_sent_between(self.claims, first, last)], ["C0459", "C0490"])

    def test_add_up_amount(self):
        self.assertEqual(lists.add_up_amount(self.claims), Decimal("928.35"))

    def test_amount_of_each_why(self):
        self.assertEqual(lists.amount_of_each_why(self.claims), [("wet", Decimal("389.66")), ("late", Decimal("381.24")), ("broken", Decimal("157.45"))])

    def test_largest_amount(self):
        self.assertEqual([item.code for item in lists.largest_amount(self.claims, 2)], ["C0006", "C0799"])

    def test_per_why(self):
        groups = lists.per_why(self.claims)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"wet": 1, "broken": 1, "late": 2})

    def test_count_whys(self):
        self.assertEqual(lists.count_whys(self.claims), [("late", 2), ("broken", 1), ("wet", 1)])

    def test_per_state(self):
        groups = lists.per_state(self.claims)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"paid": 1, "new": 3})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.claims), [("new", 3), ("paid", 1)])


if __name__ == "__main__":
    unittest.main()
