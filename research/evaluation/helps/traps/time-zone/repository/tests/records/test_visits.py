import unittest
from datetime import date

from plant.kit.fields import BadField
from plant.lists import visits as lists
from plant.records.visits import VISITS, changes_of_visit, describe_visit, format_visit, parse_visit

ROWS = [
    {
        "code": "V0414",
        "building": "H0474",
        "day": "2024-08-07",
        "minutes": "85",
        "state": "read",
        "remark": "read twice",
    },
    {
        "code": "V0519",
        "building": "H0801",
        "day": "2024-09-16",
        "minutes": "77",
        "state": "partly",
        "remark": "read twice",
    },
    {
        "code": "V0587",
        "building": "H0722",
        "day": "2024-10-22",
        "minutes": "49",
        "state": "read",
        "remark": "key is at the porter",
    },
    {
        "code": "V0669",
        "building": "H0619",
        "day": "2024-12-09",
        "minutes": "11",
        "state": "read",
        "remark": "cellar was wet",
    },
]


class VisitTest(unittest.TestCase):
    def setUp(self):
        self.visits = [parse_visit(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_visit(item) for item in self.visits], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(VISITS.read()), 176)
        self.assertEqual(VISITS.get("V0414"), self.visits[0])

    def test_it_is_described(self):
        wanted = [
            "code: V0414",
            "building: H0474",
            "day: 07.08.2024",
            "minutes: 85",
            "state: read",
            "remark: read twice",
        ]
        self.assertEqual(list(describe_visit(self.visits[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_visit(self.visits[0], self.visits[1])
        self.assertEqual([name for name, _, _ in found], ["code", "building", "day", "minutes", "state"])
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

    def test_by_building(self):
        groups = lists.by_building(self.visits)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"H0474": 1, "H0801": 1, "H0722": 1, "H0619": 1})

    def test_find_day_between(self):
        first, last = date(2024, 9, 16), date(2024, 10, 22)
        found = lists.find_day_between(self.visits, first, last)
        self.assertEqual([item.code for item in found], ["V0519", "V0587"])

    def test_mean_minutes(self):
        self.assertEqual(lists.mean_minutes(self.visits), 55.5)
        self.assertIsNone(lists.mean_minutes([]))

    def test_at_least_minutes(self):
        found = lists.at_least_minutes(self.visits, 77)
        self.assertEqual([item.code for item in found], ["V0414", "V0519"])

    def test_by_state(self):
        groups = lists.by_state(self.visits)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"read": 3, "partly": 1})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.visits), [("read", 3), ("partly", 1)])


if __name__ == "__main__":
    unittest.main()
