import unittest
from datetime import date
from decimal import Decimal

from rangers.kit.fields import BadField
from rangers.lists import gates as lists
from rangers.records.gates import GATES, changes_of_gate, describe_gate, format_gate, parse_gate

ROWS = [
    {
        "code": "A0413",
        "place": "North view gate",
        "opened": "2024-07-29",
        "hours": "8.33",
        "kind": "side",
        "locked": "yes",
    },
    {
        "code": "A0489",
        "place": "West hill gate 7",
        "opened": "2024-09-06",
        "hours": "9.16",
        "kind": "cart",
        "locked": "no",
    },
    {
        "code": "A0519",
        "place": "Upper meadow gate 3",
        "opened": "2024-09-20",
        "hours": "11.56",
        "kind": "side",
        "locked": "no",
    },
    {
        "code": "A0889",
        "place": "Hidden meadow gate",
        "opened": "2025-02-16",
        "hours": "10.10",
        "kind": "main",
        "locked": "no",
    },
]


class GateTest(unittest.TestCase):
    def setUp(self):
        self.gates = [parse_gate(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_gate(item) for item in self.gates], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(GATES.read()), 248)
        self.assertEqual(GATES.get("A0413"), self.gates[0])

    def test_it_is_described(self):
        wanted = [
            "code: A0413",
            "place: North view gate",
            "opened: 29.07.2024",
            "hours: 8.33",
            "kind: side",
            "locked",
        ]
        self.assertEqual(list(describe_gate(self.gates[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_gate(self.gates[0], self.gates[1])
        self.assertEqual([name for name, _, _ in found], ["code", "place", "opened", "hours", "kind", "locked"])
        self.assertEqual(changes_of_gate(self.gates[0], self.gates[0]), [])

    def test_opened_is_checked(self):
        with self.assertRaises(BadField):
            parse_gate(ROWS[0] | {"opened": "31.02.2025"})

    def test_hours_is_checked(self):
        with self.assertRaises(BadField):
            parse_gate(ROWS[0] | {"hours": "a lot"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_gate(ROWS[0] | {"kind": "unheard of"})

    def test_locked_is_checked(self):
        with self.assertRaises(BadField):
            parse_gate(ROWS[0] | {"locked": "perhaps"})

    def test_search_place(self):
        found = lists.search_place(self.gates, "WEST")
        self.assertEqual([item.code for item in found], ["A0489"])

    def test_find_opened_between(self):
        first, last = date(2024, 9, 6), date(2024, 9, 20)
        found = lists.find_opened_between(self.gates, first, last)
        self.assertEqual([item.code for item in found], ["A0489", "A0519"])

    def test_total_hours(self):
        self.assertEqual(lists.total_hours(self.gates), Decimal("39.15"))

    def test_hours_of_each_kind(self):
        wanted = [("side", Decimal("19.89")), ("main", Decimal("10.10")), ("cart", Decimal("9.16"))]
        self.assertEqual(lists.hours_of_each_kind(self.gates), wanted)

    def test_largest_hours(self):
        found = lists.largest_hours(self.gates, 2)
        self.assertEqual([item.code for item in found], ["A0519", "A0889"])

    def test_by_kind(self):
        groups = lists.by_kind(self.gates)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"side": 2, "cart": 1, "main": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.gates), [("side", 2), ("cart", 1), ("main", 1)])

    def test_find_locked(self):
        found = lists.find_locked(self.gates)
        self.assertEqual([item.code for item in found], ["A0413"])


if __name__ == "__main__":
    unittest.main()
