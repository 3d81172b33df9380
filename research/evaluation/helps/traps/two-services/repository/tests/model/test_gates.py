import unittest
from datetime import date

from house.kit.fields import BadField
from house.queries import gates as lists
from house.model.gates import GATES, changes_of_gate, describe_gate, format_gate, parse_gate

ROWS = [
    {
        "code": "B0157",
        "place": "Glass vessel gate 9",
        "checked": "2024-11-18",
        "passes": "7002",
        "jams": "18",
        "kind": "door",
    },
    {
        "code": "B0370",
        "place": "Long gallery gate",
        "checked": "2025-02-23",
        "passes": "4522",
        "jams": "24",
        "kind": "barrier",
    },
    {
        "code": "B0547",
        "place": "Hidden lantern gate",
        "checked": "2025-05-03",
        "passes": "7577",
        "jams": "14",
        "kind": "turnstile",
    },
    {
        "code": "B0945",
        "place": "Western gallery gate 7",
        "checked": "2025-10-19",
        "passes": "3740",
        "jams": "5",
        "kind": "turnstile",
    },
]


class GateTest(unittest.TestCase):
    def setUp(self):
        self.gates = [parse_gate(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_gate(item) for item in self.gates], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(GATES.read()), 271)
        self.assertEqual(GATES.get("B0157"), self.gates[0])

    def test_it_is_described(self):
        wanted = [
            "code: B0157",
            "place: Glass vessel gate 9",
            "checked: 18.11.2024",
            "passes: 7002",
            "jams: 18",
            "kind: door",
        ]
        self.assertEqual(list(describe_gate(self.gates[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_gate(self.gates[0], self.gates[1])
        self.assertEqual([name for name, _, _ in found], ["code", "place", "checked", "passes", "jams", "kind"])
        self.assertEqual(changes_of_gate(self.gates[0], self.gates[0]), [])

    def test_checked_is_checked(self):
        with self.assertRaises(BadField):
            parse_gate(ROWS[0] | {"checked": "31.02.2025"})

    def test_passes_is_checked(self):
        with self.assertRaises(BadField):
            parse_gate(ROWS[0] | {"passes": "several"})

    def test_jams_is_checked(self):
        with self.assertRaises(BadField):
            parse_gate(ROWS[0] | {"jams": "several"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_gate(ROWS[0] | {"kind": "unheard of"})

    def test_search_place(self):
        found = lists.search_place(self.gates, "LONG")
        self.assertEqual([item.code for item in found], ["B0370"])

    def test_pick_checked_between(self):
        first, last = date(2025, 2, 23), date(2025, 5, 3)
        found = lists.pick_checked_between(self.gates, first, last)
        self.assertEqual([item.code for item in found], ["B0370", "B0547"])

    def test_mean_passes(self):
        self.assertEqual(lists.mean_passes(self.gates), 5710.2)
        self.assertIsNone(lists.mean_passes([]))

    def test_at_least_passes(self):
        found = lists.at_least_passes(self.gates, 7002)
        self.assertEqual([item.code for item in found], ["B0157", "B0547"])

    def test_mean_jams(self):
        self.assertEqual(lists.mean_jams(self.gates), 15.2)
        self.assertIsNone(lists.mean_jams([]))

    def test_at_least_jams(self):
        found = lists.at_least_jams(self.gates, 18)
        self.assertEqual([item.code for item in found], ["B0157", "B0370"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.gates)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"door": 1, "barrier": 1, "turnstile": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.gates), [("turnstile", 2), ("barrier", 1), ("door", 1)])


if __name__ == "__main__":
    unittest.main()
