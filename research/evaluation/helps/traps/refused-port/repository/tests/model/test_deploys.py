import unittest
from datetime import date

from ops.kit.fields import BadField
from ops.queries import deploys as lists
from ops.model.deploys import DEPLOYS, format_deploy, parse_deploy

ROWS = [
    {"code": "D0037", "day": "2024-03-12", "parts": "24", "minutes": "21", "end": "half"},
    {"code": "D0050", "day": "2024-03-13", "parts": "1", "minutes": "38", "end": "back"},
    {"code": "D0834", "day": "2024-12-22", "parts": "6", "minutes": "59", "end": "good"},
    {"code": "D0945", "day": "2025-02-03", "parts": "13", "minutes": "43", "end": "good"},
]


class DeployTest(unittest.TestCase):
    def setUp(self):
        self.deploys = [parse_deploy(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_deploy(item) for item in self.deploys], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(DEPLOYS.read()), 265)
        self.assertEqual(DEPLOYS.get("D0037"), self.deploys[0])

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
        first, last = date(2024, 3, 13), date(2024, 12, 22)
        self.assertEqual([item.code for item in lists.pick_day_between(self.deploys, first, last)], ["D0050", "D0834"])

    def test_mean_parts(self):
        self.assertEqual(lists.mean_parts(self.deploys), 11.0)
        self.assertIsNone(lists.mean_parts([]))

    def test_at_least_parts(self):
        self.assertEqual([item.code for item in lists.at_least_parts(self.deploys, 13)], ["D0037", "D0945"])

    def test_mean_minutes(self):
        self.assertEqual(lists.mean_minutes(self.deploys), 40.2)
        self.assertIsNone(lists.mean_minutes([]))

    def test_at_least_minutes(self):
        self.assertEqual([item.code for item in lists.at_least_minutes(self.deploys, 43)], ["D0834", "D0945"])

    def test_group_by_end(self):
        groups = lists.group_by_end(self.deploys)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"half": 1, "back": 1, "good": 2})

    def test_count_ends(self):
        self.assertEqual(lists.count_ends(self.deploys), [("good", 2), ("back", 1), ("half", 1)])


if __name__ == "__main__":
    unittest.main()
