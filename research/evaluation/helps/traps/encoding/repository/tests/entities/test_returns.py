import unittest
from datetime import date
from decimal import Decimal

from shop.kit.fields import BadField
from shop.summaries import returns as lists
from shop.entities.returns import (
    RETURNS,
    changes_of_return_note,
    describe_return_note,
    format_return_note,
    parse_return_note,
)

ROWS = [
    {"code": "T0017", "day": "2024-06-25", "why": "old", "amount": "36.56", "pieces": "5", "remark": ""},
    {
        "code": "T0165",
        "day": "2024-09-08",
        "why": "broken",
        "amount": "18.00",
        "pieces": "4",
        "remark": "two boxes wet",
    },
    {
        "code": "T0417",
        "day": "2024-12-13",
        "why": "old",
        "amount": "4.06",
        "pieces": "3",
        "remark": "paid at the door",
    },
    {"code": "T0599", "day": "2025-02-14", "why": "old", "amount": "1.00", "pieces": "4", "remark": ""},
]


class ReturnNoteTest(unittest.TestCase):
    def setUp(self):
        self.returns = [parse_return_note(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_return_note(item) for item in self.returns], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(RETURNS.read()), 190)
        self.assertEqual(RETURNS.get("T0017"), self.returns[0])

    def test_it_is_described(self):
        wanted = [
            "code: T0017",
            "day: 25.06.2024",
            "why: old",
            "amount: 36.56",
            "pieces: 5",
        ]
        self.assertEqual(list(describe_return_note(self.returns[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_return_note(self.returns[0], self.returns[1])
        self.assertEqual([name for name, _, _ in found], ["code", "day", "why", "amount", "pieces", "remark"])
        self.assertEqual(changes_of_return_note(self.returns[0], self.returns[0]), [])

    def test_day_is_checked(self):
        with self.assertRaises(BadField):
            parse_return_note(ROWS[0] | {"day": "31.02.2025"})

    def test_why_is_checked(self):
        with self.assertRaises(BadField):
            parse_return_note(ROWS[0] | {"why": "unheard of"})

    def test_amount_is_checked(self):
        with self.assertRaises(BadField):
            parse_return_note(ROWS[0] | {"amount": "a lot"})

    def test_pieces_is_checked(self):
        with self.assertRaises(BadField):
            parse_return_note(ROWS[0] | {"pieces": "several"})

    def test_select_day_between(self):
        first, last = date(2024, 9, 8), date(2024, 12, 13)
        found = lists.select_day_between(self.returns, first, last)
        self.assertEqual([item.code for item in found], ["T0165", "T0417"])

    def test_per_why(self):
        groups = lists.per_why(self.returns)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"old": 3, "broken": 1})

    def test_count_whys(self):
        self.assertEqual(lists.count_whys(self.returns), [("old", 3), ("broken", 1)])

    def test_add_up_amount(self):
        self.assertEqual(lists.add_up_amount(self.returns), Decimal("59.62"))

    def test_amount_of_each_why(self):
        wanted = [("old", Decimal("41.62")), ("broken", Decimal("18.00"))]
        self.assertEqual(lists.amount_of_each_why(self.returns), wanted)

    def test_largest_amount(self):
        found = lists.largest_amount(self.returns, 2)
        self.assertEqual([item.code for item in found], ["T0017", "T0165"])

    def test_mean_pieces(self):
        self.assertEqual(lists.mean_pieces(self.returns), 4.0)
        self.assertIsNone(lists.mean_pieces([]))

    def test_at_least_pieces(self):
        found = lists.at_least_pieces(self.returns, 4)
        self.assertEqual([item.code for item in found], ["T0017", "T0165", "T0599"])


if __name__ == "__main__":
    unittest.main()
