import unittest
from datetime import date

from plant.kit.fields import BadField
from plant.lists import sensors as lists
from plant.records.sensors import SENSORS, changes_of_sensor, describe_sensor, format_sensor, parse_sensor

ROWS = [
    {
        "code": "S0061",
        "building": "H0269",
        "fitted": "2024-03-07",
        "kind": "outside",
        "battery": "89",
        "wired": "yes",
    },
    {
        "code": "S0302",
        "building": "H0018",
        "fitted": "2024-07-02",
        "kind": "outside",
        "battery": "46",
        "wired": "no",
    },
    {"code": "S0475", "building": "H0515", "fitted": "2024-08-22", "kind": "flow", "battery": "44", "wired": "no"},
    {"code": "S0539", "building": "H0531", "fitted": "2024-09-19", "kind": "flow", "battery": "64", "wired": "no"},
]


class SensorTest(unittest.TestCase):
    def setUp(self):
        self.sensors = [parse_sensor(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_sensor(item) for item in self.sensors], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(SENSORS.read()), 145)
        self.assertEqual(SENSORS.get("S0061"), self.sensors[0])

    def test_it_is_described(self):
        wanted = [
            "code: S0061",
            "building: H0269",
            "fitted: 07.03.2024",
            "kind: outside",
            "battery: 89",
            "wired",
        ]
        self.assertEqual(list(describe_sensor(self.sensors[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_sensor(self.sensors[0], self.sensors[1])
        self.assertEqual([name for name, _, _ in found], ["code", "building", "fitted", "battery", "wired"])
        self.assertEqual(changes_of_sensor(self.sensors[0], self.sensors[0]), [])

    def test_fitted_is_checked(self):
        with self.assertRaises(BadField):
            parse_sensor(ROWS[0] | {"fitted": "31.02.2025"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_sensor(ROWS[0] | {"kind": "unheard of"})

    def test_battery_is_checked(self):
        with self.assertRaises(BadField):
            parse_sensor(ROWS[0] | {"battery": "several"})

    def test_wired_is_checked(self):
        with self.assertRaises(BadField):
            parse_sensor(ROWS[0] | {"wired": "perhaps"})

    def test_by_building(self):
        groups = lists.by_building(self.sensors)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"H0269": 1, "H0018": 1, "H0515": 1, "H0531": 1})

    def test_find_fitted_between(self):
        first, last = date(2024, 7, 2), date(2024, 8, 22)
        found = lists.find_fitted_between(self.sensors, first, last)
        self.assertEqual([item.code for item in found], ["S0302", "S0475"])

    def test_by_kind(self):
        groups = lists.by_kind(self.sensors)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"outside": 2, "flow": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.sensors), [("flow", 2), ("outside", 2)])

    def test_mean_battery(self):
        self.assertEqual(lists.mean_battery(self.sensors), 60.8)
        self.assertIsNone(lists.mean_battery([]))

    def test_at_least_battery(self):
        found = lists.at_least_battery(self.sensors, 64)
        self.assertEqual([item.code for item in found], ["S0061", "S0539"])

    def test_find_wired(self):
        found = lists.find_wired(self.sensors)
        self.assertEqual([item.code for item in found], ["S0061"])


if __name__ == "__main__":
    unittest.main()
