import unittest
from datetime import date
from decimal import Decimal

from house.kit.fields import BadField
from house.queries import takings as lists
from house.model.takings import TAKINGS, changes_of_taking, describe_taking, format_taking, parse_taking

ROWS = [
    {"code": "D0094", "day": "2024-07-22", "desk": "cafe", "cash": "115.42", "card": "616.00", "tickets": "46"},
    {"code": "D0277", "day": "2024-09-22", "desk": "cafe", "cash": "744.95", "card": "223.06", "tickets": "355"},
    {"code": "D0309", "day": "2024-10-08", "desk": "cafe", "cash": "143.39", "card": "431.86", "tickets": "536"},
    {"code": "D0815", "day": "2025-04-11", "desk": "north", "cash": "716.67", "card": "1299.14", "tickets": "219"},
]


class TakingTest(unittest.TestCase):
    def setUp(self):
        self.takings = [parse_taking(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_taking(item) for item in self.takings], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(TAKINGS.read()), 221)
        self.assertEqual(TAKINGS.get("D0094"), self.takings[0])

    def test_it_is_described(self):
        wanted = [
            "code: D0094",
            "day: 22.07.2024",
            "desk: cafe",
            "cash: 115.42",
            "card: 616.00",
            "tickets: 46",
        ]
        self.assertEqual(list(describe_taking(self.takings[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_taking(self.takings[0], self.takings[1])
        self.assertEqual([name for name, _, _ in found], ["code", "day", "cash", "card", "tickets"])
        self.assertEqual(changes_of_taking(self.takings[0], self.takings[0]), [])

    def test_day_is_checked(self):
        with self.assertRaises(BadField):
            parse_taking(ROWS[0] | {"day": "31.02.2025"})

    def test_desk_is_checked(self):
        with self.assertRaises(BadField):
            parse_taking(ROWS[0] | {"desk": "unheard of"})

    def test_cash_is_checked(self):
        with self.assertRaises(BadField):
            parse_taking(ROWS[0] | {"cash": "a lot"})

    def test_card_is_checked(self):
        with self.assertRaises(BadField):
            parse_taking(ROWS[0] | {"card": "a lot"})

    def test_tickets_is_checked(self):
        with self.assertRaises(BadField):
            parse_taking(ROWS[0] | {"tickets": "several"})

    def test_pick_day_between(self):
        first, last = date(2024, 9, 22), date(2024, 10, 8)
        found = lists.pick_day_between(self.takings, first, last)
        self.assertEqual([item.code for item in found], ["D0277", "D0309"])

    def test_group_by_desk(self):
        groups = lists.group_by_desk(self.takings)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"cafe": 3, "north": 1})

    def test_count_desks(self):
        self.assertEqual(lists.count_desks(self.takings), [("cafe", 3), ("north", 1)])

    def test_sum_of_cash(self):
        self.assertEqual(lists.sum_of_cash(self.takings), Decimal("1720.43"))

    def test_cash_of_each_desk(self):
        wanted = [("cafe", Decimal("1003.76")), ("north", Decimal("716.67"))]
        self.assertEqual(lists.cash_of_each_desk(self.takings), wanted)

    def test_largest_cash(self):
        found = lists.largest_cash(self.takings, 2)
        self.assertEqual([item.code for item in found], ["D0277", "D0815"])

    def test_sum_of_card(self):
        self.assertEqual(lists.sum_of_card(self.takings), Decimal("2570.06"))

    def test_card_of_each_desk(self):
        wanted = [("north", Decimal("1299.14")), ("cafe", Decimal("1270.92"))]
        self.assertEqual(lists.card_of_each_desk(self.takings), wanted)

    def test_largest_card(self):
        found = lists.largest_card(self.takings, 2)
        self.assertEqual([item.code for item in found], ["D0815", "D0094"])

    def test_mean_tickets(self):
        self.assertEqual(lists.mean_tickets(self.takings), 289.0)
        self.assertIsNone(lists.mean_tickets([]))

    def test_at_least_tickets(self):
        found = lists.at_least_tickets(self.takings, 355)
        self.assertEqual([item.code for item in found], ["D0277", "D0309"])


if __name__ == "__main__":
    unittest.main()
