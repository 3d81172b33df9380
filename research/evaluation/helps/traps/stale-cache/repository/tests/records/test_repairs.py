import unittest
from datetime import date
from decimal import Decimal

from room.kit.fields import BadField
from room.lists import repairs as lists
from room.records.repairs import REPAIRS, changes_of_repair, describe_repair, format_repair, parse_repair

ROWS = [
    {
        "code": "R0022",
        "book": "B0170",
        "begun": "2024-03-24",
        "done": "2024-04-20",
        "work": "cover",
        "hours": "14",
        "cost": "66.67",
    },
    {
        "code": "R0314",
        "book": "B0225",
        "begun": "2024-08-04",
        "done": "2024-08-21",
        "work": "cleaning",
        "hours": "9",
        "cost": "13.43",
    },
    {
        "code": "R0403",
        "book": "B0335",
        "begun": "2024-09-11",
        "done": "2024-11-01",
        "work": "cleaning",
        "hours": "6",
        "cost": "89.50",
    },
    {
        "code": "R0418",
        "book": "B0309",
        "begun": "2024-09-20",
        "done": "2024-10-16",
        "work": "pages",
        "hours": "14",
        "cost": "33.78",
    },
]


class RepairTest(unittest.TestCase):
    def setUp(self):
        self.repairs = [parse_repair(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_repair(item) for item in self.repairs], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(REPAIRS.read()), 165)
        self.assertEqual(REPAIRS.get("R0022"), self.repairs[0])

    def test_it_is_described(self):
        wanted = [
            "code: R0022",
            "book: B0170",
            "begun: 24.03.2024",
            "done: 20.04.2024",
            "work: cover",
            "hours: 14",
            "cost: 66.67",
        ]
        self.assertEqual(list(describe_repair(self.repairs[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_repair(self.repairs[0], self.repairs[1])
        wanted = ["code", "book", "begun", "done", "work", "hours", "cost"]
        self.assertEqual([name for name, _, _ in found], wanted)
        self.assertEqual(changes_of_repair(self.repairs[0], self.repairs[0]), [])

    def test_begun_is_checked(self):
        with self.assertRaises(BadField):
            parse_repair(ROWS[0] | {"begun": "31.02.2025"})

    def test_done_is_checked(self):
        with self.assertRaises(BadField):
            parse_repair(ROWS[0] | {"done": "31.02.2025"})

    def test_work_is_checked(self):
        with self.assertRaises(BadField):
            parse_repair(ROWS[0] | {"work": "unheard of"})

    def test_hours_is_checked(self):
        with self.assertRaises(BadField):
            parse_repair(ROWS[0] | {"hours": "several"})

    def test_cost_is_checked(self):
        with self.assertRaises(BadField):
            parse_repair(ROWS[0] | {"cost": "a lot"})

    def test_by_book(self):
        groups = lists.by_book(self.repairs)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"B0170": 1, "B0225": 1, "B0335": 1, "B0309": 1})

    def test_find_begun_between(self):
        first, last = date(2024, 8, 4), date(2024, 9, 11)
        found = lists.find_begun_between(self.repairs, first, last)
        self.assertEqual([item.code for item in found], ["R0314", "R0403"])

    def test_find_done_between(self):
        first, last = date(2024, 8, 21), date(2024, 10, 16)
        found = lists.find_done_between(self.repairs, first, last)
        self.assertEqual([item.code for item in found], ["R0314", "R0418"])

    def test_by_work(self):
        groups = lists.by_work(self.repairs)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"cover": 1, "cleaning": 2, "pages": 1})

    def test_count_works(self):
        self.assertEqual(lists.count_works(self.repairs), [("cleaning", 2), ("cover", 1), ("pages", 1)])

    def test_mean_hours(self):
        self.assertEqual(lists.mean_hours(self.repairs), 10.8)
        self.assertIsNone(lists.mean_hours([]))

    def test_at_least_hours(self):
        found = lists.at_least_hours(self.repairs, 14)
        self.assertEqual([item.code for item in found], ["R0022", "R0418"])

    def test_total_cost(self):
        self.assertEqual(lists.total_cost(self.repairs), Decimal("203.38"))

    def test_cost_of_each_work(self):
        wanted = [("cleaning", Decimal("102.93")), ("cover", Decimal("66.67")), ("pages", Decimal("33.78"))]
        self.assertEqual(lists.cost_of_each_work(self.repairs), wanted)

    def test_dearest_cost(self):
        found = lists.dearest_cost(self.repairs, 2)
        self.assertEqual([item.code for item in found], ["R0403", "R0022"])


if __name__ == "__main__":
    unittest.main()
