import unittest
from datetime import date
from decimal import Decimal

from rangers.kit.fields import BadField
from rangers.lists import gates as lists
from rangers.records.gates import GATES, changes_of_gate, describe_gate, format_gate, parse_gate

ROWS = [
    {
        "code": "A0026",
        "place": "South bridge gate",
        "opened": "2024-03-25",
        "hours": "13.33",
        "kind": "cart",
        "locked": "no",
    },
    {
        "code": "A0273",
        "place": "Shady oak gate",
        "opened": "2024-07-25",
        "hours": "12.19",
        "kind": "cart",
        "locked": "no",
    },
    {
        "code": "A0315",
        "place": "Stony ridge gate 5",
        "opened": "2024-08-03",
        "hours": "9.17",
        "kind": "main",
        "locked": "yes",
    },
    {
        "code": "A0691",
        "place": "New cave gate",
        "opened": "2025-01-13",
        "hours": "12.30",
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
        self.assertEqual(len(GATES.read()), 218)
        self.assertEqual(GATES.get("A0026"), self.gates[0])

    def test_it_is_described(self):
        wanted = [
            "code: A0026",
            "place: South bridge gate",
            "opened: 25.03.2024",
            "hours: 13.33",
            "kind: cart",
        ]
        self.assertEqual(list(describe_gate(self.gates[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_gate(self.gates[0], self.gates[1])
        self.assertEqual([name for name, _, _ in found], ["code", "place", "opened", "hours"])
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
        found = lists.search_place(self.gates, "SHADY")
        self.assertEqual([item.code for item in found], ["A0273"])

    def test_find_opened_between(self):
        first, last = date(2024, 7, 25), date(2024, 8, 3)
        found = lists.find_opened_between(self.gates, first, last)
        self.assertEqual([item.code for item in found], ["A0273", "A0315"])

    def test_total_hours(self):
        self.assertEqual(lists.total_hours(self.gates), Decimal("46.99"))

    def test_hours_of_each_kind(self):
        wanted = [("cart", Decimal("25.52")), ("main", Decimal("21.47"))]
        self.assertEqual(lists.hours_of_each_kind(self.gates), wanted)

    def test_largest_hours(self):
        found = lists.largest_hours(self.gates, 2)
        self.assertEqual([item.code for item in found], ["A0026", "A0691"])

    def test_by_kind(self):
        groups = lists.by_kind(self.gates)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"cart": 2, "main": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.gates), [("cart", 2), ("main", 2)])

    def test_find_locked(self):
        found = lists.find_locked(self.gates)
        self.assertEqual([item.code for item in found], ["A0315"])


if __name__ == "__main__":
    unittest.main()
