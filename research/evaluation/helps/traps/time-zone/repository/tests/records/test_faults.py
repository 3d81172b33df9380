import unittest
from datetime import date
from decimal import Decimal

from plant.kit.fields import BadField
from plant.lists import faults as lists
from plant.records.faults import FAULTS, changes_of_fault, describe_fault, format_fault, parse_fault

ROWS = [
    {
        "code": "F0053",
        "building": "H0575",
        "seen": "2024-10-07",
        "part": "sensor",
        "hours": "12.10",
        "mended": "no",
        "remark": "",
    },
    {
        "code": "F0373",
        "building": "H0217",
        "seen": "2025-02-23",
        "part": "boiler",
        "hours": "19.53",
        "mended": "yes",
        "remark": "read twice",
    },
    {
        "code": "F0383",
        "building": "H0123",
        "seen": "2025-02-28",
        "part": "boiler",
        "hours": "28.04",
        "mended": "no",
        "remark": "by photograph",
    },
    {
        "code": "F0498",
        "building": "H0466",
        "seen": "2025-04-18",
        "part": "sensor",
        "hours": "12.72",
        "mended": "no",
        "remark": "",
    },
]


class FaultTest(unittest.TestCase):
    def setUp(self):
        self.faults = [parse_fault(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_fault(item) for item in self.faults], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(FAULTS.read()), 131)
        self.assertEqual(FAULTS.get("F0053"), self.faults[0])

    def test_it_is_described(self):
        wanted = [
            "code: F0053",
            "building: H0575",
            "seen: 07.10.2024",
            "part: sensor",
            "hours: 12.10",
        ]
        self.assertEqual(list(describe_fault(self.faults[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_fault(self.faults[0], self.faults[1])
        wanted = ["code", "building", "seen", "part", "hours", "mended", "remark"]
        self.assertEqual([name for name, _, _ in found], wanted)
        self.assertEqual(changes_of_fault(self.faults[0], self.faults[0]), [])

    def test_seen_is_checked(self):
        with self.assertRaises(BadField):
            parse_fault(ROWS[0] | {"seen": "31.02.2025"})

    def test_part_is_checked(self):
        with self.assertRaises(BadField):
            parse_fault(ROWS[0] | {"part": "unheard of"})

    def test_hours_is_checked(self):
        with self.assertRaises(BadField):
            parse_fault(ROWS[0] | {"hours": "a lot"})

    def test_mended_is_checked(self):
        with self.assertRaises(BadField):
            parse_fault(ROWS[0] | {"mended": "perhaps"})

    def test_by_building(self):
        groups = lists.by_building(self.faults)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"H0575": 1, "H0217": 1, "H0123": 1, "H0466": 1})

    def test_find_seen_between(self):
        first, last = date(2025, 2, 23), date(2025, 2, 28)
        found = lists.find_seen_between(self.faults, first, last)
        self.assertEqual([item.code for item in found], ["F0373", "F0383"])

    def test_by_part(self):
        groups = lists.by_part(self.faults)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"sensor": 2, "boiler": 2})

    def test_count_parts(self):
        self.assertEqual(lists.count_parts(self.faults), [("boiler", 2), ("sensor", 2)])

    def test_total_hours(self):
        self.assertEqual(lists.total_hours(self.faults), Decimal("72.39"))

    def test_hours_of_each_part(self):
        wanted = [("boiler", Decimal("47.57")), ("sensor", Decimal("24.82"))]
        self.assertEqual(lists.hours_of_each_part(self.faults), wanted)

    def test_largest_hours(self):
        found = lists.largest_hours(self.faults, 2)
        self.assertEqual([item.code for item in found], ["F0383", "F0373"])

    def test_find_mended(self):
        found = lists.find_mended(self.faults)
        self.assertEqual([item.code for item in found], ["F0373"])


if __name__ == "__main__":
    unittest.main()
