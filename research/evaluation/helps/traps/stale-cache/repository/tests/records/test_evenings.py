import unittest
from datetime import date
from decimal import Decimal

from room.kit.fields import BadField
from room.lists import evenings as lists
from room.records.evenings import EVENINGS, format_evening, parse_evening

ROWS = [
    {"code": "E0039", "title": "Northern meadow evening", "held": "2024-10-22", "seats": "36", "guests": "11", "entry": "7.26", "kind": "reading", "full": "no"},
    {"code": "E0262", "title": "Salt coat evening", "held": "2025-02-03", "seats": "15", "guests": "11", "entry": "4.00", "kind": "games", "full": "no"},
    {"code": "E0465", "title": "Second coat evening", "held": "2025-05-05", "seats": "19", "guests": "53", "entry": "5.91", "kind": "music", "full": "no"},
    {"code": "E0470", "title": "Little river evening", "held": "2025-05-06", "seats": "56", "guests": "29", "entry": "5.68", "kind": "music", "full": "no"},
]


class EveningTest(unittest.TestCase):
    def setUp(self):
        self.evenings = [parse_evening(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_evening(item) for item in self.evenings], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(EVENINGS.read()), 144)
        self.assertEqual(EVENINGS.get("E0039"), self.evenings[0])

    def test_held_is_checked(self):
        with self.assertRaises(BadField):
            parse_evening(ROWS[0] | {"held": "31.02.2025"})

    def test_seats_is_checked(self):
        with self.assertRaises(BadField):
            parse_evening(ROWS[0] | {"seats": "several"})

    def test_guests_is_checked(self):
        with self.assertRaises(BadField):
            parse_evening(ROWS[0] | {"guests": "several"})

    def test_entry_is_checked(self):
        with self.assertRaises(BadField):
            parse_evening(ROWS[0] | {"entry": "a lot"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_evening(ROWS[0] | {"kind": "unheard of"})

    def test_full_is_checked(self):
        with self.assertRaises(BadField):
            parse_evening(ROWS[0] | {"full": "perhaps"})

    def test_search_title(self):
        self.assertEqual([item.code for item in lists.search_title(self.evenings, "SALT")], ["E0262"])

    def test_find_held_between(self):
        first, last = date(2025, 2, 3), date(2025, 5, 5)
        self.assertEqual([item.code for item in lists.find_held_between(self.evenings, first, last)], ["E0262", "E0465"])

    def test_mean_seats(self):
        self.assertEqual(lists.mean_seats(self.evenings), 31.5)
        self.assertIsNone(lists.mean_seats([]))

    def test_at_least_seats(self):
        self.assertEqual([item.code for item in lists.at_least_seats(self.evenings, 36)], ["E0039", "E0470"])

    def test_mean_guests(self):
        self.assertEqual(lists.mean_guests(self.evenings), 26.0)
        self.assertIsNone(lists.mean_guests([]))

    def test_at_least_guests(self):
        self.assertEqual([item.code for item in lists.at_least_guests(self.evenings, 29)], ["E0465", "E0470"])

    def test_total_entry(self):
        self.assertEqual(lists.total_entry(self.evenings), Decimal("22.85"))

    def test_entry_of_each_kind(self):
        self.assertEqual(lists.entry_of_each_kind(self.evenings), [("music", Decimal("11.59")), ("reading", Decimal("7.26")), ("games", Decimal("4.00"))])

    def test_largest_entry(self):
        self.assertEqual([item.code for item in lists.largest_entry(self.evenings, 2)], ["E0039", "E0465"])

    def test_by_kind(self):
        groups = lists.by_kind(self.evenings)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"reading": 1, "games": 1, "music": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.evenings), [("music", 2), ("games", 1), ("reading", 1)])

    def test_find_full(self):
        self.assertEqual([item.code for item in lists.find_full(self.evenings)], [])


if __name__ == "__main__":
    unittest.main()
