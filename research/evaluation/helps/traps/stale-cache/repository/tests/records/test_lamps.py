import unittest
from datetime import date

from room.kit.fields import BadField
from room.lists import lamps as lists
from room.records.lamps import LAMPS, format_lamp, parse_lamp

ROWS = [
    {"code": "P0157", "place": "Early road", "fitted": "2024-11-02", "watts": "30", "socket": "G9", "broken": "no"},
    {"code": "P0266", "place": "Long shore", "fitted": "2024-12-18", "watts": "58", "socket": "E14", "broken": "no"},
    {"code": "P0470", "place": "Warm orchard", "fitted": "2025-03-13", "watts": "5", "socket": "E27", "broken": "no"},
    {"code": "P0606", "place": "Little field 9", "fitted": "2025-05-02", "watts": "3", "socket": "G9", "broken": "no"},
]


class LampTest(unittest.TestCase):
    def setUp(self):
        self.lamps = [parse_lamp(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_lamp(item) for item in self.lamps], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(LAMPS.read()), 184)
        self.assertEqual(LAMPS.get("P0157"), self.lamps[0])

    def test_fitted_is_checked(self):
        with self.assertRaises(BadField):
            parse_lamp(ROWS[0] | {"fitted": "31.02.2025"})

    def test_watts_is_checked(self):
        with self.assertRaises(BadField):
            parse_lamp(ROWS[0] | {"watts": "several"})

    def test_socket_is_checked(self):
        with self.assertRaises(BadField):
            parse_lamp(ROWS[0] | {"socket": "unheard of"})

    def test_broken_is_checked(self):
        with self.assertRaises(BadField):
            parse_lamp(ROWS[0] | {"broken": "perhaps"})

    def test_search_place(self):
        self.assertEqual([item.code for item in lists.search_place(self.lamps, "LONG")], ["P0266"])

    def test_find_fitted_between(self):
        first, last = date(2024, 12, 18), date(2025, 3, 13)
        self.assertEqual([item.code for item in lists.find_fitted_between(self.lamps, first, last)], ["P0266", "P0470"])

    def test_mean_watts(self):
        self.assertEqual(lists.mean_watts(self.lamps), 24.0)
        self.assertIsNone(lists.mean_watts([]))

    def test_at_least_watts(self):
        self.assertEqual([item.code for item in lists.at_least_watts(self.lamps, 30)], ["P0157", "P0266"])

    def test_by_socket(self):
        groups = lists.by_socket(self.lamps)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"G9": 2, "E14": 1, "E27": 1})

    def test_count_sockets(self):
        self.assertEqual(lists.count_sockets(self.lamps), [("G9", 2), ("E14", 1), ("E27", 1)])

    def test_find_broken(self):
        self.assertEqual([item.code for item in lists.find_broken(self.lamps)], [])


if __name__ == "__main__":
    unittest.main()
