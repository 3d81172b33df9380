import unittest
from datetime import date

from ops.kit.fields import BadField
from ops.queries import alerts as lists
from ops.model.alerts import ALERTS, changes_of_alert, describe_alert, format_alert, parse_alert

ROWS = [
    {"code": "A0370", "sent": "2024-11-30", "kind": "disk", "level": "3", "real": "no"},
    {"code": "A0405", "sent": "2024-12-17", "kind": "errors", "level": "1", "real": "no"},
    {"code": "A0890", "sent": "2025-07-10", "kind": "latency", "level": "2", "real": "no"},
    {"code": "A0973", "sent": "2025-08-16", "kind": "latency", "level": "4", "real": "no"},
]


class AlertTest(unittest.TestCase):
    def setUp(self):
        self.alerts = [parse_alert(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_alert(item) for item in self.alerts], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(ALERTS.read()), 341)
        self.assertEqual(ALERTS.get("A0370"), self.alerts[0])

    def test_it_is_described(self):
        wanted = [
            "code: A0370",
            "sent: 30.11.2024",
            "kind: disk",
            "level: 3",
        ]
        self.assertEqual(list(describe_alert(self.alerts[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_alert(self.alerts[0], self.alerts[1])
        self.assertEqual([name for name, _, _ in found], ["code", "sent", "kind", "level"])
        self.assertEqual(changes_of_alert(self.alerts[0], self.alerts[0]), [])

    def test_sent_is_checked(self):
        with self.assertRaises(BadField):
            parse_alert(ROWS[0] | {"sent": "31.02.2025"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_alert(ROWS[0] | {"kind": "unheard of"})

    def test_level_is_checked(self):
        with self.assertRaises(BadField):
            parse_alert(ROWS[0] | {"level": "several"})

    def test_real_is_checked(self):
        with self.assertRaises(BadField):
            parse_alert(ROWS[0] | {"real": "perhaps"})

    def test_pick_sent_between(self):
        first, last = date(2024, 12, 17), date(2025, 7, 10)
        found = lists.pick_sent_between(self.alerts, first, last)
        self.assertEqual([item.code for item in found], ["A0405", "A0890"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.alerts)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"disk": 1, "errors": 1, "latency": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.alerts), [("latency", 2), ("disk", 1), ("errors", 1)])

    def test_mean_level(self):
        self.assertEqual(lists.mean_level(self.alerts), 2.5)
        self.assertIsNone(lists.mean_level([]))

    def test_at_least_level(self):
        found = lists.at_least_level(self.alerts, 3)
        self.assertEqual([item.code for item in found], ["A0370", "A0973"])

    def test_pick_real(self):
        found = lists.pick_real(self.alerts)
        self.assertEqual([item.code for item in found], [])


if __name__ == "__main__":
    unittest.main()
