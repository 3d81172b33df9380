import unittest
from datetime import date
from decimal import Decimal

from room.kit.fields import BadField
from room.lists import repairs as lists
from room.records.repairs import REPAIRS, format_repair, parse_repair

ROWS = [
    {"code": "R0038", "book": "B0377", "begun": "2024-10-13", "done": "2024-10-18", "work": "cover", "hours": "5", "cost": "18.63"},
    {"code": "R0291", "book": "B0015", "begun": "2025-02-04", "done": "2025-04-03", "work": "cover", "hours": "14", "cost": "34.60"},
    {"code": "R0317", "book": "B0414", "begun": "2025-02-22", "done": "2025-03-18", "work": "cover", "hours": "1", "cost": "79.77"},
    {"code": "R0462", "book": "B0395", "begun": "2025-04-24", "done": "2025-06-04", "work": "pages", "hours": "3", "cost": "68.15"},
]


class RepairTest(unittest.TestCase):
    def setUp(self):
        self.repairs = [parse_repair(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_repair(item) for item in self.repairs], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(REPAIRS.read()), 172)
        self.assertEqual(REPAIRS.get("R0038"), self.repairs[0])

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
        self.assertEqual(sizes, {"B0377": 1, "B0015": 1, "B0414": 1, "B0395": 1})

    def test_find_begun_between(self):
        first, last = date(2025, 2, 4), date(2025, 2, 22)
        self.assertEqual([item.code for item in lists.find_begun_between(self.repairs, first, last)], ["R0291", "R0317"])

    def test_find_done_between(self):
        first, last = date(2025, 3, 18), date(2025, 4, 3)
        self.assertEqual([item.code for item in lists.find_done_between(self.repairs, first, last)], ["R0291", "R0317"])

    def test_by_work(self):
        groups = lists.by_work(self.repairs)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"cover": 3, "pages": 1})

    def test_count_works(self):
        self.assertEqual(lists.count_works(self.repairs), [("cover", 3), ("pages", 1)])

    def test_mean_hours(self):
        self.assertEqual(lists.mean_hours(self.repairs), 5.8)
        self.assertIsNone(lists.mean_hours([]))

    def test_at_least_hours(self):
        self.assertEqual([item.code for item in lists.at_least_hours(self.repairs, 5)], ["R0038", "R0291"])

    def test_total_cost(self):
        self.assertEqual(lists.total_cost(self.repairs), Decimal("201.15"))

    def test_cost_of_each_work(self):
        self.assertEqual(lists.cost_of_each_work(self.repairs), [("cover", Decimal("133.00")), ("pages", Decimal("68.15"))])

    def test_dearest_cost(self):
        self.assertEqual([item.code for item in lists.dearest_cost(self.repairs, 2)], ["R0317", "R0462"])


if __name__ == "__main__":
    unittest.main()
