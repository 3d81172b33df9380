import unittest
from datetime import date
from decimal import Decimal

from depot.kit.fields import BadField
from depot.summaries import delays as lists
from depot.entities.delays import DELAYS, changes_of_delay, describe_delay, format_delay, parse_delay

ROWS = [
    {"code": "D0127", "day": "2024-03-24", "hours": "24.72", "why": "strike", "parcels": "262"},
    {"code": "D0415", "day": "2024-06-26", "hours": "32.61", "why": "strike", "parcels": "2115"},
    {"code": "D0646", "day": "2024-10-04", "hours": "1.03", "why": "breakdown", "parcels": "1485"},
    {"code": "D0957", "day": "2025-02-28", "hours": "34.63", "why": "snow", "parcels": "598"},
]


class DelayTest(unittest.TestCase):
    def setUp(self):
        self.delays = [parse_delay(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_delay(item) for item in self.delays], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(DELAYS.read()), 240)
        self.assertEqual(DELAYS.get("D0127"), self.delays[0])

    def test_it_is_described(self):
        wanted = [
            "code: D0127",
            "day: 24.03.2024",
            "hours: 24.72",
            "why: strike",
            "parcels: 262",
        ]
        self.assertEqual(list(describe_delay(self.delays[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_delay(self.delays[0], self.delays[1])
        self.assertEqual([name for name, _, _ in found], ["code", "day", "hours", "parcels"])
        self.assertEqual(changes_of_delay(self.delays[0], self.delays[0]), [])

    def test_day_is_checked(self):
        with self.assertRaises(BadField):
            parse_delay(ROWS[0] | {"day": "31.02.2025"})

    def test_hours_is_checked(self):
        with self.assertRaises(BadField):
            parse_delay(ROWS[0] | {"hours": "a lot"})

    def test_why_is_checked(self):
        with self.assertRaises(BadField):
            parse_delay(ROWS[0] | {"why": "unheard of"})

    def test_parcels_is_checked(self):
        with self.assertRaises(BadField):
            parse_delay(ROWS[0] | {"parcels": "several"})

    def test_select_day_between(self):
        first, last = date(2024, 6, 26), date(2024, 10, 4)
        found = lists.select_day_between(self.delays, first, last)
        self.assertEqual([item.code for item in found], ["D0415", "D0646"])

    def test_add_up_hours(self):
        self.assertEqual(lists.add_up_hours(self.delays), Decimal("92.99"))

    def test_hours_of_each_why(self):
        wanted = [("strike", Decimal("57.33")), ("snow", Decimal("34.63")), ("breakdown", Decimal("1.03"))]
        self.assertEqual(lists.hours_of_each_why(self.delays), wanted)

    def test_largest_hours(self):
        found = lists.largest_hours(self.delays, 2)
        self.assertEqual([item.code for item in found], ["D0957", "D0415"])

    def test_per_why(self):
        groups = lists.per_why(self.delays)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"strike": 2, "breakdown": 1, "snow": 1})

    def test_count_whys(self):
        self.assertEqual(lists.count_whys(self.delays), [("strike", 2), ("breakdown", 1), ("snow", 1)])

    def test_mean_parcels(self):
        self.assertEqual(lists.mean_parcels(self.delays), 1115.0)
        self.assertIsNone(lists.mean_parcels([]))

    def test_at_least_parcels(self):
        found = lists.at_least_parcels(self.delays, 1485)
        self.assertEqual([item.code for item in found], ["D0415", "D0646"])


if __name__ == "__main__":
    unittest.main()
