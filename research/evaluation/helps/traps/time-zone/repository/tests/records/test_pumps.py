import unittest
from datetime import date

from plant.kit.fields import BadField
from plant.lists import pumps as lists
from plant.records.pumps import PUMPS, changes_of_pump, describe_pump, format_pump, parse_pump

ROWS = [
    {"code": "P0182", "building": "H0415", "fitted": "2024-10-06", "watts": "119", "speed": "slow", "spare": "no"},
    {"code": "P0413", "building": "H0339", "fitted": "2025-01-09", "watts": "587", "speed": "mid", "spare": "no"},
    {"code": "P0534", "building": "H0309", "fitted": "2025-02-20", "watts": "835", "speed": "slow", "spare": "yes"},
    {"code": "P0603", "building": "H0446", "fitted": "2025-03-14", "watts": "461", "speed": "fast", "spare": "no"},
]


class PumpTest(unittest.TestCase):
    def setUp(self):
        self.pumps = [parse_pump(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_pump(item) for item in self.pumps], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(PUMPS.read()), 173)
        self.assertEqual(PUMPS.get("P0182"), self.pumps[0])

    def test_it_is_described(self):
        wanted = [
            "code: P0182",
            "building: H0415",
            "fitted: 06.10.2024",
            "watts: 119",
            "speed: slow",
        ]
        self.assertEqual(list(describe_pump(self.pumps[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_pump(self.pumps[0], self.pumps[1])
        self.assertEqual([name for name, _, _ in found], ["code", "building", "fitted", "watts", "speed"])
        self.assertEqual(changes_of_pump(self.pumps[0], self.pumps[0]), [])

    def test_fitted_is_checked(self):
        with self.assertRaises(BadField):
            parse_pump(ROWS[0] | {"fitted": "31.02.2025"})

    def test_watts_is_checked(self):
        with self.assertRaises(BadField):
            parse_pump(ROWS[0] | {"watts": "several"})

    def test_speed_is_checked(self):
        with self.assertRaises(BadField):
            parse_pump(ROWS[0] | {"speed": "unheard of"})

    def test_spare_is_checked(self):
        with self.assertRaises(BadField):
            parse_pump(ROWS[0] | {"spare": "perhaps"})

    def test_by_building(self):
        groups = lists.by_building(self.pumps)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"H0415": 1, "H0339": 1, "H0309": 1, "H0446": 1})

    def test_find_fitted_between(self):
        first, last = date(2025, 1, 9), date(2025, 2, 20)
        found = lists.find_fitted_between(self.pumps, first, last)
        self.assertEqual([item.code for item in found], ["P0413", "P0534"])

    def test_mean_watts(self):
        self.assertEqual(lists.mean_watts(self.pumps), 500.5)
        self.assertIsNone(lists.mean_watts([]))

    def test_at_least_watts(self):
        found = lists.at_least_watts(self.pumps, 587)
        self.assertEqual([item.code for item in found], ["P0413", "P0534"])

    def test_by_speed(self):
        groups = lists.by_speed(self.pumps)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"slow": 2, "mid": 1, "fast": 1})

    def test_count_speeds(self):
        self.assertEqual(lists.count_speeds(self.pumps), [("slow", 2), ("fast", 1), ("mid", 1)])

    def test_find_spare(self):
        found = lists.find_spare(self.pumps)
        self.assertEqual([item.code for item in found], ["P0534"])


if __name__ == "__main__":
    unittest.main()
