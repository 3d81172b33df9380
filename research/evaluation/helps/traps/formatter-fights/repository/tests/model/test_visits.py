import unittest
from datetime import date

from apiary.kit.fields import BadField
from apiary.queries import visits as lists
from apiary.model.visits import VISITS, changes_of_visit, describe_visit, format_visit, parse_visit

ROWS = [
    {
        "code": "V0030",
        "hive": "H0709",
        "day": "2024-03-24",
        "minutes": "33",
        "state": "empty",
        "remark": "weighed twice",
    },
    {"code": "V0245", "hive": "H0491", "day": "2024-06-18", "minutes": "36", "state": "busy", "remark": ""},
    {
        "code": "V0615",
        "hive": "H0471",
        "day": "2024-12-16",
        "minutes": "36",
        "state": "angry",
        "remark": "seen from afar",
    },
    {"code": "V0653", "hive": "H0310", "day": "2025-01-02", "minutes": "6", "state": "calm", "remark": ""},
]


class VisitTest(unittest.TestCase):
    def setUp(self):
        self.visits = [parse_visit(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_visit(item) for item in self.visits], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(VISITS.read()), 240)
        self.assertEqual(VISITS.get("V0030"), self.visits[0])

    def test_it_is_described(self):
        wanted = [
            "code: V0030",
            "hive: H0709",
            "day: 24.03.2024",
            "minutes: 33",
            "state: empty",
            "remark: weighed twice",
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
        self.assertEqual(sizes, {"H0709": 1, "H0491": 1, "H0471": 1, "H0310": 1})

    def test_pick_day_between(self):
        first, last = date(2024, 6, 18), date(2024, 12, 16)
        found = lists.pick_day_between(self.visits, first, last)
        self.assertEqual([item.code for item in found], ["V0245", "V0615"])

    def test_mean_minutes(self):
        self.assertEqual(lists.mean_minutes(self.visits), 27.8)
        self.assertIsNone(lists.mean_minutes([]))

    def test_at_least_minutes(self):
        found = lists.at_least_minutes(self.visits, 36)
        self.assertEqual([item.code for item in found], ["V0245", "V0615"])

    def test_group_by_state(self):
        groups = lists.group_by_state(self.visits)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"empty": 1, "busy": 1, "angry": 1, "calm": 1})

    def test_count_states(self):
        wanted = [("angry", 1), ("busy", 1), ("calm", 1), ("empty", 1)]
        self.assertEqual(lists.count_states(self.visits), wanted)


if __name__ == "__main__":
    unittest.main()
