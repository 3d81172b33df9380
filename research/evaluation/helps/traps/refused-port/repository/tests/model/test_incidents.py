import unittest
from datetime import date
from decimal import Decimal

from ops.kit.fields import BadField
from ops.queries import incidents as lists
from ops.model.incidents import INCIDENTS, changes_of_incident, describe_incident, format_incident, parse_incident

ROWS = [
    {
        "code": "I0055",
        "seen": "2024-09-10",
        "minutes": "278",
        "kind": "wrong",
        "cost": "481.70",
        "remark": "seen twice",
    },
    {
        "code": "I0471",
        "seen": "2025-03-17",
        "minutes": "243",
        "kind": "wrong",
        "cost": "325.54",
        "remark": "as before",
    },
    {
        "code": "I0529",
        "seen": "2025-04-17",
        "minutes": "330",
        "kind": "full",
        "cost": "318.81",
        "remark": "after the update",
    },
    {"code": "I0635", "seen": "2025-05-30", "minutes": "306", "kind": "down", "cost": "552.53", "remark": ""},
]


class IncidentTest(unittest.TestCase):
    def setUp(self):
        self.incidents = [parse_incident(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_incident(item) for item in self.incidents], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(INCIDENTS.read()), 257)
        self.assertEqual(INCIDENTS.get("I0055"), self.incidents[0])

    def test_it_is_described(self):
        wanted = [
            "code: I0055",
            "seen: 10.09.2024",
            "minutes: 278",
            "kind: wrong",
            "cost: 481.70",
            "remark: seen twice",
        ]
        self.assertEqual(list(describe_incident(self.incidents[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_incident(self.incidents[0], self.incidents[1])
        self.assertEqual([name for name, _, _ in found], ["code", "seen", "minutes", "cost", "remark"])
        self.assertEqual(changes_of_incident(self.incidents[0], self.incidents[0]), [])

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
        first, last = date(2025, 3, 17), date(2025, 4, 17)
        found = lists.pick_seen_between(self.incidents, first, last)
        self.assertEqual([item.code for item in found], ["I0471", "I0529"])

    def test_mean_minutes(self):
        self.assertEqual(lists.mean_minutes(self.incidents), 289.2)
        self.assertIsNone(lists.mean_minutes([]))

    def test_at_least_minutes(self):
        found = lists.at_least_minutes(self.incidents, 306)
        self.assertEqual([item.code for item in found], ["I0529", "I0635"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.incidents)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"wrong": 2, "full": 1, "down": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.incidents), [("wrong", 2), ("down", 1), ("full", 1)])

    def test_sum_of_cost(self):
        self.assertEqual(lists.sum_of_cost(self.incidents), Decimal("1678.58"))

    def test_cost_of_each_kind(self):
        wanted = [("wrong", Decimal("807.24")), ("down", Decimal("552.53")), ("full", Decimal("318.81"))]
        self.assertEqual(lists.cost_of_each_kind(self.incidents), wanted)

    def test_dearest_cost(self):
        found = lists.dearest_cost(self.incidents, 2)
        self.assertEqual([item.code for item in found], ["I0635", "I0055"])


if __name__ == "__main__":
    unittest.main()
