import unittest
from datetime import date
from decimal import Decimal

from ops.kit.fields import BadField
from ops.queries import incidents as lists
from ops.model.incidents import INCIDENTS, format_incident, parse_incident

ROWS = [
    {"code": "I0345", "seen": "2024-08-11", "minutes": "583", "kind": "full", "cost": "665.04", "remark": ""},
    {"code": "I0438", "seen": "2024-09-18", "minutes": "294", "kind": "down", "cost": "679.93", "remark": "after the update"},
    {"code": "I0570", "seen": "2024-11-22", "minutes": "444", "kind": "slow", "cost": "734.22", "remark": "seen twice"},
    {"code": "I0587", "seen": "2024-12-05", "minutes": "347", "kind": "slow", "cost": "429.07", "remark": "seen twice"},
]


class IncidentTest(unittest.TestCase):
    def setUp(self):
        self.incidents = [parse_incident(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_incident(item) for item in self.incidents], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(INCIDENTS.read()), 344)
        self.assertEqual(INCIDENTS.get("I0345"), self.incidents[0])

    def test_seen_is_checked(self):
        with self.assertRaises(BadField):
            parse_incident(ROWS[0] | {"seen": "31.02.2025"})

    def test_minutes_is_checked(self):
        with self.assertRaises(BadField):
            parse_incident(ROWS[0] | {"minutes": "several"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_incident(ROWS[0] | {"kind": "unheard of"})

    def test_cost_is_checked(self):
        with self.assertRaises(BadField):
            parse_incident(ROWS[0] | {"cost": "a lot"})

    def test_pick_seen_between(self):
        first, last = date(2024, 9, 18), date(2024, 11, 22)
        self.assertEqual([item.code for item in lists.pick_seen_between(self.incidents, first, last)], ["I0438", "I0570"])

    def test_mean_minutes(self):
        self.assertEqual(lists.mean_minutes(self.incidents), 417.0)
        self.assertIsNone(lists.mean_minutes([]))

    def test_at_least_minutes(self):
        self.assertEqual([item.code for item in lists.at_least_minutes(self.incidents, 444)], ["I0345", "I0570"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.incidents)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"full": 1, "down": 1, "slow": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.incidents), [("slow", 2), ("down", 1), ("full", 1)])

    def test_sum_of_cost(self):
        self.assertEqual(lists.sum_of_cost(self.incidents), Decimal("2508.26"))

    def test_cost_of_each_kind(self):
        self.assertEqual(lists.cost_of_each_kind(self.incidents), [("slow", Decimal("1163.29")), ("down", Decimal("679.93")), ("full", Decimal("665.04"))])

    def test_dearest_cost(self):
        self.assertEqual([item.code for item in lists.dearest_cost(self.incidents, 2)], ["I0570", "I0438"])


if __name__ == "__main__":
    unittest.main()
