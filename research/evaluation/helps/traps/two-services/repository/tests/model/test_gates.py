import unittest
from datetime import date

from house.kit.fields import BadField
from house.queries import gates as lists
from house.model.gates import GATES, changes_of_gate, describe_gate, format_gate, parse_gate

ROWS = [
    {
        "code": "B0475",
        "place": "Double pier gate",
        "checked": "2025-04-05",
        "passes": "685",
        "jams": "21",
        "kind": "barrier",
    },
    {
        "code": "B0791",
        "place": "Eastern gallery gate",
        "checked": "2025-08-13",
        "passes": "4641",
        "jams": "22",
        "kind": "barrier",
    },
    {
        "code": "B0907",
        "place": "Round hall gate 4",
        "checked": "2025-09-20",
        "passes": "8603",
        "jams": "3",
        "kind": "barrier",
    },
    {
        "code": "B1073",
        "place": "Eastern garden gate",
        "checked": "2025-12-06",
        "passes": "4627",
        "jams": "15",
        "kind": "barrier",
    },
]


class GateTest(unittest.TestCase):
    def setUp(self):
        self.gates = [parse_gate(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_gate(item) for item in self.gates], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(GATES.read()), 271)
        self.assertEqual(GATES.get("B0475"), self.gates[0])

    def test_it_is_described(self):
        wanted = [
            "code: B0475",
            "place: Double pier gate",
            "checked: 05.04.2025",
            "passes: 685",
            "jams: 21",
            "kind: barrier",
        ]
        self.assertEqual(list(describe_gate(self.gates[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_gate(self.gates[0], self.gates[1])
        self.assertEqual([name for name, _, _ in found], ["code", "place", "checked", "passes", "jams"])
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
        found = lists.search_place(self.gates, "EASTERN")
        self.assertEqual([item.code for item in found], ["B0791", "B1073"])

    def test_pick_checked_between(self):
        first, last = date(2025, 8, 13), date(2025, 9, 20)
        found = lists.pick_checked_between(self.gates, first, last)
        self.assertEqual([item.code for item in found], ["B0791", "B0907"])

    def test_mean_passes(self):
        self.assertEqual(lists.mean_passes(self.gates), 4639.0)
        self.assertIsNone(lists.mean_passes([]))

    def test_at_least_passes(self):
        found = lists.at_least_passes(self.gates, 4641)
        self.assertEqual([item.code for item in found], ["B0791", "B0907"])

    def test_mean_jams(self):
        self.assertEqual(lists.mean_jams(self.gates), 15.2)
        self.assertIsNone(lists.mean_jams([]))

    def test_at_least_jams(self):
        found = lists.at_least_jams(self.gates, 21)
        self.assertEqual([item.code for item in found], ["B0475", "B0791"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.gates)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"barrier": 4})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.gates), [("barrier", 4)])


if __name__ == "__main__":
    unittest.main()
