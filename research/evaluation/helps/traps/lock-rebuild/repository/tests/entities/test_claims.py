import unittest
from datetime import date
from decimal import Decimal

from depot.kit.fields import BadField
from depot.summaries import claims as lists
from depot.entities.claims import CLAIMS, changes_of_claim, describe_claim, format_claim, parse_claim

ROWS = [
    {"code": "C0137", "branch": "B0887", "sent": "2024-09-07", "amount": "23.80", "why": "late", "state": "paid"},
    {
        "code": "C0157",
        "branch": "B0195",
        "sent": "2024-09-13",
        "amount": "292.14",
        "why": "lost",
        "state": "refused",
    },
    {"code": "C0278", "branch": "B0322", "sent": "2024-11-09", "amount": "23.11", "why": "wet", "state": "refused"},
    {
        "code": "C0815",
        "branch": "B1141",
        "sent": "2025-07-07",
        "amount": "275.71",
        "why": "broken",
        "state": "paid",
    },
]


class ClaimTest(unittest.TestCase):
    def setUp(self):
        self.claims = [parse_claim(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_claim(item) for item in self.claims], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(CLAIMS.read()), 239)
        self.assertEqual(CLAIMS.get("C0137"), self.claims[0])

    def test_it_is_described(self):
        wanted = [
            "code: C0137",
            "branch: B0887",
            "sent: 07.09.2024",
            "amount: 23.80",
            "why: late",
            "state: paid",
        ]
        self.assertEqual(list(describe_claim(self.claims[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_claim(self.claims[0], self.claims[1])
        self.assertEqual([name for name, _, _ in found], ["code", "branch", "sent", "amount", "why", "state"])
        self.assertEqual(changes_of_claim(self.claims[0], self.claims[0]), [])

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
        self.assertEqual(sizes, {"B0887": 1, "B0195": 1, "B0322": 1, "B1141": 1})

    def test_select_sent_between(self):
        first, last = date(2024, 9, 13), date(2024, 11, 9)
        found = lists.select_sent_between(self.claims, first, last)
        self.assertEqual([item.code for item in found], ["C0157", "C0278"])

    def test_add_up_amount(self):
        self.assertEqual(lists.add_up_amount(self.claims), Decimal("614.76"))

    def test_amount_of_each_why(self):
        wanted = [
            ("lost", Decimal("292.14")),
            ("broken", Decimal("275.71")),
            ("late", Decimal("23.80")),
            ("wet", Decimal("23.11")),
        ]
        self.assertEqual(lists.amount_of_each_why(self.claims), wanted)

    def test_largest_amount(self):
        found = lists.largest_amount(self.claims, 2)
        self.assertEqual([item.code for item in found], ["C0157", "C0815"])

    def test_per_why(self):
        groups = lists.per_why(self.claims)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"late": 1, "lost": 1, "wet": 1, "broken": 1})

    def test_count_whys(self):
        self.assertEqual(lists.count_whys(self.claims), [("broken", 1), ("late", 1), ("lost", 1), ("wet", 1)])

    def test_per_state(self):
        groups = lists.per_state(self.claims)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"paid": 2, "refused": 2})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.claims), [("paid", 2), ("refused", 2)])


if __name__ == "__main__":
    unittest.main()
