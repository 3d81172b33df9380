import unittest
from datetime import date

from ops.kit.fields import BadField
from ops.queries import alerts as lists
from ops.model.alerts import ALERTS, format_alert, parse_alert

ROWS = [
    {"code": "A0239", "sent": "2025-01-03", "kind": "latency", "level": "2", "real": "no"},
    {"code": "A0405", "sent": "2025-03-24", "kind": "load", "level": "3", "real": "no"},
    {"code": "A1163", "sent": "2026-01-27", "kind": "errors", "level": "2", "real": "no"},
    {"code": "A1242", "sent": "2026-03-06", "kind": "disk", "level": "3", "real": "yes"},
]


class AlertTest(unittest.TestCase):
    def setUp(self):
        self.alerts = [parse_alert(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_alert(item) for item in self.alerts], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(ALERTS.read()), 353)
        self.assertEqual(ALERTS.get("A0239"), self.alerts[0])

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
        first, last = date(2025, 3, 24), date(2026, 1, 27)
        self.assertEqual([item.code for item in lists.pick_sent_between(self.alerts, first, last)], ["A0405", "A1163"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.alerts)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"latency": 1, "load": 1, "errors": 1, "disk": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.alerts), [("disk", 1), ("errors", 1), ("latency", 1), ("load", 1)])

    def test_mean_level(self):
        self.assertEqual(lists.mean_level(self.alerts), 2.5)
        self.assertIsNone(lists.mean_level([]))

    def test_at_least_level(self):
        self.assertEqual([item.code for item in lists.at_least_level(self.alerts, 3)], ["A0405", "A1242"])

    def test_pick_real(self):
        self.assertEqual([item.code for item in lists.pick_real(self.alerts)], ["A1242"])


if __name__ == "__main__":
    unittest.main()
