import unittest
from datetime import date

from ops.kit.fields import BadField
from ops.queries import deploys as lists
from ops.model.deploys import DEPLOYS, changes_of_deploy, describe_deploy, format_deploy, parse_deploy

ROWS = [
    {"code": "D0169", "day": "2024-09-19", "parts": "24", "minutes": "63", "end": "good"},
    {"code": "D0463", "day": "2024-12-31", "parts": "21", "minutes": "26", "end": "back"},
    {"code": "D0569", "day": "2025-02-07", "parts": "2", "minutes": "25", "end": "half"},
    {"code": "D0826", "day": "2025-06-02", "parts": "2", "minutes": "18", "end": "good"},
]


class DeployTest(unittest.TestCase):
    def setUp(self):
        self.deploys = [parse_deploy(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_deploy(item) for item in self.deploys], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(DEPLOYS.read()), 263)
        self.assertEqual(DEPLOYS.get("D0169"), self.deploys[0])

    def test_it_is_described(self):
        wanted = [
            "code: D0169",
            "day: 19.09.2024",
            "parts: 24",
            "minutes: 63",
            "end: good",
        ]
        self.assertEqual(list(describe_deploy(self.deploys[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_deploy(self.deploys[0], self.deploys[1])
        self.assertEqual([name for name, _, _ in found], ["code", "day", "parts", "minutes", "end"])
        self.assertEqual(changes_of_deploy(self.deploys[0], self.deploys[0]), [])

    def test_day_is_checked(self):
        with self.assertRaises(BadField):
            parse_deploy(ROWS[0] | {"day": "31.02.2025"})

    def test_parts_is_checked(self):
        with self.assertRaises(BadField):
            parse_deploy(ROWS[0] | {"parts": "several"})

    def test_minutes_is_checked(self):
        with self.assertRaises(BadField):
            parse_deploy(ROWS[0] | {"minutes": "several"})

    def test_end_is_checked(self):
        with self.assertRaises(BadField):
            parse_deploy(ROWS[0] | {"end": "unheard of"})

    def test_pick_day_between(self):
        first, last = date(2024, 12, 31), date(2025, 2, 7)
        found = lists.pick_day_between(self.deploys, first, last)
        self.assertEqual([item.code for item in found], ["D0463", "D0569"])

    def test_mean_parts(self):
        self.assertEqual(lists.mean_parts(self.deploys), 12.2)
        self.assertIsNone(lists.mean_parts([]))

    def test_at_least_parts(self):
        found = lists.at_least_parts(self.deploys, 21)
        self.assertEqual([item.code for item in found], ["D0169", "D0463"])

    def test_mean_minutes(self):
        self.assertEqual(lists.mean_minutes(self.deploys), 33.0)
        self.assertIsNone(lists.mean_minutes([]))

    def test_at_least_minutes(self):
        found = lists.at_least_minutes(self.deploys, 26)
        self.assertEqual([item.code for item in found], ["D0169", "D0463"])

    def test_group_by_end(self):
        groups = lists.group_by_end(self.deploys)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"good": 2, "back": 1, "half": 1})

    def test_count_ends(self):
        self.assertEqual(lists.count_ends(self.deploys), [("good", 2), ("back", 1), ("half", 1)])


if __name__ == "__main__":
    unittest.main()
