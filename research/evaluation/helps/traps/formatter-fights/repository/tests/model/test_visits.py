import unittest
from datetime import date

from apiary.kit.fields import BadField
from apiary.queries import visits as lists
from apiary.model.visits import VISITS, changes_of_visit, describe_visit, format_visit, parse_visit

ROWS = [
    {
        "code": "V0221",
        "hive": "H0294",
        "day": "2024-06-10",
        "minutes": "46",
        "state": "busy",
        "remark": "with gloves",
    },
    {
        "code": "V0529",
        "hive": "H0533",
        "day": "2024-11-06",
        "minutes": "38",
        "state": "calm",
        "remark": "one frame moved",
    },
    {
        "code": "V0566",
        "hive": "H0381",
        "day": "2024-11-23",
        "minutes": "30",
        "state": "calm",
        "remark": "weighed twice",
    },
    {"code": "V0697", "hive": "H0099", "day": "2025-02-02", "minutes": "32", "state": "angry", "remark": ""},
]


class VisitTest(unittest.TestCase):
    def setUp(self):
        self.visits = [parse_visit(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_visit(item) for item in self.visits], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(VISITS.read()), 240)
        self.assertEqual(VISITS.get("V0221"), self.visits[0])

    def test_it_is_described(self):
        wanted = [
            "code: V0221",
            "hive: H0294",
            "day: 10.06.2024",
            "minutes: 46",
            "state: busy",
            "remark: with gloves",
        ]
        self.assertEqual(list(describe_visit(self.visits[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_visit(self.visits[0], self.visits[1])
        self.assertEqual([name for name, _, _ in found], ["code", "hive", "day", "minutes", "state", "remark"])
        self.assertEqual(changes_of_visit(self.visits[0], self.visits[0]), [])

    def test_day_is_checked(self):
        with self.assertRaises(BadField):
            parse_visit(ROWS[0] | {"day": "31.02.2025"})

    def test_minutes_is_checked(self):
        with self.assertRaises(BadField):
            parse_visit(ROWS[0] | {"minutes": "several"})

    def test_state_is_checked(self):
        with self.assertRaises(BadField):
            parse_visit(ROWS[0] | {"state": "unheard of"})

    def test_group_by_hive(self):
        groups = lists.group_by_hive(self.visits)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"H0294": 1, "H0533": 1, "H0381": 1, "H0099": 1})

    def test_pick_day_between(self):
        first, last = date(2024, 11, 6), date(2024, 11, 23)
        found = lists.pick_day_between(self.visits, first, last)
        self.assertEqual([item.code for item in found], ["V0529", "V0566"])

    def test_mean_minutes(self):
        self.assertEqual(lists.mean_minutes(self.visits), 36.5)
        self.assertIsNone(lists.mean_minutes([]))

    def test_at_least_minutes(self):
        found = lists.at_least_minutes(self.visits, 38)
        self.assertEqual([item.code for item in found], ["V0221", "V0529"])

    def test_group_by_state(self):
        groups = lists.group_by_state(self.visits)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"busy": 1, "calm": 2, "angry": 1})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.visits), [("calm", 2), ("angry", 1), ("busy", 1)])


if __name__ == "__main__":
    unittest.main()
